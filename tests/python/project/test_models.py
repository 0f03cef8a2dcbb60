"""The project itself: what is public is documented, has a contract and a key, and is published without internal models."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

Node = dict[str, Any]


@pytest.fixture(scope="session")
def manifest(built: Path) -> Node:
    loaded: Node = json.loads((built / "dbt" / "manifest.json").read_text(encoding="utf-8"))
    return loaded


def of_type(manifest: Node, *kinds: str) -> Iterator[Node]:
    """Yield nodes of some kinds; a model materialized as a function is a `function`."""
    for node in manifest["nodes"].values():
        made_as = node["config"].get("materialized")
        kind = "function" if made_as == "table_function" else node["resource_type"]
        if kind in kinds:
            yield node


def test_every_public_model_has_a_contract_and_a_key_test_and_describes_its_columns(manifest: Node) -> None:
    keyed = {
        test["attached_node"]
        for test in of_type(manifest, "test")
        if (test.get("test_metadata") or {}).get("name") == "rows_are_valid"
    }
    for node in of_type(manifest, "model", "seed"):
        if node["schema"] not in {"staging", "intermediate"}:
            assert all(column["description"] for column in node["columns"].values()), node["name"]
        if node["schema"] in {"marts", "presentation"}:
            # With a contract, dbt builds exactly the columns that are described.
            assert node["config"]["contract"]["enforced"], node["name"]
            # Most internal models have the rows of a mart.
            assert node["unique_id"] in keyed, node["name"]
    assert manifest["disabled"] == {}


def test_every_seed_has_a_type_for_every_column(manifest: Node) -> None:
    for node in of_type(manifest, "seed"):
        assert set(node["config"]["column_types"]) == set(node["columns"]), node["name"]


def test_what_is_published_reads_marts_only(manifest: Node) -> None:
    for node in of_type(manifest, "model", "function"):
        if node["schema"] == "presentation" or node["config"]["materialized"] == "table_function":
            parents = {manifest["nodes"][parent]["schema"] for parent in node["depends_on"]["nodes"]}
            assert parents <= {"marts"}, node["name"]


def test_only_what_is_published_reads_marts(manifest: Node) -> None:
    marts = {
        key for key, node in manifest["nodes"].items() if node["resource_type"] == "model" and node["schema"] == "marts"
    }
    for node in of_type(manifest, "model"):
        assert node["schema"] == "presentation" or not marts & set(node["depends_on"]["nodes"]), node["name"]


def test_sites_of_any_game_can_show_the_descriptions_of_public_tables(manifest: Node) -> None:
    for node in of_type(manifest, "model"):
        if node["schema"] == "marts":
            said = " ".join([node["description"], *(column["description"] for column in node["columns"].values())])
            assert not re.search(r"Diplomacy|docs/\S+\.md", said), node["name"]
