"""The published ranking of 2017, continued by a tournament of 2018: from a keeper's commands to the published file."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from support.changed_publications import rows
from support.golden import edit_files
from support.programs import done, run_program

MOOT = """\
name: Weasel Moot 2018
date: 2018-06-24
players: 41
rounds: 3

placement,first_name,last_name,nation_code
1,Ada,LOVELACE,GBR
3,Dan,LESTER,
20,Gwen,MAGGI,FRA
"""
VALUE = Fraction(41) / Fraction(7, 2) + 2


def rating(before: Fraction, placement: int) -> float:
    score = (41 + Fraction(1, 2) - placement) / 41 * 100
    return float(before + VALUE / 100 * (score - before))


@pytest.mark.long
def test_a_later_tournament_moves_the_published_ratings(tmp_path: Path, seeds: Path) -> None:
    run = partial(run_program, DPTR_SEEDS=seeds, DPTR_WAREHOUSE=tmp_path / "warehouse")
    edit_files(seeds, "@ reference/ref_settings.csv\n- rating_system,dptr\n+ rating_system,dptr-continued\n")
    table = tmp_path / "moot.csv"
    table.write_text(MOOT, encoding="utf-8")
    foreseen = done(run("import", "--dry-run", table))
    assert [line.split() for line in foreseen.splitlines() if "->" in line] == [
        ["gwen-maggi", "3", "->", "9", "85.0800", "->", "80.6035"],
        ["dan-lester", "1", "->", "1", "85.2900", "->", "86.4711"],
    ]
    done(run("import", table))
    done(run("refresh"))
    published = tmp_path / "warehouse" / "rankings.duckdb"
    ranked = "select player_id, rank, rating, tournaments_counted, last_played_on::varchar from international_ranking"
    ranking = rows(published, f"{ranked} order by rank")
    assert len(ranking) == 48
    assert [*ranking[:3], ranking[-1]] == [
        ("dan-lester", 1, pytest.approx(rating(Fraction("85.29"), 3), abs=1e-9), 1, "2018-06-24"),
        ("nicolas-sahuguet", 2, 85.29, 0, "2013-08-25"),
        ("doug-moore", 3, 84.55, 0, None),
        ("ada-lovelace", 48, pytest.approx(rating(Fraction(40), 1), abs=1e-9), 1, "2018-06-24"),
    ]
    compared = "select reason, count(*) from published_ranking_comparison group by all"
    assert rows(published, compared) == [("continued here", 47)]
    reproduced = "select published_ratings, reproduced_ratings from presentation.collection_card"
    assert rows(published, reproduced) == [(0, 0)]
    strength = "select mean_rating_before from tournaments where tournament_id = 'weasel-moot-2018'"
    assert rows(published, strength) == [(pytest.approx((85.29 + 85.08) / 2),)]
    # Also those who played before 2017 only, and the one who was listed and then played for the first time.
    newcomers = "select player_id from yearly_ranking where newcomer_rank > 0"
    assert rows(published, newcomers) == [("ada-lovelace",)]
    parts = [line.split() for line in done(run("player", "dan-lester")).splitlines()]
    assert ["opening", "rating"] in [part[:2] for part in parts if "85.29" in part]
    assert ["Weasel", "Moot", "2018"] in [part[:3] for part in parts if "93.90" in part]
