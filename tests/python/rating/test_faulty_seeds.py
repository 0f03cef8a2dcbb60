"""Faults put into the seeds by hand: the data tests that keep them from being published."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.compiled import CompiledProject
from support.described import described
from support.seed_rows import Rows, read_collection

WDC_2013 = "world-dipcon-xxiii-2013"
Fault = Callable[[Rows], object]


def row(rows: Rows, seed: str, **cells: str) -> dict[str, str]:
    """The first row of a seed that has these cells."""
    return next(row for row in rows[seed] if all(row[column] == value for column, value in cells.items()))


def place(player_id: str, placement: str) -> Fault:
    return lambda rows: row(rows, "raw_results", tournament_id=WDC_2013, player_id=player_id).update(
        placement=placement
    )


def correction(**cells: str) -> dict[str, str]:
    decided = {"correction_number": "1", "tournament_id": WDC_2013, "reason": "a test", "decided_on": "2026-01-02"}
    return decided | cells


FAULTS: dict[str, tuple[Fault, str]] = {
    "placement beyond the declared players": (
        place("laurent-bouchoucha", "76"),
        "placement_is_within_the_declared_players",
    ),
    "placement zero": (place("cyrille-sevin", "0"), "placement_is_within_the_declared_players"),
    "a tie counted as 1, 2, 2, 3": (
        lambda rows: (place("toby-harris", "1")(rows), place("gwen-maggi", "2")(rows)),
        "ties_leave_room_for_the_tied",
    ),
    "a tie at the very end": (place("benoit-clergeot", "75"), "ties_leave_room_for_the_tied"),
    "fewer declared players than results": (
        lambda rows: row(rows, "raw_tournaments", tournament_id=WDC_2013).update(players="70"),
        "no_more_placements_than_declared_players",
    ),
    "a player twice in a tournament": (
        lambda rows: rows["raw_results"].append(row(rows, "raw_results", player_id="edi-birsan") | {"placement": "3"}),
        "unique_key_stg_results_tournament_id__listed_player_id",
    ),
    "an alias that puts a player twice in a tournament": (
        lambda rows: rows["ref_player_aliases"].append(
            {"listed_player_id": "toby-harris", "tournament_id": "", "player_id": "gwen-maggi", "reason": "wrong"}
        ),
        "unique_key_int_scored_results_tournament_id__player_id",
    ),
    "an alias of nobody": (
        lambda rows: rows["ref_player_aliases"].append(
            {"listed_player_id": "edi-birsann", "tournament_id": "", "player_id": "edi-birsan", "reason": "typo"}
        ),
        "every_alias_is_of_somebody_listed",
    ),
    "an alias of an alias": (
        lambda rows: rows["ref_player_aliases"].extend(
            [
                {"listed_player_id": "steve-smith", "tournament_id": "", "player_id": "steve-cox", "reason": "x"},
                {"listed_player_id": "steve-cox", "tournament_id": "", "player_id": "al-rae", "reason": "x"},
            ]
        ),
        "no_alias_leads_to_another_alias",
    ),
    "a published score that no placement has": (
        lambda rows: row(rows, "raw_results", tournament_id=WDC_2013, placement="1").update(published_score="99.34"),
        "published_scores_agree_with_ours",
    ),
    "a published value that the rules do not give": (
        lambda rows: row(rows, "raw_tournaments", tournament_id="wac-6-2009").update(coefficient_1="14.87"),
        "published_values_agree_with_ours",
    ),
    "a result of no tournament": (
        lambda rows: row(rows, "raw_results", player_id="edi-birsan").update(tournament_id="nowhere"),
        "relationships_stg_results_tournament_id__tournament_id__ref_stg_tournaments_",
    ),
    "a tournament twice": (
        lambda rows: rows["raw_tournaments"].append(dict(rows["raw_tournaments"][0])),
        "unique_stg_tournaments_tournament_id",
    ),
    "a tournament that ends before it starts": (
        lambda rows: row(rows, "raw_tournaments", tournament_id=WDC_2013).update(ended_on="2013-08-01"),
        "tournament_does_not_end_before_it_starts",
    ),
    "a nation that does not exist": (
        lambda rows: row(rows, "ref_players", player_id="edi-birsan").update(nation_code="XXX"),
        "relationships_stg_players_nation_code__nation_code__ref_stg_nations_",
    ),
    "a kind that does not exist": (
        lambda rows: row(rows, "raw_tournaments", tournament_id=WDC_2013).update(kind="WORLD"),
        "relationships_int_tournaments_kind__kind__ref_stg_tournament_kinds_",
    ),
    "a correction of an unknown field": (
        lambda rows: rows["ref_corrections"].append(correction(field="player", value="7")),
        "corrected_field_is_one_of_its_table",
    ),
    "a tournament that is withdrawn in capitals": (
        lambda rows: rows["ref_corrections"].append(correction(field="withdrawn", value="TRUE")),
        "withdrawn_is_true_or_false",
    ),
    "another value in the published rules": (
        lambda rows: row(rows, "ref_rating_systems", rating_system_id="dptr").update(initial_rating="50"),
        "dptr_holds_the_published_rules",
    ),
    "the system that is shown first taken away": (
        lambda rows: rows["ref_rating_systems"].remove(row(rows, "ref_rating_systems", rating_system_id="dptr")),
        "the_default_system_is_one_of_the_collection",
    ),
    "a system that is shown first and is not there": (
        lambda rows: row(rows, "ref_settings", setting="rating_system").update(value="dptr-falt"),
        "the_default_system_is_one_of_the_collection",
    ),
    "nobody is ever active": (
        lambda rows: rows["ref_settings"].append({"setting": "active_years", "value": "0"}),
        "active_years_are_from_1_to_100",
    ),
    "a divisor of zero": (
        lambda rows: row(rows, "ref_rating_systems", rating_system_id="dptr").update(one_round_divisor="0"),
        "divisors_are_positive",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_seeds_is_caught_and_its_lines_are_named(
    compiled_project: CompiledProject, tmp_path: Path, fault: str
) -> None:
    make_fault, caught_by = FAULTS[fault]
    rows = read_collection()
    make_fault(rows)
    built = compiled_project.build(rows)
    failing = compiled_project.failing_tests(built)
    assert caught_by in failing
    first = described(compiled_project, built, failing, rows, tmp_path).split("\n2. ")[0]
    _, heading, *shown = [line for line in first.splitlines()[1:] if not line.startswith("   and ")]
    assert heading.endswith("in the seeds")
    assert 1 <= len(shown) <= 5
    for line in shown:
        assert re.search(r"/seeds/\w+/\w+\.csv:[0-9]+$", line), first


def test_everything_that_a_fault_comes_from_is_named(compiled_project: CompiledProject, tmp_path: Path) -> None:
    rows = read_collection()
    FAULTS["an alias that puts a player twice in a tournament"][0](rows)
    built = compiled_project.build(rows)
    message = described(compiled_project, built, compiled_project.failing_tests(built), rows, tmp_path)
    seeds = tmp_path / "seeds"
    assert message.startswith("the build failed in 6 steps; mend the first one first:\n1. no two rows of int_published")
    places = ("wdd/raw_results.csv:156", "wdd/raw_results.csv:157", "reference/ref_player_aliases.csv:2")
    assert ", ".join(f"{seeds / place}" for place in places) in message
    titles = [line for line in message.splitlines() if re.match(r"[0-9]+\. ", line)]
    assert "models/intermediate/results/int_scored_results.yml" in titles[1]
    assert "models/marts/" in titles[-1]


def test_the_seeds_as_they_are_pass(compiled_project: CompiledProject) -> None:
    assert compiled_project.failing_tests(compiled_project.build(read_collection())) == set()
