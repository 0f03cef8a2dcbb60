"""The JSON Schemas of the documents, made from the types and comments of the views' columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dippouch.export.json_documents import FOLDER, KINDS, PUBLICATION, SCHEMAS, Kind, Rows
from dippouch.export.reading import TYPES, Content
from dippouch.ids import PATTERN

# A column of the database: its type and its description.
Column = tuple[str, str]


def write_schemas(content: Content, site: Path) -> None:
    """Write the schema of every kind of document; each schema rejects undescribed fields."""
    columns = {
        (row["relation"], row["column_name"]): (row["data_type"], row["comment"] or "")
        for row in content.stream(
            "select schema_name || '.' || table_name as relation, column_name, data_type, comment"
            " from duckdb_columns() where database_name = 'published'"
        )
    }
    folder = site / SCHEMAS
    folder.mkdir(parents=True, exist_ok=True)
    schemas = {kind.name: _schema(f"{FOLDER}/{kind.path}", kind.description, _fields(kind, columns)) for kind in KINDS}
    schemas["index"] = _schema(f"{FOLDER}/index.json", "What there is.", _fields_of_index(columns))
    for name, schema in schemas.items():
        text = json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        (folder / f"{name}.json").write_text(text, encoding="utf-8", newline="\n")


def _schema(path: str, description: str, fields: dict[str, Any]) -> dict[str, Any]:
    shared = {
        "$schema": _field("string", "Address of this schema, relative to the document."),
        "rating_system_id": _field("string", "The rating system of ranks and ratings.") | {"pattern": f"^{PATTERN}$"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": description.split(":", maxsplit=1)[0].removesuffix("."),
        "description": f"{path}: {description}",
        **_object(shared | fields),
    }


def _fields_of_index(columns: Mapping[tuple[str, str], Column]) -> dict[str, Any]:
    document = {
        "path": _field(
            "string", "Its path in the folder; a name in braces stands for an id, a code, a year or a number."
        ),
        "schema": _field("string", "File of its schema."),
        "description": _field("string", "What it has."),
    }
    return {
        "publication": _of_rows(PUBLICATION, columns) | {"description": PUBLICATION.description},
        "years": _field("array", "The years that end with a ranking.") | {"items": {"type": "integer"}},
        "documents": _field("array", "The kinds of documents.") | {"items": _object(document)},
    }


def _fields(kind: Kind, columns: Mapping[tuple[str, str], Column]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if kind.facts:
        name, rows = kind.facts
        fields[name] = _of_rows(rows, columns) | {"description": rows.description}
    elif kind.key:
        relation = kind.keys.split()[0]
        fields[kind.key] = _of_column(columns[relation, kind.key], may_be_null=False)
    if kind.page:
        fields |= {
            "total": _field("integer", "Number of rows on all pages."),
            "page": _field("integer", "Number of this page, from 1."),
            "pages": _field("integer", "Number of pages."),
            "next": _field("string", "File of the next page, in the same folder; null on the last.", may_be_null=True),
        }
    for name, rows in kind.lists.items():
        fields[name] = {
            "type": "array",
            "description": rows.description or kind.description,
            "items": _of_rows(rows, columns),
        }
    return fields


def _of_rows(rows: Rows, columns: Mapping[tuple[str, str], Column]) -> dict[str, Any]:
    return _object(
        {
            name: _of_column(columns[rows.view, column], may_be_null=may_be_null)
            for name, column, may_be_null in rows.columns()
        }
    )


def _of_column(column: Column, *, may_be_null: bool) -> dict[str, Any]:
    type_, description = column
    if type_ == "DATE":
        day = {"format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
        return _field("string", description, may_be_null=may_be_null) | day
    base = "array" if type_.endswith("[]") else TYPES[type_.partition("(")[0]]
    return _field(base, description, may_be_null=may_be_null)


def _field(type_: str, description: str, *, may_be_null: bool = False) -> dict[str, Any]:
    return {"type": [type_, "null"] if may_be_null else type_, "description": description}


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
