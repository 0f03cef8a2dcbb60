"""Read the published database for the site and the exports: rows of its views, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import duckdb

from dippouch.db import Row, first_line, literal, reading
from dippouch.disk import link_or_copy, refusal
from dippouch.errors import UserError
from dippouch.ids import LONGEST, PATTERN, TAKEN

# Memory limit in MB; a larger file gets five times its size. It suffices to sort 100,000 results; DuckDB spills the
# rest into the given folder.
_MEMORY = 170
_CHUNK = 5000

# DuckDB's types in Table Schema. JSON Schema uses the same, except for days. A DECIMAL has its digits in the name.
TYPES = {
    "VARCHAR": "string",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIMESTAMP": "datetime",
    "DOUBLE": "number",
    "FLOAT": "number",
    "DECIMAL": "number",
    "SMALLINT": "integer",
    "INTEGER": "integer",
    "BIGINT": "integer",
    "UBIGINT": "integer",
    "HUGEINT": "integer",
}

# Conditions under which each id can be a file name.
_IDS = (
    ("players", "player_id", PATTERN),
    ("tournaments", "tournament_id", PATTERN),
    ("rating_systems", "rating_system_id", PATTERN),
    ("national_ranking", "nation_code", "[A-Z0-9]+"),
)


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
        facts = self.rows("from presentation.collection_card")
        if not facts:
            raise UserError(
                "the published database lacks the facts about its collection; `make rankings` publishes it again"
            )
        self.facts = facts[0]

    def rows(self, query: str, **values: object) -> list[Row]:
        """Return all rows of a query."""
        return list(self.stream(query, **values))

    def stream(self, query: str, **values: object) -> Iterator[Row]:
        """Stream the rows of a query on a cursor of its own; `$system` is the default rating system."""
        if "$system" in query:
            values["system"] = self.facts["rating_system_id"]
        cursor = self.connection.cursor()
        cursor.execute("use published")
        cursor.execute(query, values)
        names = [column[0] for column in cursor.description or ()]
        while chunk := cursor.fetchmany(_CHUNK):
            for row in chunk:
                yield dict(zip(names, row, strict=True))

    def groups(self, query: str, key: str) -> RowGroups:
        """Stream the rows of a query, sorted by `key`, in groups of equal keys."""
        return RowGroups(self.stream(query), key)


class RowGroups:
    """Sorted rows, returned by key without holding all of them."""

    def __init__(self, rows: Iterator[Row], key: str) -> None:
        """Take rows that are sorted by the column `key`."""
        self._groups = groupby(rows, key=itemgetter(key))
        self._next = next(self._groups, None)

    def of(self, key: object) -> list[Row]:
        """Return the rows of a key, which must come after the last requested one; keys in between are skipped."""
        while self._next is not None and self._next[0] < key:
            self._next = next(self._groups, None)
        if self._next is None or self._next[0] != key:
            return []
        rows = list(self._next[1])
        self._next = next(self._groups, None)
        return rows


@contextmanager
def snapshot(database: Path, folder: Path) -> Iterator[Content]:
    """Open the published file under a second name, so that a publication in the meantime changes nothing.

    The folder must be on the disk of the site; it takes the second name and the data that does not fit into memory.

    Raises:
        UserError: when the file does not exist or cannot be read, another version of the project published it, its ids cannot
            be file names, or the disk refuses.
    """
    with reading(database):
        second_name = folder / "rankings.duckdb"
        link_or_copy(str(database.resolve()), str(second_name))
    try:
        with reading(second_name) as connection:
            memory = max(_MEMORY, 5 * second_name.stat().st_size // 1_000_000)
            # With several threads the order of the parts of a file would vary.
            connection.execute(
                f"set threads = 1; set memory_limit = '{memory}MB'; set temp_directory = {literal(folder)}"
            )
            content = Content(connection, second_name)
            _check_names(content)
            try:
                yield content
            except (duckdb.IOException, OSError) as error:
                if isinstance(error, duckdb.IOException) and "write" not in str(error):
                    raise
                reason = refusal(error) if isinstance(error, OSError) else first_line(error)
                raise UserError(
                    f"{database}: its site could not be written ({reason}); the old site is untouched. Expected a"
                    " disk with enough space"
                ) from error
    except UserError as error:
        raise UserError(str(error).replace(str(second_name), str(database))) from error
    except duckdb.Error as error:
        raise UserError(
            f"{database}: could not be read to the end ({first_line(error)}); the old site is untouched"
        ) from error


def _check_names(content: Content) -> None:
    """Refuse ids that cannot be file names, or that differ only in case."""
    for table, column, pattern in _IDS:
        found = content.rows(
            f"select distinct {column} as id from marts.{table} where not regexp_full_match({column}, $pattern)"
            f" or regexp_full_match({column}, $taken) or length({column}) > {LONGEST} order by 1 limit 3",
            pattern=pattern,
            taken=TAKEN,
        )
        if names := ", ".join(f"`{row['id']}`" for row in found):
            raise UserError(
                f"found {names} as {column} of marts.{table}; expected ids that match {pattern}, have at most {LONGEST} characters and"
                " are not reserved, because each becomes a file name. Change the name that the id is made from in the seeds, then run"
                " `make rankings`"
            )
