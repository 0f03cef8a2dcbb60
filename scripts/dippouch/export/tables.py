"""Every published table as CSV and as Parquet, and a Frictionless Data Package that describes them."""

import hashlib
import json
from typing import Any

from slugify import slugify

from dippouch.db import Row, read_literal
from dippouch.disk import link_or_copy
from dippouch.export.reading import COLUMNS, Content, Place
from dippouch.settings import PROJECT, read_yaml

TABLES = """
    select table_name, comment from duckdb_tables()
    where database_name = 'published' and schema_name = 'marts' order by table_name
"""
PACKAGE = "data/datapackage.json"


def write_tables(content: Content, place: Place) -> None:
    """Write all tables, the database itself and the package that describes them."""
    columns = content.groups(COLUMNS, "relation")
    keys = _declared_keys()
    resources = [
        _write_table(content, table, columns(f"marts.{table['table_name']}"), keys[table["table_name"]], place)
        for table in content.rows(TABLES)
    ]
    title = content.facts["title"] or "Rankings"
    package = {"profile": "tabular-data-package", "name": slugify(title) or "rankings", "title": title}
    text = json.dumps(package | {"resources": resources}, ensure_ascii=False, indent=2) + "\n"
    place(PACKAGE).write_text(text, encoding="utf-8")
    link_or_copy(content.file, place(f"data/{content.file.name}"))


def _declared_keys() -> dict[str, list[str]]:
    """Return the keys that the YAML files of the marts declare, by mart, because the database itself declares none."""
    files = (PROJECT / "models" / "marts").rglob("*.yml")
    models = (model for path in files for model in read_yaml(path).get("models", []))
    return {model["name"]: model["config"]["meta"]["key"] for model in models}


def _write_table(content: Content, table: Row, columns: list[Row], key: list[str], place: Place) -> dict[str, Any]:
    """Write both files of a table, sorted by its key, and describe them: CSV comes from Parquet, so that rows are sorted once."""
    name = table["table_name"]
    csv, parquet = place(f"data/{name}.csv"), place(f"data/{name}.parquet")
    content.save(f'from marts."{name}" order by {", ".join(key) or "all"}', parquet, "compression zstd")
    rows = content.save(f"from read_parquet({read_literal(parquet)})", csv)
    schema: dict[str, Any] = {"fields": [_field(column) for column in columns]}
    # The standard forbids empty cells in a key.
    if key and not any(column["is_nullable"] for column in columns if column["column_name"] in key):
        schema["primaryKey"] = key
    with csv.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "profile": "tabular-data-resource",
        "name": name,
        "path": csv.name,
        "description": table["comment"] or "",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": csv.stat().st_size,
        "hash": f"sha256:{digest}",
        "rows": rows,
        "schema": schema,
    }


def _field(column: Row) -> dict[str, Any]:
    described = {"name": column["column_name"], "type": column["type"], "description": column["description"]}
    return described | {"constraints": {"required": not column["is_nullable"]}}
