"""The format `two-tables`: any number of tournaments in two files of one folder, both CSV or both Parquet.

    tournaments.csv   tournament_id,name,subtitle,kind,started_on,ended_on,place,nation_code,players,rounds,boards
    results.csv       tournament_id,placement,first_name,last_name,nation_code

The results may be in any order: a database on the disk sorts them, and only one tournament at a time is in memory.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
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
from dippouch.importing.formats.facts import FACTS, make_tournament, missing_facts
from dippouch.importing.formats.headings import RESULT_COLUMNS, column_of
from dippouch.importing.formats.result_rows import ResultRows
from dippouch.importing.formats.standings_csv import SEPARATORS, records_of
from dippouch.importing.formats.table_columns import Columns, read_columns
from dippouch.importing.parsing.decoding import cannot_be_opened, decode
from dippouch.names import shortened

FORMAT = "two-tables"

_TOURNAMENTS, _RESULTS = "tournaments", "results"
_CSV, _PARQUET = ".csv", ".parquet"

_COLUMNS_OF_RESULTS = {
    **RESULT_COLUMNS,
    **dict.fromkeys(("tournament_id", "tournament"), "tournament_id"),
    "player_id": "player_id",
}
_ALL_COLUMNS = {**FACTS, **_COLUMNS_OF_RESULTS}

_ROWS_AT_ONCE = 10_000
_LONGEST_HEAD = 10_000


def is_pair(path: Path) -> bool:
    """Return whether a path is the table of tournaments with a table of results beside it."""
    return _is(path, _TOURNAMENTS) and _beside(path, _RESULTS).is_file()


def document_of(path: Path) -> Path:
    """Return the table of tournaments of a table of results; any other file is its own document."""
    # Looking for a second table beside every file would take time quadratic in the number of files.
    return tournaments if _is(path, _RESULTS) and (tournaments := _beside(path, _TOURNAMENTS)).is_file() else path


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() == _PARQUET


def _is(path: Path, stem: str) -> bool:
    return path.name.lower() in {stem + _CSV, stem + _PARQUET}


def _beside(path: Path, stem: str) -> Path:
    """Return the other table in the same folder, of the same format; the one in small letters if there are several."""
    exact = path.with_name(stem + path.suffix.lower())
    if exact.is_file() or not path.parent.is_dir():
        return exact
    return min((file for file in path.parent.iterdir() if file.name.lower() == exact.name), default=exact)


@dataclass(frozen=True)
class _Table:
    """One of the two files: its columns, and its rows that are not blank."""

    path: Path
    columns: Columns
    rows: Iterator[Record]

    def location(self, number: int) -> Location:
        """Return the place of a line (Parquet: of a row)."""
        return Location(self.path, number, f"row {number}" if _is_parquet(self.path) else "")

    def named(self, remarks: Iterable[str]) -> tuple[str, ...]:
        """Return remarks on this file, each with its name: the report shows them beside the name of the other one."""
        return tuple(f"{self.path.name}: {remark}" for remark in remarks)

    def identified_rows(self, faults: Faults) -> Iterator[tuple[str, Record]]:
        """Yield the tournament's id and the record of every row that has an id; gather faults of the others."""
        for record in self.rows:
            if tournament_id := self.columns.text(record, "tournament_id"):
                yield tournament_id, record
            else:
                faults.add(DocumentError(record.location, "no tournament_id", "the tournament's id in every row"))


def read(path: Path, context: Context) -> Iterator[Document]:
    """Read the tournaments of the pair, in the order of the table of tournaments.

    The hash of their source is that of both files, one after the other. After the first fault they only serve to find further faults.

    Raises:
        DocumentError: for unreadable input in either file, and for rows of one without a match in the other.
    """
    results_path = _beside(path, _RESULTS)
    source = Source(path, _hash_of(path, results_path), FORMAT)
    faults = Faults()
    # An empty name makes SQLite use a temporary file, which disappears with the connection.
    with closing(sqlite3.connect("")) as database:
        tournaments = results = None
        with faults.gathered():
            tournaments = _open(path, FACTS, ("tournament_id", "name"), context, faults)
        with faults.gathered():
            results = _open(results_path, _COLUMNS_OF_RESULTS, ("tournament_id", "placement"), context, faults)
        if tournaments is None or results is None:
            faults.raise_any()
            return
        of_rows = Faults()
        with of_rows.gathered():
            listed = _listed_once(tournaments, of_rows)
            results = _load_results(database, results, of_rows)
            # With faulty ids, tournaments and results cannot be matched.
            if not of_rows:
                _check_tournaments_known(database, results, tournaments, listed, faults)
        with faults.gathered():
            of_rows.raise_any()
        # The first tournament carries the remarks on both files.
        remarks = tournaments.named(tournaments.columns.remarks) + results.named(results.columns.remarks)
        for record in listed.values():
            with faults.gathered():
                tournaments.columns.check_names(record)
                tournaments.columns.check_width(record)
                document = _tournament(database, record, tournaments.columns, results, source, context, faults)
                if document.results:
                    yield replace(document, remarks=(*remarks, *document.remarks))
                    remarks = ()
    faults.raise_any()


def _tournament(
    database: sqlite3.Connection,
    record: Record,
    columns: Columns,
    results: _Table,
    source: Source,
    context: Context,
    faults: Faults,
) -> TournamentDocument:
    facts = {name: columns.cell(record, name) for name in columns.index}
    rows = ResultRows()
    query = "select line, cells from results where tournament_id = ? order by line"
    listed = database.execute(query, (facts["tournament_id"].text,)).fetchall()
    if not listed and not faults:
        found = f"the tournament `{shortened(facts['tournament_id'].text)}` without results"
        faults.add(DocumentError(record.location, found, f"at least one row of it in {results.path.name}"))
    for number, cells in listed:
        try:
            rows.add(Record(results.location(number), json.loads(cells)), results.columns, context, faults)
        except DocumentError as error:
            faults.add(error)
    needed = {"name": "its name", "date": "the day or days of the tournament, such as `2009-01-23`"}
    for name in missing_facts(facts, needed):
        faults.add(facts["tournament_id"].fault(f"no {name} of the tournament", needed[name]))
    document = make_tournament(facts, rows.results, source, context, faults)
    return replace(document, remarks=results.named(rows.remarks(results.columns)))


def _listed_once(table: _Table, faults: Faults) -> dict[str, Record]:
    """Return the rows of the tournaments by id."""
    listed: dict[str, Record] = {}
    stated: dict[str, str] = {}
    for tournament_id, record in table.identified_rows(faults):
        first = stated.setdefault(readable_id_or_empty(tournament_id) or tournament_id, tournament_id)
        if first in listed:
            stands = f"{listed[first].location.in_file}, `{shortened(first)}`"
            found = f"the tournament `{shortened(tournament_id)}` a second time (first: {stands})"
            expected = "every tournament_id once; capitals and punctuation make no difference"
            faults.add(DocumentError(record.location, found, expected))
        else:
            listed[tournament_id] = record
    return listed


def _load_results(database: sqlite3.Connection, table: _Table, faults: Faults) -> _Table:
    """Load the rows of the results; return their table, without columns of names that hold other content."""
    misnamed = Faults()

    def rows() -> Iterator[tuple[str, int | None, str]]:
        for listed, record in table.identified_rows(faults):
            if not misnamed:
                with misnamed.gathered():
                    table.columns.check_names(record)
            yield listed, record.location.line, json.dumps(record.texts)

    database.executescript("pragma journal_mode = off; pragma synchronous = off")
    database.execute("create table results (tournament_id text, line integer, cells text)")
    database.executemany("insert into results values (?, ?, ?)", rows())
    database.execute("create index results_by_tournament on results (tournament_id, line)")
    if not misnamed:
        return table
    with faults.gathered():
        misnamed.raise_any()
    return replace(table, columns=table.columns.without_names())


def _check_tournaments_known(
    database: sqlite3.Connection, results: _Table, tournaments: _Table, listed: Mapping[str, Record], faults: Faults
) -> None:
    for line, stated in database.execute("select min(line), tournament_id from results group by 2 order by 1"):
        if stated not in listed:
            found, expected = f"the tournament `{shortened(stated)}`", f"one that {tournaments.path.name} beside it has"
            faults.add(DocumentError(results.location(line), found, expected))


def _open(path: Path, known: Mapping[str, str], needed: tuple[str, ...], context: Context, faults: Faults) -> _Table:
    """Open a file of the pair, and read its headings; gather faults of optional ones."""
    remark, rows = ("", _rows_of_parquet(path)) if _is_parquet(path) else _rows_of_csv(path, context)
    head = next(rows, None)
    if head is None:
        raise DocumentError(
            Location(path), "an empty file", f"the headings {', '.join(needed)} and others, then one row each"
        )
    columns = read_columns(head, known, faults)
    if "placement" in needed and not columns.has_names and not faults:
        faults.add(head.cell(0).fault("no column of names", "`first_name` and `last_name`, or `name`"))
    if missing := [name for name in needed if name not in columns.index]:
        raise DocumentError(
            head.location,
            f"the headings {shortened(', '.join(head.texts), 200)}",
            f"{' and '.join(f'`{name}`' for name in missing)} among them",
        )
    return _Table(path, replace(columns, remarks=(remark, *columns.remarks)) if remark else columns, rows)


def _rows_of_parquet(path: Path) -> Iterator[Record]:
    """Yield the names of the columns, then the rows that are not blank, as texts."""
    try:
        with duckdb.connect() as connection:
            columns = connection.execute(f"describe from read_parquet({literal(path)})").fetchall()
            yield Record(Location(path), [column.strip() for column, *_ in columns])
            read = connection.execute(
                f"select coalesce(trim(cast(columns(*) as varchar)), '') from read_parquet({literal(path)})"
            )
            above = 0
            while rows := read.fetchmany(_ROWS_AT_ONCE):
                for number, row in enumerate(rows, start=above + 1):
                    if any(row):
                        yield Record(Location(path, number, f"row {number}"), list(row))
                above += len(rows)
    except duckdb.Error as error:
        found = f"content that is not Parquet ({shortened(str(error), 200)})"
        raise DocumentError(Location(path), found, "a Parquet file") from None


def _rows_of_csv(path: Path, context: Context) -> tuple[str, Iterator[Record]]:
    """Return a remark on the encoding, and the rows that are not blank; the headings are the first."""
    try:
        text, remark, _ = decode(path.read_bytes(), path, context.encoding)
    except OSError as error:
        raise cannot_be_opened(path, error) from None
    first = text[:_LONGEST_HEAD].split("\n", 1)[0]
    separator = max(SEPARATORS, key=lambda s: sum(column_of(t, _ALL_COLUMNS) is not None for t in first.split(s)))
    # A list of all lines would take several times the memory of the text.
    lines = (match[0] for match in re.finditer(r".*\n|.+", text))
    return remark, (record for record in records_of(lines, separator, path) if not record.is_blank)


def _hash_of(*paths: Path) -> str:
    """Return the SHA-256 of the bytes of several files, one after the other."""
    made = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as file:
                hashlib.file_digest(file, lambda: made)
        except OSError as error:
            raise cannot_be_opened(path, error) from None
    return made.hexdigest()
