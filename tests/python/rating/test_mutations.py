"""The tests of the rules must fail when a rule is wrong: each mutation of the project, and the tests that see it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.programs import copy_of_the_project, run_dbt

RULES = "seeds/reference/ref_rating_systems.csv"
VALUE = "macros/rules/tournament_value.sql"
SCORED = "models/intermediate/results/int_scored_results.sql"

MUTATIONS = [
    pytest.param(
        [(RULES, ",7,3.5,", ",3.5,7,")],
        {"worked_example_of_the_rules", "dptr_holds_the_published_rules", "published_values_agree_with_ours"},
        id="7-and-3.5-swapped-in-the-seed",
    ),
    pytest.param(
        [
            (VALUE, "'one round' then least(players / one_round_divisor", "'one round' then least(players / XX"),
            (VALUE, "players / several_rounds_divisor", "players / one_round_divisor"),
            (VALUE, "players / XX", "players / several_rounds_divisor"),
        ],
        {"worked_example_of_the_rules", "value_of_each_kind_of_event_under_the_published_rules"},
        id="7-and-3.5-swapped-in-the-macro",
    ),
    pytest.param(
        [(RULES, ",2,15,", ",2,16,")],
        {"worked_example_of_the_rules", "dptr_holds_the_published_rules"},
        id="cap-of-16-in-the-seed",
    ),
    pytest.param(
        [(VALUE, "maximum_value", "maximum_value + 1")],
        {"worked_example_of_the_rules", "value_of_each_kind_of_event_under_the_published_rules"},
        id="cap-of-16-in-the-macro",
    ),
    pytest.param(
        [(SCORED, "percentile_score('tournaments.players'", "percentile_score('tournaments.results_listed'")],
        {"eighth_of_65_players_has_percentile_score_88_46", "published_scores_agree_with_ours"},
        id="rows-counted-instead-of-declared-players",
    ),
    pytest.param(
        [
            (
                "macros/rules/percentile_score.sql",
                "(cast({{ players }} as double) + 0.5 - {{ placement }}) / {{ players }} * 100",
                "round((cast({{ players }} as double) + 0.5 - {{ placement }}) / {{ players }} * 100, 2)",
            )
        ],
        {"worked_example_of_the_rules", "eighth_of_65_players_has_percentile_score_88_46"},
        id="percentile-score-rounded-first",
    ),
]


@pytest.mark.parametrize(("changes", "seen_by"), MUTATIONS)
def test_a_wrong_rule_is_seen(tmp_path: Path, changes: list[tuple[str, str, str]], seen_by: set[str]) -> None:
    project = copy_of_the_project(tmp_path / "project")
    for file, old, new in changes:
        text = (project / file).read_text(encoding="utf-8")
        assert old in text, f"{file} no longer holds {old!r}"
        (project / file).write_text(text.replace(old, new), encoding="utf-8")
    # Nothing is skipped: a test that would not run because another failed before it must fail by itself.
    failures = {name for test in seen_by for name in failing_tests(project, test)}
    assert failures == seen_by


def test_the_unchanged_project_passes_the_same_way(tmp_path: Path) -> None:
    project = copy_of_the_project(tmp_path / "project")
    assert failing_tests(project, "worked_example_of_the_rules") == set()


def failing_tests(project: Path, test: str) -> set[str]:
    """Build what a test reads, without any other test, then run it; its name when it fails."""
    without_tests = ("--exclude-resource-type", "test", "unit_test")
    built = run_dbt("build", "--select", f"+{test}", *without_tests, project=project)
    assert built.returncode == 0, built.stdout
    run_dbt("test", "--select", test, project=project)
    results = json.loads((project / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    # The hook that checks the marts before a build has a result, too.
    (tested_once,) = (result for result in results if not result["unique_id"].startswith("operation."))
    return {test} if tested_once["status"] == "fail" else set()
