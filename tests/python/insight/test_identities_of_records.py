"""Identities that every refresh checks hold the records: a wrong record fails a data test, not only pytest."""

from __future__ import annotations

import copy

import pytest

from support.compiled import CompiledProject
from support.seed_rows import Rows, reference_rows, result, tournament

ROWS: Rows = {
    "raw_tournaments": [
        tournament("one", "2003-05-01", 20),
        tournament("two", "2003-06-01", 40),
        tournament("three", "2004-05-01", 30),
    ],
    "raw_results": [
        result("one", "a", 1),
        result("one", "b", 2),
        result("two", "a", 2),
        result("three", "a", 1),
        result("three", "c", 5),
    ],
}


@pytest.mark.parametrize(
    ("model", "right", "wrong", "seen_by"),
    [
        (
            "newcomers",
            "year(players.first_played_on)",
            "year(players.first_played_on) + 1",
            "nobody_is_a_newcomer_twice_or_late",
        ),
        ("careers", "placement = 1)", "placement = 2)", "medals_are_the_first_three_placements"),
        ("attendance", "max(players)", "min(players)", "attendance_bounds_the_tournaments_of_its_year"),
    ],
)
def test_a_wrong_record_fails_a_data_test(
    compiled_project: CompiledProject, model: str, right: str, wrong: str, seen_by: str
) -> None:
    rows = reference_rows() | ROWS
    assert compiled_project.failing_tests(compiled_project.build(rows)) == set()
    mutated = copy.copy(compiled_project)
    mutated.models = copy.deepcopy(compiled_project.models)
    (node,) = (node for node in mutated.models if node["name"] == model)
    assert right in node["compiled_code"]
    node["compiled_code"] = node["compiled_code"].replace(right, wrong)
    assert seen_by in mutated.failing_tests(mutated.build(rows))
