"""The file that live pages query: the published database with the default rating system only, in a compact form for browsers."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from dippouch.db import copy_marts
from dippouch.disk import fingerprint, link_or_copy
from dippouch.export.reading import Content
from dippouch.export.tables import PACKAGE

# A sixteenth of the default size: tables here are small, and every column takes a block of its own.
_OPTIONS = ", block_size 16384"
_PACKING = 6
# The tables and rows of the file, without the comparison of all systems.
_ROWS = """
    select
        table_name,
        bool_or(column_name = 'rating_system_id') and table_name != 'system_comparison' as is_of_systems
    from duckdb_columns()
    where database_name = 'published' and schema_name = 'marts'
    group by table_name
    order by table_name
"""
_DEFINITIONS = """
    select sql || coalesce(comment, '') as definition from duckdb_views() where database_name = 'published' and not internal
    union all
    select coalesce(macro_definition, '') || coalesce(comment, '') from duckdb_functions() where database_name = 'published'
    union all
    select sql || coalesce(comment, '') from duckdb_tables() where database_name = 'published'
    order by definition
"""


@dataclass(frozen=True)
class LiveFile:
    """A file that live pages query.

    Attributes:
        path: its path below the site, which contains a hash of its content.
        publication: the hash of its content.
    """

    path: str
    publication: str


def write_live_file(content: Content, site: Path, previous: Path | None) -> LiveFile:
    """Write the file below a site that has its tables already; keep the file of the previous site if the content is the same.

    DuckDB gives every file a random identity: two files with the same rows and definitions differ in their bytes.
    """
    tables = (site / "data" / PACKAGE).read_bytes()
    definitions = "".join(row["definition"] for row in content.rows(_DEFINITIONS))
    made_from = {"tables": sha256(tables).hexdigest(), "definitions": sha256(definitions.encode()).hexdigest()}
    publication = fingerprint(made_from | {"options": _OPTIONS})[:16]
    path = f"data/live-{publication}.bin"
    packed = site / path
    if previous and (previous / path).is_file():
        link_or_copy(str(previous / path), str(packed))
    else:
        system = content.facts["rating_system_id"].replace("'", "''")
        rows = {
            row["table_name"]: f"where rating_system_id = '{system}'" if row["is_of_systems"] else ""
            for row in content.rows(_ROWS)
        }
        plain = content.file.with_name("live.duckdb")
        copy_marts(content.connection, "published", plain, rows, _OPTIONS)
        packed.write_bytes(gzip.compress(plain.read_bytes(), _PACKING, mtime=0))
        plain.unlink()
    return LiveFile(path, publication)
