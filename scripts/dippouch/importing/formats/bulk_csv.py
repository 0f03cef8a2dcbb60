"""The format `bulk-csv`: many tournaments in two files of one folder.

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
from pathlib import Path

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Location
from dippouch.importing.formats.cells import RESULT_COLUMNS, Columns, Record, column_of, read_columns, read_result
from dippouch.importing.formats.facts import FACTS, Facts, make_tournament
from dippouch.importing.formats.standings_csv import SEPARATORS, records_of
from dippouch.importing.parsing.decoding import cannot_be_opened, find_encoding
from dippouch.names import shortened

FORMAT = "bulk-csv"

TOURNAMENTS_FILE, RESULTS_FILE = "tournaments.csv", "results.csv"

_RESULT_COLUMNS = {"tournament_id": ("tournament",), **RESULT_COLUMNS}
_ALL_COLUMNS = {**FACTS, **_RESULT_COLUMNS}
_NEEDED_OF_TOURNAMENTS = ("tournament_id", "name")
_NEEDED_OF_RESULTS = ("tournament_id", "placement")

# Between the cells of a record that waits in the database: a character that no cell may have.
_BETWEEN = "\x1f"

# Enough of a file to tell its encoding; the rest is read piece by piece.
_SAMPLE = 1 << 20

_LONGEST_LINE = 100_000


def is_bulk(path: Path) -> bool:
    """Whether a path is the tournaments.csv of a pair."""
    return path.name.lower() == TOURNAMENTS_FILE and results_beside(path).is_file()


def results_beside(path: Path) -> Path:
    """The results.csv that belongs to a tournaments.csv."""
    return path.with_name(RESULTS_FILE)


def read(path: Path) -> Iterator[Document]:
    """The tournaments of the pair, in the order of tournaments.csv.

    The hash of their source is that of both files, one after the other.

    Raises:
        DocumentError: for anything in either file that cannot be read, and for a row of one that fits none of the other.
    """
    results_path = results_beside(path)
    source = Source(path, _sha256(path, results_path), FORMAT)
    # An empty name is a database in a temporary file, which is gone when it is closed.
    with closing(sqlite3.connect("")) as database:
        database.executescript("pragma journal_mode = off; pragma synchronous = off")
        tournaments = _load_tournaments(database, path)
        results = _load_results(database, results_path)
        _check_tournaments_known(database, results_path)
        for line, cells in database.execute("select line, cells from tournaments order by line"):
            record = Record(Location(path, line), cells.split(_BETWEEN))
            yield _tournament(database, record, tournaments, results, source, results_path)


def _tournament(
    database: sqlite3.Connection,
    record: Record,
    columns: Columns,
    result_columns: Columns,
    source: Source,
    results_path: Path,
) -> Document:
    facts: Facts = {name: columns.cell(record, name) for name in columns.index}
    rows = database.execute(
        "select line, cells from results where tournament_id = ? order by line", (facts["tournament_id"].text,)
    )
    results = [
        read_result(
            Record(Location(results_path, line), cells.split(_BETWEEN)),
            result_columns,
            Location(source.path, line, f"line {line} of {RESULTS_FILE}"),
        )
        for line, cells in rows
    ]
    if not results:
        raise DocumentError(
            record.location,
            f"the tournament `{shortened(facts['tournament_id'].text)}` without results",
            f"at least one row of it in {results_path.name}",
        )
    return make_tournament(facts, results, source)


def _load_tournaments(database: sqlite3.Connection, path: Path) -> Columns:
    columns, records = _open(path, FACTS, _NEEDED_OF_TOURNAMENTS)
    database.execute("create table tournaments (tournament_id text primary key, line integer, cells text)")
    for record in records:
        tournament_id = columns.cell(record, "tournament_id").text
        try:
            database.execute(
                "insert into tournaments values (?, ?, ?)", (tournament_id, record.location.line, _joined(record))
            )
        except sqlite3.IntegrityError:
            first = database.execute(
                "select line from tournaments where tournament_id = ?", (tournament_id,)
            ).fetchone()
            raise DocumentError(
                record.location,
                f"the tournament `{shortened(tournament_id)}` a second time (first: line {first[0]})",
                "every tournament_id once",
            ) from None
    return columns


def _load_results(database: sqlite3.Connection, path: Path) -> Columns:
    columns, records = _open(path, _RESULT_COLUMNS, _NEEDED_OF_RESULTS)
    if not columns.index.keys() & {"last_name", "name"}:
        raise DocumentError(Location(path, 1), "no column of names", "`first_name` and `last_name`, or `name`")
    database.execute("create table results (tournament_id text, line integer, cells text)")
    id_at = columns.index["tournament_id"]
    database.executemany(
        "insert into results values (?, ?, ?)",
        ((record.texts[id_at], record.location.line, _joined(record)) for record in records),
    )
    database.execute("create index results_by_tournament on results (tournament_id, line)")
    return columns


def _check_tournaments_known(database: sqlite3.Connection, results_path: Path) -> None:
    stray = database.execute(
        "select line, tournament_id from results where tournament_id not in (select tournament_id from tournaments)"
        " order by line limit 1"
    ).fetchone()
    if stray:
        raise DocumentError(
            Location(results_path, stray[0]),
            f"the tournament `{shortened(stray[1])}`",
            f"one that {TOURNAMENTS_FILE} beside it has",
        )


def _open(
    path: Path, known: Mapping[str, tuple[str, ...]], needed: tuple[str, ...]
) -> tuple[Columns, Iterator[Record]]:
    """The columns of a file, and its records under them, read as they are asked for; blank ones are skipped."""
    records = _records(path)
    head = next(records, None)
    if head is None:
        raise DocumentError(Location(path), "an empty file", f"the headings {', '.join(known)}, then one row each")
    columns = read_columns(head, known)
    if missing := [name for name in needed if name not in columns.index]:
        raise DocumentError(
            head.location,
            f"the headings {shortened(', '.join(head.texts), 200)}",
            f"{' and '.join(f'`{name}`' for name in missing)} among them",
        )

    id_at = columns.index["tournament_id"]

    def under() -> Iterator[Record]:
        for record in records:
            columns.check_width(record)
            if not record.texts[id_at]:
                raise DocumentError(record.location, "no tournament_id", "the tournament's id in every row")
            yield record

    return columns, under()


def _joined(record: Record) -> str:
    """The cells of a record as one text."""
    joined = _BETWEEN.join(record.texts)
    if joined.count(_BETWEEN) != len(record.texts) - 1:
        raise DocumentError(record.location, "the control character U+001F", "characters that can be seen")
    return joined


def _records(path: Path) -> Iterator[Record]:
    """The records of a file that are not blank; its encoding and separator are found out from its beginning."""
    try:
        encoding, mark, sample = _encoding(path)
        first = sample[mark:].decode(encoding, "replace").split("\n", 1)[0]
        separator = max(SEPARATORS, key=lambda s: sum(column_of(t, _ALL_COLUMNS) is not None for t in first.split(s)))
        with path.open(encoding=encoding, newline=None) as file:
            if mark:
                file.read(1)
            yield from (r for r in records_of(_lines(file), separator, path) if not r.is_blank)
    except UnicodeDecodeError as error:
        found = f"bytes that are not {error.encoding.upper()}"
        raise DocumentError(Location(path), found, "text in one encoding", "Save it as UTF-8.") from None
    except OSError as error:
        raise cannot_be_opened(path, error) from None


def _encoding(path: Path) -> tuple[str, int, bytes]:
    """A file's encoding, the length of its byte order mark, and its beginning.

    What looks like UTF-8 at the beginning is read to its end: the first accent of a large file may be far below.
    """
    with path.open("rb") as file:
        sample = file.read(_SAMPLE)
        encoding, mark = find_encoding(sample, path)
        if encoding == "utf-8" and not mark:
            decoder = codecs.getincrementaldecoder("utf-8")()
            file.seek(0)
            try:
                while piece := file.read(_SAMPLE):
                    decoder.decode(piece)
                decoder.decode(b"", final=True)
            except UnicodeDecodeError as error:
                encoding, _ = find_encoding(error.object, path)
    return encoding, mark, sample


def _lines(file: io.TextIOWrapper) -> Iterator[str]:
    """The lines of a file; one of a length that no row has would fill the memory, and falls into pieces."""
    while line := file.readline(_LONGEST_LINE):
        yield line


def _sha256(*paths: Path) -> str:
    made = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as file:
                while piece := file.read(1 << 20):
                    made.update(piece)
        except OSError as error:
            raise cannot_be_opened(path, error) from None
    return made.hexdigest()
