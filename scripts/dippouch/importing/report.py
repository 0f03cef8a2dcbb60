"""What a run of the importer found, document by document."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from dippouch.documents import Document, PlayerDocument, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.importing.plan import Change
from dippouch.matching.candidates import LikelyDuplicate
from dippouch.seeds.schema import Row

STATUSES = ("new", "unchanged", "changed")


@dataclass(frozen=True)
class ReportedRow:
    """A seed row that a document adds or changes: its file, its key, and the cells that differ."""

    table: str
    key: tuple[str, ...]
    before: Row | None
    after: Row


@dataclass(frozen=True)
class ReportedDocument:
    """One imported document: the file, its status (`new`, `unchanged`, `changed`), what it states, and notes on people.

    `rows` has the rows that it adds or changes, as far as they are recorded.
    """

    file: str
    status: str
    title: str
    states: str
    changed_rows: int
    notes: list[str]
    rows: list[ReportedRow]


@dataclass
class Outcome:
    """What a run found.

    Attributes:
        new_people: the ids of everybody whom nobody knew before.
        changed_rows: how many seed rows are added or changed.
        rejections: what is wrong with the files that were rejected, one or more of each.
        rejected_files: how many files that are.
        likely_duplicates: people who came in new and may be somebody who is known; None when too many came in to look.
        written: whether the collection was changed.
    """

    documents: list[ReportedDocument] = field(default_factory=list)
    new_people: set[str] = field(default_factory=set)
    changed_rows: int = 0
    rejections: list[DocumentError] = field(default_factory=list)
    rejected_files: int = 0
    likely_duplicates: list[LikelyDuplicate] | None = field(default_factory=list)
    added_kinds: list[str] = field(default_factory=list)
    written: bool = False

    def counts(self) -> dict[str, int]:
        """Return how many documents have each status."""
        found = Counter(document.status for document in self.documents)
        return {status: found[status] for status in STATUSES}


def reported(change: Change, *, every_row: bool) -> ReportedDocument:
    """Return what is reported of a change.

    Args:
        change: what a document changes.
        every_row: whether to report the rows of new documents too, as a dry run shows them.
    """
    rows = []
    for found in change.differences if every_row or change.status == "changed" else ():
        columns = found.changed_columns()
        before = found.before and {column: found.before[column] for column in columns}
        after = {column: found.after[column] for column in columns}
        rows.append(ReportedRow(found.table.path, found.key, before, after))
    path, states = str(change.document.source.path), _states(change.document)
    return ReportedDocument(path, change.status, change.title, states, len(change.differences), change.notes, rows)


def _states(document: Document) -> str:
    if isinstance(document, TournamentDocument):
        listed, players = len(document.results), document.players
        without = sum(result.placement is None for result in document.results)
        missing = max((players or 0) - listed, 0)
        counts = f": {listed - without} with a placement, {without} without"
        counts += f", {missing} missing" if players else ""
        declared = f" of {players} players" if players else ", players not declared"
        return f"{listed} results{declared}{counts if without or missing else ''}"
    if isinstance(document, PlayerDocument):
        return f"{len(document.appearances)} tournaments of a player"
    return f"{len(document.ranks)} published ratings"
