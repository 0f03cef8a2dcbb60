"""One query on the published database, which no query can change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb

from dippouch.db import reading
from dippouch.errors import UserError
from dippouch.query.limits import DEFAULT_LIMITS, Clock, Limits, capped_memory, shut_off
from dippouch.query.statements import check_text, one_question

# How many rows a text for people has, unless they ask for more.
SHOWN_ROWS = 1000

_CHUNK = 2048
# What DuckDB says where a query wants a file, and what it means here.
_NO_FILES = "LocalFileSystem has been disabled"


@dataclass(frozen=True)
class QueryResult:
    """What a query gave.

    Attributes:
        columns: their names, in order.
        rows: the values, as Python has them.
        further: how many rows there are beyond these; None: some, which took too long to count.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    further: int | None = 0


@dataclass(frozen=True)
class Answer:
    """What a query gives, while it gives it.

    Attributes:
        columns: their names, in order.
        rows: the values, as Python has them, fetched a few at a time.
    """

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]


def run_query(
    database: Path, sql: str, values: Sequence[object] = (), *, limits: Limits = DEFAULT_LIMITS, rows: int | None = None
) -> QueryResult:
    """Run one SQL query on a published database; tables are `marts.<name>`.

    The file is attached for reading only, and the query reaches no other file.

    Args:
        database: the published database.
        sql: one query that reads.
        values: what stands for the question marks in it.
        limits: what it may take.
        rows: how many rows to give at most; None: all.

    Raises:
        UserError: when there is no such database, or the query cannot be run; the message names what is near.
    """
    with answering(database, sql, values, limits=limits) as answer:
        found = QueryResult(answer.columns, list(islice(answer.rows, rows)))
        if rows is None or next(answer.rows, None) is None:
            return found
    return QueryResult(found.columns, found.rows, _beyond(database, sql, values, limits, rows))


@contextmanager
def answering(
    database: Path, sql: str, values: Sequence[object] = (), *, limits: Limits = DEFAULT_LIMITS
) -> Iterator[Answer]:
    """The same for an answer of any length: its rows are there only as long as the context is.

    Raises:
        UserError: as `run_query`; also while rows are read.
    """
    check_text(sql)
    with reading(database) as connection:
        connection.execute("use published")
        shut_off(connection, limits)
        with Clock(connection, limits) as clock, capped_memory(limits), _in_words(limits):
            with clock.running():
                cursor = connection.execute(one_question(connection, sql), values)
            columns = tuple(str(column[0]) for column in cursor.description or ())
            yield Answer(columns, _rows(cursor, clock))


def _rows(cursor: duckdb.DuckDBPyConnection, clock: Clock) -> Iterator[tuple[Any, ...]]:
    while True:
        with clock.running():
            chunk = cursor.fetchmany(_CHUNK)
        if not chunk:
            return
        yield from chunk


def _beyond(database: Path, sql: str, values: Sequence[object], limits: Limits, rows: int) -> int | None:
    """How many rows a query has beyond the first; None when that cannot be told."""
    # Comments at its end must not swallow the bracket.
    count = f"select count(*) from ({sql.strip().rstrip(';')}\n)"
    try:
        (total,) = run_query(database, count, values, limits=limits).rows[0]
    except UserError:
        return None
    return int(total) - rows


@contextmanager
def _in_words(limits: Limits) -> Iterator[None]:
    """Make what DuckDB says of a query a message.

    Raises:
        UserError: in the place of DuckDB's errors.
    """
    try:
        yield
    except duckdb.InterruptException:
        raise limits.too_long() from None
    except (duckdb.OutOfMemoryException, MemoryError):
        raise limits.too_much_memory() from None
    except duckdb.PermissionException as error:
        if _NO_FILES not in str(error):
            raise UserError(f"the query cannot be run: {error}") from None
        raise UserError(
            "the query cannot be run: it asks for a file; expected tables of the published database, such as marts.players"
        ) from None
    except duckdb.Error as error:
        raise UserError(f"the query cannot be run: {error}") from None
