"""What documents state, in the two forms that a collection keeps it in: a CSV seed, or Parquet once it is large.

dbt parses a seed whole before it loads it, so past LANDING_ROWS rows a table is kept as `landing/<table>.parquet`, and
its seed has only the header. Staging reads the landing file where there is one (macro `observed`), so the presence of
the file is the one switch between the forms; the marts are the same row for row.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import duckdb

from dippouch.collection.seeds import Row, SeedTable, iterate_rows, rows_as_csv
from dippouch.collection.storage import Content
from dippouch.errors import KeeperError

LANDING_ROWS = 100_000

_BATCH = 10_000


def iterate_observed(folder: Path, table: SeedTable) -> Iterator[Row]:
    """The rows of a table as text, from whichever form the collection keeps it in.

    Raises:
        KeeperError: when the file is missing, cannot be read, or has other columns than expected.
    """
    landing = folder / table.landing_path
    if landing.exists():
        yield from _iterate_landing(landing, table)
    else:
        yield from iterate_rows(folder / table.path, table.columns)


def observed_files(table: SeedTable, rows: Iterable[Row], count: int) -> dict[str, Content]:
    """What to write for a table of `count` rows, which come in the table's order: a seed, or the landing form.

    Returns:
        The content of both files, by path relative to the collection; None for the one that must not be there.
    """
    if count <= LANDING_ROWS:
        return {table.path: partial(write_csv, table, rows), table.landing_path: None}
    return {table.path: rows_as_csv(table.columns, []), table.landing_path: partial(_write_landing, table, rows)}


def write_csv(table: SeedTable, rows: Iterable[Row], path: Path) -> None:
    """Write rows as a seed file, one after the other."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _write_landing(table: SeedTable, rows: Iterable[Row], path: Path) -> None:
    """Write rows as Parquet with the types that the seed has; by way of a CSV file, so that memory stays small."""
    text = path.with_suffix(".csv")
    write_csv(table, rows, text)
    columns = ", ".join(
        f"cast({column} as {table.types[column]}) as {column}" if column in table.types else column
        for column in table.columns
    )
    with duckdb.connect() as connection:
        connection.execute("set memory_limit = '256MB'")
        connection.execute("set threads = 1")
        connection.execute(
            f"copy (select {columns} from read_csv($text, header = true, all_varchar = true, nullstr = '', quote = '\"',"
            " delim = ',')) to '" + str(path).replace("'", "''") + "' (format parquet, compression zstd)",
            {"text": str(text)},
        )
    text.unlink()


def _iterate_landing(path: Path, table: SeedTable) -> Iterator[Row]:
    columns = ", ".join(f"coalesce(cast({column} as varchar), '')" for column in table.columns)
    try:
        with duckdb.connect() as connection:
            cursor = connection.execute(f"select {columns} from read_parquet($path)", {"path": str(path)})
            while batch := cursor.fetchmany(_BATCH):
                for cells in batch:
                    yield dict(zip(table.columns, cells, strict=True))
    except duckdb.Error as error:
        raise KeeperError(f"{path}: found {error}; expected the landing form of {table.path}") from None
