"""The JSON documents match their schemas, which reject additional fields, and the database."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from support.changed_publications import rows


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def schemas_in(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a schema, and those of its fields and rows."""
    yield schema
    items = [schema["items"]] if schema["type"] == "array" else []
    for inner in (*schema.get("properties", {}).values(), *items):
        yield from schemas_in(inner)


def in_all_pages(first: Path, name: str = "players") -> list[dict[str, Any]]:
    """Yield the rows of a document and of its `next` pages."""
    found: list[dict[str, Any]] = []
    path: Path | None = first
    while path:
        document = read(path)
        found += document[name]
        path = path.parent / document["next"] if document.get("next") else None
    assert document.get("total", len(found)) == len(found)
    return found


def test_every_document_holds_to_the_schema_that_it_names(site: Path) -> None:
    schemas = {path: Draft202012Validator(read(path)) for path in (site / "schemas" / "v1").glob("*.json")}
    found = set()
    for path in (site / "api").rglob("*.json"):
        document = read(path)
        schema = (path.parent / document["$schema"]).resolve()
        assert [error.message for error in schemas[schema].iter_errors(document)] == [], path
        found.add(schema)
    assert found == schemas.keys()


def test_every_schema_refuses_missing_additional_and_mistyped_fields(site: Path) -> None:
    for path in (site / "schemas" / "v1").glob("*.json"):
        for schema in schemas_in(read(path)):
            fields = {name: schema.get(name) for name in ("required", "additionalProperties")}
            if schema["type"] == "object":
                assert fields == {"required": list(schema["properties"]), "additionalProperties": False}, path


# The documents of a kind, their list, and the rows that all of them have; the first column is in the name of a document.
LISTS = [
    (
        *("rankings/{}/page-1.json", "players"),
        "rating_system_id, rank, player_id, first_name, last_name, nation_code, rating, tournaments_counted"
        " from marts.international_ranking",
    ),
    ("rankings/dptr/years/{}.json", "players", "year, rank, player_id, rating from yearly_ranking"),
    ("rankings/dptr/nations/{}.json", "players", "nation_code, national_rank, player_id, rating from national_ranking"),
    (
        "active.json",
        "players",
        "1, rank, player_id from (select active_rank as rank, player_id from international_ranking where is_active)",
    ),
    (
        *("players/{}.json", "history"),
        "player_id, event_number, tournament_id, rating_before, rating_after from rating_history",
    ),
    ("tournaments/{}.json", "results", "tournament_id, placement, player_id, percentile_score from tournament_results"),
]


@pytest.mark.parametrize(("documents", "part", "stored"), LISTS)
def test_documents_have_the_rows_of_the_database(
    site: Path, publication: Path, documents: str, part: str, stored: str
) -> None:
    columns, _, table = stored.partition(" from ")
    key, *names = columns.split(", ")
    found = []
    for (one,) in rows(publication, f"select distinct {key} from {table} order by 1"):
        listed = in_all_pages(site / "api/v1" / documents.format(one), part)
        found += [(one, *(row[name] for name in names)) for row in listed]
    assert found == rows(publication, f"select {stored} order by all")


def test_every_player_is_listed_with_the_parts_of_the_rating(site: Path, publication: Path) -> None:
    listed = in_all_pages(site / "api/v1/players/index.json")
    assert [(row["player_id"],) for row in listed] == rows(publication, "select player_id from players order by 1")
    for row in listed:
        document = read(site / f"api/v1/players/{row['player_id']}.json")
        player = document["player"]
        assert sum(part["contribution"] for part in document["breakdown"]) == pytest.approx(player["rating"])


def test_the_index_leads_to_documents_that_are_there(site: Path) -> None:
    index = read(site / "api/v1/index.json")
    for described in index["documents"]:
        pattern = re.sub(r"\{\w+\}", "*", described["path"])
        assert list((site / "api/v1").glob(pattern)), described
        assert (site / "schemas/v1" / described["schema"]).exists()
