"""Every published table as CSV and as Parquet, and a Frictionless Data Package that describes them."""

import hashlib
import json
from typing import Any

from slugify import slugify

from dippouch.db import DatabaseRow, read_literal
from dippouch.disk import link_or_copy
from dippouch.export.reading import COLUMNS, Content, Place
from dippouch.settings import PROJECT, read_yaml

TABLES = """
    select table_name, comment from duckdb_tables()
    where database_name = 'published' and schema_name = 'marts' order by table_name
"""
PACKAGE = "data/datapackage.json"
# What the package says of every file.
_FORM = {"profile": "tabular-data-resource", "format": "csv", "mediatype": "text/csv", "encoding": "utf-8"}


def write_tables(content: Content, place: Place) -> list[dict[str, Any]]:
    """Write all tables, the database itself and the package that describes them; return the descriptions of the tables."""
    columns = content.groups(COLUMNS, "relation")
    # The database itself declares no keys.
    files = (PROJECT / "models" / "marts").rglob("*.yml")
    models = [model for path in files for model in read_yaml(path).get("models", [])]
    keys = {model["name"]: model["config"]["meta"]["key"] for model in models}
    resources = [
        _write_table(content, table, columns(f"marts.{table['table_name']}"), keys[table["table_name"]], place)
        for table in content.rows(TABLES)
    ]
    title = content.facts["title"] or "Rankings"
    package = {"profile": "tabular-data-package", "name": slugify(title) or "rankings", "title": title}
    text = json.dumps(package | {"resources": resources}, ensure_ascii=False, indent=2) + "\n"
    place(PACKAGE).write_text(text, encoding="utf-8")
    link_or_copy(content.file, place(f"data/{content.file.name}"))
    return resources


def _write_table(
    content: Content, table: DatabaseRow, columns: list[DatabaseRow], key: list[str], place: Place
) -> dict[str, Any]:
    """Write both files of a table, sorted by its key, and describe them: CSV comes from Parquet, so that rows are sorted once."""
    name = table["table_name"]
    csv, parquet = place(f"data/{name}.csv"), place(f"data/{name}.parquet")
    content.save(f'from marts."{name}" order by {", ".join(key) or "all"}', parquet, "compression zstd")
    rows = content.save(f"from read_parquet({read_literal(parquet)})", csv)
    fields = [
        {"name": column["column_name"], "type": column["type"], "description": column["description"]}
        | {"constraints": {"required": not column["is_nullable"]}}
        for column in columns
    ]
    schema: dict[str, Any] = {"fields": fields}
    # The standard forbids empty cells in a key.
    if key and not any(column["is_nullable"] for column in columns if column["column_name"] in key):
        schema["primaryKey"] = key
    with csv.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    resource = {"name": name, "path": csv.name, "description": table["comment"] or "", **_FORM}
    return resource | {"bytes": csv.stat().st_size, "hash": f"sha256:{digest}", "rows": rows, "schema": schema}
