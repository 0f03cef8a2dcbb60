"""Every published table as CSV and as Parquet, and a Frictionless Data Package that describes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from slugify import slugify

from dippouch.db import Row, literal
from dippouch.disk import link_or_copy
from dippouch.export.reading import TYPES, Content
from dippouch.settings import PROJECT, read_yaml

DATABASE = "rankings.duckdb"
PACKAGE = "datapackage.json"


def write_tables(content: Content, folder: Path, on_table: Callable[[str], None]) -> None:
    """Write all tables, the database itself and the package that describes them."""
    folder.mkdir(parents=True, exist_ok=True)
    of_marts = "where database_name = 'published' and schema_name = 'marts'"
    columns = content.groups(
        f"select table_name, column_name, data_type, is_nullable, comment from duckdb_columns() {of_marts}"
        " order by table_name, column_index",
        "table_name",
    )
    keys = _declared_keys()
    resources = []
    for table in content.rows(f"select table_name, comment from duckdb_tables() {of_marts} order by table_name"):
        name, of_table = table["table_name"], columns.of(table["table_name"])
        on_table(f"table {name}")
        key = keys.get(name, ())
        if not {*key} <= {column["column_name"] for column in of_table}:
            key = ()
        rows = _write_table(content, name, key, folder)
        resources.append(_resource(table, of_table, key, folder / f"{name}.csv", rows))
    package = {
        "profile": "tabular-data-package",
        "name": slugify(content.facts["title"] or "") or "rankings",
        "title": content.facts["title"] or "Rankings",
        "resources": resources,
    }
    text = json.dumps(package, ensure_ascii=False, indent=2) + "\n"
    (folder / PACKAGE).write_text(text, encoding="utf-8", newline="\n")
    link_or_copy(str(content.file), str(folder / DATABASE))


def _declared_keys() -> dict[str, tuple[str, ...]]:
    """Return the columns of the key of every mart, by its name; the database itself declares few keys."""
    return {
        node["name"]: tuple(test["rows_are_valid"]["arguments"]["key"])
        for path in (PROJECT / "models" / "marts").rglob("*.yml")
        for node in read_yaml(path)["models"]
        for test in node["data_tests"]
    }


def _write_table(content: Content, name: str, key: tuple[str, ...], folder: Path) -> int:
    """Write both files of a table: first the sorted Parquet file, then CSV from it, so that rows are sorted once."""
    order = ", ".join(f'"{column}"' for column in key) or "all"
    parquet, csv = (literal(folder / f"{name}.{ending}") for ending in ("parquet", "csv"))
    content.connection.execute(
        f'copy (from published.marts."{name}" order by {order}) to {parquet} (format parquet, compression zstd)'
    )
    ((count,),) = content.connection.execute(
        f"copy (from read_parquet({parquet})) to {csv} (format csv, header true)"
    ).fetchall()
    return int(count)


def _resource(table: Row, columns: list[Row], key: tuple[str, ...], csv: Path, rows: int) -> dict[str, Any]:
    with csv.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    schema: dict[str, Any] = {"fields": [_field(column) for column in columns]}
    # The standard forbids empty cells in a key.
    if key and not any(column["is_nullable"] for column in columns if column["column_name"] in key):
        schema["primaryKey"] = list(key)
    resource = {
        "profile": "tabular-data-resource",
        "name": table["table_name"],
        "path": csv.name,
        "description": table["comment"],
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": csv.stat().st_size,
        "hash": f"sha256:{digest}",
        "rows": rows,
        "schema": schema,
    }
    return {name: value for name, value in resource.items() if value is not None}


def _field(column: Row) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": column["column_name"],
        "type": TYPES.get(column["data_type"].partition("(")[0], "any"),
    }
    if column["comment"]:
        field["description"] = column["comment"]
    if not column["is_nullable"]:
        field["constraints"] = {"required": True}
    return field
