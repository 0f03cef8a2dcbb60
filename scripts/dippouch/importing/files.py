"""A file of a run: its documents, the rows that they state, and all faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from dippouch.collection.schema import PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS, Row, Seed
from dippouch.errors import DocumentError, Faults, Location
from dippouch.people.questions import Newcomer
from dippouch.reading.documents import Document, ListedPlayer, Source

# The words of a row's key without the id of the document, joined by blanks, beside the seed's name.
Place = tuple[str, str]


@dataclass
class Stated:
    """What one document of a file states.

    Attributes:
        document: the document.
        title: the name of its tournament, ranking, or person.
        tournament_id: the tournament of its page or table; empty for other documents.
        is_known: whether the collection knew this tournament, ranking or person before.
        by_name: whether a known tournament was found by its name, and may be another one.
        rows: the rows, by seed, without the id of the document.
        player: the row of ref_players that a player's page states, if it states a nation.
        notes: skipped input, and decisions on identities.
    """

    document: Document
    title: str
    tournament_id: str = ""
    is_known: bool = False
    by_name: bool = False
    rows: dict[Seed, list[Row]] = field(default_factory=lambda: {TOURNAMENTS: [], RESULTS: [], PUBLISHED_RANKINGS: []})
    player: Row | None = None
    notes: list[str] = field(default_factory=list)


class ImportedFile:
    """One file of a run.

    Attributes:
        path: its path.
        documents: its documents, read once.
        faults: what is wrong with it.
        skipped: the remark on a file without anything to import; None for any other.
        stated: what its documents state.
        document_id: the id of its row in raw_documents.
        is_unchanged: whether the collection had the same document with the same rows.
        new_people: the people unknown before, by their new ids.
        in_tables: the ids of those whom only tables of tournaments list.
        people: the ids of everybody whom it lists.
        newcomers: the new people, with those who may be the same, and the answers about them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.documents: list[Document] = []
        self.faults = Faults()
        self.skipped: DocumentError | None = None
        self.document_id = ""
        self.is_unchanged = False
        self.begin()

    def begin(self) -> None:
        """Forget what an attempt found, but not the faults."""
        self.stated: list[Stated] = []
        self.places: dict[Place, tuple[Location, Mapping[str, Location]]] = {}
        self.new_people: dict[str, ListedPlayer] = {}
        self.in_tables: set[str] = set()
        self.people: set[str] = set()
        self.newcomers: list[Newcomer] = []

    def add_fault(self, fault: DocumentError) -> None:
        """Keep a fault, up to as many as one message shows."""
        with suppress(DocumentError):
            self.faults.add(fault)

    @property
    def source(self) -> Source:
        """Return the source of its documents; it has some."""
        return self.documents[0].source

    def add(
        self, stated: Stated, seed: Seed, row: Row, place: Location, facts: Mapping[str, Location] | None = None
    ) -> None:
        """Add a row that a document states, at its place; `facts` has the places of its cells, if they have others."""
        stated.rows[seed].append(row)
        self.places[seed.name, " ".join(row[column] for column in seed.key[1:])] = (place, facts or {})

    def rows(self, seed: Seed) -> Iterator[Row]:
        """Yield its rows of a seed."""
        for stated in self.stated:
            yield from stated.rows[seed]

    def states(self, seed_name: str, key: str) -> bool:
        """Return whether it states the row of a seed with a key, given without the document."""
        return (seed_name, key) in self.places

    def location_of(self, seed_name: str, key: str, column: str) -> Location:
        """Return the place of a cell in the file; the whole file if the place is unknown."""
        place, facts = self.places.get((seed_name, key), (Location(self.path), {}))
        return facts.get(column) or place
