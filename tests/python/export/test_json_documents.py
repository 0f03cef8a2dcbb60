"""The JSON documents: each holds to its schema, which lets nothing else pass, and says what the database says."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from dippouch.export import json_documents
from dippouch.export.json_documents import KINDS
from support.changed_publications import Write

# A document of each kind with something in every list.
EXAMPLES = {
    "index": "api/v1/index.json",
    "systems": "api/v1/systems.json",
    "ranking": "api/v1/rankings/dptr/page-1.json",
    "ranking_of_year": "api/v1/rankings/dptr/years/2013.json",
    "ranking_of_nation": "api/v1/rankings/dptr/nations/USA.json",
    "active": "api/v1/active.json",
    "players": "api/v1/players/index.json",
    "player": "api/v1/players/edi-birsan.json",
    "tournaments": "api/v1/tournaments/index.json",
    "tournament": "api/v1/tournaments/wac-6-2009.json",
    "nations": "api/v1/nations.json",
}


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def validator(site: Path, name: str) -> Draft202012Validator:
    return Draft202012Validator(read(site / "schemas" / "v1" / f"{name}.json"))


def objects(value: object) -> Iterator[dict[str, Any]]:
    """Every object of a document, but only the first of a list."""
    if isinstance(value, list):
        yield from objects(value[0] if value else None)
    elif isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from objects(inner)


def query(database: Path, sql: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def in_all_pages(first: Path, name: str = "players") -> list[dict[str, Any]]:
    """The rows of a document and of those that `next` leads to."""
    found: list[dict[str, Any]] = []
    path: Path | None = first
    while path:
        document = read(path)
        found += document[name]
        path = path.parent / document["next"] if document["next"] else None
    assert document["total"] == len(found)
    assert document["page"] == document["pages"]
    return found


def test_every_document_holds_to_the_schema_that_it_names(site: Path) -> None:
    found = set()
    for path in (site / "api").rglob("*.json"):
        document = read(path)
        schema = (path.parent / document["$schema"]).resolve()
        assert schema.parent == site / "schemas" / "v1"
        assert [error.message for error in validator(site, schema.stem).iter_errors(document)] == [], path
        found.add(schema.stem)
    assert found == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_schema_is_one_and_describes_every_field(site: Path, name: str) -> None:
    schema = read(site / "schemas" / "v1" / f"{name}.json")
    Draft202012Validator.check_schema(schema)
    assert schema["title"]
    assert schema["description"]
    for node in objects(schema):
        for field, described in node.get("properties", {}).items():
            assert isinstance(described, bool) or described.get("description") or field == "properties", (name, field)


def with_a_field(document: dict[str, Any], index: int, field: str, value: object) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    list(objects(changed))[index][field] = value
    return changed


def without_a_field(document: dict[str, Any], index: int, field: str) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    del list(objects(changed))[index][field]
    return changed


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_missing_extra_or_mistyped_field_fails(site: Path, name: str) -> None:
    document, schema = read(site / EXAMPLES[name]), validator(site, name)
    assert schema.is_valid(document)
    for index, node in enumerate(objects(document)):
        assert not schema.is_valid(with_a_field(document, index, "surprise", "?")), node
        for field in node:
            assert not schema.is_valid(with_a_field(document, index, field, {"no": "thing"})), field
            assert not schema.is_valid(without_a_field(document, index, field)), field


def test_the_rankings_are_those_of_the_database(site: Path, publication: Path) -> None:
    for system, count in query(
        publication, "select rating_system_id, count(*) from marts.international_ranking group by all order by all"
    ):
        rows = in_all_pages(site / "api/v1/rankings" / system / "page-1.json")
        assert len(rows) == count
        assert [tuple(row.values())[:-1] for row in rows] == query(
            publication,
            "select rank, player_id, first_name, last_name, nation_code, rating, tournaments_counted"
            f" from marts.international_ranking where rating_system_id = '{system}' order by rank, player_id",
        )
    pages = read(site / "api/v1/rankings/dptr/page-1.json")
    assert (pages["total"], pages["pages"], pages["next"], len(pages["players"])) == (213, 3, "page-2.json", 100)


def test_years_nations_and_active_players_are_those_of_the_database(site: Path, publication: Path) -> None:
    for folder, name, table, columns, order in (
        ("years", "year", "yearly_ranking", "rank, player_id, rating", "rank, player_id"),
        ("nations", "nation_code", "national_ranking", "national_rank, player_id, rating", "national_rank, player_id"),
    ):
        keys = query(
            publication, f"select distinct {name} from marts.{table} where rating_system_id = 'dptr' order by 1"
        )
        files = sorted(path.stem for path in (site / "api/v1/rankings/dptr" / folder).iterdir())
        assert files == [str(key) for (key,) in keys]
        for (key,) in keys:
            rows = in_all_pages(site / f"api/v1/rankings/dptr/{folder}/{key}.json")
            assert [tuple(row[column] for column in columns.split(", ")) for row in rows] == query(
                publication,
                f"select {columns} from marts.{table} where rating_system_id = 'dptr' and {name} = '{key}' order by {order}",
            )
    assert [(row["rank"], row["player_id"]) for row in in_all_pages(site / "api/v1/active.json")] == query(
        publication, "select rank, player_id from marts.active_ranking where rating_system_id = 'dptr' order by all"
    )


def test_every_player_and_tournament_has_all_rows_of_the_database(site: Path, publication: Path) -> None:
    api = site / "api/v1"
    players = {path.stem: read(path) for path in (api / "players").glob("*.json") if path.stem != "index"}
    listed = in_all_pages(api / "players/index.json")
    assert [row["player_id"] for row in listed] == sorted(players)
    assert [
        (player_id, *(row[name] for name in ("event_number", "tournament_id", "rating_before", "rating_after")))
        for player_id, document in sorted(players.items())
        for row in document["history"]
    ] == query(
        publication,
        "select player_id, event_number, tournament_id, rating_before, rating_after from marts.rating_history"
        " where rating_system_id = 'dptr' order by player_id, event_number",
    )
    assert sum(len(document["breakdown"]) for document in players.values()) == len(
        query(publication, "from marts.rating_breakdown where rating_system_id = 'dptr'")
    )
    for document in players.values():
        if document["history"]:
            made_of = sum(row["contribution"] for row in document["breakdown"])
            assert made_of == pytest.approx(document["history"][-1]["rating_after"])
            assert document["player"]["rating"] in {40.0, document["history"][-1]["rating_after"]}
        assert sum(row["contribution"] for row in document["breakdown"]) == pytest.approx(document["player"]["rating"])
        assert (document["player"]["rank"] is None) == (document["player"]["tournaments_counted"] == 0)
    tournaments = in_all_pages(api / "tournaments/index.json", "tournaments")
    results = [
        (row["tournament_id"], result["player_id"], result["placement"], result["percentile_score"])
        for row in tournaments
        for result in read(api / f"tournaments/{row['tournament_id']}.json")["results"]
    ]
    assert sorted(results, key=str) == sorted(
        query(
            publication, "select tournament_id, player_id, placement, percentile_score from marts.tournament_results"
        ),
        key=str,
    )


def test_what_a_document_shows_of_one_player_can_be_checked_by_hand(site: Path) -> None:
    document = read(site / "api/v1/players/edi-birsan.json")
    assert document["rating_system_id"] == "dptr"
    assert {
        name: document["player"][name] for name in ("rank", "national_rank", "nation_code", "tournaments_counted")
    } == {"rank": 1, "national_rank": 1, "nation_code": "USA", "tournaments_counted": 3}
    assert [row["rating_after"] for row in document["history"]] == pytest.approx([48.4773, 50.3543, 58.8168], abs=1e-4)


def test_the_index_leads_to_documents_that_are_there(site: Path) -> None:
    index = read(site / "api/v1/index.json")
    for described in index["documents"]:
        pattern = re.sub(r"\{\w+\}", "*", described["path"])
        assert list((site / "api/v1").glob(pattern)), described
        assert (site / "schemas/v1" / described["schema"]).exists()
    assert index["years"][-1] == 2013


def test_without_a_tournament_the_lists_are_there_and_empty(write: Write) -> None:
    tables = (
        "international_ranking national_ranking yearly_ranking active_ranking nation_ranking rating_history rating_breakdown"
        " tournament_results included_tournaments circuit_tournaments tournament_completeness tournaments players"
    )
    empty = write(
        "empty",
        *(f"delete from marts.{table}" for table in tables.split()),
        "update marts.publication set tournaments = 0, players = 0, results = 0, last_tournament_id = null,"
        " last_tournament_name = null, last_tournament_ended_on = null",
    )
    api = empty / "api/v1"
    for path in api.rglob("*.json"):
        document = read(path)
        assert validator(empty, Path(document["$schema"]).stem).is_valid(document), path
    assert in_all_pages(api / "rankings/dptr/page-1.json") == in_all_pages(api / "players/index.json") == []
    assert "Nothing to rank yet" in (empty / "feed.atom").read_text(encoding="utf-8")


def test_a_large_list_has_several_pages(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_documents, "KINDS", [replace(kind, page=kind.page and 20) for kind in KINDS])
    years = write("pages") / "api/v1/rankings/dptr/years"
    assert sorted(path.name for path in years.glob("2001*")) == [
        "2001-page-2.json",
        "2001-page-3.json",
        "2001-page-4.json",
        "2001-page-5.json",
        "2001.json",
    ]
    assert len(in_all_pages(years / "2001.json")) == 85
    assert len(read(years / "2001-page-5.json")["players"]) == 5
