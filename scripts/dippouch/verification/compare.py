"""Compare the published tables, row by row, with the rows that the seeds imply."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb

from dippouch.db import literal, reading
from dippouch.errors import UserError
from dippouch.seeds.folder import check_is_collection
from dippouch.verification.collection import load_collection
from dippouch.verification.ledger import TOLERANCE, wrong_figures
from dippouch.verification.report import Discrepancy, TableReport, cell_text, row_label
from dippouch.verification.tables import EXPECTED, STANDINGS

# The rest spills to the disk; without a limit DuckDB takes most of the machine's memory.
_MEMORY = "300MB"


def verify(database: Path, seeds: Path, on_table: Callable[[str], None] = lambda table: None) -> list[TableReport]:
    """Compare the published tables that depend on ratings with an exact recomputation from their seeds.

    `on_table` is called with the name of every table before its comparison, to show progress.

    Raises:
        UserError: when the database or a seed cannot be read.
    """
    check_is_collection(seeds)
    reports = []
    with tempfile.TemporaryDirectory(prefix="dip-pouch-verification-") as spill, reading(database) as connection:
        connection.execute(f"set memory_limit = '{_MEMORY}'; set temp_directory = {literal(spill)}")
        exact = load_collection(connection, seeds)
        connection.execute(STANDINGS)
        for name, (key, expected) in EXPECTED.items():
            on_table(name)
            found = list(_differences(connection, name, key, expected))
            if name == "rating_history":
                found += wrong_figures(connection, exact)
            ((rows,),) = connection.execute(f"select count(*) from published.marts.{name}").fetchall()
            reports.append(TableReport(name, rows, found))
    return reports


def _differences(
    connection: duckdb.DuckDBPyConnection, name: str, key: tuple[str, ...], expected: str
) -> Iterator[Discrepancy]:
    """Compare a published table with the rows of a query; yield missing, additional and repeated rows, and different cells."""
    columns = _columns(connection, expected)
    found = _columns(connection, f"from published.marts.{name}")
    for column, type_ in columns.items():
        if found.get(column) != type_:
            raise UserError(
                f"table marts.{name}: found the column {column} {found.get(column, 'missing')}; expected {type_}"
            )
    compared = {
        # DuckDB treats NaN as greater than any number.
        column: f"coalesce(abs(own.{column} - must.{column}) > {float(TOLERANCE)}, own.{column} is distinct from must.{column})"
        if type_ == "DOUBLE"
        else f"own.{column} is distinct from must.{column}"
        for column, type_ in columns.items()
    }
    cells = ", ".join(f"own.{column}, must.{column}, {differs}" for column, differs in compared.items())
    rows = connection.execute(
        f"select own.is_there, must.is_there, {cells} from (select true as is_there, * from published.marts.{name}) as own"
        f" full join (select true as is_there, * from ({expected})) as must using ({', '.join(key)})"
        f" where {' or '.join(compared.values())} order by {', '.join(key)}"
    )
    for is_published, is_expected, *values in iter(rows.fetchone, None):
        has, must, differs = (dict(zip(columns, values[part::3], strict=True)) for part in range(3))
        row = has if is_published else must
        label = row_label({column: row[column] for column in (*key, "tournament_id") if column in row})
        if not is_published:
            yield Discrepancy(name, label, "row", "missing", "there")
        elif not is_expected:
            yield Discrepancy(name, label, "row", "there", "no such row")
        else:
            for column in columns:
                if differs[column]:
                    yield Discrepancy(name, label, column, cell_text(has[column]), cell_text(must[column]))
    repeated = connection.execute(
        f"select {', '.join(key)}, count(*) from published.marts.{name} group by all having count(*) > 1 order by all"
    )
    for *values, count in repeated.fetchall():
        yield Discrepancy(
            name, row_label(dict(zip(key, values, strict=True))), "row", f"there {count} times", "there once"
        )


def _columns(connection: duckdb.DuckDBPyConnection, query: str) -> dict[str, str]:
    """Return the columns of a query with their types."""
    return {name: type_ for name, type_, *_ in connection.execute(f"describe {query}").fetchall()}
