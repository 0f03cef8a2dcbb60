"""One question to the published database, which nobody can change by asking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from dippouch.errors import KeeperError


@dataclass(frozen=True)
class Answer:
    """What a query gave.

    Attributes:
        columns: their names, in order.
        rows: the values, as Python has them.
    """

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def ask(database: Path, sql: str, values: Sequence[object] = ()) -> Answer:
    """Run one SQL query on a published database; tables are `marts.<name>`.

    The file is attached for reading only, and the query reaches no other file.

    Args:
        database: the published database.
        sql: one query.
        values: what stands for the question marks in it.

    Raises:
        KeeperError: when there is no such database, or the query cannot be run; the message names what is near.
    """
    if not database.exists():
        raise KeeperError(f"{database}: no such database; `make rankings` publishes it")
    with duckdb.connect() as connection:
        try:
            connection.execute(f"attach '{str(database).replace(chr(39), chr(39) * 2)}' as published (read_only)")
            connection.execute("use published")
            connection.execute("set enable_external_access = false")
        except duckdb.Error as error:
            raise KeeperError(f"{database}: cannot be read as a DuckDB database: {error}") from None
        try:
            statements = connection.extract_statements(sql)
            if len(statements) != 1:
                raise KeeperError(f"found {len(statements) or 'no'} queries; expected one")
            cursor = connection.execute(statements[0], values)
            columns = tuple(str(column[0]) for column in cursor.description or ())
            rows = cursor.fetchall()
        except duckdb.Error as error:
            raise KeeperError(f"the query cannot be run: {error}") from None
    return Answer(columns, rows)
