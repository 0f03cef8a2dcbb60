"""The report of an import, document by document, for people and for scripts."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from rich.console import RenderableType
from rich.markup import escape

from dippouch.console import err, out, plain_table, write_json
from dippouch.documents import Document, PlayerDocument, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.importing.change import Change
from dippouch.matching.newcomers import Answers, Newcomer
from dippouch.printable import counted, visible_line
from dippouch.rating.printed import Worth, values_of
from dippouch.rating.rules import RatingRules
from dippouch.seeds.checks import find_suspicious_names
from dippouch.seeds.persons import people_behind
from dippouch.seeds.schema import Row
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT, seeds_folder, suggested_command

STATUSES = ("new", "unchanged", "changed")
# For a larger run, show the counts, and only the documents that need attention.
_SHOWN_DOCUMENTS = 40
_SHOWN_FAULTS = 50
_SHOWN_PEOPLE = 20


@dataclass(frozen=True)
class ReportedRow:
    """A seed row that a document adds or changes: its file, its key, and the different cells."""

    table: str
    key: tuple[str, ...]
    before: Row | None
    after: Row


@dataclass(frozen=True)
class ReportedDocument:
    """One imported document: the file, its status (`new`, `unchanged`, `changed`), its content, and notes on people.

    Attributes:
        rows: the added or changed rows, as far as they are reported.
        read_as: its format and encoding, and the headings of its table with the column that each was read as.
        tournament_id: the tournament of its page or table; empty for other documents.
        worth: the kind, the value and the value's rule of that tournament.
    """

    file: str
    status: str
    title: str
    states: str
    changed_rows: int
    notes: list[str]
    rows: list[ReportedRow]
    read_as: str
    tournament_id: str = ""
    worth: Worth | None = None


@dataclass
class Outcome:
    """The result of an import.

    Attributes:
        new_people: the ids of all new people, without those identified by an answer.
        people: the ids of all listed people, after aliases.
        newcomers: the new people, with likely duplicates.
        suspicious: the suspicious names of new people, each with the reason.
        likely_duplicates: the number of known people who may be new ones, without a decision; None if nobody searched.
        changed_rows: the number of seed rows added or changed.
        rejections: the faults of rejected files, one or more per file.
        rejected_files: the number of rejected files.
        written: whether the collection was changed.
    """

    documents: list[ReportedDocument] = field(default_factory=list)
    new_people: set[str] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    newcomers: list[Newcomer] = field(default_factory=list)
    suspicious: list[tuple[str, str]] = field(default_factory=list)
    likely_duplicates: int | None = None
    changed_rows: int = 0
    rejections: list[DocumentError] = field(default_factory=list)
    rejected_files: int = 0
    written: bool = False

    @property
    def rows_of_documents(self) -> int:
        """Return the number of rows that documents add or change."""
        return sum(document.changed_rows for document in self.documents)

    def decisions(self) -> list[ReportedRow]:
        """Return the rows that answers about new people add."""
        return [ReportedRow(seed.path, key, None, row) for one in self.newcomers for seed, key, row in one.decisions]

    def counts(self) -> dict[str, int]:
        """Return the number of documents with each status."""
        found = Counter(document.status for document in self.documents)
        return {status: found[status] for status in STATUSES}


def reported(change: Change, *, every_row: bool) -> ReportedDocument:
    """Return the report on a change; `every_row` includes the rows of new documents, as for a dry run."""
    # A different source document alone is not a change of facts.
    differences = [found for found in change.differences if found.before is None or found.changed_columns()]
    rows = []
    for found in differences if every_row or change.status == "changed" else ():
        columns = found.changed_columns()
        before = found.before and {column: found.before[column] for column in columns}
        rows.append(
            ReportedRow(found.table.path, found.key, before, {column: found.after[column] for column in columns})
        )
    document = change.document
    return ReportedDocument(
        *(str(document.source.path), change.status, change.title, _states(document), len(differences)),
        *(change.notes, rows, _read_as(document), change.tournament_id),
    )


def describe_outcome(collection: Collection, rules: RatingRules, outcome: Outcome, answers: Answers) -> None:
    """Add the facts of the collection after all documents: values of tournaments, and known people."""
    # An answer of the rating keeper may assign a new name to a known person.
    behind = people_behind(collection)
    outcome.people = {behind.get(player_id, player_id) for player_id in outcome.people}
    outcome.new_people -= behind.keys()
    names = [(one.person.first_name, one.person.last_name) for one in outcome.newcomers]
    outcome.suspicious = find_suspicious_names(collection.reference, names)
    if not answers.needs_no_search:
        outcome.likely_duplicates = sum(len(one.likely) for one in outcome.newcomers if not one.decisions)
    found = values_of(collection, rules, [document.tournament_id for document in outcome.documents])
    outcome.documents = [replace(document, worth=found.get(document.tournament_id)) for document in outcome.documents]


def print_report(outcome: Outcome, folder: Path, *, dry_run: bool, moves: RenderableType = "") -> None:
    """Print every changed row, a line for every document, its people, every rejection, the totals, and the command that publishes.

    Args:
        outcome: the result of the run.
        folder: the collection.
        dry_run: whether the changes were not written.
        moves: the foreseen moves.
    """
    for document in outcome.documents:
        if document.rows:
            out.print(f"{escape(document.title)} ({document.status})")
        for row in document.rows:
            _print_row(row)
    if len(outcome.documents) <= _SHOWN_DOCUMENTS or dry_run:
        _print_documents(outcome)
    for document in outcome.documents:
        for note in document.notes:
            err.print(f"[yellow]{escape(_file_name(document.file))}:[/] {escape(note)}")
    _print_people(outcome, folder)
    if moves:
        out.print(moves)
    for rejection in outcome.rejections[:_SHOWN_FAULTS]:
        err.print(f"[bold red]rejected:[/] {escape(str(rejection))}")
    if (more := len(outcome.rejections) - _SHOWN_FAULTS) > 0:
        err.print(f"[bold red]rejected:[/] {more:,} further faults; --json shows all")
    _print_sum(outcome, folder, dry_run=dry_run)


def _print_sum(outcome: Outcome, folder: Path, *, dry_run: bool) -> None:
    """Print the totals, and the command that publishes the changes."""
    counts = [f"{number:,} {status}" for status, number in outcome.counts().items()]
    out.print(", ".join([*counts, f"{outcome.rejected_files:,} rejected"]))
    place = escape(str(folder))
    if outcome.written:
        out.print(
            f"{counted(outcome.changed_rows, 'row', 'rows')} changed in {place}. Publish: {escape(_publishing(folder))}"
        )
    elif dry_run:
        out.print(f"{counted(outcome.changed_rows, 'row', 'rows')} would change in {place}; nothing was written.")
    else:
        out.print(f"Nothing was written; {place} did not change.")


def _publishing(folder: Path) -> str:
    """Return the command that publishes a collection: that of a checkout, if its settings name the collection."""
    if (PROJECT / "Makefile").is_file() and folder.resolve() == seeds_folder().resolve():
        return "make rankings"
    return suggested_command("refresh", seeds=folder)


def print_json(outcome: Outcome, folder: Path, *, dry_run: bool, moves: dict[str, object] | None = None) -> None:
    """Print the same as one JSON object, with the moves that a dry run foresees."""
    rejected = [
        {
            "file": str(rejection.location.path),
            "line": rejection.location.line,
            "place": rejection.location.place,
            "found": rejection.found,
            "expected": rejection.expected,
            "hint": rejection.hint,
        }
        for rejection in outcome.rejections
    ]
    new_people = (one.person for one in outcome.newcomers if one.person.player_id in outcome.new_people)
    whole = {
        "seeds": str(folder),
        "dry_run": dry_run,
        "written": outcome.written,
        "changed_rows": outcome.changed_rows,
        "counts": outcome.counts() | {"rejected": outcome.rejected_files},
        "people": {"known": len(outcome.people) - len(outcome.new_people), "new": len(outcome.new_people)},
        "documents": [asdict(document) for document in outcome.documents],
        "rejected": rejected,
        "moves": moves,
        "likely_duplicates": outcome.likely_duplicates,
        "new_people": [{"player_id": person.player_id, "name": person.name} for person in new_people],
        "suspicious_names": [{"name": name, "reason": reason} for name, reason in outcome.suspicious],
    }
    write_json(whole)


def _print_documents(outcome: Outcome) -> None:
    table = plain_table("document", "status", "title", "states", "read as")
    for document in outcome.documents:
        states = document.states
        if document.worth:
            kind, value = document.worth.kind or "no kind", document.worth.value
            states += f"; {kind}, value {value:.2f} ({document.worth.rule})"
        cells = (_file_name(document.file), document.status, document.title, states, document.read_as)
        table.add_row(*map(escape, cells))
    if table.row_count:
        out.print(table)


def _print_people(outcome: Outcome, folder: Path) -> None:
    """Print the number of people, the new ones, suspicious names, and decisions on them."""
    if outcome.people:
        new = len(outcome.new_people)
        out.print(f"{counted(len(outcome.people) - new, 'known person', 'known people')}, {new:,} new")
    names = [one.person.name for one in outcome.newcomers if one.person.player_id in outcome.new_people]
    if names:
        more = f", and {len(names) - _SHOWN_PEOPLE:,} more in --json" if len(names) > _SHOWN_PEOPLE else ""
        out.print(escape(f"new: {', '.join(names[:_SHOWN_PEOPLE])}{more}"))
    for name, reason in outcome.suspicious:
        err.print(f"[yellow]suspicious name:[/] {escape(f'{name} ({reason})')}")
    for row in outcome.decisions():
        _print_row(row)
    if outcome.likely_duplicates or (names and outcome.likely_duplicates is None):
        who = (
            counted(outcome.likely_duplicates, "pair", "pairs") if outcome.likely_duplicates else "new and known people"
        )
        err.print(escape(f"{who} may be one person; {suggested_command('duplicates', seeds=folder)} lists them"))


def _print_row(row: ReportedRow) -> None:
    """Print a row in a line: + added, ~ changed (column: before -> after)."""
    if row.before is None:
        cells = ", ".join(f"{column}={value}" for column, value in row.after.items() if value)
        out.print(f"  [green]+[/] {row.table} {escape(cells)}", soft_wrap=True)
    else:
        cells = ", ".join(
            f"{column}: {row.before[column] or '(empty)'} -> {value}" for column, value in row.after.items()
        )
        out.print(f"  [yellow]~[/] {row.table} {escape(' '.join(row.key))}: {escape(cells)}", soft_wrap=True)


def _file_name(path: str) -> str:
    """Return the name of a file, safe for a line."""
    return visible_line(Path(path).name)


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
