"""The tests of the rules must fail when a rule is wrong: each mutation of the project, and the tests that detect it.

Every refresh shows that they pass on the unchanged project.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.compiled import CompiledProject
from support.programs import copy_of_the_project, run_dbt
from support.seed_rows import read_collection

VALUE = "macros/rules/tournament_value.sql"
SCORED = "models/intermediate/results/int_scored_results.sql"

# Rules in SQL, and the tests that detect a change.
MUTATIONS = [
    pytest.param(
        (VALUE, "several_rounds_divisor", "one_round_divisor"),
        {"worked_example_of_the_rules", "value_of_each_kind_of_event_under_the_published_rules"},
        id="one-divisor-for-all",
    ),
    pytest.param(
        (SCORED, "percentile_score('tournaments.players'", "percentile_score('tournaments.results_listed'"),
        {"a_percentile_score_uses_the_declared_number_of_players", "printed_figures_agree"},
        id="rows-counted-instead-of-declared-players",
    ),
    pytest.param(
        ("macros/rules/percentile_score.sql", "+ 0.5 -", "+ 1 -"),
        {"worked_example_of_the_rules", "a_percentile_score_uses_the_declared_number_of_players"},
        id="a-whole-place-added",
    ),
]


def test_a_wrong_figure_of_the_rules_is_seen(compiled_project: CompiledProject) -> None:
    rows = read_collection()
    (published,) = (row for row in rows["ref_rating_systems"] if row["rating_system_id"] == "dptr")
    published.update({"one_round_divisor": "3.5", "several_rounds_divisor": "7"})
    with compiled_project.build(rows) as connection:
        assert compiled_project.failing_tests(connection) >= {"worked_example_of_the_rules", "printed_figures_agree"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project; dbt parses it once as a whole, then only changed files."""
    return copy_of_the_project(tmp_path_factory.mktemp("mutated") / "project")


@pytest.mark.long
@pytest.mark.parametrize(("change", "seen_by"), MUTATIONS)
def test_a_wrong_rule_is_seen(project: Path, change: tuple[str, str, str], seen_by: set[str]) -> None:
    file, old, new = change
    right = (project / file).read_text(encoding="utf-8")
    assert old in right, f"{file} no longer holds {old!r}"
    (project / file).write_text(right.replace(old, new), encoding="utf-8")
    try:
        # No test is skipped: each must fail by itself, even if an earlier one failed.
        assert failing_tests(project, seen_by) == seen_by
    finally:
        (project / file).write_text(right, encoding="utf-8")


def failing_tests(project: Path, tests: set[str]) -> set[str]:
    """Build what some tests read, without tests, then run these tests; return the names of those that fail."""
    built = run_dbt(
        *("build", "--exclude-resource-type", "test", "unit_test", "--select"),
        *(f"+{test}" for test in sorted(tests)),
        project=project,
    )
    assert built.returncode == 0, built.stdout
    run_dbt("test", "--select", *sorted(tests), project=project)
    results = json.loads((project / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    # The hook that checks the marts before a build has a result, too.
    ran = {r["unique_id"]: r["status"] for r in results if not r["unique_id"].startswith("operation.")}
    assert len(ran) == len(tests)
    return {
        test for test in tests for name, status in ran.items() if status in ("fail", "warn") and test in name.split(".")
    }
