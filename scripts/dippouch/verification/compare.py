"""Comparing a published database, row by row, with what the seeds say it must hold."""

from __future__ import annotations

import gc
import tempfile
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import duckdb

from dippouch.db import literal, reading
from dippouch.errors import UserError
from dippouch.rating.systems import read_shown_system
from dippouch.seeds.folder import check_is_collection
from dippouch.verification.discrepancies import Discrepancy, TableReport, cell_text, row_label
from dippouch.verification.expected import expected_tables
from dippouch.verification.ledger import LONGEST_CAREER
from dippouch.verification.repeated_facts import differing, repeated_facts
from dippouch.verification.table_types import UNITS, ExpectedTable, Value, Values, fixed_point

TOLERANCE = Fraction(1, 10**9)
# Less what an expected figure may be off by itself: a change is the difference of two ratings.
_NEAR = fixed_point(TOLERANCE) - 2 * LONGEST_CAREER
_UNITS = float(UNITS)
# As many as DuckDB hands over at once: what is compared is still at hand then.
_BLOCK = 2_048
_MEMORY = "300MB"


def verify(database: Path, seeds: Path, on_table: Callable[[str], None] = lambda table: None) -> list[TableReport]:
    """Compare the tables that ratings flow into with an exact recomputation from the seeds, and what they repeat with each other.

    Args:
        database: a DuckDB file with the schema `marts`; opened for reading only.
        seeds: the collection that it was built from.
        on_table: called with the name of every table before it is compared, for progress.

    Raises:
        UserError: when the database or a seed cannot be read.
    """
    check_is_collection(seeds)
    reports: dict[str, TableReport] = {}
    keys: dict[str, tuple[str, ...]] = {}
    systems: dict[str, set[str]] = defaultdict(set)
    with (
        tempfile.TemporaryDirectory(prefix="dip-pouch-verification-") as spill,
        reading(database) as connection,
        _no_search_for_cycles(),
    ):
        # What DuckDB sorts needs no more than Python beside it; without a limit it takes most of the machine's memory.
        connection.execute(f"set memory_limit = '{_MEMORY}'; set temp_directory = {literal(spill)}")
        for table in expected_tables(seeds):
            on_table(f"{table.name} {table.system or ''}".strip())
            with _told_of(table.name):
                rows, found = _compare(connection, table)
            report = reports.setdefault(table.name, TableReport(table.name))
            reports[table.name] = TableReport(table.name, report.rows + rows, report.discrepancies + found)
            keys[table.name] = table.key if table.system is None else ("rating_system_id", *table.key)
            if table.system is not None:
                systems[table.name].add(table.system)
        for name, known in systems.items():
            with _told_of(name):
                found = _of_no_system(connection, name, known)
            reports[name].discrepancies.extend(found)
        on_table("what tables repeat of each other")
        wrong = {name for name, report in reports.items() if report.discrepancies}
        for repeated in repeated_facts(read_shown_system(seeds)):
            # A table that is wrong itself proves nothing.
            if repeated.table in reports and repeated.of not in wrong:
                with _told_of(repeated.table):
                    found = differing(connection, repeated, keys[repeated.table])
                reports[repeated.table].discrepancies.extend(found)
    return list(reports.values())


@contextmanager
def _told_of(table: str) -> Iterator[None]:
    """Name the table that has not the columns of its contract, or not their types."""
    try:
        yield
    except duckdb.Error as error:
        raise UserError(f"table marts.{table}: {error}") from None
    except TypeError as error:
        raise UserError(f"table marts.{table}: found values of other types than its contract says ({error})") from error


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Millions of rows are made and dropped, none of them in a cycle: looking for some takes a quarter of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _compare(connection: duckdb.DuckDBPyConnection, table: ExpectedTable) -> tuple[int, list[Discrepancy]]:
    """Walk down the published and the expected rows side by side, both in the order of the key.

    A block that is as expected is seen to be so column by column; only another one is gone through row by row.

    Returns:
        How many rows are published, and every difference.
    """
    # By its bytes: a collation would take other ids for the same.
    where = "" if table.system is None else "where encode(rating_system_id) = encode($system)"
    cursor = connection.execute(
        f"select {', '.join(table.published_names)} from published.marts.{table.name} {where} order by {', '.join(table.key)}",
        {} if table.system is None else {"system": table.system},
    )
    ranks, walk = _PublishedRanks(table), _Walk(table)
    # What is read and not compared yet.
    published: deque[Values] = deque()
    expected: deque[Values] = deque()
    count, misplaced = 0, []
    while True:
        rows = cursor.fetchmany(_BLOCK - len(published))
        count += len(rows)
        misplaced += ranks.add(rows)
        published.extend(rows)
        expected.extend(islice(table.rows, _BLOCK - len(expected)))
        if not published and not expected:
            break
        walk.take(published, expected)
    # A wrong rating comes before the ranks that it makes wrong.
    return count, [*walk.found, *misplaced, *ranks.misplaced()]


class _Walk:
    """Published and expected rows of a table, taken side by side; what differs is `found`."""

    def __init__(self, table: ExpectedTable) -> None:
        self.found: list[Discrepancy] = []
        self._table = table
        self._key_length = len(table.key)
        self._same = [_sameness(table, column) for column in table.names]
        self._last_key: Values | None = None

    def take(self, published: deque[Values], expected: deque[Values]) -> None:
        """Take rows from both until one is used up, and all of the other where one is empty from the beginning."""
        if len(published) == len(expected) and self._are_same(published, expected):
            self._last_key = self._key(expected[-1])
            published.clear()
            expected.clear()
            return
        while expected and not published:
            self._take_missing(expected)
        while published and not expected:
            self._take_stranger(published)
        while published and expected:
            key, expected_key = self._key(published[0]), self._key(expected[0])
            if key == expected_key:
                self._take_pair(published, expected)
            elif None not in key and expected_key < key:
                self._take_missing(expected)
            else:
                self._take_stranger(published)

    def _are_same(self, published: Iterable[Values], expected: Iterable[Values]) -> bool:
        """Whether two blocks of as many rows are the same, a whole column at a time."""
        # The rank of a published row is none of the columns that are compared.
        columns = zip(self._same, zip(*published, strict=True), zip(*expected, strict=True), strict=False)
        return all(same(has, must) for same, has, must in columns)

    def _take_pair(self, published: deque[Values], expected: deque[Values]) -> None:
        row, expected_row = published.popleft(), expected.popleft()
        self._last_key = self._key(expected_row)
        for column, same, has, must in zip(self._table.names, self._same, row, expected_row, strict=False):
            if not same((has,), (must,)):
                must_be = _expected_text(must, is_figure=column in self._table.figures)
                self._find(row, column, cell_text(has), must_be)

    def _take_missing(self, expected: deque[Values]) -> None:
        row = expected.popleft()
        self._last_key = self._key(row)
        self._find(row, "row", "missing", "there")

    def _take_stranger(self, published: deque[Values]) -> None:
        row = published.popleft()
        self._find(row, "row", "there", "a second time" if self._key(row) == self._last_key else "no such row")

    def _find(self, row: Values, column: str, has: str, must: str) -> None:
        self.found.append(Discrepancy(self._table.name, _label(self._table, row), column, has, must))

    def _key(self, row: Values) -> Values:
        return row[: self._key_length]


def _of_no_system(connection: duckdb.DuckDBPyConnection, name: str, known: set[str]) -> list[Discrepancy]:
    """Published rows of rating systems that the seeds do not have."""
    strangers = connection.execute(
        f"select encode(rating_system_id), count(*) from published.marts.{name} group by all order by all"
    ).fetchall()
    systems = {system.encode() for system in known}
    return [
        Discrepancy(
            name,
            row_label({"rating_system_id": None if system is None else system.decode()}),
            "rows",
            str(rows),
            "none: no such system",
        )
        for system, rows in strangers
        if system not in systems
    ]


def _sameness(table: ExpectedTable, column: str) -> Callable[[Sequence[Any], Sequence[Any]], bool]:
    """How the cells of a column are compared: many at once, or one."""
    if column in table.figures:
        return _same_figures
    return _same_cells


def _same_cells(published: Sequence[Any], expected: Sequence[Any]) -> bool:
    return published == expected


def _same_figures(published: Sequence[Any], expected: Sequence[Any]) -> bool:
    """Whether doubles are within the tolerance of fixed-point numbers.

    The comparison is exact: a double times 2^100 is a double, and so many units as a whole number, but for a part of one that
    is cut off. What is no number, or no finite one, is nothing like a figure.
    """
    try:
        for has, must in zip(published, expected, strict=True):
            if has is not must and abs(int(has * _UNITS) - must) > _NEAR:
                return False
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _expected_text(value: Value, *, is_figure: bool) -> str:
    return f"{value / UNITS:.12f}" if is_figure and isinstance(value, int) else cell_text(value)


def _label(table: ExpectedTable, row: Values) -> str:
    """Names the row for people; also its tournament, where it has one."""
    cells = dict(zip(table.names, row, strict=False))
    named: dict[str, object] = {} if table.system is None else {"rating_system_id": table.system}
    return row_label(named | {name: cells[name] for name in (*table.key, "tournament_id") if name in cells})


class _PublishedRanks:
    """Whether the ranks of a table follow its own published ratings, where equal ratings share a rank.

    The ratings themselves are compared with the exact ones, so an order that passes can be wrong only among exact ratings that are
    too close to each other for doubles.

    Args:
        table: any table; one without a rank of its own has nothing to check.
    """

    def __init__(self, table: ExpectedTable) -> None:
        self._table = table
        names = table.names
        self._rating_at = names.index("rating") if table.rank else 0
        self._group_at = None if table.ranked_within is None else names.index(table.ranked_within)
        # In a table that is in the order of its groups, one is complete when the next begins.
        self._in_order = table.ranked_within == table.key[0]
        self._rows: dict[Value, list[Values]] = defaultdict(list)

    def add(self, rows: Sequence[Values]) -> list[Discrepancy]:
        """Take rows; gives what is wrong in the groups that are complete."""
        wrong: list[Discrepancy] = []
        if self._table.rank is None:
            return wrong
        if self._group_at is None:
            self._rows[None].extend(rows)
            return wrong
        for group, taken in groupby(rows, key=itemgetter(self._group_at)):
            if self._in_order and group not in self._rows:
                wrong += self.misplaced()
                self._rows.clear()
            self._rows[group].extend(taken)
        return wrong

    def misplaced(self) -> Iterator[Discrepancy]:
        """What is wrong in the rows that were taken."""
        for rows in self._rows.values():
            # A rating that is none is told of by the comparison.
            ratings: list[Any] = [row[self._rating_at] for row in rows]
            # From the last to the first, so that of equal ratings the first place holds.
            worst_first = sorted(rating for rating in ratings if rating is not None)
            ranks = dict(zip(worst_first, range(len(worst_first), 0, -1), strict=True))
            must = list(map(ranks.get, ratings))
            if must != [row[-1] for row in rows]:
                yield from filter(None, map(self._misplaced, rows, must))

    def _misplaced(self, row: Values, must: int | None) -> Discrepancy | None:
        if must is None or row[-1] == must:
            return None
        where = _label(self._table, row[: len(self._table.key)])
        return Discrepancy(self._table.name, where, self._table.rank or "", cell_text(row[-1]), str(must))
