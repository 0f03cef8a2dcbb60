"""The rows that a bulk import refuses: all of them in a table, with what was found, what was expected and the way out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import duckdb

from dippouch.db import literal
from dippouch.errors import DocumentError
from dippouch.importing.bulk.bulk_tables import BulkTable, rejected

# How many rows of each kind of fault are shown.
SAMPLES = 3
# What stands before a fault where a value was asked for: a character that no value has.
_MARK = "\x1f"


def judged(read: Callable[..., str | None]) -> Callable[[list[str | None]], str | None]:
    """A reader of cells for SQL, which takes them as a list: the text that it makes of them, or the fault that it finds, behind a mark."""

    def judge(cells: list[str | None]) -> str | None:
        try:
            return read(*(cell or "" for cell in cells))
        except DocumentError as error:
            return _MARK + json.dumps([error.found, error.expected, error.hint], ensure_ascii=False)

    return judge


def is_fault(column: str) -> str:
    """The condition of SQL that a column holds a fault instead of a value."""
    return f"starts_with({column}, chr(31))"


def sound(column: str) -> str:
    """The value in a column in SQL; null where there is a fault instead."""
    return f"case when {is_fault(column)} then null else {column} end"


def parts_of(column: str) -> str:
    """Found, expected and way out of a fault, as three columns of SQL."""
    told = f"substr({column}, 2)"
    return ", ".join(f"json_extract_string({told}, '$[{place}]')" for place in range(3))


@dataclass(frozen=True)
class RefusedKind:
    """The rows that one rule refuses.

    Attributes:
        what: what the rule is about, in a word or two.
        rows: how many rows it refuses.
        tournaments: in how many tournaments.
        samples: messages about the first of them.
    """

    what: str
    rows: int
    tournaments: int
    samples: list[str]


class RefusedRows:
    """The table of refused rows in the temporary database."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._tables: dict[str, BulkTable] = {}
        connection.execute(
            "create table refused (what text, file text, row integer, event integer, found text, expected text, hint text)"
        )

    def about(self, table: BulkTable) -> None:
        """Remember a file, so that its rows can be told."""
        self._tables[table.name] = table

    def add(self, what: str, table: str, rows: str) -> int:
        """Refuse rows of a file.

        Args:
            what: what the rule is about.
            table: the table of the file.
            rows: the rest of a query behind `select`: row, event (null where it is not known), found, expected, way out.

        Returns:
            How many they are.
        """
        added = self._connection.execute(f"insert into refused select {literal(what)}, {literal(table)}, {rows}")
        ((count,),) = added.fetchall()
        return int(count)

    def add_lines(self, table: BulkTable) -> None:
        """Refuse the lines of a CSV file that are no rows of its table, as DuckDB tells them."""
        width = len(table.columns.head.texts)
        self.add(
            "line",
            table.name,
            "line, null, if(error_type like '%COLUMNS', regexp_extract(error_message, 'Found: ([0-9]+)', 1) || ' cells',"
            " 'a line that is not CSV (' || lower(error_type) || ')'),"
            f" if(error_type like '%COLUMNS', '{width}, one for each heading', 'cells with quotes that match'),"
            " if(error_type like '%COLUMNS', 'A cell with the separator in it needs quotes around it.', 'Double a quote in a cell: \"\".')"
            f" from (select distinct on (line) * from {rejected(table.name)} order by line, column_idx)",
        )

    def count(self, condition: str = "true") -> int:
        """How many faults there are, or of those that a condition selects."""
        ((count,),) = self._connection.execute(f"select count(*) from refused where {condition}").fetchall()
        return int(count)

    def kinds(self) -> list[RefusedKind]:
        """What was refused, the most frequent first, each with the first rows."""
        found = self._connection.execute(
            f"""
            select what, file, count(distinct row), count(distinct event),
                arg_min(row, row, {SAMPLES}), arg_min(found, row, {SAMPLES}), arg_min(expected, row, {SAMPLES}),
                arg_min(coalesce(hint, ''), row, {SAMPLES})
            from refused group by what, file order by count(*) desc, what, file
            """
        ).fetchall()
        return [
            RefusedKind(what, rows, events, [self._message(file, *sample) for sample in zip(*samples, strict=True)])
            for what, file, rows, events, *samples in found
        ]

    def errors(self) -> Iterator[tuple[DocumentError, str]]:
        """Every fault in the order of the files, as an error with its place, and what its rule is about."""
        cursor = self._connection.cursor()
        cursor.execute(
            "select what, file, row, found, expected, hint from refused order by file desc, row, what, found"
        )
        while batch := cursor.fetchmany(1_000):
            for what, file, row, found, expected, hint in batch:
                yield DocumentError(self._tables[file].location(row), found, expected, hint or ""), what

    def _message(self, file: str, row: int, found: str, expected: str, hint: str) -> str:
        return str(DocumentError(self._tables[file].location(row), found, expected, hint or ""))
