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
from dataclasses import dataclass, replace
from pathlib import Path

from dippouch.documents import Document, Source, TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.ids import readable_id_or_empty
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Record
from dippouch.importing.formats.document_limits import MOST_RESULTS, check_number
from dippouch.importing.formats.facts import FACTS, Facts, make_tournament
from dippouch.importing.formats.gathering import FirstFaults
from dippouch.importing.formats.headings import RESULT_COLUMNS, column_of
from dippouch.importing.formats.result_rows import ResultRows
from dippouch.importing.formats.standings_csv import SEPARATORS, records_of
from dippouch.importing.formats.table_columns import Columns, read_columns
from dippouch.importing.parsing.decoding import Encoding, accented_words, cannot_be_opened, find_encoding
from dippouch.names import shortened

FORMAT = "bulk-csv"

TOURNAMENTS_FILE, RESULTS_FILE = "tournaments.csv", "results.csv"

COLUMNS_OF_RESULTS = {"tournament_id": ("tournament",), "player_id": (), **RESULT_COLUMNS}
_ALL_COLUMNS = {**FACTS, **COLUMNS_OF_RESULTS}
NEEDED_OF_TOURNAMENTS = ("tournament_id", "name")
NEEDED_OF_RESULTS = ("tournament_id", "placement")

# What is said of rows that fit none of the other file.
NO_ID = ("no tournament_id", "the tournament's id in every row")
EVERY_ID_ONCE = "every tournament_id once; capitals and punctuation make no other id"
A_KNOWN_TOURNAMENT = f"one that {TOURNAMENTS_FILE} beside it has"
A_RESULT_OF_IT = "at least one row of it in {}"

# Between the cells of a record that waits in the database: a character that no cell may have.
_BETWEEN = "\x1f"

# Enough of a file to tell its encoding; the rest is read piece by piece.
_SAMPLE = 1 << 20

_LONGEST_LINE = 100_000


def is_bulk(path: Path) -> bool:
    """Whether a path is the tournaments.csv of a pair."""
    return path.name.lower() == TOURNAMENTS_FILE and results_beside(path).is_file()


def results_beside(path: Path) -> Path:
    """The results.csv that belongs to a tournaments.csv, in whatever capitals."""
    return _beside(path, RESULTS_FILE)


def document_of(path: Path) -> Path:
    """The tournaments.csv that a results.csv belongs to; any other file is its own document."""
    tournaments = _beside(path, TOURNAMENTS_FILE)
    return tournaments if path.name.lower() == RESULTS_FILE and tournaments.is_file() else path


def _beside(path: Path, name: str) -> Path:
    """The file of a name in the same folder; the one in small letters where there are several."""
    exact = path.with_name(name)
    if exact.is_file() or not path.parent.is_dir():
        return exact
    return min((file for file in path.parent.iterdir() if file.name.lower() == name), default=exact)


def read(path: Path, context: Context) -> Iterator[Document]:
    """The tournaments of the pair, in the order of tournaments.csv.

    The hash of their source is that of both files, one after the other. What is wrong is gathered, as many faults as
    somebody will read at once; after the first no further tournament is given.

    Raises:
        DocumentError: for anything in either file that cannot be read, and for a row of one that fits none of the other.
    """
    results_path = results_beside(path)
    source = Source(path, hash_of(path, results_path), FORMAT)
    faults = FirstFaults()
    # An empty name is a database in a temporary file, which is gone when it is closed.
    with closing(sqlite3.connect("")) as database:
        database.executescript("pragma journal_mode = off; pragma synchronous = off")
        with faults.gathered():
            tournaments = _load_tournaments(database, path, context)
        with faults.gathered():
            results = _load_results(database, results_path, context)
        faults.raise_any()
        _check_tournaments_known(database, results_path)
        # Said once, on the first tournament.
        remarks = tuple(
            f"{file.name}: {remark}"
            for file, columns in ((path, tournaments), (results_path, results))
            for remark in remarks_on_columns(columns)
        )
        whole = True
        for line, cells in database.execute("select line, cells from tournaments order by line"):
            record = Record(Location(path, line), cells.split(_BETWEEN))
            document = None
            with faults.gathered():
                document = _tournament(database, record, tournaments, results, source, results_path, context)
            whole = whole and document is not None
            if document is not None and whole:
                yield replace(document, remarks=(*remarks, *document.remarks))
                remarks = ()
    faults.raise_any()


def remarks_on_columns(columns: Columns) -> Iterator[str]:
    """What the rating keeper should know of the headings of a file."""
    yield from columns.remarks
    if columns.unnamed:
        yield f"left aside for want of a heading: column {', '.join(str(i + 1) for i in columns.unnamed)}"


def _tournament(
    database: sqlite3.Connection,
    record: Record,
    columns: Columns,
    result_columns: Columns,
    source: Source,
    results_path: Path,
    context: Context,
) -> TournamentDocument:
    facts: Facts = {name: columns.cell(record, name) for name in columns.index}
    found = database.execute(
        "select line, cells from results where tournament_id = ? order by line", (facts["tournament_id"].text,)
    )
    count, line = database.execute(
        "select count(*), min(line) from results where tournament_id = ?", (facts["tournament_id"].text,)
    ).fetchone()
    check_number(count, MOST_RESULTS, "results of one tournament", Location(results_path, line), "")
    rows, faults = ResultRows(), FirstFaults()
    for line, cells in found:
        seen_at = Location(source.path, line, f"line {line} of {results_path.name}")
        try:
            rows.add(Record(Location(results_path, line), cells.split(_BETWEEN)), result_columns, context, seen_at)
        except DocumentError as error:
            faults.add(error)
    with faults.gathered():
        document = make_tournament(facts, rows.results, source, context)
    faults.raise_any()
    if not rows.results:
        raise DocumentError(
            record.location,
            f"the tournament `{shortened(facts['tournament_id'].text)}` without results",
            A_RESULT_OF_IT.format(results_path.name),
        )
    return replace(document, remarks=tuple(rows.remarks(result_columns, document.players)))


def _load_tournaments(database: sqlite3.Connection, path: Path, context: Context) -> Columns:
    opened = open_table(path, FACTS, NEEDED_OF_TOURNAMENTS, context)
    database.execute(
        "create table tournaments (tournament_id text primary key, our_id text unique, line integer, cells text)"
    )
    for tournament_id, line, cells in opened.rows:
        our_id = readable_id_or_empty(tournament_id) or tournament_id
        try:
            database.execute("insert into tournaments values (?, ?, ?, ?)", (tournament_id, our_id, line, cells))
        except sqlite3.IntegrityError:
            first = database.execute(
                "select line, tournament_id from tournaments where our_id = ?", (our_id,)
            ).fetchone()
            raise DocumentError(
                Location(path, line),
                f"the tournament `{shortened(tournament_id)}` a second time (first: line {first[0]}, `{shortened(first[1])}`)",
                EVERY_ID_ONCE,
            ) from None
    return opened.columns


def _load_results(database: sqlite3.Connection, path: Path, context: Context) -> Columns:
    opened = open_table(path, COLUMNS_OF_RESULTS, NEEDED_OF_RESULTS, context)
    database.execute("create table results (tournament_id text, line integer, cells text)")
    database.executemany("insert into results values (?, ?, ?)", opened.rows)
    database.execute("create index results_by_tournament on results (tournament_id, line)")
    return opened.columns


def _check_tournaments_known(database: sqlite3.Connection, results_path: Path) -> None:
    stray = database.execute(
        "select line, tournament_id from results where tournament_id not in (select tournament_id from tournaments)"
        " order by line limit 1"
    ).fetchone()
    if stray:
        raise DocumentError(
            Location(results_path, stray[0]), f"the tournament `{shortened(stray[1])}`", A_KNOWN_TOURNAMENT
        )


@dataclass(frozen=True)
class Opened:
    """A file of the pair that was opened.

    Attributes:
        encoding: how its text is written.
        separator: what stands between its cells.
        columns: its columns.
        rows: its records under the headings, read as they are asked for; blank ones are skipped. Of each the tournament's id, the
            line, and the cells in one text.
    """

    encoding: Encoding
    separator: str
    columns: Columns
    rows: Iterator[tuple[str, int | None, str]]


def open_table(path: Path, known: Mapping[str, tuple[str, ...]], needed: tuple[str, ...], context: Context) -> Opened:
    """Open a file of the pair, and read its headings.

    Args:
        path: the file.
        known: the columns that it may have, with what else they are called.
        needed: those that it must have.
        context: what it is read with.

    Raises:
        DocumentError: when it cannot be read, or its headings are not such.
    """
    encoding, sample = _encoding(path, context.encoding)
    separator = _separator(encoding, sample)
    records = _records(path, encoding, separator)
    head = next(records, None)
    if head is None:
        raise DocumentError(Location(path), "an empty file", f"the headings {', '.join(known)}, then one row each")
    columns = needed_columns(head, known, needed)
    if encoding.remark:
        columns = replace(columns, remarks=(encoding.remark, *columns.remarks))

    def under() -> Iterator[tuple[str, int | None, str]]:
        faults = FirstFaults()
        id_at = columns.index["tournament_id"]
        for record in records:
            columns.check_names(record)
            try:
                columns.check_width(record)
                cells = _joined(record, id_at)
            except DocumentError as error:
                faults.add(error)
            else:
                yield record.texts[id_at], record.location.line, cells
        faults.raise_any()

    return Opened(encoding, separator, columns, under())


def needed_columns(head: Record, known: Mapping[str, tuple[str, ...]], needed: tuple[str, ...]) -> Columns:
    """The columns that a row of headings names; for the arguments see `open_table`.

    Raises:
        DocumentError: when one is missing, and for whatever `read_columns` refuses.
    """
    columns = read_columns(head, known)
    if missing := [name for name in needed if name not in columns.index]:
        raise DocumentError(
            head.location,
            f"the headings {shortened(', '.join(head.texts), 200)}",
            f"{' and '.join(f'`{name}`' for name in missing)} among them",
        )
    if "last_name" in known and not columns.index.keys() & {"last_name", "name"}:
        raise DocumentError(head.location, "no column of names", "`first_name` and `last_name`, or `name`")
    return columns


def _joined(record: Record, id_at: int) -> str:
    """The cells of a record as one text; its tournament's id is among them."""
    if not record.texts[id_at]:
        raise DocumentError(record.location, *NO_ID)
    joined = _BETWEEN.join(record.texts)
    if joined.count(_BETWEEN) != len(record.texts) - 1:
        raise DocumentError(record.location, "the control character U+001F", "characters that can be seen")
    return joined


def _separator(encoding: Encoding, sample: bytes) -> str:
    """What stands between the cells of a file, found out from its beginning."""
    first = sample[encoding.mark :].decode(encoding.name, "replace").split("\n", 1)[0]
    return max(SEPARATORS, key=lambda s: sum(column_of(t, _ALL_COLUMNS) is not None for t in first.split(s)))


def _records(path: Path, encoding: Encoding, separator: str) -> Iterator[Record]:
    """The records of a file that are not blank."""
    try:
        with path.open(encoding=encoding.name, newline=None) as file:
            if encoding.mark:
                file.read(1)
            yield from (r for r in records_of(_lines(file), separator, path) if not r.is_blank)
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
    """The lines of a file; one of a length that no row has would fill the memory, and falls into pieces."""
    while line := file.readline(_LONGEST_LINE):
        yield line


def hash_of(*paths: Path) -> str:
    """The SHA-256 of the bytes of some files, one after the other.

    Raises:
        DocumentError: when one cannot be read.
    """
    made = hashlib.sha256()
    for path in paths:
        try:
            with path.open("rb") as file:
                while piece := file.read(1 << 20):
                    made.update(piece)
        except OSError as error:
            raise cannot_be_opened(path, error) from None
    return made.hexdigest()
