"""The import report: what a run found, document by document."""

from __future__ import annotations

from dataclasses import dataclass

from dippouch.documents import Document, PlayerDocument, TournamentDocument
from dippouch.importing.plan import Change
from dippouch.seeds.schema import Row


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


class ImportReport:
    """A record of changes; files that are rejected leave nothing in it.

    Args:
        every_row: whether to record the rows of new documents too, as a dry run shows them.
    """

    def __init__(self, *, every_row: bool) -> None:
        self._every_row = every_row
        self._documents: list[ReportedDocument] = []
        self._new_people: list[str] = []
        self._kept = (0, 0)

    def add(self, change: Change) -> None:
        """Record one document of the file under way."""
        self._new_people += change.new_people
        rows = []
        if self._every_row or change.status == "changed":
            for found in change.differences:
                columns = found.changed_columns()
                before = found.before and {column: found.before[column] for column in columns}
                after = {column: found.after[column] for column in columns}
                rows.append(ReportedRow(found.table.path, found.key, before, after))
        path, states = str(change.document.source.path), _states(change.document)
        self._documents.append(
            ReportedDocument(path, change.status, change.title, states, len(change.differences), change.notes, rows)
        )

    def keep(self) -> None:
        """Keep what was recorded of the file: it is imported."""
        self._kept = len(self._documents), len(self._new_people)

    def forget(self) -> None:
        """Forget what was recorded of the file: it is rejected."""
        documents, people = self._kept
        del self._documents[documents:], self._new_people[people:]

    def clear(self) -> None:
        """Forget everything that was recorded: the run begins again."""
        self._kept = (0, 0)
        self.forget()

    def documents(self, *statuses: str) -> list[ReportedDocument]:
        """Return the documents of some statuses (of all, without any named), in the order in which they were read."""
        return [document for document in self._documents if not statuses or document.status in statuses]

    def new_people(self) -> list[str]:
        """Return the ids of everybody whom nobody knew before this run, as often as a document brought them."""
        return self._new_people


def _states(document: Document) -> str:
    if isinstance(document, TournamentDocument):
        listed = len(document.results)
        if document.players is None:
            return f"{listed} results, players not declared"
        placed = sum(result.placement is not None for result in document.results)
        missing = document.players - placed
        return f"{listed} results of {document.players} players" + (f", {missing} missing" if missing else "")
    if isinstance(document, PlayerDocument):
        return f"{len(document.appearances)} tournaments of a player"
    return f"{len(document.ranks)} published ratings"
