"""Read the published database for the site and the exports: rows of its views, a few at a time."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import duckdb

from dippouch.db import DatabaseRow, literal, reading, rows_of
from dippouch.disk import link_or_copy, refusal
from dippouch.messages import UserError

# Every column with its type in Table Schema, which JSON Schema shares except for days. A column name has one description, which views
# do not repeat.
COLUMNS = """
    select schema_name || '.' || table_name as relation, column_name, is_nullable,
        coalesce(max(comment) over (partition by column_name), '') as description,
        case
            when data_type like '%[]' then 'array' when data_type like '%INT%' then 'integer'
            when data_type like 'DECIMAL%' or data_type = 'DOUBLE' then 'number'
            when data_type = 'VARCHAR' then 'string' else lower(data_type)
        end as type
    from duckdb_columns() where database_name = 'published' order by schema_name, table_name, column_index
"""

# Returns where to write the file at a path below the site.
Place = Callable[[str], Path]


class Content:
    """The published database as rows of its views.

    Attributes:
        connection: has the database attached as `published`.
        file: its file.
        facts: the row of `presentation.collection_card`.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, file: Path) -> None:
        self.connection = connection
        self.file = file
        (self.facts,) = self.rows("from presentation.collection_card")

    def rows(self, query: str) -> list[DatabaseRow]:
        """Return all rows of a query."""
        return list(self.stream(query))

    def stream(self, query: str) -> Iterator[DatabaseRow]:
        """Stream the rows of a query on a cursor of its own; `$system` is the default rating system."""
        # An open query would keep its hash tables in memory until the last row; a table can spill.
        yield from rows_of(self._run(f"create temp table streamed as {query}").execute("from streamed"))

    def save(self, query: str, file: Path, options: str = "header true") -> int:
        """Write the rows of a query into a CSV or a Parquet file, by its ending; return their number."""
        ((rows,),) = self._run(f"copy ({query}) to {literal(file)} ({options})").fetchall()
        return int(rows)

    def _run(self, statement: str) -> duckdb.DuckDBPyConnection:
        values = {"system": self.facts["rating_system_id"]} if "$system" in statement else {}
        return self.connection.cursor().execute("use published").execute(statement, values)

    def groups(self, query: str, key: str) -> Callable[[object], list[DatabaseRow]]:
        """Stream the rows of a query, sorted by `key`: the function returned gives the rows of a key, and skips earlier keys."""
        groups = groupby(self.stream(query), key=itemgetter(key))
        current = next(groups, None)

        def of(wanted: object) -> list[DatabaseRow]:
            nonlocal current
            while current is not None and current[0] < wanted:
                current = next(groups, None)
            return list(current[1]) if current is not None and current[0] == wanted else []

        return of


@contextmanager
def snapshot(database: Path, folder: Path) -> Iterator[Content]:
    """Open the published file under a second name, so that a publication in the meantime changes nothing.

    The folder must be on the disk of the site; it takes the second name and the data that does not fit into memory.

    Raises:
        UserError: when the file does not exist or cannot be read, another version of the project published it, or the
            disk refuses.
    """
    second_name = folder / "rankings.duckdb"
    with reading(database):
        link_or_copy(database.resolve(), second_name)
    try:
        with reading(second_name) as connection:
            # With several threads the order of the parts of a file would vary.
            connection.execute("set threads = 1")
            # DuckDB spills what exceeds this. Python needs about as much.
            memory = os.environ.get("DPTR_MEMORY", "50%")
            try:
                connection.execute(f"set memory_limit = {literal(memory)}; set temp_directory = {literal(folder)}")
                yield Content(connection, second_name)
            except (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.ParserException, OSError) as error:
                reason = refusal(error) if isinstance(error, OSError) else str(error).splitlines()[0]
                # DuckDB also runs out of memory if it cannot spill to a full disk.
                is_full = isinstance(error, duckdb.IOException | OSError) or "offload" in reason
                expected = f"more memory than DPTR_MEMORY={memory}, such as `DPTR_MEMORY=8GB dptr site`"
                expected = "a disk with enough space" if is_full else expected
                raise UserError(
                    f"{database}: its site could not be written ({reason}); the old site is untouched. Expected {expected}"
                ) from error
    except UserError as error:
        raise UserError(str(error).replace(str(second_name), str(database))) from error
