"""Synthetic results as a collection of seeds, ready for a refresh: the same as after an import, without its checks."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

import duckdb

from dippouch.collection.files import LARGEST_SEED, Content, read_rows, write_csv
from dippouch.collection.folder import write_files
from dippouch.collection.schema import DOCUMENTS, PUBLISHED_RANKINGS, RATING_SYSTEMS, RESULTS, TOURNAMENTS, Seed
from dippouch.db import literal
from synthetic.results import Size, write_synthetic

# The rating system of most collections.
_SHOWN_SYSTEM = "dptr"

# Columns of a table that the synthetic file lacks; all others are empty.
_ADDED = {
    TOURNAMENTS.name: {"document_id": "'synthetic'"},
    RESULTS.name: {
        "document_id": "'synthetic'",
        # The same as `ids.readable_id` for these names.
        "player_id": "lower(first_name || '-' || last_name)",
        "listed_name": "first_name || ' ' || last_name",
    },
}

_DOCUMENT = {
    "document_id": "synthetic",
    "about": "tournament",
    "source_document": "synthetic",
    "source_sha256": "0" * 64,
    "source_form": "synthetic",
    "last_update": "",
    "import_number": "1",
    "replaces": "false",
}


def write_collection(folder: Path, size: Size, seed: int, *, every_system: bool = False) -> int:
    """Write a synthetic collection into a new folder; memory use is about 200 MB for any number of results.

    Args:
        folder: the collection; missing or empty.
        size: its size.
        seed: the seed of the random choices.
        every_system: whether to rate by every system of the project, or by the published rules only.

    Returns:
        The number of results.

    Raises:
        UserError: when the disk refuses.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        source = Path(temporary)
        written = write_synthetic(source, size, seed)
        files = {
            DOCUMENTS.path: partial(write_csv, DOCUMENTS, [_DOCUMENT]),
            **_raw_files(TOURNAMENTS, source / "tournaments.csv", size.tournaments),
            **_raw_files(RESULTS, source / "results.csv", written),
            PUBLISHED_RANKINGS.path: partial(write_csv, PUBLISHED_RANKINGS, ()),
        }
        write_files(folder, files)
    if not every_system:
        systems = read_rows(folder / RATING_SYSTEMS.path)
        shown = (row for row in systems if row["rating_system_id"] == _SHOWN_SYSTEM)
        write_csv(RATING_SYSTEMS, shown, folder / RATING_SYSTEMS.path)
    return written


def _raw_files(table: Seed, source: Path, count: int) -> dict[str, Content]:
    """Return the files of a table, like `Collection.write`, without loading its rows."""
    if count <= LARGEST_SEED:
        return {table.path: partial(_copy, table, source, "format csv, header true")}
    large = partial(_copy, table, source, "format parquet, compression zstd")
    return {table.path: partial(write_csv, table, ()), table.parquet_path: large}


def _copy(table: Seed, source: Path, form: str, target: Path) -> None:
    with duckdb.connect(config={"threads": 1, "memory_limit": "512MB"}) as connection:
        connection.execute("set preserve_insertion_order = true")
        read = f"read_csv({literal(source)}, header = true, all_varchar = true, nullstr = '')"
        stated = [name for name, *_ in connection.execute(f"describe select * from {read}").fetchall()]
        added = _ADDED[table.name]
        columns = ", ".join(
            f"cast({added.get(column) or (column if column in stated else 'null')}"
            f" as {table.sql_type(column)}) as {column}"
            for column in table.columns
        )
        connection.execute(f"copy (select {columns} from {read}) to {literal(target)} ({form})")
