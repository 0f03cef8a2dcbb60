"""Comparing a published database, row by row, with what the seeds say it must hold."""

from __future__ import annotations

import gc
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import Any

import duckdb

from dippouch.db import literal, reading
from dippouch.errors import UserError
from dippouch.seeds.folder import check_is_collection
from dippouch.verification.discrepancies import Discrepancy, TableReport, cell_text, row_label
from dippouch.verification.expected import expected_tables
from dippouch.verification.ledger import LONGEST_CAREER
from dippouch.verification.table_types import FIGURES, UNITS, ExpectedTable, Value, Values, fixed_point

TOLERANCE = Fraction(1, 10**9)
# Less what an expected figure may be off by itself: a change is the difference of two ratings.
_NEAR = fixed_point(TOLERANCE) - 2 * LONGEST_CAREER
_UNITS = float(UNITS)
# As many as DuckDB hands over at once: what is compared is still at hand then.
_BLOCK = 2_048
_MEMORY = "300MB"


def verify(database: Path, seeds: Path, on_table: Callable[[str], None] = lambda table: None) -> list[TableReport]:
    """Compare the tables that ratings flow into with an exact recomputation from the seeds.

    Args:
        database: a DuckDB file with the schema `marts`; opened for reading only.
        seeds: the collection that it was built from.
        on_table: called with the name of every table before it is compared, for progress.

    Raises:
        UserError: when the database or a seed cannot be read.
    """
    check_is_collection(seeds)
    reports: dict[str, TableReport] = {}
    systems: dict[str, list[str]] = defaultdict(list)
    with (
        tempfile.TemporaryDirectory(prefix="dip-pouch-verification-") as spill,
        reading(database) as connection,
        _without_garbage_collection(),
    ):
        # What DuckDB sorts needs no more than Python beside it; without a limit it takes most of the machine's memory.
        connection.execute(f"set memory_limit = '{_MEMORY}'; set temp_directory = {literal(spill)}")
        for table in expected_tables(seeds):
            on_table(f"{table.name} {table.system or ''}".strip())
            with _table_named(table.name):
                rows, found = _compare(connection, table)
            report = reports.setdefault(table.name, TableReport(table.name))
            report.rows += rows
            report.discrepancies += found
            if table.system is not None:
                systems[table.name].append(table.system)
        for name, known in systems.items():
            with _table_named(name):
                reports[name].discrepancies += _of_no_system(connection, name, known)
    return list(reports.values())


@contextmanager
def _table_named(table: str) -> Iterator[None]:
    """Name the table whose columns or types are not those of its contract."""
    try:
        yield
    except duckdb.Error as error:
        raise UserError(f"table marts.{table}: {error}") from None
    except TypeError as error:
        raise UserError(f"table marts.{table}: found values of other types than its contract says ({error})") from error


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Disable the garbage collector, which would take a quarter of the time: no row is part of a cycle."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _compare(connection: duckdb.DuckDBPyConnection, table: ExpectedTable) -> tuple[int, list[Discrepancy]]:
    """Walk down the published and the expected rows side by side, both in the order of the key.

    Blocks are compared column by column. From the first block that is not as expected on, rows are compared one by one.

    A rank is held against the ratings that its own table publishes. These are compared with the exact ones, so an order that
    passes can be wrong only among exact ratings that are too close to each other for doubles.

    Returns:
        How many rows are published, and every difference.
    """
    # By its bytes: a collation would take other ids for the same.
    where = "" if table.system is None else "where encode(own.rating_system_id) = encode($system)"
    ranks = [f"own.{rank}, {must_be}" for rank, must_be in table.ranks.items()]
    cursor = connection.execute(
        f"select {', '.join([*(f'own.{name}' for name in table.names), *ranks])} from published.marts.{table.name} as own {where}"
        f" order by {', '.join(f'own.{name}' for name in table.key)}",
        {} if table.system is None else {"system": table.system},
    )
    key_length = len(table.key)
    last_key: Values | None = None
    count, rows, expected = 0, cursor.fetchmany(_BLOCK), list(islice(table.rows, _BLOCK))
    while rows and len(rows) == len(expected) and _are_same(table, rows, expected):
        count += len(rows)
        last_key = expected[-1][:key_length]
        rows, expected = cursor.fetchmany(_BLOCK), list(islice(table.rows, _BLOCK))
    found: list[Discrepancy] = []
    further: Iterator[Values] = iter(cursor.fetchone, None)
    for row, must in _side_by_side(chain(rows, further), chain(expected, table.rows), key_length):
        count += row is not None
        if row is None:
            found.append(_discrepancy(table, must or (), "row", "missing", "there"))
        elif must is None:
            reason = "a second time" if row[:key_length] == last_key else "no such row"
            found.append(_discrepancy(table, row, "row", "there", reason))
        else:
            found += _differences(table, row, must)
        if must is not None:
            last_key = must[:key_length]
    # A wrong rating comes before the ranks that it makes wrong.
    return count, sorted(found, key=lambda one: one.column in table.ranks)


def _are_same(table: ExpectedTable, rows: Sequence[Values], expected: Sequence[Values]) -> bool:
    """Whether two blocks of as many rows are the same, a whole column at a time."""
    has, must = list(zip(*rows, strict=True)), zip(*expected, strict=True)
    end = len(table.names)
    figures = all(_sameness(name)(*cells) for name, *cells in zip(table.names, has, must, strict=False))
    return figures and has[end::2] == has[end + 1 :: 2]


def _side_by_side(
    rows: Iterator[Values], expected: Iterator[Values], key_length: int
) -> Iterator[tuple[Values | None, Values | None]]:
    """Published and expected rows with the same key, or one without the other."""
    row, must = next(rows, None), next(expected, None)
    while row is not None or must is not None:
        key = None if row is None else row[:key_length]
        expected_key: Any = None if must is None else must[:key_length]
        if key == expected_key:
            yield row, must
            row, must = next(rows, None), next(expected, None)
        elif key is None or (expected_key is not None and None not in key and expected_key < key):
            yield None, must
            must = next(expected, None)
        else:
            yield row, None
            row = next(rows, None)


def _differences(table: ExpectedTable, row: Values, must: Values) -> Iterator[Discrepancy]:
    """Every cell of a published row that is not as expected."""
    end = len(table.names)
    for column, has, expected in zip(table.names, row, must, strict=False):
        if not _sameness(column)((has,), (expected,)):
            yield _discrepancy(table, row, column, cell_text(has), _expected_text(column, expected))
    for column, has, expected in zip(table.ranks, row[end::2], row[end + 1 :: 2], strict=True):
        if has != expected:
            yield _discrepancy(table, row, column, cell_text(has), cell_text(expected))


def _of_no_system(connection: duckdb.DuckDBPyConnection, name: str, known: list[str]) -> Iterator[Discrepancy]:
    """Published rows of rating systems that the seeds do not have."""
    counts = connection.execute(
        f"select encode(rating_system_id), count(*) from published.marts.{name} group by all order by all"
    ).fetchall()
    for encoded, rows in counts:
        system = None if encoded is None else encoded.decode()
        if system not in known:
            label = row_label({"rating_system_id": system})
            yield Discrepancy(name, label, "rows", str(rows), "none: no such system")


def _sameness(column: str) -> Callable[[Sequence[Any], Sequence[Any]], bool]:
    """How the cells of a column are compared: many at once, or one."""
    return _same_figures if column in FIGURES else _same_cells


def _same_cells(published: Sequence[Any], expected: Sequence[Any]) -> bool:
    return published == expected


def _same_figures(published: Sequence[Any], expected: Sequence[Any]) -> bool:
    """Whether doubles are within the tolerance of fixed-point numbers.

    The comparison is exact: a double times 2^100 is a double, and so many units as a whole number, but for a part of one that
    is cut off. Text, NaN and infinity are never the same as a figure.
    """
    try:
        for has, must in zip(published, expected, strict=True):
            if has is not must and abs(int(has * _UNITS) - must) > _NEAR:
                return False
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _expected_text(column: str, value: Value) -> str:
    return f"{value / UNITS:.12f}" if column in FIGURES and isinstance(value, int) else cell_text(value)


def _discrepancy(table: ExpectedTable, row: Values, column: str, has: str, must: str) -> Discrepancy:
    """A difference in a row, which is named for people: also by its tournament, where it has one."""
    cells = dict(zip(table.names, row, strict=False))
    named: dict[str, object] = {} if table.system is None else {"rating_system_id": table.system}
    named |= {name: cells[name] for name in (*table.key, "tournament_id") if name in cells}
    return Discrepancy(table.name, row_label(named), column, has, must)
