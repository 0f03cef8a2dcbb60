"""The format `two-tables`: any number of tournaments in two CSV files of one folder.

    tournaments.csv   tournament_id,name,subtitle,kind,started_on,ended_on,place,nation_code,players,rounds,boards
    results.csv       tournament_id,placement,first_name,last_name,nation_code

The results may be in any order.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dippouch.messages import DocumentError, Faults, Location, shortened
from dippouch.reading.context import RESULTS_FILE, TOURNAMENTS_FILE, Context
from dippouch.reading.documents import Document, Source, TournamentDocument
from dippouch.reading.inputs import decode, read_bytes
from dippouch.reading.standings import make_tournament, read_results
from dippouch.reading.table import NAME_COLUMNS, Columns, TableRow, read_columns
from dippouch.reading.table_rows import csv_rows, find_separator
from dippouch.reading.values import words

# The columns of one of the two files, its rows by the tournament's id, and remarks on both.
_Table = tuple[Columns, dict[str, list[TableRow]], list[str]]


def read(path: Path, context: Context) -> Iterator[Document]:
    """Read the tournaments of the pair, in the order of the table of tournaments.

    The hash of their source is that of both files, one after the other.

    Raises:
        DocumentError: for unreadable input in either file, and for rows of one without a match in the other.
    """
    results_path = path.with_name(RESULTS_FILE)
    if path == results_path or not results_path.is_file():
        expected = f"{TOURNAMENTS_FILE} and {RESULTS_FILE} in one folder"
        raise DocumentError(Location(path), "one of two tables", expected, "Then dptr import FOLDER reads both.")
    id_columns = {"tournament": "tournament_id", "tournament_id": "tournament_id", "player_id": "player_id"}
    faults = Faults()
    contents = read_bytes(path), read_bytes(results_path)
    source = Source(path, hashlib.sha256(b"".join(contents)).hexdigest(), "two-tables")
    with faults.gathered():
        facts = {**words("label"), **context.choices.columns}
        columns, listed, remarks = _open(path, contents[0], facts, "name", context, faults)
    with faults.gathered():
        known = {**words("heading"), **context.choices.columns, **id_columns}
        of_results, rows, others = _open(results_path, contents[1], known, "placement", context, faults)
    if context.choices.options:
        raise source.fault("facts of one tournament as options", "facts of each as columns of the table")
    faults.raise_any()
    if not listed:
        raise source.fault("a table without rows", "at least one tournament")
    for tournament_id, (first, *further) in listed.items():
        again = f"the tournament `{shortened(tournament_id)}` a second time (first: {first.location.in_file})"
        for row in further:
            faults.add(DocumentError(row.location, again, "every tournament_id once"))
    # With faulty ids, tournaments and results cannot be matched.
    faults.raise_any()
    for tournament_id, found in rows.items():
        if tournament_id not in listed:
            expected = f"a tournament_id of {path.name}"
            faults.add(DocumentError(found[0].location, f"the tournament `{shortened(tournament_id)}`", expected))
    # The first tournament carries the remarks on both files.
    remarks += others
    for tournament_id, (row, *_) in listed.items():
        with faults.gathered():
            of_one = rows.pop(tournament_id, [])
            document = _tournament(row, columns, of_one, of_results, source, context)
            yield replace(document, remarks=(*remarks, *document.remarks))
            remarks = []
    faults.raise_any()


def _tournament(
    row: TableRow, columns: Columns, rows: list[TableRow], of_results: Columns, source: Source, context: Context
) -> TournamentDocument:
    """Read a row of the table of tournaments with its results."""
    columns.check_width(row)
    facts = {name: columns.cell(row, name) for name in columns.index}
    faults = Faults()
    results, remarks, unknown = read_results(rows, of_results, context, faults)
    if not results and not faults:
        without = f"the tournament `{facts['tournament_id'].text}` without results"
        faults.add(DocumentError(row.location, without, f"at least one row of it in {RESULTS_FILE}"))
    remarks = [f"{RESULTS_FILE}: {remark}" for remark in remarks]
    return make_tournament(facts, results, source, context, faults, remarks=remarks, unknown=unknown)


def _open(path: Path, content: bytes, known: dict[str, str], needed: str, context: Context, faults: Faults) -> _Table:
    """Decode a file of the pair, and read its headings and its rows; gather faults of rows without the tournament's id."""
    text, remark, _ = decode(content, path, context.choices.encoding)
    # A list of all lines would take several times the memory of the text.
    rows = csv_rows((match[0] for match in re.finditer(r".*\n|.+", text)), find_separator(text, known) or ",", path)
    head = next((row for row in rows if any(row.texts)), None)
    if head is None:
        raise DocumentError(
            Location(path), "an empty file", f"the headings tournament_id, {needed} and others, then rows"
        )
    columns = read_columns(head, known)
    missing = [f"`{name}`" for name in ("tournament_id", needed) if name not in columns.index]
    if needed == "placement" and columns.index.keys().isdisjoint(NAME_COLUMNS):
        missing.append("`first_name` and `last_name`, or `name`")
    if missing:
        headings = shortened(", ".join(head.texts), 200)
        raise DocumentError(head.location, f"the headings {headings}", f"{' and '.join(missing)} among them")
    remarks = [f"{path.name}: {text}" for text in (remark, *columns.remarks) if text]
    by_tournament: dict[str, list[TableRow]] = {}
    for row in rows:
        if tournament_id := columns.text(row, "tournament_id"):
            by_tournament.setdefault(tournament_id, []).append(row)
        elif any(row.texts):
            faults.add(DocumentError(row.location, "no tournament_id", "the tournament's id in every row"))
    return columns, by_tournament, remarks
