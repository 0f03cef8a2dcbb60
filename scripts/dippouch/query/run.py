"""One query on the published database, which no query can change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from dippouch.db import reading
from dippouch.errors import UserError


@dataclass(frozen=True)
class QueryResult:
    """What a query gave.

    Attributes:
        columns: their names, in order.
        rows: the values, as Python has them.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def run_query(database: Path, sql: str, values: Sequence[object] = ()) -> QueryResult:
    """Run one SQL query on a published database; tables are `marts.<name>`.

    The file is attached for reading only, and the query reaches no other file.

    Args:
        database: the published database.
        sql: one query.
        values: what stands for the question marks in it.

    Raises:
        UserError: when there is no such database, or the query cannot be run; the message names what is near.
    """
    with reading(database) as connection:
        connection.execute("use published")
        connection.execute("set enable_external_access = false")
        try:
            statements = connection.extract_statements(sql)
            if len(statements) != 1:
                raise UserError(f"found {len(statements) or 'no'} queries; expected one")
            cursor = connection.execute(statements[0], values)
            columns = tuple(str(column[0]) for column in cursor.description or ())
            rows = cursor.fetchall()
        except duckdb.Error as error:
            raise UserError(f"the query cannot be run: {error}") from None
    return QueryResult(columns, rows)
