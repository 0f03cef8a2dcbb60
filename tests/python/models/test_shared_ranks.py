"""Exactly equal ratings share a rank, though their doubles differ: all outcomes of two World Championships of 75 players."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import duckdb

import verify_ratings
from support.compiled import Warehouse
from support.seed_rows import reference_rows, result, tournament, write_collection

# A player for every pair of placements, in 75 pairs of championships, each with a full field.
OUTCOMES = {f"p{one}-{two}": (one, two) for one, two in product(range(1, 76), repeat=2)}
# They alone are Norwegian. Both have exactly 53.68.
ANN, BOB = "p12-21", "p17-17"
BETWEEN = "marts.ranking_between('2006-12-31', '2005-12-31')"
# Whose ranks a query has: everybody's, or those of one nation.
RANKS = {
    "select player_id, rank from marts.international_ranking": "",
    "select player_id, active_rank from marts.international_ranking": "",
    "select player_id, rank from marts.yearly_ranking where year = 2006": "",
    "select player_id, rank from marts.rank_movements where period = 'tournament'": "",
    "select player_id, rank from marts.ranking_on('2006-12-31')": "",
    f"select player_id, active_rank from {BETWEEN}": "",
    f"select player_id, national_rank from {BETWEEN} where nation_code = 'NOR'": "NOR",
    "select player_id, national_rank from marts.national_ranking where nation_code = 'FRA'": "FRA",
    "select player_id, rank from marts.ranking_under(maximum_value => 20)": "",
    # A page counts the players ahead in these whole numbers, which are in the order of the ratings.
    "select player_id, rank() over (order by periods[-1][2] desc) from presentation.rank_period_list": "",
}


def nation(player: str) -> str:
    return "NOR" if player in (ANN, BOB) else "FRA"


def after(rating: Fraction, place: int) -> Fraction:
    return rating + (Fraction(151 - 2 * place, 150) * 100 - rating) / 5


def test_equal_ratings_share_a_rank_everywhere(warehouse: Warehouse, tmp_path: Path) -> None:
    rows = reference_rows()
    rows["raw_results"] = [
        result(f"wdc-{year}-{(two - one) % 75}", player, place, nation_code=nation(player))
        for player, (one, two) in OUTCOMES.items()
        for year, place in ((2005, one), (2006, two))
    ]
    played = sorted({row["tournament_id"] for row in rows["raw_results"]})
    rows["raw_tournaments"] = [tournament(one, f"{one[4:8]}-07-01", 75, kind="WDC") for one in played]
    rows["ref_rating_systems"] = rows["ref_rating_systems"][:1]
    seeds = write_collection(tmp_path / "seeds", rows)
    ratings = {player: after(after(Fraction(40), one), two) for player, (one, two) in OUTCOMES.items()}
    assert sum(sharing > 1 for sharing in Counter(ratings.values()).values()) == 615
    warehouse.build(seeds)
    warehouse.save(tmp_path / "build.duckdb")
    with duckdb.connect() as connection:
        connection.execute(f"attach '{tmp_path}/build.duckdb' as published")
        assert verify_ratings.verify(connection, seeds)[1] == []
        connection.execute("use published")
        for query, only in RANKS.items():
            own = {player: rating for player, rating in ratings.items() if only in ("", nation(player))}
            ranks = dict(reversed([*zip(sorted(own.values(), reverse=True), range(1, len(own) + 1), strict=True)]))
            found = dict(connection.execute(query).fetchall())
            assert (query, [player for player in own if found[player] != ranks[own[player]]]) == (query, [])
        reigns = "select player_id from marts.reigns where competition = 'nation' and nation_code = 'NOR' and reigned_to is null"
        assert connection.execute(f"{reigns} order by 1").fetchall() == [(ANN,), (BOB,)]
        # If Bob is 10th in the next one, Ann is ahead as 9th.
        takes = (
            "select rival_placement - placement_needed from marts.what_it_takes(?, ?, 75) where rival_placement < 75"
        )
        for one, other in ((ANN, BOB), (BOB, ANN)):
            assert set(connection.execute(takes, [one, other]).fetchall()) == {(None,), (1,)}
        split = "select rank() over (order by rating desc) as rank, player_id from marts.international_ranking"
        update = "update marts.international_ranking as own set rank = split.rank"
        connection.execute(f"{update} from ({split}) as split where own.player_id = split.player_id")
        assert verify_ratings.verify(connection, seeds)[1]
