"""Comparing a published database, row by row, with what the seeds say it must hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb

from dippouch.db import reading
from dippouch.errors import UserError
from dippouch.seeds.folder import check_is_collection
from dippouch.verification.expected import expected_tables
from dippouch.verification.table_types import UNITS, ExpectedTable, FixedPoint, Rank, Value

TOLERANCE = Fraction(1, 10**9)
_NEAR = FixedPoint.of(TOLERANCE)


@dataclass(frozen=True)
class Discrepancy:
    """A figure that differs: where, what is published, and what the seeds give."""

    table: str
    row: str
    column: str
    published: str
    expected: str

    def __str__(self) -> str:
        return f"{self.table}: {self.row}: {self.column} is {self.published}, must be {self.expected}"


@dataclass(frozen=True)
class TableReport:
    """How one table fared: rows compared, and every difference."""

    table: str
    rows: int = 0
    discrepancies: list[Discrepancy] = field(default_factory=list)


def verify(database: Path, seeds: Path, on_table: Callable[[str], None] = lambda table: None) -> list[TableReport]:
    """Compare every row of the rating tables of a database with an exact recomputation from the seeds.

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
    with reading(database) as connection:
        for table in expected_tables(seeds, TOLERANCE):
            on_table(f"{table.name} {table.system or ''}".strip())
            report = reports.setdefault(table.name, TableReport(table.name))
            rows, found = _compare(connection, table)
            reports[table.name] = TableReport(table.name, report.rows + rows, report.discrepancies + found)
            if table.system is not None:
                systems[table.name].append(table.system)
        for name, known in systems.items():
            reports[name].discrepancies.extend(_of_no_system(connection, name, known))
    return list(reports.values())


def _compare(connection: duckdb.DuckDBPyConnection, table: ExpectedTable) -> tuple[int, list[Discrepancy]]:
    """Walk down the published and the expected rows side by side, both in the order of the key."""
    names = [*table.key, *table.columns]
    where = "" if table.system is None else "where rating_system_id = $system"
    try:
        cursor = connection.execute(
            f"select {', '.join(names)} from published.marts.{table.name} {where} order by {', '.join(table.key)}",
            {} if table.system is None else {"system": table.system},
        )
    except duckdb.Error as error:
        raise UserError(f"table marts.{table.name}: {error}") from None
    found: list[Discrepancy] = []
    ranks = _PublishedRanks(table)
    count = 0
    expected = next(table.rows, None)
    last_key: tuple[Any, ...] | None = None
    for values in _stream(cursor):
        count += 1
        key, published = values[: len(table.key)], values[len(table.key) :]
        if ranks.are_published:
            found += ranks.add(values)
        while expected is not None and None not in key and expected[0] < key:
            found.append(_missing(table, *expected))
            last_key = expected[0]
            expected = next(table.rows, None)
        if expected is None or expected[0] != key:
            what = "a second time" if key == last_key else "no such row"
            label = _label(table, key, dict(zip(table.columns, published, strict=True)))
            found.append(Discrepancy(table.name, label, "row", "there", what))
            continue
        for column, has, must in zip(table.columns, published, expected[1], strict=True):
            if not _same(has, must):
                label = _label(table, key, dict(zip(table.columns, published, strict=True)))
                found.append(Discrepancy(table.name, label, column, _shown(has), _shown(must)))
        last_key = key
        expected = next(table.rows, None)
    while expected is not None:
        found.append(_missing(table, *expected))
        expected = next(table.rows, None)
    found += ranks.misplaced()
    return count, found


def _missing(table: ExpectedTable, key: tuple[Value, ...], columns: tuple[Value, ...]) -> Discrepancy:
    label = _label(table, key, dict(zip(table.columns, columns, strict=True)))
    return Discrepancy(table.name, label, "row", "missing", "there")


def _of_no_system(connection: duckdb.DuckDBPyConnection, name: str, known: list[str]) -> list[Discrepancy]:
    """Published rows of rating systems that the seeds do not have."""
    strangers = connection.execute(
        f"select rating_system_id, count(*) from published.marts.{name}"
        " where not coalesce(list_contains($known, rating_system_id), false) group by all order by all",
        {"known": known},
    ).fetchall()
    return [
        Discrepancy(name, f"rating system {system}", "rows", str(rows), "none: no such system")
        for system, rows in strangers
    ]


def _stream(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(50_000):
        yield from rows


def _same(published: object, expected: Value) -> bool:
    if isinstance(expected, Rank):
        return isinstance(published, int) and expected.best <= published <= expected.worst
    if isinstance(expected, FixedPoint):
        # The comparison itself is exact too: a double is a fraction. NaN and infinity are not.
        if not isinstance(published, float | int):
            return False
        try:
            numerator, denominator = published.as_integer_ratio()
        except (ValueError, OverflowError):
            return False
        return abs(numerator * UNITS // denominator - expected) <= _NEAR
    return published == expected


def _shown(value: object) -> str:
    if isinstance(value, FixedPoint):
        return f"{value / UNITS:.12f}"
    if isinstance(value, float):
        return f"{value:.12f}"
    if isinstance(value, Rank):
        return str(value.exact)
    return "null" if value is None else str(value)


def _label(table: ExpectedTable, key: tuple[Any, ...], columns: dict[str, Any]) -> str:
    """Names the row for people: player, tournament, and the rest of the key."""
    cells = dict(zip(table.key, key, strict=True))
    if "tournament_id" in columns:
        cells["tournament_id"] = columns["tournament_id"]
    return ", ".join(f"{name.removesuffix('_id').replace('_', ' ')} {_shown(value)}" for name, value in cells.items())


class _PublishedRanks:
    """Whether ranks follow the published ratings themselves, where equal ratings share a rank.

    Args:
        table: any table; one without a rank of its own has nothing to check.
    """

    def __init__(self, table: ExpectedTable) -> None:
        self._table = table
        names = (*table.key, *table.columns)
        self._rank = next((column for column in ("national_rank", "rank") if column in table.columns), "")
        self.are_published = bool(self._rank)
        if self.are_published:
            self._rank_at, self._rating_at = names.index(self._rank), names.index("rating")
        grouped_by = ("rating_system_id", "year", *(("nation_code",) if self._rank == "national_rank" else ()))
        self._group = [names.index(column) for column in grouped_by if column in names]
        self._by_year = "year" in names
        self._rows: dict[tuple[Any, ...], list[tuple[float, int, tuple[Any, ...]]]] = defaultdict(list)

    def add(self, values: tuple[Any, ...]) -> list[Discrepancy]:
        """Take a row; gives what is wrong in the year before, once a new one begins."""
        group = tuple([values[position] for position in self._group])
        wrong = []
        if self._by_year and group not in self._rows:
            wrong = list(self.misplaced())
            self._rows.clear()
        self._rows[group].append((values[self._rating_at], values[self._rank_at], values[: len(self._table.key)]))
        return wrong

    def misplaced(self) -> Iterator[Discrepancy]:
        """What is wrong in the rows that were taken."""
        for rows in self._rows.values():
            rows.sort(key=lambda row: (-row[0], row[1], row[2]))
            rank = 0
            for position, (rating, published, key) in enumerate(rows, start=1):
                if position == 1 or rating != rows[position - 2][0]:
                    rank = position
                if published != rank:
                    label = _label(self._table, key, {})
                    must = f"{rank}, by the published ratings"
                    yield Discrepancy(self._table.name, label, self._rank, str(published), must)
