"""The project itself: what is public is documented, once, has a key, and is published without internal models."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dippouch.settings import PROJECT
from support.changed_publications import rows

Node = dict[str, Any]
# All pairs of opponents take longer than everything else; the model groups by its key.
UNCHECKED = {"opponent_list"}


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


def test_every_public_model_has_a_key_and_every_key_is_checked(manifest: Node) -> None:
    tests = [test for test in of_type(manifest, "test") if test["name"].startswith("rows_of_")]
    checked = {parent for test in tests for parent in test["depends_on"]["nodes"]}
    for node in of_type(manifest, "model"):
        key = node["config"]["meta"].get("key")
        assert key or node["schema"] not in {"marts", "presentation"}, node["name"]
        assert (node["unique_id"] in checked) == (key is not None and node["name"] not in UNCHECKED), node["name"]


def test_the_tables_that_readers_may_rely_on_have_contracts(manifest: Node) -> None:
    marts = [node for node in of_type(manifest, "model") if node["schema"] == "marts"]
    contracts = {node["name"] for node in marts if node["config"]["contract"]["enforced"]}
    text = (PROJECT / "docs" / "analysts.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| table \| one row per \|.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    listed = " ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE))
    assert contracts == set(re.findall(r"`(\w+)`", listed))


def test_every_column_of_a_mart_is_described_and_every_column_name_once(manifest: Node, published: Path) -> None:
    described = defaultdict(set)
    for node in of_type(manifest, "model", "function"):
        for name, column in node["columns"].items():
            described[name].add(column["description"])
    assert {name: texts for name, texts in described.items() if len(texts) > 1 or "" in texts} == {}
    undescribed = "select table_name, column_name from duckdb_columns() where schema_name = 'marts' and comment is null"
    assert rows(published, undescribed) == []
    # A view of a page has columns of its own, or those of marts, with their descriptions.
    of_views = "select distinct column_name from duckdb_columns() where schema_name = 'presentation'"
    assert {name for (name,) in rows(published, of_views)} <= described.keys()


def test_every_seed_has_a_type_for_every_column(manifest: Node) -> None:
    for node in of_type(manifest, "seed"):
        assert set(node["config"]["column_types"]) == set(node["columns"]), node["name"]
        assert all(column["description"] for column in node["columns"].values()), node["name"]


def test_what_is_published_reads_marts_only_and_nothing_else_reads_marts(manifest: Node) -> None:
    for node in of_type(manifest, "model", "function"):
        parents = {manifest["nodes"][parent]["schema"] for parent in node["depends_on"]["nodes"]}
        if node["schema"] == "presentation" or node["config"]["materialized"] == "table_function":
            assert parents <= {"marts"}, node["name"]
        else:
            assert "marts" not in parents, node["name"]
    # Only the ledger has another form, for Spark.
    assert [*manifest["disabled"]] == ["model.dip_pouch.int_rating_ledger"]


def test_sites_of_any_game_can_show_the_descriptions_of_public_tables(manifest: Node) -> None:
    for node in of_type(manifest, "model"):
        if node["schema"] == "marts":
            said = " ".join([node["description"], *(column["description"] for column in node["columns"].values())])
            assert not re.search(r"Diplomacy|docs/\S+\.md", said), node["name"]
