"""The two files of a bulk import as tables of text in a temporary database, every row with its number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from dippouch.db import literal
from dippouch.errors import DocumentError, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.bulk_csv import needed_columns, open_table
from dippouch.importing.formats.cells import Record
from dippouch.importing.formats.table_columns import Columns
from dippouch.importing.parsing.decoding import Encoding, cannot_be_opened
from dippouch.names import shortened

PARQUET = ".parquet"
_PIECE = 1 << 20
_LONGEST_LINE = 100_000
# Types of Parquet that are no one value.
_NESTED = ("[", "STRUCT", "MAP", "UNION", "BLOB", "BIT")


@dataclass(frozen=True)
class BulkTable:
    """One of the two files, in the database.

    Attributes:
        name: the table there: `row`, counted from 1, and the columns that are known, as text without blanks around it.
        path: the file.
        columns: its columns, by the headings.
        first_line: the line of the first row, where every row is one line; None where rows are counted instead.
    """

    name: str
    path: Path
    columns: Columns
    first_line: int | None

    def location(self, row: int) -> Location:
        """Where a row stands."""
        if self.first_line is None:
            return Location(self.path, place=f"row {row}")
        return Location(self.path, self.first_line + row - 1)


def load_table(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    path: Path,
    known: Mapping[str, tuple[str, ...]],
    needed: tuple[str, ...],
    context: Context,
) -> BulkTable:
    """Read one of the two files, CSV or Parquet, into the database; blank rows are skipped.

    Lines that are no rows of it (another number of cells, quotes that do not match) are left in the table `rejected_<name>`; where
    there are any, the rows of the file are its lines, because no other row can be told any more.

    Args:
        connection: the temporary database.
        name: the table to make.
        path: the file.
        known: the columns that it may have, with what else they are called.
        needed: those that it must have.
        context: what it is read with.

    Raises:
        DocumentError: when the file cannot be read, or its headings are not such.
    """
    if path.suffix.lower() == PARQUET:
        return _load_parquet(connection, name, path, known, needed)
    opened = open_table(path, known, needed, context)
    columns = opened.columns
    head = columns.head
    _refuse_unnamed(columns)
    text = _as_plain_text(path, opened.encoding, _scratch(connection) / f"{name}.csv")
    skipped = head.location.line or 1
    cells = {f"c{place}": "varchar" for place in range(len(head.texts))}
    source = (
        f"read_csv({literal(text.path)}, auto_detect = false, header = false, skip = {skipped}, columns = {cells},"
        f" delim = {literal(opened.separator)}, quote = '\"', escape = '\"', new_line = {literal(text.line_end)},"
        f" strict_mode = true, store_rejects = true, rejects_table = '{rejected(name)}',"
        f" rejects_scan = 'scan_of_{name}', rejects_limit = 0,"
        f" max_line_size = {_LONGEST_LINE})"
    )
    _create(connection, name, source, columns, {cell: cell for cell in cells})
    ((rows,),) = connection.execute(f"select count(*) from {name}").fetchall()
    if text.path != path:
        text.path.unlink()
    ((unread,),) = connection.execute(f"select count(*) from {rejected(name)}").fetchall()
    if unread:
        return BulkTable(name, path, columns, 1)
    # Blank lines and line ends within quotes make rows and lines two counts.
    one_line_each = rows in {text.lines - skipped, text.lines - skipped + 1}
    return BulkTable(name, path, columns, skipped + 1 if one_line_each else None)


def rejected(name: str) -> str:
    """The table of the lines that are no rows of a table from a CSV file."""
    return f"rejected_{name}"


def _load_parquet(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    path: Path,
    known: Mapping[str, tuple[str, ...]],
    needed: tuple[str, ...],
) -> BulkTable:
    try:
        path.open("rb").close()
        described = connection.execute(f"describe from read_parquet({literal(path)})").fetchall()
    except OSError as error:
        raise cannot_be_opened(path, error) from None
    except duckdb.Error as error:
        found = f"what cannot be read as Parquet ({shortened(str(error), 200)})"
        raise DocumentError(Location(path), found, "a Parquet file") from None
    head = Record(Location(path), [column for column, *_ in described])
    columns = needed_columns(head, known, needed)
    for place in columns.index.values():
        column, type_ = described[place][:2]
        if any(nested in type_ for nested in _NESTED):
            raise DocumentError(
                Location(path), f"the column `{shortened(column)}` of the type {type_}", "texts, numbers and days"
            )
    cells = {f"c{place}": f"cast({_quoted(column)} as varchar)" for place, (column, *_) in enumerate(described)}
    _create(connection, name, f"read_parquet({literal(path)})", columns, cells)
    return BulkTable(name, path, columns, None)


def _create(
    connection: duckdb.DuckDBPyConnection, name: str, source: str, columns: Columns, cells: Mapping[str, str]
) -> None:
    """Make a table of the rows of a file that are not blank, each with its number.

    The number of a row is that of the stored one, because DuckDB stores in the order of the file whatever reads it, and would count with
    a single thread.

    Args:
        connection: the temporary database.
        name: the table.
        source: the file, as DuckDB reads it.
        columns: those that are known.
        cells: what to read for each cell of a row, from left to right: `c0`, `c1` and so on.
    """
    read = ", ".join(f"{cell} as {named}" for named, cell in cells.items())
    kept = ", ".join(f"trim(coalesce(c{place}, '')) as {column}" for column, place in columns.index.items())
    numbered = f"select cast(rowid + 1 as integer) as row, * exclude (is_blank) from read_{name} where not is_blank"
    try:
        connection.execute(
            f"create table read_{name} as select {kept}, trim(concat({', '.join(cells)})) = '' as is_blank"
            f" from (select {read} from {source})"
        )
        connection.execute(f"create view {name} as {numbered}")
    except (duckdb.IOException, duckdb.OutOfMemoryException):
        raise  # Nothing is wrong with the file.
    except duckdb.Error as error:
        found = f"what cannot be read ({shortened(str(error), 300)})"
        raise DocumentError(columns.head.location._replace(line=None), found, "rows under headings") from None


def _refuse_unnamed(columns: Columns) -> None:
    """Refuse columns without a heading: what stands in them belongs to nobody knows what."""
    head = columns.head
    if unnamed := [place for place, text in enumerate(head.texts) if not text]:
        places = ", ".join(str(place + 1) for place in unnamed)
        raise DocumentError(head.location, f"column {places} without a heading", "a heading for every column")
    if any("\n" in text for text in head.texts):
        raise DocumentError(head.location, "a heading of several lines", "the headings in one line")


@dataclass(frozen=True)
class _PlainText:
    """A CSV file in UTF-8 with one kind of line ends: how many there are, and which."""

    path: Path
    lines: int
    line_end: str


def _as_plain_text(path: Path, encoding: Encoding, copy: Path) -> _PlainText:
    """The file itself, where it is UTF-8 without a mark and with one kind of line ends; else a copy that is."""
    try:
        with path.open("rb") as file:
            ends, returns, pairs, before = 0, 0, 0, b""
            while piece := file.read(_PIECE):
                ends += piece.count(b"\n")
                returns += piece.count(b"\r")
                pairs += piece.count(b"\r\n") + (before == b"\r" and piece[:1] == b"\n")
                before = piece[-1:]
        if encoding.name == "utf-8" and not encoding.mark and returns == pairs and pairs in {0, ends}:
            return _PlainText(path, ends, r"\r\n" if pairs else r"\n")
        lines = 0
        with path.open(encoding=encoding.name, newline=None) as file, copy.open("w", encoding="utf-8") as plain:
            if encoding.mark:
                file.read(1)
            while text := file.read(_PIECE):
                lines += text.count("\n")
                plain.write(text)
    except OSError as error:
        raise cannot_be_opened(path, error) from None
    except UnicodeDecodeError as error:
        found = f"bytes that are not {error.encoding.upper()}"
        raise DocumentError(Location(path), found, "text in one encoding", "Save it as UTF-8.") from None
    return _PlainText(copy, lines, r"\n")


def _scratch(connection: duckdb.DuckDBPyConnection) -> Path:
    """The folder of the temporary database."""
    ((path,),) = connection.execute(
        "select path from duckdb_databases() where database_name = current_database()"
    ).fetchall()
    return Path(path).parent


def _quoted(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'
