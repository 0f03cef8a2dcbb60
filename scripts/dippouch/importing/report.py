"""The report of an import, document by document."""

from __future__ import annotations

import itertools
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.console import RenderableType
from rich.markup import escape

from dippouch.collection.schema import Row, Seed
from dippouch.console import err, out, plain_table
from dippouch.importing.outcome import Outcome, ReportedDocument
from dippouch.printable import counted, in_own_words, visible_line
from dippouch.reading.documents import Document, PlayerDocument, RankingDocument, TournamentDocument
from dippouch.reading.formats.table import listed
from dippouch.settings import is_default, suggested_command

STATUSES = ("new", "unchanged", "changed")
# For a larger run, show the counts, and only the documents that need attention.
_SHOWN_DOCUMENTS = 40
_SHOWN_PEOPLE = 20


def print_report(
    outcome: Outcome, folder: Path, words: Mapping[str, str], *, dry_run: bool, moves: RenderableType = ""
) -> None:
    """Print every changed row, a line for every document, its people, every rejection, the totals, and the command that publishes.

    Args:
        outcome: the result of the run.
        folder: the collection.
        words: its settings, which have its own words.
        dry_run: whether the changes were not written.
        moves: the foreseen moves.
    """
    table = plain_table("document", "status", "title", "states", "read as")
    for document in outcome.documents:
        title, status, source = document.stated.title, document.status, document.stated.document.source
        if lines := list(_lines(document, every_row=dry_run)):
            out.print(f"{escape(title)} ({status})")
        for line in lines:
            out.print(line, soft_wrap=True)
        cells = (
            visible_line(source.path.name),
            status,
            title,
            _states(document, words),
            _read_as(document.stated.document),
        )
        table.add_row(*map(escape, cells))
    if table.row_count and (table.row_count <= _SHOWN_DOCUMENTS or dry_run):
        out.print(table)
    for document in outcome.documents:
        for note in document.notes:
            name = visible_line(document.stated.document.source.path.name)
            err.print(f"[yellow]{escape(name)}:[/] {escape(visible_line(note))}")
    _print_people(outcome, folder)
    if moves:
        out.print(moves)
    for label, errors in (("yellow]skipped", outcome.skipped), ("bold red]rejected", outcome.rejections)):
        for error in errors:
            err.print(f"[{label}:[/] {escape(str(error))}")
    _print_sum(outcome, folder, dry_run=dry_run)


def _lines(document: ReportedDocument, *, every_row: bool) -> Iterator[str]:
    """Yield a line for every row that a document changes; for a dry run, also for all rows of a new one."""
    stated = document.stated
    rows: list[tuple[Seed, Row | None, Row]]
    if every_row and document.status == "new":
        rows = [(seed, None, row) for seed, of_seed in stated.rows.items() for row in of_seed]
    else:
        # Thousands of pages of an archive add rows, but few replace what was stated.
        is_page = isinstance(stated.document, PlayerDocument) and not every_row
        rows = [row for row in document.rows if not is_page or (row[1] and any(row[1].values()))]
    return itertools.starmap(_line, rows)


def _print_sum(outcome: Outcome, folder: Path, *, dry_run: bool) -> None:
    """Print the totals, and the command that publishes the changes."""
    statuses = Counter(document.status for document in outcome.documents)
    counts = [f"{statuses[status]:,} {status}" for status in STATUSES]
    skipped = [f"{len(outcome.skipped):,} skipped"] if outcome.skipped else []
    out.print(", ".join([*counts, *skipped, f"{outcome.rejected_files:,} rejected"]))
    place, rows = escape(str(folder)), counted(outcome.changed_rows, "row", "rows")
    if outcome.written:
        of = "" if is_default(folder) else f"DPTR_SEEDS={escape(shlex.quote(str(folder)))} "
        out.print(f"{rows} changed in {place}. Publish: {of}dptr refresh")
    elif dry_run:
        out.print(f"{rows} would change in {place}; nothing was written.")
    else:
        out.print(f"Nothing was written; {place} did not change.")


def _print_people(outcome: Outcome, folder: Path) -> None:
    """Print the number of people, the new ones, suspicious names, and decisions on them."""
    if outcome.people:
        new = len(outcome.new_people)
        out.print(f"{counted(len(outcome.people) - new, 'known person', 'known people')}, {new:,} new")
    if names := [one.person.name for one in outcome.newcomers if one.person.player_id in outcome.new_people]:
        out.print(escape(f"new: {listed(names, _SHOWN_PEOPLE)}"))
    for reason, names in outcome.suspicious:
        err.print(f"[yellow]suspicious:[/] {escape(f'{listed(names, 5)} ({reason})')}")
    for seed, row in outcome.decisions():
        out.print(_line(seed, None, row), soft_wrap=True)
    if likely := sum(len(one.likely) for one in outcome.newcomers if not one.decisions):
        pairs, command = counted(likely, "pair", "pairs"), suggested_command("duplicates", seeds=folder)
        err.print(escape(f"{pairs} may be one person; `{command}` lists them"))


def _line(seed: Seed, before: Row | None, row: Row) -> str:
    """Return a row as a line of markup: + added, ~ changed (column: before -> after)."""
    if before is None:
        cells = ", ".join(f"{column}={value}" for column, value in row.items() if value)
        return f"  [green]+[/] {seed.path} {escape(cells)}"
    cells = ", ".join(f"{column}: {value or '(empty)'} -> {row[column]}" for column, value in before.items())
    key = " ".join(row[column] for column in seed.key if column in row)
    return f"  [yellow]~[/] {seed.path} {escape(key)}: {escape(cells)}"


def _read_as(document: Document) -> str:
    read_as = " in ".join(filter(None, [document.source.format, document.source.encoding.upper()]))
    headings = document.headings if isinstance(document, TournamentDocument) else ()
    named = ", ".join(f"`{heading}` as {column}" for heading, column in headings if heading != column)
    return f"{read_as}; {named}" if named else read_as


def _states(reported: ReportedDocument, words: Mapping[str, str]) -> str:
    """Return what a document states, in numbers, in the words of the collection; with the value of its tournament."""
    document = reported.stated.document
    if isinstance(document, PlayerDocument):
        return in_own_words(f"{counted(len(document.appearances), 'tournament', 'tournaments')} of a player", words)
    if isinstance(document, RankingDocument):
        return in_own_words(counted(len(document.ranks), "published rating", "published ratings"), words)
    listed, players = len(document.results), document.players
    without = sum(result.placement is None for result in document.results)
    declared = f" of {counted(players, 'player', 'players')}" if players else ", players not declared"
    missing = f", {players - listed} missing" if players and players > listed else ""
    states = f"{counted(listed, 'result', 'results')}{declared}, {without} without a placement{missing}"
    states = in_own_words(states, words)
    if reported.value:
        value, rule = reported.value
        states += f"; {reported.kind or 'no kind'}, value {value:.2f} ({in_own_words(rule, words)})"
    return states
