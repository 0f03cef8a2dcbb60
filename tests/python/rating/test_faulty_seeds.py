"""Faults put into the seeds by hand: dbt alone refuses everything that the check before a refresh refuses, and more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.compiled import CompiledProject, empty_build, failing
from support.golden import Case, each_case, edit_files
from support.seed_rows import Rows, read_collection

WDC_2013 = "world-dipcon-xxiii-2013"
Fault = Callable[[Rows], object]
OF_SEEDS = "collection_is_valid"


def row(rows: Rows, seed: str, **cells: str) -> dict[str, str]:
    """Return the first row of a seed with these cells."""
    return next(row for row in rows[seed] if all(row[column] == value for column, value in cells.items()))


FAULTS: dict[str, tuple[Fault, str]] = {
    "a player twice in a tournament": (
        lambda rows: rows["raw_results"].append(row(rows, "raw_results", player_id="edi-birsan") | {"placement": "3"}),
        "collection_is_valid",
    ),
    "an alias that puts a player twice in a tournament": (
        lambda rows: rows["ref_player_aliases"].append(
            {"listed_player_id": "toby-harris", "tournament_id": "", "player_id": "gwen-maggi", "reason": "wrong"}
        ),
        "int_counted_results: repeated tournament_id, player_id",
    ),
    "a published score that no placement has": (
        lambda rows: row(rows, "raw_results", tournament_id=WDC_2013, placement="1").update(published_score="99.34"),
        "published_score_comparison: published_scores_agree_with_ours",
    ),
    "a published value that the rules do not give": (
        lambda rows: row(rows, "raw_tournaments", tournament_id="wac-6-2009").update(coefficient_1="14.87"),
        "published_coefficient_comparison: published_values_agree_with_ours",
    ),
}


@each_case("seeds/rows.golden")
def test_dbt_refuses_what_the_check_before_a_refresh_refuses(
    compiled_project: CompiledProject, seeds: Path, case: Case
) -> None:
    edit_files(seeds, case.document)
    tests = [test for test in compiled_project.tests if test["name"] == OF_SEEDS]
    with empty_build(compiled_project) as connection:
        compiled_project.load(connection, read_collection(seeds))
        assert failing(connection, tests)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_seeds_is_caught(compiled_project: CompiledProject, fault: str) -> None:
    make_fault, caught_by = FAULTS[fault]
    rows = read_collection()
    make_fault(rows)
    assert caught_by in compiled_project.failing_tests(compiled_project.build(rows))


def test_the_seeds_as_they_are_pass(compiled_project: CompiledProject) -> None:
    assert compiled_project.failing_tests(compiled_project.build(read_collection())) == set()
