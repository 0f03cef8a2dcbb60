"""Opening the published database for a question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from dippouch.errors import KeeperError


@contextmanager
def published(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that reads a published database, where `marts.players` is its table and no writer is shut out.

    Raises:
        KeeperError: when there is no such database, or the file is none.
    """
    if not database.exists():
        raise KeeperError(f"{database}: no such database; `make rankings` publishes it")
    # An in-memory connection that attaches the file always sees the file as it is now.
    with duckdb.connect() as connection:
        try:
            connection.execute(f"attach '{str(database).replace(chr(39), chr(39) * 2)}' as published (read_only)")
        except duckdb.Error as error:
            raise KeeperError(f"{database}: cannot be read as a DuckDB database: {error}") from None
        # The functions name their tables without the database.
        connection.execute("use published")
        yield connection
