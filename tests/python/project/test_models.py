"""The project itself: every model is documented and has a key, and every seed has types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

Node = dict[str, Any]


@pytest.fixture(scope="session")
def manifest(built: Path) -> Node:
    loaded: Node = json.loads((built / "dbt" / "manifest.json").read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="session")
def columns(built: Path) -> dict[str, list[str]]:
    """The columns of every relation in the build, by schema and name."""
    with duckdb.connect(str(built / "build.duckdb"), read_only=True) as connection:
        rows = connection.execute(
            "select schema_name || '.' || table_name, list(column_name order by column_index) from duckdb_columns()"
            " where not internal group by all"
        ).fetchall()
    return dict(rows)


def of_type(manifest: Node, *kinds: str) -> Iterator[Node]:
    """Yield nodes of some kinds; a model materialized as a function is a `function`."""
    for node in manifest["nodes"].values():
        made_as = node["config"].get("materialized")
        kind = "function" if made_as == "table_function" else node["resource_type"]
        if kind in kinds:
            yield node


def test_every_column_of_the_public_schemas_is_described_and_in_a_contract(
    manifest: Node, columns: dict[str, list[str]]
) -> None:
    for node in of_type(manifest, "model", "seed"):
        if node["schema"] not in {"staging", "intermediate"}:
            documented = {name for name, column in node["columns"].items() if column["description"]}
            assert documented == set(columns[f"{node['schema']}.{node['alias']}"]), node["name"]
            assert node["resource_type"] == "seed" or node["config"]["contract"]["enforced"], node["name"]


def test_every_model_has_a_key_test(manifest: Node) -> None:
    keyed = {
        test["attached_node"]
        for test in of_type(manifest, "test")
        if (test.get("test_metadata") or {}).get("name") == "rows_are_valid"
    }
    # Most internal models have the rows of a mart.
    models = (node for node in of_type(manifest, "model") if node["schema"] in {"marts", "presentation"})
    unkeyed = {node["name"] for node in models if node["unique_id"] not in keyed}
    assert unkeyed == set()


def test_data_goes_one_way(manifest: Node) -> None:
    layers = ["seeds", "staging", "intermediate", "marts", "presentation"]
    for node in of_type(manifest, "model", "function"):
        above = node["schema"]
        # Lists of words have no staging model: whoever compares names with them tidies both.
        parents = [manifest["nodes"][parent] for parent in node["depends_on"]["nodes"]]
        read = {parent["schema"] for parent in parents if parent["name"] not in {"ref_not_people", "ref_nation_names"}}
        # Functions and presentation views are published, so they read marts only.
        if above == "presentation" or node["config"]["materialized"] == "table_function":
            assert read <= {"marts"}, node["name"]
            continue
        below = layers[: layers.index(above) + (above == "intermediate")]
        assert read <= {*below} - ({"seeds"} if above != "staging" else set()), node["name"]


def test_every_seed_has_a_type_for_every_column(manifest: Node) -> None:
    for node in of_type(manifest, "seed"):
        assert set(node["config"]["column_types"]) == set(node["columns"]), node["name"]


def test_no_test_only_warns_and_none_is_switched_off(manifest: Node) -> None:
    assert [t["name"] for t in of_type(manifest, "test") if t["config"]["severity"].lower() != "error"] == []
    assert manifest["disabled"] == {}
