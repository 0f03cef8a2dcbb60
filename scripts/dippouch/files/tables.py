"""Every published table as CSV and as Parquet, and a Frictionless Data Package that says what is in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from slugify import slugify

from dippouch.db import literal
from dippouch.disk import link_or_copy
from dippouch.seeds.checks.declared import declared_keys

DATABASE = "rankings.duckdb"
PACKAGE = "datapackage.json"

# Types of DuckDB and of Table Schema; a DECIMAL has its digits in the name.
_TYPES = {
    "VARCHAR": "string",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIMESTAMP": "datetime",
    "DOUBLE": "number",
    "FLOAT": "number",
    "DECIMAL": "number",
    "SMALLINT": "integer",
    "INTEGER": "integer",
    "BIGINT": "integer",
    "UBIGINT": "integer",
    "HUGEINT": "integer",
}


@dataclass(frozen=True)
class Column:
    """A column of a published table."""

    name: str
    type: str
    may_be_null: bool
    description: str | None


@dataclass(frozen=True)
class Table:
    """A published table.

    Attributes:
        name: its name in the schema `marts`.
        description: what one row is.
        columns: its columns, in order.
        key: the columns that tell its rows apart; empty when nothing says so.
    """

    name: str
    description: str | None
    columns: tuple[Column, ...]
    key: tuple[str, ...]


def published_tables(connection: duckdb.DuckDBPyConnection) -> list[Table]:
    """The tables of the database that is attached as `published`, by name.

    The file names few keys; the declarations beside the models, which `make rankings` tests, name all.
    """
    of_marts = "where database_name = 'published' and schema_name = 'marts'"
    columns: dict[str, list[Column]] = {}
    for table, *column in connection.execute(
        f"select table_name, column_name, data_type, is_nullable, comment from duckdb_columns() {of_marts} order by table_name, column_index"
    ).fetchall():
        columns.setdefault(table, []).append(Column(*column))
    tables = connection.execute(f"select table_name, comment from duckdb_tables() {of_marts} order by all").fetchall()
    keys = declared_keys()
    return [
        Table(name, comment, tuple(columns[name]), _key(columns[name], keys.get(name, ()))) for name, comment in tables
    ]


def write_tables(
    connection: duckdb.DuckDBPyConnection,
    database: Path,
    folder: Path,
    settings: dict[str, Any],
    on_table: Callable[[str], None],
) -> dict[str, int]:
    """Write all tables, the database itself and the package that describes them.

    Args:
        connection: has the database attached as `published`.
        database: the published database.
        folder: where to.
        settings: those of the collection.
        on_table: called with the name of the table that is written next.

    Returns:
        How many rows each table has.
    """
    resources = []
    counts = {}
    for table in published_tables(connection):
        on_table(table.name)
        counts[table.name] = _write_table(connection, table, folder)
        resources.append(_resource(table, folder, counts[table.name]))
    package = {
        "profile": "tabular-data-package",
        "name": slugify(settings.get("title") or "") or "rankings",
        "title": settings.get("title") or "Rankings",
        "resources": resources,
    }
    text = json.dumps(package, ensure_ascii=False, indent=2) + "\n"
    (folder / PACKAGE).write_text(text, encoding="utf-8", newline="\n")
    link_or_copy(str(database.resolve()), str(folder / DATABASE))
    return counts


def _write_table(connection: duckdb.DuckDBPyConnection, table: Table, folder: Path) -> int:
    """Write both files of a table: Parquet in order, and CSV from it, which saves ordering the rows twice."""
    order = ", ".join(f'"{column}"' for column in table.key) or "all"
    parquet = folder / f"{table.name}.parquet"
    connection.execute(
        f'copy (from published.marts."{table.name}" order by {order}) to {literal(parquet)} (format parquet, compression zstd)'
    )
    csv = folder / f"{table.name}.csv"
    ((count,),) = connection.execute(
        f"copy (from read_parquet({literal(parquet)})) to {literal(csv)} (format csv, header true)"
    ).fetchall()
    return int(count)


def _resource(table: Table, folder: Path, rows: int) -> dict[str, Any]:
    path = folder / f"{table.name}.csv"
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    schema: dict[str, Any] = {"fields": [_field(column) for column in table.columns]}
    # An empty cell tells nothing apart: the standard wants none in a key.
    if table.key and not any(column.may_be_null for column in table.columns if column.name in table.key):
        schema["primaryKey"] = list(table.key)
    resource = {
        "profile": "tabular-data-resource",
        "name": table.name,
        "path": path.name,
        "description": table.description,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": path.stat().st_size,
        "hash": f"sha256:{digest}",
        "rows": rows,
        "schema": schema,
    }
    return {name: value for name, value in resource.items() if value is not None}


def _field(column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {"name": column.name, "type": _TYPES.get(column.type.partition("(")[0], "any")}
    if column.description:
        field["description"] = column.description
    if not column.may_be_null:
        field["constraints"] = {"required": True}
    return field


def _key(columns: list[Column], declared: tuple[str, ...]) -> tuple[str, ...]:
    """The declared key, when the table has these columns."""
    return declared if {*declared} <= {column.name for column in columns} else ()
