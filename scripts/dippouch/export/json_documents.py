"""The JSON documents under `api/v1` and their schemas, both from `json_documents.toml` and the columns of the views."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from dippouch.db import DatabaseRow, literal
from dippouch.export.reading import COLUMNS, Content, Place
from dippouch.names import ID_PATTERN

_FOLDER, _SCHEMAS = "api/v1", "schemas/v1"
_DOCUMENTS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_PUBLICATION = {
    "view": "marts.publication",
    "fields": "seeds_sha256? code_version? tournaments players=people results last_tournament_id? last_tournament_name? last_tournament_ended_on?",
}


def write_documents(content: Content, place: Place) -> None:
    """Write every document, a schema for each kind, and an index of the kinds."""
    system = content.facts["rating_system_id"]
    columns = {(row["relation"], row["column_name"]): row for row in content.stream(COLUMNS)}
    index = []
    for name, document in _DOCUMENTS.items():
        path = document["path"].replace("{system}", system)
        for address, facts, lists in _documents(content, document, path):
            _write_document(place, name, address, {"rating_system_id": system} | facts, lists)
        fields = _fields_of_document(document, columns)
        _write_schema(place, name, f"{_FOLDER}/{document['path']}: {document['description']}", fields)
        index.append({"path": path, "schema": f"{name}.json", "description": document["description"]})
    (publication,) = content.rows(_query(_PUBLICATION, ""))
    years = [row["year"] for row in content.rows("select year from presentation.year_card order by year")]
    facts = {"rating_system_id": system, "publication": json.loads(publication["text"]), "years": years}
    _write_document(place, "index", "index.json", facts, {"documents": map(json.dumps, index)})
    text = _object({name: _field("string", "") for name in ("path", "schema", "description")})
    fields = {
        "publication": _object(_fields(_PUBLICATION, columns)),
        "years": _field("array", "The years that end with a ranking.") | {"items": {"type": "integer"}},
        "documents": _field("array", "The kinds; names in braces stand for ids or numbers.") | {"items": text},
    }
    _write_schema(place, "index", f"{_FOLDER}/index.json: What there is.", fields)


def _documents(
    content: Content, document: dict[str, Any], path: str
) -> Iterator[tuple[str, dict[str, Any], dict[str, list[str]]]]:
    """Yield the path, the facts and the lists of every document of a kind."""
    key, top, size = document.get("key", ""), document.get("top"), document.get("page")
    rows_of = {name: content.groups(_query(rows, key), "key") for name, rows in document.get("lists", {}).items()}
    for row in content.stream(_query(top, key)) if top else [{"key": "", "text": "{}"}]:
        facts = json.loads(row["text"])
        lists = {name: [one["text"] for one in of(row["key"])] for name, of in rows_of.items()}
        place = path.replace(f"{{{key}}}", str(row["key"]))
        if not size:
            yield place, {top["object"]: facts} if top else facts, lists
            continue
        ((name, rows),) = lists.items()
        starts = range(0, len(rows) or 1, size)
        for page, start in enumerate(starts, start=1):
            following = Path(_path_of_page(place, page + 1)).name if page < len(starts) else None
            where = {"total": len(rows), "page": page, "pages": len(starts), "next": following}
            yield _path_of_page(place, page), facts | where, {name: rows[start : start + size]}


def _path_of_page(path: str, page: int) -> str:
    """Return the path of a page; without a number for the first page of documents that seldom have several."""
    if "{page}" in path or page == 1:
        return path.replace("{page}", str(page))
    return f"{path.removesuffix('.json')}-page-{page}.json"


def _columns(rows: Mapping[str, str]) -> Iterator[tuple[str, str, bool]]:
    """Yield every field, its column, and whether it may be null."""
    for text in rows["fields"].split():
        name, _, column = text.removesuffix("?").partition("=")
        yield name, column or name, text.endswith("?")


def _query(rows: Mapping[str, str], key: str) -> str:
    """Return the SQL of rows as JSON, after their key; sorting before the conversion takes less memory."""
    row = ", ".join(f"{name}: {column}" for name, column, _ in _columns(rows))
    order = ", ".join(filter(None, (key, rows.get("order")))) or "all"
    ordered = f"from {rows['view']} where {rows.get('where', 'true')} order by {order}"
    return f"select {key or literal('')} as key, to_json({{{row}}}) as text from ({ordered})"


def _write_document(
    place: Place, schema: str, path: str, facts: Mapping[str, Any], lists: Mapping[str, Iterable[str]]
) -> None:
    """Write a document with each fact or row in one line, so that line-based tools can compare two publications."""
    head = {"$schema": f"{'../' * (path.count('/') + 2)}{_SCHEMAS}/{schema}.json", **facts}
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
    for name, texts in lists.items():
        rows = ",\n    ".join(texts)
        lines.append(f"{json.dumps(name)}: " + (f"[\n    {rows}\n  ]" if rows else "[]"))
    place(f"{_FOLDER}/{path}").write_text("{\n  " + ",\n  ".join(lines) + "\n}\n", encoding="utf-8")


def _write_schema(place: Place, name: str, description: str, fields: dict[str, Any]) -> None:
    """Write the schema of a kind of document; it rejects other fields."""
    shared = {
        "$schema": _field("string", "Address of this schema, relative to the document."),
        "rating_system_id": _field("string", "The rating system of ranks and ratings.")
        | {"pattern": f"^{ID_PATTERN}$"},
    }
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, "description": description}
    text = json.dumps(schema | _object(shared | fields), ensure_ascii=False, indent=2)
    place(f"{_SCHEMAS}/{name}.json").write_text(f"{text}\n", encoding="utf-8")


def _fields_of_document(document: dict[str, Any], columns: Mapping[tuple[str, str], DatabaseRow]) -> dict[str, Any]:
    fields = _fields(document["top"], columns) if "top" in document else {}
    if "object" in document.get("top", {}):
        fields = {document["top"]["object"]: _object(fields)}
    if "page" in document:
        fields |= {
            "total": _field("integer", "Number of rows on all pages."),
            "page": _field("integer", "Number of this page, from 1."),
            "pages": _field("integer", "Number of pages."),
            "next": _field(["string", "null"], "File of the next page, in the same folder; null on the last."),
        }
    for name, rows in document.get("lists", {}).items():
        fields[name] = _field("array", document["description"]) | {"items": _object(_fields(rows, columns))}
    return fields


def _fields(rows: Mapping[str, str], columns: Mapping[tuple[str, str], DatabaseRow]) -> dict[str, Any]:
    """Return the schemas of the fields of rows, from the types and comments of the view's columns."""
    fields = {}
    for name, column, may_be_null in _columns(rows):
        known = columns[rows["view"], column]
        type_ = "string" if known["type"] == "date" else known["type"]
        fields[name] = _field([type_, "null"] if may_be_null else type_, known["description"])
        if known["type"] == "date":
            fields[name] |= {"format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
    return fields


def _field(type_: str | list[str], description: str) -> dict[str, Any]:
    return {"type": type_, "description": description}


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
