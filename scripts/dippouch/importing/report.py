"""The results of an import, document by document."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from dippouch.documents import Document, PlayerDocument, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.importing.plan import Change
from dippouch.matching.newcomers import Newcomer
from dippouch.matching.people import count_without_nation, names_of
from dippouch.printable import counted
from dippouch.rating.printed import Worth, worths
from dippouch.rating.rules import RatingRules
from dippouch.seeds.checks import find_suspicious_names
from dippouch.seeds.persons import people_behind
from dippouch.seeds.schema import Row
from dippouch.seeds.store import Collection

STATUSES = ("new", "unchanged", "changed")


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
        without_nation: how many of these have no nation.
        newcomers: the new people, with likely duplicates.
        suspicious: the suspicious names of new people, each with the reason.
        changed_rows: the number of seed rows added or changed.
        rejections: the faults of rejected files, one or more per file.
        rejected_files: the number of rejected files.
        written: whether the collection was changed.
    """

    documents: list[ReportedDocument] = field(default_factory=list)
    new_people: set[str] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    without_nation: int = 0
    newcomers: list[Newcomer] = field(default_factory=list)
    suspicious: list[tuple[str, str]] = field(default_factory=list)
    changed_rows: int = 0
    rejections: list[DocumentError] = field(default_factory=list)
    rejected_files: int = 0
    added_kinds: list[str] = field(default_factory=list)
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
    """Return the report on a change.

    Args:
        change: the changes by a document.
        every_row: whether to report the rows of new documents too, as for a dry run.
    """
    rows = []
    # A different source document alone is not a change of facts.
    differences = [found for found in change.differences if found.before is None or found.changed_columns()]
    for found in differences if every_row or change.status == "changed" else ():
        columns = found.changed_columns()
        before = found.before and {column: found.before[column] for column in columns}
        after = {column: found.after[column] for column in columns}
        rows.append(ReportedRow(found.table.path, found.key, before, after))
    document = change.document
    return ReportedDocument(
        file=str(document.source.path),
        status=change.status,
        title=change.title,
        states=_states(document),
        changed_rows=len(differences),
        notes=change.notes,
        rows=rows,
        read_as=_read_as(document),
        tournament_id=change.tournament_id,
    )


def describe_outcome(collection: Collection, rules: RatingRules, outcome: Outcome) -> None:
    """Add the facts of the collection after all documents: values of tournaments, known people, and people without a nation."""
    # An answer of the rating keeper may assign a new name to a known person.
    behind = people_behind(collection)
    outcome.people = {behind.get(player_id, player_id) for player_id in outcome.people}
    outcome.new_people -= behind.keys()
    outcome.suspicious = find_suspicious_names(collection.reference, names_of(collection, outcome.new_people))
    outcome.without_nation = count_without_nation(collection, outcome.people)
    found = worths(collection, rules, [document.tournament_id for document in outcome.documents])
    outcome.documents = [replace(document, worth=found.get(document.tournament_id)) for document in outcome.documents]


def _read_as(document: Document) -> str:
    read_as = " in ".join(filter(None, [document.source.format, document.source.encoding.upper()]))
    headings = document.headings if isinstance(document, TournamentDocument) else ()
    named = ", ".join(f"`{heading}` as {column}" for heading, column in headings if heading != column)
    return f"{read_as}; {named}" if named else read_as


def _states(document: Document) -> str:
    if isinstance(document, TournamentDocument):
        listed, players = len(document.results), document.players
        without = sum(result.placement is None for result in document.results)
        missing = max((players or 0) - listed, 0)
        counts = f": {listed - without} with a placement, {without} without"
        counts += f", {missing} missing" if players else ""
        declared = f" of {counted(players, 'player', 'players')}" if players else ", players not declared"
        return f"{counted(listed, 'result', 'results')}{declared}{counts if without or missing else ''}"
    if isinstance(document, PlayerDocument):
        return f"{counted(len(document.appearances), 'tournament', 'tournaments')} of a player"
    return counted(len(document.ranks), "published rating", "published ratings")
