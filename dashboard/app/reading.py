"""The published database, opened for one showing of a page and closed after it, so that nobody waits for a reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa  # type: ignore[import-untyped]

from dippouch.db import reading
from dippouch.errors import UserError

Row = dict[str, Any]
# As much as the page with other rules may take.
_MEMORY = "2GB"
# Which file a name leads to: its device, number, time and size; none: there is no such file.
Identity = tuple[int, int, int, int] | None


@dataclass(frozen=True)
class Publication:
    """An open publication: everything on a page comes from the same one, whatever is published meanwhile.

    Attributes:
        connection: reads this file and nothing else.
        path: of the file, for messages.
        identity: of the file, under which answers can be kept; none where another may have taken its place meanwhile.
    """

    connection: duckdb.DuckDBPyConnection
    path: Path
    identity: Identity

    @cached_property
    def facts(self) -> Row:
        """What the collection says of itself: its words, its rating system, its counts.

        Raises:
            UserError: as `table`.
        """
        found = self.rows("from presentation.collection_card")
        if not found:
            raise UserError(f"{self.path}: says nothing of its collection; expected a publication of this version")
        return found[0]

    @property
    def system(self) -> str:
        """The id of the rating system that the collection shows first."""
        return str(self.facts["rating_system_id"])

    def table(self, sql: str, **values: object) -> pa.Table:
        """The answer to a query; what comes from an address or a control stands in `values`, never in the SQL.

        `$system` in the query is the default rating system, unless `values` names another one.

        Raises:
            UserError: when the file cannot be read, or has not what the query asks for.
        """
        if "$system" in sql:
            values = {"system": self.system} | values
        try:
            return self.connection.sql(sql, params=values or None).to_arrow_table()
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            raise UserError(
                f"{self.path}: does not have what this page shows, because another version published it"
                f" ({str(error).splitlines()[0]})"
            ) from None
        except duckdb.Error as error:
            raise UserError(f"{self.path}: cannot be read ({str(error).splitlines()[0]})") from None

    def rows(self, sql: str, **values: object) -> list[Row]:
        """The same as rows of Python's values."""
        rows: list[Row] = self.table(sql, **values).to_pylist()
        return rows


@contextmanager
def opened(database: Path) -> Iterator[Publication]:
    """The publication that a name leads to now.

    Raises:
        UserError: when there is none, or it cannot be read as one.
    """
    before = identity(database)
    with reading(database) as connection:
        connection.execute("use published")
        connection.execute(f"set memory_limit = '{_MEMORY}'")
        yield Publication(connection, database, before if before == identity(database) else None)


def identity(database: Path) -> Identity:
    """Which file a name leads to, to see that another one was put in its place."""
    try:
        found = database.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size
