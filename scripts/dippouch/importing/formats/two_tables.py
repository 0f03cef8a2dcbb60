"""The format `two-tables`: any number of tournaments in two files of one folder, both CSV or both Parquet.

    tournaments.csv   tournament_id,name,subtitle,kind,started_on,ended_on,place,nation_code,players,rounds,boards
    results.csv       tournament_id,placement,first_name,last_name,nation_code

The files may be larger than the memory, and the results in any order: they are sorted by tournament in a database on the
disk, and one tournament at a time is in memory.
"""

from __future__ import annotations

import codecs
import hashlib
import io
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from dippouch.db import literal
from dippouch.documents import Document, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.ids import readable_id_or_empty
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Record
from dippouch.importing.formats.facts import FACTS, Facts, make_tournament
from dippouch.importing.formats.headings import RESULT_COLUMNS, column_of
from dippouch.importing.formats.result_rows import ResultRows
from dippouch.importing.formats.standings_csv import SEPARATORS, records_of
from dippouch.importing.formats.table_columns import Columns, read_columns
from dippouch.importing.parsing.decoding import Encoding, accented_words, cannot_be_opened, find_encoding
from dippouch.names import shortened

FORMAT = "two-tables"

_TOURNAMENTS, _RESULTS = "tournaments", "results"
_CSV, _PARQUET = ".csv", ".parquet"

_COLUMNS_OF_RESULTS = {"tournament_id": ("tournament",), "player_id": (), **RESULT_COLUMNS}
_ALL_COLUMNS = {**FACTS, **_COLUMNS_OF_RESULTS}

# Types of Parquet columns whose values are not texts, numbers or days.
_NESTED_TYPES = ("[", "STRUCT", "MAP", "UNION", "BLOB", "BIT")

# Separates the cells of a record in the database; no cell may contain it.
_BETWEEN = "\x1f"

# Enough of a file to find out its encoding; the rest is read piece by piece.
_SAMPLE = 1 << 20
_LONGEST_LINE = 100_000
_ROWS_AT_ONCE = 10_000
# One tournament is in memory whole.
_MOST_RESULTS = 10_000


def is_pair(path: Path) -> bool:
    """Return whether a path is the table of tournaments with a table of results beside it."""
    return _is(path, _TOURNAMENTS) and _beside(path, _RESULTS).is_file()


def document_of(path: Path) -> Path:
    """Return the table of tournaments that a table of results belongs to; any other file is its own document."""
    tournaments = _beside(path, _TOURNAMENTS)
    return tournaments if _is(path, _RESULTS) and tournaments.is_file() else path


def _is(path: Path, stem: str) -> bool:
    return path.name.lower() in {stem + _CSV, stem + _PARQUET}


def _beside(path: Path, stem: str) -> Path:
    """The table of another name in the same folder, of the same kind; in small letters where there are several."""
    exact = path.with_name(stem + path.suffix.lower())
    if exact.is_file() or not path.parent.is_dir():
        return exact
    return min((file for file in path.parent.iterdir() if file.name.lower() == exact.name), default=exact)


@dataclass(frozen=True)
class _Table:
    """One of the two files, its headings read.

    Attributes:
        path: the file.
        columns: its columns.
        rows: its rows that are not blank, each with its line (Parquet: the number of the row).
    """

    path: Path
    columns: Columns
    rows: Iterator[tuple[int, Record]]
    is_parquet: bool

    def location(self, number: int) -> Location:
        """Where a row is."""
        return Location(self.path, place=f"row {number}") if self.is_parquet else Location(self.path, number)

    def remarks(self) -> Iterator[str]:
        """Say how the headings were read."""
        for remark in self.columns.remarks:
            yield f"{self.path.name}: {remark}"
        if self.columns.unnamed:
            unnamed = ", ".join(str(i + 1) for i in self.columns.unnamed)
            yield f"{self.path.name}: left aside for want of a heading: column {unnamed}"

    def checked_rows(self) -> Iterator[tuple[str, int, str]]:
        """Give the tournament's id, the line and the cells, joined, of every row.

        Raises:
            DocumentError: after the last row, for every row that does not fit the headings.
        """
        faults = Faults()
        id_at = self.columns.index["tournament_id"]
        for number, record in self.rows:
            self.columns.check_names(record)
            try:
                self.columns.check_width(record)
                cells = _joined(record, id_at)
            except DocumentError as error:
                faults.add(error)
            else:
                yield record.texts[id_at], number, cells
        faults.raise_any()


def _joined(record: Record, id_at: int) -> str:
    """The cells of a record as one text; its tournament's id is among them."""
    if not record.texts[id_at]:
        raise DocumentError(record.location, "no tournament_id", "the tournament's id in every row")
    joined = _BETWEEN.join(record.texts)
    if joined.count(_BETWEEN) != len(record.texts) - 1:
        raise DocumentError(record.location, "the control character U+001F", "characters that can be seen")
    return joined


def read(path: Path, context: Context) -> Iterator[Document]:
    """Read the tournaments of the pair, in the order of the table of tournaments.

    The hash of their source is that of both files, one after the other. What is wrong is gathered, as many faults as
    somebody will read at once; after the first no further tournament is given.

    Raises:
        DocumentError: for anything in either file that cannot be read, and for a row of one that fits none of the other.
    """
    results_path = _beside(path, _RESULTS)
    source = Source(path, _hash_of(path, results_path), FORMAT)
    faults = Faults()
    # An empty name is a database in a temporary file, which is gone when it is closed.
    with closing(sqlite3.connect("")) as database:
        database.executescript("pragma journal_mode = off; pragma synchronous = off")
        with faults.gathered():
            tournaments = _load_tournaments(database, path, context)
        with faults.gathered():
            results = _load_results(database, results_path, context)
        faults.raise_any()
        _check_tournaments_known(database, path, results)
        # The first tournament carries the remarks on both files.
        remarks = (*tournaments.remarks(), *results.remarks())
        for number, cells in database.execute("select line, cells from tournaments order by line"):
            record = Record(tournaments.location(number), cells.split(_BETWEEN))
            document = None
            with faults.gathered():
                document = _tournament(database, record, tournaments.columns, results, source, context)
            if document is not None and not faults:
                yield replace(document, remarks=(*remarks, *document.remarks))
                remarks = ()
    faults.raise_any()


def _tournament(
    database: sqlite3.Connection, record: Record, columns: Columns, results: _Table, source: Source, context: Context
) -> TournamentDocument:
    facts: Facts = {name: columns.cell(record, name) for name in columns.index}
    tournament_id = facts["tournament_id"].text
    count, first = database.execute(
        "select count(*), min(line) from results where tournament_id = ?", (tournament_id,)
    ).fetchone()
    if count > _MOST_RESULTS:
        found = f"{count:,} results of one tournament"
        raise DocumentError(results.location(first), found, f"at most {_MOST_RESULTS:,}")
    rows, faults = ResultRows(), Faults()
    with faults.gathered():
        if not count:
            raise DocumentError(
                record.location,
                f"the tournament `{shortened(tournament_id)}` without results",
                f"at least one row of it in {results.path.name}",
            )
    for number, cells in database.execute(
        "select line, cells from results where tournament_id = ? order by line", (tournament_id,)
    ):
        location = results.location(number)
        seen_at = Location(source.path, location.line, f"{location.in_file} of {results.path.name}")
        try:
            rows.add(Record(location, cells.split(_BETWEEN)), results.columns, context, seen_at)
        except DocumentError as error:
            faults.add(error)
    with faults.gathered():
        document = make_tournament(facts, rows.results, source, context)
    faults.raise_any()
    return replace(document, remarks=tuple(rows.remarks(results.columns, document.players)))


def _load_tournaments(database: sqlite3.Connection, path: Path, context: Context) -> _Table:
    table = _open(path, FACTS, ("tournament_id", "name"), context)
    database.execute(
        "create table tournaments (tournament_id text primary key, our_id text unique, line integer, cells text)"
    )
    for tournament_id, number, cells in table.checked_rows():
        our_id = readable_id_or_empty(tournament_id) or tournament_id
        try:
            database.execute("insert into tournaments values (?, ?, ?, ?)", (tournament_id, our_id, number, cells))
        except sqlite3.IntegrityError:
            first, stated = database.execute(
                "select line, tournament_id from tournaments where our_id = ?", (our_id,)
            ).fetchone()
            raise DocumentError(
                table.location(number),
                f"the tournament `{shortened(tournament_id)}` a second time"
                f" (first: {table.location(first).in_file}, `{shortened(stated)}`)",
                "every tournament_id once; capitals and punctuation make no other id",
            ) from None
    return table


def _load_results(database: sqlite3.Connection, path: Path, context: Context) -> _Table:
    table = _open(path, _COLUMNS_OF_RESULTS, ("tournament_id", "placement"), context)
    if not table.columns.index.keys() & {"last_name", "name"}:
        raise DocumentError(
            table.columns.head.location, "no column of names", "`first_name` and `last_name`, or `name`"
        )
    database.execute("create table results (tournament_id text, line integer, cells text)")
    database.executemany("insert into results values (?, ?, ?)", table.checked_rows())
    database.execute("create index results_by_tournament on results (tournament_id, line)")
    return table


def _check_tournaments_known(database: sqlite3.Connection, path: Path, results: _Table) -> None:
    stray = database.execute(
        "select line, tournament_id from results where tournament_id not in (select tournament_id from tournaments)"
        " order by line limit 1"
    ).fetchone()
    if stray:
        raise DocumentError(
            results.location(stray[0]), f"the tournament `{shortened(stray[1])}`", f"one that {path.name} beside it has"
        )


def _open(path: Path, known: Mapping[str, tuple[str, ...]], needed: tuple[str, ...], context: Context) -> _Table:
    """Open a file of the pair, and read its headings.

    Args:
        path: the file.
        known: the columns that it may have, with what else they are called.
        needed: those that it must have.
        context: what it is read with.

    Raises:
        DocumentError: when it cannot be read, or its headings are not such.
    """
    is_parquet = path.suffix.lower() == _PARQUET
    if is_parquet:
        remark, rows = "", _rows_of_parquet(path)
    else:
        encoding, sample = _encoding(path, context.encoding)
        remark, rows = encoding.remark, _rows_of_csv(path, encoding, sample)
    _, head = next(rows, (0, None))
    if head is None:
        raise DocumentError(Location(path), "an empty file", f"the headings {', '.join(known)}, then one row each")
    columns = read_columns(head, known)
    if missing := [name for name in needed if name not in columns.index]:
        raise DocumentError(
            head.location,
            f"the headings {shortened(', '.join(head.texts), 200)}",
            f"{' and '.join(f'`{name}`' for name in missing)} among them",
        )
    columns = replace(columns, remarks=(remark, *columns.remarks)) if remark else columns
    return _Table(path, columns, rows, is_parquet)


def _rows_of_parquet(path: Path) -> Iterator[tuple[int, Record]]:
    """The names of the columns, then the rows that are not blank, as texts."""
    try:
        path.open("rb").close()
        with duckdb.connect() as connection:
            described = connection.execute(f"describe from read_parquet({literal(path)})").fetchall()
            for column, type_, *_ in described:
                if any(nested in type_ for nested in _NESTED_TYPES):
                    found = f"the column `{shortened(column)}` of the type {shortened(type_)}"
                    raise DocumentError(Location(path), found, "texts, numbers and days")
            yield 0, Record(Location(path), [column.strip() for column, *_ in described])
            read = connection.execute(
                f"select coalesce(trim(cast(columns(*) as varchar)), '') from read_parquet({literal(path)})"
            )
            above = 0
            while rows := read.fetchmany(_ROWS_AT_ONCE):
                for number, row in enumerate(rows, start=above + 1):
                    if any(row):
                        yield number, Record(Location(path, place=f"row {number}"), list(row))
                above += len(rows)
    except OSError as error:
        raise cannot_be_opened(path, error) from None
    except duckdb.Error as error:
        found = f"what cannot be read as Parquet ({shortened(str(error), 200)})"
        raise DocumentError(Location(path), found, "a Parquet file") from None


def _rows_of_csv(path: Path, encoding: Encoding, sample: bytes) -> Iterator[tuple[int, Record]]:
    """The rows that are not blank, each with its line; the headings are the first."""
    first = sample[encoding.mark :].decode(encoding.name, "replace").split("\n", 1)[0]
    separator = max(SEPARATORS, key=lambda s: sum(column_of(t, _ALL_COLUMNS) is not None for t in first.split(s)))
    try:
        with path.open(encoding=encoding.name, newline=None) as file:
            if encoding.mark:
                file.read(1)
            for record in records_of(_lines(file), separator, path):
                if not record.is_blank:
                    yield record.location.line or 0, record
    except UnicodeDecodeError as error:
        found = f"bytes that are not {error.encoding.upper()}"
        raise DocumentError(Location(path), found, "text in one encoding", "Save it as UTF-8.") from None
    except OSError as error:
        raise cannot_be_opened(path, error) from None


def _encoding(path: Path, stated: str | None) -> tuple[Encoding, bytes]:
    """A file's encoding, and its beginning.

    What looks like UTF-8 at the beginning is read to its end: the first accent of a large file may be far below. In another
    encoding all of its words with accents are looked at.
    """
    try:
        with path.open("rb") as file:
            sample = file.read(_SAMPLE)
            file.seek(0)
            try:
                decoder = codecs.getincrementaldecoder("utf-8")()
                while piece := file.read(_SAMPLE):
                    decoder.decode(piece)
                decoder.decode(b"", final=True)
                looked_at = sample
            except UnicodeDecodeError:
                file.seek(0)
                is_wide = b"\0" in sample or sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
                lines = iter(lambda: file.readline(_LONGEST_LINE), b"")
                # With a line end, because no word of them is cut.
                looked_at = sample if is_wide else accented_words(lines) + b"\n"
    except OSError as error:
        raise cannot_be_opened(path, error) from None
    return find_encoding(looked_at, path, stated, is_sample=True), sample


def _lines(file: io.TextIOWrapper) -> Iterator[str]:
    """The lines of a file; a line longer than any row comes in pieces, so that it does not fill the memory."""
    while line := file.readline(_LONGEST_LINE):
        yield line


def _hash_of(*paths: Path) -> str:
    """The SHA-256 of the bytes of some files, one after the other."""
    made = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as file:
                hashlib.file_digest(file, lambda: made)
        except OSError as error:
            raise cannot_be_opened(path, error) from None
    return made.hexdigest()
