"""Every mart and function against plain loops: on the real documents, a large history, and generated histories."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import duckdb
import pytest
from hypothesis import given, settings

from support import loops
from support.compiled import CompiledProject
from support.loops import Facts, Table
from support.made_histories import PEOPLE, histories
from support.seed_rows import Rows, large_history, read_collection, reference_rows
from verify_ratings import percentile_score, tournament_value

# The columns of each mart in the order of its loop.
MARTS: dict[Callable[[Facts], Table], str] = {
    loops.nation_ranking: "rating_system_id, year, is_current, rank, nation_code, best_five_rating, ranked_players,"
    " players_in_top_100, earlier_rank",
    loops.reigns: "rating_system_id, competition, player_id, reigned_from, reigned_to, days, highest_rating, was_shared",
    loops.international_ranking: "rating_system_id, player_id, peak_rating, peak_on, best_year_end_rank, best_year",
    loops.rating_history: "rating_system_id, player_id, event_number, tournament_id, listed_players, listed_place,"
    " expected_place, places_better",
    loops.streaks: "streak_kind, player_id, tournaments, first_tournament_on, last_tournament_on, is_running",
}
OPPONENTS = "opponent_id, tournaments, times_ahead, times_behind, times_level, last_met_on"
BETWEEN = (
    "player_id, rank, earlier_rank, places_gained, national_rank, is_active, active_rank, rating, earlier_rating,"
    " rating_gained"
)
# Players, rounds, and whether it is a World Championship.
IMAGINED = [(12, 3, False), (40, 1, False), (7, None, False), (9, 2, True)]


@pytest.mark.parametrize("examples", [3, pytest.param(60, marks=pytest.mark.long)])
def test_every_row_on_made_up_histories(compiled_project: CompiledProject, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(rows=histories())
    def agrees(rows: Rows) -> None:
        with compiled_project.build(reference_rows() | rows) as marts:
            known = {player for (player,) in marts.execute("select player_id from marts.players").fetchall()}
            check_everything(marts, sorted(known.intersection(PEOPLE))[:3])

    agrees()


@pytest.mark.long
def test_every_row_on_a_large_history_and_on_the_real_documents(compiled_project: CompiledProject) -> None:
    with compiled_project.build(reference_rows() | large_history()) as marts:
        check_everything(marts, ["p1", "p2"])
    with compiled_project.build(read_collection()) as marts:
        check_everything(marts, ["edi-birsan", "cyrille-sevin"])


def check_everything(marts: duckdb.DuckDBPyConnection, players: list[str]) -> None:
    """Check that every mart holds exactly the rows of its loop, each once."""
    facts = Facts(marts)
    for expected, columns in MARTS.items():
        name = expected.__name__
        check_rows(marts, expected(facts), f"select {columns} from marts.{name}")
    for player in players:
        ask = f"select {OPPONENTS} from marts.head_to_head(?)"
        check_rows(marts, loops.head_to_head(facts, player), ask, player)
    if facts.days:
        check_days(marts, facts)
        for system in facts.systems:
            check_what_if(marts, facts, system, players)


def check_rows(marts: duckdb.DuckDBPyConnection, expected: Table, ask: str, *values: object) -> None:
    has = marts.execute(ask, values).fetchall()
    assert (ask, set(has), len(has)) == (ask, expected, len(expected))


def check_days(marts: duckdb.DuckDBPyConnection, facts: Facts) -> None:
    """Check the rankings of days around rating changes, and the moves between these days."""
    days = [day + timedelta(days=shift) for day in facts.days[:6] + facts.days[-6:] for shift in (-1, 0, 1)]
    for system in facts.systems:
        for day, earlier in [*zip(days, reversed(days), strict=True), (days[0], days[0])]:
            ratings = facts.ranking(system, day)
            ranks = loops.ranks(ratings)
            ranking = {(ranks[player], player, rating) for player, rating in ratings.items()}
            check_rows(marts, ranking, "select rank, player_id, rating from marts.ranking_on(?, ?)", day, system)
            expected = loops.ranking_between(facts, system, day, earlier)
            check_rows(marts, expected, f"select {BETWEEN} from marts.ranking_between(?, ?, ?)", day, earlier, system)


def check_what_if(marts: duckdb.DuckDBPyConnection, facts: Facts, system: str, players: list[str]) -> None:
    """Check that a hypothetical tournament is one more in the career, and that all other ratings stay."""
    shown, day = facts.rules[system], facts.days[-1]
    rules = shown | {name: shown[name] or date.min for name in ("counted_from", "opened_on")}
    for field, rounds, championship in IMAGINED:
        event = {"players": field, "rounds": rounds, "ended_on": day, "is_withdrawn": False}
        value = float(tournament_value(rules, event | {"is_world_championship": championship}))
        for player in players[:2]:
            was_ranked = player in facts.ranking(system, day)
            before = facts.rating(system, player, day)
            others = [loops.height(rating) for other, rating in facts.ranking(system, day).items() if other != player]
            rows = marts.execute(
                "select placement, rating_before, rating_after, rank_before, rank_after from marts.what_if(?, ?, ?, ?, ?, ?)",
                [player, field, rounds, championship, day, system],
            ).fetchall()
            assert [row[0] for row in rows] == list(range(1, field + 1))
            for placement, rating_before, rating_after, rank_before, rank_after in rows:
                after = before + value / 100 * (float(percentile_score(field, placement)) - before)
                assert (rating_before, rating_after) == (before, pytest.approx(after, abs=1e-9))
                assert rank_before == (
                    1 + sum(other > loops.height(before) for other in others) if was_ranked else None
                )
                is_ranked = was_ranked or value > 0
                ahead = sum(other > loops.height(rating_after) for other in others)
                assert rank_after == (1 + ahead if is_ranked else None)
