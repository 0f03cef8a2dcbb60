"""The tests of the rules must fail when a rule is wrong: each mutation of the project, and the tests that see it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dippouch.settings import PROJECT

RULES = "seeds/reference/rating_systems.csv"
VALUE = "macros/rules/tournament_value.sql"
SCORED = "models/intermediate/int_scored_results.sql"

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


def copy_of_the_project(target: Path) -> Path:
    for name in ("models", "macros", "seeds", "tests/dbt", "docs/dbt"):
        shutil.copytree(PROJECT / name, target / name)
    for name in ("dbt_project.yml", "profiles.yml"):
        shutil.copyfile(PROJECT / name, target / name)
    (target / "warehouse").mkdir()
    return target


def failing_tests(project: Path, test: str) -> set[str]:
    """Build what a test reads, without any other test, then run it; its name when it fails."""
    environment = {k: v for k, v in os.environ.items() if k not in {"DPTR_SEEDS", "DPTR_WAREHOUSE"}}
    dbt = str(Path(sys.executable).with_name("dbt"))
    run = [dbt, "--quiet", "build", "--select", f"+{test}", "--exclude-resource-type", "test", "unit_test"]
    subprocess.run(run, cwd=project, env=environment, check=True, capture_output=True)
    tested = subprocess.run(
        [dbt, "--quiet", "test", "--select", test], cwd=project, env=environment, check=False, capture_output=True
    )
    results = json.loads((project / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    assert len(results) == 1, tested.stdout.decode()
    return {test} if results[0]["status"] == "fail" else set()
