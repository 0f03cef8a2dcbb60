"""The program that answers what an event would do, and what it says to a bad question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dippouch.commands.questions import what_if


def run(published: Path, *arguments: str) -> Result:
    return CliRunner().invoke(what_if, ["--database", str(published), *arguments])


def test_the_worked_example_of_the_rules_is_what_the_program_says(published: Path) -> None:
    """8th of 65 players in several rounds: 15 percent of the way to 57.5 / 65 * 100, from wherever one stands."""
    done = run(published, "cyrille-sevin", "--players", "65", "--rounds", "4", "--placement", "8", "--json")
    answer = json.loads(done.stdout)
    (placement,) = answer["placements"]
    assert answer["event"]["tournament_value"] == 15
    assert placement["percentile_score"] == pytest.approx(57.5 / 65 * 100, abs=1e-12)
    before = answer["rating_before"]
    assert placement["rating_after"] == pytest.approx(before + 0.15 * (57.5 / 65 * 100 - before), abs=1e-12)


def test_every_placement_is_a_line_for_people(published: Path) -> None:
    done = run(published, "Toby Harris", "--players", "12", "--rounds", "4")
    assert done.stdout.startswith("Toby HARRIS: rating 51.6000, rank 5, before an event of 12 players on 2013-08-25")
    placements = [line.split() for line in done.stdout.splitlines()[3:]]
    assert [line[0] for line in placements] == [str(n) for n in range(1, 13)]
    assert placements[0] == ["1", "95.83", "54.0012", "+2.4012", "2"]


def test_two_players_learn_what_either_needs(published: Path) -> None:
    done = run(published, "harris", "--players", "12", "--rounds", "4", "--rival", "SÉVIN", "--json")
    passing = json.loads(done.stdout)["passing"]
    assert list(passing) == ["toby-harris", "cyrille-sevin"]
    at_home, first, *_ = passing["toby-harris"]
    # 5th makes 52.19, 6th 51.74; the rival stands at 51.87.
    assert (at_home["rival_placement"], at_home["placement_needed"]) == (None, 5)
    assert (first["rival_placement"], first["placement_needed"]) == (1, None)
    assert "not even 1" in run(published, "toby-harris", "--players", "12", "--rival", "cyrille-sevin").stdout


def test_an_earlier_day_has_the_ratings_and_the_rules_of_that_day(published: Path) -> None:
    done = run(published, "toby-harris", "--players", "7", "--on", "2000-05-05", "--placement", "1", "--json")
    answer = json.loads(done.stdout)
    assert (answer["rating_before"], answer["rank_before"]) == (40, None)
    assert answer["event"]["value_rule"] == "before first counted day"
    assert answer["placements"][0]["rank_after"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tobi haris", "--players", "9"], "found no player `tobi haris`; did you mean `toby-harris`?"),
        (["adam", "--players", "9"], "found 2 players for `adam`; expected one of the ids adam-sigal, adam-silverman"),
        (
            ["toby-harris", "--players", "9", "--placement", "10"],
            "found placement 10 in a field of 9 players; expected one from 1 to 9",
        ),
        (
            ["toby-harris", "--players", "9", "--system", "dptt"],
            "found no rating system `dptt`; expected one of dptr, ",
        ),
        (["toby-harris", "--players", "9", "--on", "1990-01-01"], "expected a day from 1996-06-01 on"),
        (["toby-harris", "--players", "9", "--rival", "Toby Harris"], "expected somebody else"),
    ],
)
def test_a_bad_question_says_what_was_found_and_expected(published: Path, arguments: list[str], message: str) -> None:
    done = run(published, *arguments)
    assert done.exit_code == 1
    assert message in done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stdout == ""
