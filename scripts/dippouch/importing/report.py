"""The report of an import, document by document."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import RenderableType
from rich.markup import escape

from dippouch.console import err, out, plain_table
from dippouch.documents import Document, PlayerDocument, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.importing.change import Change, Difference
from dippouch.importing.formats.table import listed
from dippouch.matching.newcomers import Newcomer
from dippouch.printable import counted, in_own_words, visible_line
from dippouch.rating.printed import values_of
from dippouch.rating.rules import RatingRules
from dippouch.rating.systems import read_settings
from dippouch.seeds.checks import find_suspicious_names
from dippouch.seeds.decisions import people_behind
from dippouch.seeds.store import Collection
from dippouch.settings import is_default, suggested_command

STATUSES = ("new", "unchanged", "changed")
# For a larger run, show the counts, and only the documents that need attention.
_SHOWN_DOCUMENTS = 40
_SHOWN_PEOPLE = 20


@dataclass(frozen=True)
class ReportedDocument:
    """One imported document: the name of its file, its status (one of STATUSES), its title, and notes on it.

    Attributes:
        states: its content in numbers.
        read_as: its format and encoding, and the headings of its table with the column that each was read as.
        changed_rows: the number of seed rows that it adds or changes.
        rows: a line for each of these rows, as far as they are reported.
        tournament_id: the tournament of its page or table; empty for other documents.
    """

    file: str
    status: str
    title: str
    states: str
    read_as: str
    notes: list[str]
    changed_rows: int
    rows: list[str]
    tournament_id: str


@dataclass
class Outcome:
    """The result of an import.

    Attributes:
        new_people: the ids of all new people, without those identified by an answer.
        people: the ids of all listed people, after aliases.
        newcomers: the new people, with likely duplicates.
        suspicious: each reason for suspicious names of new people, with these names.
        changed_rows: the number of seed rows added or changed.
        rejections: the faults of rejected files, one or more per file.
        skipped: the remarks on files without anything to import, such as leagues.
        rejected_files: the number of rejected files.
        written: whether the collection was changed.
    """

    documents: list[ReportedDocument] = field(default_factory=list)
    new_people: set[str] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    newcomers: list[Newcomer] = field(default_factory=list)
    suspicious: list[tuple[str, list[str]]] = field(default_factory=list)
    changed_rows: int = 0
    rejections: list[DocumentError] = field(default_factory=list)
    skipped: list[DocumentError] = field(default_factory=list)
    rejected_files: int = 0
    written: bool = False

    def decisions(self) -> list[Difference]:
        """Return the rows that answers about new people add."""
        return [Difference(seed, key, None, row) for one in self.newcomers for seed, key, row in one.decisions]


def reported(change: Change, *, every_row: bool) -> ReportedDocument:
    """Return the report on a change; `every_row` includes the rows of new documents, as for a dry run."""
    # A different source document alone is not a change of facts.
    differences = [found for found in change.differences if found.before is None or found.changed_columns()]
    document = change.document
    shown = differences if every_row or change.status == "changed" else []
    if isinstance(document, PlayerDocument) and not every_row:
        # Thousands of pages of an archive add rows, but few replace what was stated.
        shown = [found for found in shown if found.before and any(map(found.before.get, found.changed_columns()))]
    return ReportedDocument(
        file=visible_line(document.source.path.name),
        status=change.status,
        title=change.title,
        states=_states(document),
        read_as=_read_as(document),
        notes=change.notes,
        changed_rows=len(differences),
        rows=list(map(_line, shown)),
        tournament_id=change.tournament_id,
    )


def describe_outcome(collection: Collection, rules: RatingRules, outcome: Outcome) -> None:
    """Add the facts of the collection after all documents: values of tournaments, and known people."""
    # An answer of the rating keeper may assign a new name to a known person, also for one tournament.
    answered = {row["listed_player_id"]: row["player_id"] for one in outcome.newcomers for row in one.matches}
    behind = people_behind(collection) | answered
    outcome.people = {behind.get(player_id, player_id) for player_id in outcome.people}
    outcome.new_people -= behind.keys()
    names = [(one.person.first_name, one.person.last_name) for one in outcome.newcomers]
    outcome.suspicious = find_suspicious_names(collection.reference, names)
    found = values_of(collection, rules, [document.tournament_id for document in outcome.documents])
    words = read_settings(collection.reference)
    for i, document in enumerate(outcome.documents):
        states = in_own_words(document.states, words)
        if document.tournament_id in found:
            kind, value, rule = found[document.tournament_id]
            states += f"; {kind or 'no kind'}, value {value:.2f} ({in_own_words(rule, words)})"
        outcome.documents[i] = replace(document, states=states)


def print_report(outcome: Outcome, folder: Path, *, dry_run: bool, moves: RenderableType = "") -> None:
    """Print every changed row, a line for every document, its people, every rejection, the totals, and the command that publishes.

    Args:
        outcome: the result of the run.
        folder: the collection.
        dry_run: whether the changes were not written.
        moves: the foreseen moves.
    """
    table = plain_table("document", "status", "title", "states", "read as")
    for document in outcome.documents:
        if document.rows:
            out.print(f"{escape(document.title)} ({document.status})")
        for row in document.rows:
            out.print(row, soft_wrap=True)
        cells = (document.file, document.status, document.title, document.states, document.read_as)
        table.add_row(*map(escape, cells))
    if table.row_count and (table.row_count <= _SHOWN_DOCUMENTS or dry_run):
        out.print(table)
    for document in outcome.documents:
        for note in document.notes:
            err.print(f"[yellow]{escape(document.file)}:[/] {escape(visible_line(note))}")
    _print_people(outcome, folder)
    if moves:
        out.print(moves)
    for label, errors in (("yellow]skipped", outcome.skipped), ("bold red]rejected", outcome.rejections)):
        for error in errors:
            err.print(f"[{label}:[/] {escape(str(error))}")
    _print_sum(outcome, folder, dry_run=dry_run)


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
    for decision in outcome.decisions():
        out.print(_line(decision), soft_wrap=True)
    if likely := sum(len(one.likely) for one in outcome.newcomers if not one.decisions):
        pairs, command = counted(likely, "pair", "pairs"), suggested_command("duplicates", seeds=folder)
        err.print(escape(f"{pairs} may be one person; `{command}` lists them"))


def _line(found: Difference) -> str:
    """Return a changed row as a line of markup: + added, ~ changed (column: before -> after)."""
    before, after, columns = found.before, found.after, found.changed_columns()
    if before is None:
        cells = ", ".join(f"{column}={after[column]}" for column in columns if after[column])
        return f"  [green]+[/] {found.table.path} {escape(cells)}"
    cells = ", ".join(f"{column}: {before[column] or '(empty)'} -> {after[column]}" for column in columns)
    return f"  [yellow]~[/] {found.table.path} {escape(' '.join(found.key))}: {escape(cells)}"


def _read_as(document: Document) -> str:
    read_as = " in ".join(filter(None, [document.source.format, document.source.encoding.upper()]))
    headings = document.headings if isinstance(document, TournamentDocument) else ()
    named = ", ".join(f"`{heading}` as {column}" for heading, column in headings if heading != column)
    return f"{read_as}; {named}" if named else read_as


def _states(document: Document) -> str:
    if isinstance(document, TournamentDocument):
        listed, players = len(document.results), document.players
        without = sum(result.placement is None for result in document.results)
        declared = f" of {counted(players, 'player', 'players')}" if players else ", players not declared"
        missing = f", {players - listed} missing" if players and players > listed else ""
        return f"{counted(listed, 'result', 'results')}{declared}, {without} without a placement{missing}"
    if isinstance(document, PlayerDocument):
        return f"{counted(len(document.appearances), 'tournament', 'tournaments')} of a player"
    return counted(len(document.ranks), "published rating", "published ratings")
