"""Comparing a published database, row by row, with what the seeds say it must hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb

from dippouch.errors import KeeperError
from dippouch.verifying.expected import ExpectedTable, Rank, Value, expected_tables

TOLERANCE = Fraction(1, 10**9)


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
    rows: int
    discrepancies: list[Discrepancy]


def verify(database: Path, seeds: Path, on_table: Callable[[str], None] = lambda table: None) -> list[TableReport]:
    """Compare every row of the rating tables of a database with an exact recomputation from the seeds.

    Args:
        database: a DuckDB file with the schema `marts`; opened for reading only.
        seeds: the collection that it was built from.
        on_table: called with the name of every table before it is compared, for progress.

    Raises:
        KeeperError: when the database or a seed cannot be read.
    """
    if not database.exists():
        raise KeeperError(f"{database}: no such database; `make rankings` publishes it")
    reports = []
    # An in-memory connection that attaches the file always sees the file as it is now.
    with duckdb.connect() as connection:
        try:
            connection.execute(f"attach '{str(database).replace(chr(39), chr(39) * 2)}' as published (read_only)")
        except duckdb.Error as error:
            raise KeeperError(f"{database}: cannot be read as a DuckDB database: {error}") from None
        for table in expected_tables(seeds, TOLERANCE):
            on_table(table.name)
            reports.append(_compare(connection, table))
    return reports


def _compare(connection: duckdb.DuckDBPyConnection, table: ExpectedTable) -> TableReport:
    names = [*table.key, *table.columns]
    try:
        cursor = connection.execute(
            f"select {', '.join(names)} from published.marts.{table.name} order by {', '.join(table.key)}"
        )
    except duckdb.Error as error:
        raise KeeperError(f"table marts.{table.name}: {error}") from None
    found: list[Discrepancy] = []
    unseen = set(table.rows)
    ratings: dict[tuple[Any, ...], list[tuple[float, int, str]]] = defaultdict(list)
    rank_column = next((c for c in ("national_rank", "rank") if c in table.columns), None)
    count = 0
    for values in _stream(cursor):
        count += 1
        key, published = values[: len(table.key)], values[len(table.key) :]
        label = _label(table, key, dict(zip(table.columns, published, strict=True)))
        if key not in unseen:
            what = "a second time" if key in table.rows else "no such row"
            found.append(Discrepancy(table.name, label, "row", "there", what))
            continue
        unseen.discard(key)
        for column, has, must in zip(table.columns, published, table.rows[key], strict=True):
            if not _same(has, must):
                found.append(Discrepancy(table.name, label, column, _shown(has), _shown(must)))
        if rank_column:
            row = dict(zip(names, values, strict=True))
            group = tuple(row[c] for c in ("rating_system_id", "year") if c in row)
            group += (row["nation_code"],) if rank_column == "national_rank" else ()
            ratings[group].append((row["rating"], row[rank_column], label))
    for key in sorted(unseen, key=str):
        label = _label(table, key, dict(zip(table.columns, table.rows[key], strict=True)))
        found.append(Discrepancy(table.name, label, "row", "missing", "there"))
    for ranked in ratings.values():
        found += _misplaced(table.name, rank_column or "", ranked)
    return TableReport(table.name, count, found)


def _stream(cursor: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := cursor.fetchmany(50_000):
        yield from rows


def _same(published: object, expected: Value) -> bool:
    if isinstance(expected, Rank):
        return isinstance(published, int) and expected.best <= published <= expected.worst
    if isinstance(expected, Fraction):
        # The comparison itself is exact too: a double is a fraction. NaN and infinity are not.
        try:
            return isinstance(published, float | int) and abs(Fraction(published) - expected) <= TOLERANCE
        except (ValueError, OverflowError):
            return False
    return published == expected


def _shown(value: object) -> str:
    if isinstance(value, Fraction):
        return f"{float(value):.12f}"
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


def _misplaced(table: str, column: str, ranked: list[tuple[float, int, str]]) -> Iterator[Discrepancy]:
    """Ranks that do not follow the published ratings themselves, where equal ratings share a rank."""
    ranked = sorted(ranked, key=lambda row: (-row[0], row[1], row[2]))
    rank = 0
    for position, (rating, published, label) in enumerate(ranked, start=1):
        if position == 1 or rating != ranked[position - 2][0]:
            rank = position
        if published != rank:
            yield Discrepancy(table, label, column, str(published), f"{rank}, by the published ratings")
