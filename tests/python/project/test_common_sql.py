"""What Spark builds, too, is written in the SQL that both engines read alike; held here, where no Java is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import yaml

from dippouch.settings import PROJECT
from support.common_sql import TYPES, beyond_common
from support.compiled import CompiledProject

# What is dispatched: each engine has its own SQL, in macros/engines and macros/relations/raw_rows.sql.
LEDGER = "int_rating_ledger"
DISPATCHED = {"product_over(": "function product", "letters_beyond_ascii(": "function regexp_replace"}


def path_of_spark(project: CompiledProject) -> dict[str, Mapping[str, Any]]:
    """The models that `--selector spark` builds."""
    selector = yaml.safe_load((PROJECT / "selectors.yml").read_text(encoding="utf-8"))["selectors"][0]
    wanted = {part["value"] for part in selector["definition"]["union"] if part.get("parents")}
    models = {model["unique_id"]: model for model in project.models}
    path: dict[str, Mapping[str, Any]] = {}
    # Models stand behind those that they read.
    for model in reversed(project.models):
        if model["name"] in wanted:
            path[model["name"]] = model
            wanted.update(models[parent]["name"] for parent in model["depends_on"]["nodes"] if parent in models)
    assert wanted == path.keys()
    return path


def test_what_spark_builds_is_in_the_sql_of_both(compiled_project: CompiledProject) -> None:
    path = path_of_spark(compiled_project)
    assert {"stg_results", LEDGER, "rating_history", "international_ranking", "rating_breakdown"} <= path.keys()
    faults = {}
    for name, model in path.items():
        allowed = {function for macro, function in DISPATCHED.items() if macro in model["raw_code"]}
        if name != LEDGER and (found := set(beyond_common(model["compiled_code"])) - allowed):
            faults[name] = found
    assert faults == {}


def test_what_spark_tests_is_in_the_sql_of_both(compiled_project: CompiledProject) -> None:
    """The tests in tests/dbt; those of columns are two lines each."""
    path = {model["unique_id"] for model in path_of_spark(compiled_project).values()}
    tests = [
        test
        for test in compiled_project.tests
        if "test_metadata" not in test and path.issuperset(test["depends_on"]["nodes"])
    ]
    assert {"event_numbers_have_no_gap", "ledger_holds_every_update"} <= {test["name"] for test in tests}
    faults = {test["name"]: found for test in tests if (found := beyond_common(test["compiled_code"]))}
    assert faults == {}


def test_contracts_of_what_spark_builds_name_types_of_both(compiled_project: CompiledProject) -> None:
    for name, model in path_of_spark(compiled_project).items():
        assert {column["data_type"] for column in model["columns"].values() if column["data_type"]} <= TYPES, name


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("select product(a) as p from t", "function product"),
        ("select cast(a as binary) as a from t", "type binary"),
        ("select count(*) filter (where a) over w as n from t window w as (order by rank)", "Spark cannot read it"),
        ("select rank() over (order by started_on) as n from t", "no word on nulls in: order by started_on"),
        ("select min_by(a, b) as a from t", "a null that may be chosen: min_by(a, b)"),
    ],
)
def test_what_the_engines_read_otherwise_is_found(sql: str, found: str) -> None:
    assert [fault[: len(found)] for fault in beyond_common(sql)] == [found]
