"""Refuse documents whose rows break a rule of macros/checks, and locate the fault in the document."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.plan import Change
from dippouch.seeds.changes import Scope, faults_of_changes, scope_of, scope_of_row
from dippouch.seeds.checks import with_collection
from dippouch.seeds.corrections import corrections_of
from dippouch.seeds.faults import Fault
from dippouch.seeds.schema import PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS
from dippouch.seeds.store import Collection
from dippouch.suggestions import suggested_command

# Facts of a tournament that a document states in the place of another column.
_STANDS_AT = {"ended_on": "started_on"}


@dataclass
class Stated:
    """The places of the statements of one file's documents.

    Attributes:
        path: the file.
        documents: the last document of each tournament.
        rows: the place of each row, by seed and key.
    """

    path: Path
    documents: dict[str, TournamentDocument] = field(default_factory=dict)
    rows: dict[tuple[str, str], Location] = field(default_factory=dict)

    def add(self, change: Change) -> None:
        """Add a document's statements."""
        self.rows |= {(table.name, " ".join(key)): place for (table, key), place in change.locations.items()}
        if isinstance(change.document, TournamentDocument):
            self.documents[change.tournament_id] = change.document

    def location_of(self, fault: Fault) -> Location:
        """Return the place of a fault in the file; the whole file if the place is unknown."""
        document = self.documents.get(fault.row_key)
        if fault.seed == TOURNAMENTS.name and document:
            return document.location_of(_STANDS_AT.get(fault.column, fault.column))
        return self.rows.get((fault.seed, fault.row_key)) or Location(self.path)


def scope_of_change(change: Change) -> Scope:
    """Return the tournaments, rankings and people that a document changes."""
    return Scope().union(*(scope_of_row(difference.table, difference.key) for difference in change.differences))


def refuse_faulty_rows(collection: Collection, scope: Scope, stated: Stated) -> None:
    """Refuse a file whose documents, applied to a collection, leave rows about a scope that break a rule."""
    faults = Faults()
    for fault in faults_of_changes(collection, scope):
        location = stated.location_of(fault)
        of_collection = fault.seed in (RESULTS.name, PUBLISHED_RANKINGS.name) and not location.in_file
        found = f"{fault.found} (`{fault.row_key}` of the collection)" if of_collection else fault.found
        way_out = with_collection(fault.way_out, collection.folder) or _history(collection, fault)
        faults.add(DocumentError(location, found, fault.expected, way_out))
    faults.raise_any()


def _history(collection: Collection, fault: Fault) -> str:
    """Return the command that shows a tournament's corrections, which the document may contradict."""
    for _, tournament_id in scope_of(collection, [fault]):
        if corrections_of(collection, tournament_id):
            command = suggested_command("history", tournament_id, seeds=collection.folder)
            return f"A correction of this tournament may be the cause; show its corrections with {command}"
    return ""
