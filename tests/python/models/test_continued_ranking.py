"""The published ranking of 2017, continued by a tournament of 2018: from a keeper's commands to the published file."""

from __future__ import annotations

import shutil
from fractions import Fraction
from functools import partial
from pathlib import Path

import duckdb
import pytest

from dippouch.settings import PROJECT
from support.golden import edit_files
from support.programs import run_program

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


@pytest.fixture(scope="module")
def continued(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The published file, and what the dry run of the import printed."""
    folder = tmp_path_factory.mktemp("continued")
    seeds = shutil.copytree(PROJECT / "seeds", folder / "seeds")
    run = partial(run_program, DPTR_SEEDS=seeds, DPTR_WAREHOUSE=folder / "warehouse")
    edit_files(seeds, "@ reference/ref_settings.csv\n- rating_system,dptr\n+ rating_system,dptr-continued\n")
    table = folder / "moot.csv"
    table.write_text(MOOT, encoding="utf-8")
    foreseen = run("import", "--dry-run", table)
    for done in (foreseen, run("import", table), run("refresh")):
        assert done.returncode == 0, done.stderr
    return folder / "warehouse" / "rankings.duckdb", foreseen.stdout


@pytest.mark.long
def test_a_later_tournament_moves_the_published_ratings(continued: tuple[Path, str]) -> None:
    published, foreseen = continued
    assert [line.split() for line in foreseen.splitlines() if "->" in line] == [
        ["gwen-maggi", "3", "->", "9", "85.0800", "->", "80.6035"],
        ["dan-lester", "1", "->", "1", "85.2900", "->", "86.4711"],
    ]
    with duckdb.connect(str(published), read_only=True) as connection:
        ranking = connection.execute(
            "from international_ranking select player_id, rank, rating, tournaments_counted, last_played_on::varchar"
        ).fetchall()
        assert len(ranking) == 48
        assert ranking[:3] == [
            ("dan-lester", 1, pytest.approx(rating(Fraction("85.29"), 3), abs=1e-9), 1, "2018-06-24"),
            ("nicolas-sahuguet", 2, 85.29, 0, "2013-08-25"),
            ("doug-moore", 3, 84.55, 0, None),
        ]
        newcomer = ("ada-lovelace", 48, pytest.approx(rating(Fraction(40), 1), abs=1e-9), 1, "2018-06-24")
        assert ranking[-1] == newcomer
        compared = "select reason, count(*) from published_ranking_comparison group by all"
        assert connection.execute(compared).fetchall() == [("continued here", 47)]
        reproduced = "select published_ratings, reproduced_ratings from presentation.collection_card"
        assert connection.execute(reproduced).fetchall() == [(0, 0)]
        history = "from rating_history select player_id, event_number, rating_before order by all"
        assert connection.execute(history).fetchall() == [
            ("ada-lovelace", 1, 40.0),
            ("dan-lester", 1, 85.29),
            ("gwen-maggi", 1, 85.08),
        ]
        strength = "select mean_rating_before from tournaments where tournament_id = 'weasel-moot-2018'"
        assert connection.execute(strength).fetchall() == [(pytest.approx((85.29 + 85.08) / 2),)]
        # Also those who played before 2017 only, and the one who was listed and then played for the first time.
        assert connection.execute("from yearly_ranking select player_id where newcomer_rank > 0").fetchall() == [
            ("ada-lovelace",)
        ]
        # Nobody is ranked before the opening.
        for day, ranked in (("2017-08-05", 0), ("2017-08-06", 47), ("2018-06-23", 47), ("2018-06-24", 48)):
            asked = connection.execute("select count(*) from marts.ranking_on(day => ?)", [day])
            assert (day, asked.fetchone()) == (day, (ranked,))


@pytest.mark.long
def test_an_opening_rating_is_a_part_of_the_rating_and_the_start_of_what_if(continued: tuple[Path, str]) -> None:
    database = ("--database", continued[0])
    shown = run_program("player", "dan-lester", *database).stdout
    assert ["opening", "rating"] in [line.split()[:2] for line in shown.splitlines() if " 85.29 " in line]
    assert ["Weasel", "Moot", "2018"] in [line.split()[:3] for line in shown.splitlines() if " 93.90 " in line]
    printed = run_program("what-if", "doug-moore", "--players", "41", "--rounds", "3", *database).stdout
    expected = f"{rating(Fraction('84.55'), 3):.4f}"
    third = ["3", "93.90", expected, f"+{float(expected) - 84.55:.4f}", "2"]
    assert third in [line.split() for line in printed.splitlines()]
