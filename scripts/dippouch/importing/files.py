"""The input of a run: the rating keeper's choices, and the files with their documents, rows and faults."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path

from dippouch.collection.schema import PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS, Seed, SeedRow
from dippouch.messages import DocumentError, Faults, Location
from dippouch.people.questions import Answers, Newcomer
from dippouch.reading.context import ReadingChoices
from dippouch.reading.documents import Document, ListedPlayer, Source, TournamentDocument

# The seeds of documents' statements.
STATEMENTS = (TOURNAMENTS, RESULTS, PUBLISHED_RANKINGS)
# Rows of a document: seeds, and cells without the document's id.
StatedRows = set[tuple[Seed, tuple[str, ...]]]
PlacedRow = tuple[Location, *tuple[str, ...]]


@dataclass(frozen=True)
class Choices(ReadingChoices):
    """The rating keeper's choices for a run of the importer, beside those for reading.

    Attributes:
        last_day: the latest allowed day in a document; None for any.
        answers: the answers about new people.
        another_event: whether new tournaments differ from all known ones.
        replace: whether the documents go before those that do not replace.
        dry_run: whether to find the changes without writing them.
        strict: whether to write nothing if any file is rejected.
    """

    last_day: date | None = None
    answers: Answers = field(default_factory=Answers)
    another_event: bool = False
    replace: bool = False
    dry_run: bool = False
    strict: bool = False


@dataclass(eq=False)
class Stated:
    """What one document of a file states.

    Attributes:
        document: the document.
        title: the name of its tournament, ranking, or person.
        tournament_id: the tournament of its page or table; empty for other documents.
        is_known: whether the collection knew this tournament, ranking or person before.
        by_name: whether a known tournament was found by its name, and may be another one.
        placed: its rows, by seed: the place, and the cells without the id of the document. A dictionary for each row would take three times
            the memory.
        notes: skipped input, and decisions on identities.
        status: `new`, `unchanged` or `changed`.
        changes: the rows whose facts it changed, of what the collection knew before: the seed, `+` for a new row, `-` for one that is gone,
            else `~`, the facts, and whether the row replaces stated facts.
        value: the kind of its tournament (empty for none), the value in percent, and the rule that gives it; None for other documents.
    """

    document: Document
    title: str
    tournament_id: str = ""
    is_known: bool = False
    by_name: bool = False
    placed: dict[Seed, list[PlacedRow]] = field(default_factory=lambda: {seed: [] for seed in STATEMENTS})
    notes: list[str] = field(default_factory=list)
    status: str = ""
    changes: list[tuple[Seed, str, str, bool]] = field(default_factory=list)
    value: tuple[str, float, str] | None = None

    def add(self, seed: Seed, row: SeedRow, location: Location) -> None:
        """Add a row that it states, at its place."""
        _, *columns = seed.columns
        self.placed[seed].append((location, *(row[column] for column in columns)))

    def rows(self, seed: Seed) -> Iterator[SeedRow]:
        """Yield its rows of a seed, without the id of the document."""
        _, *columns = seed.columns
        return (dict(zip(columns, cells, strict=True)) for _, *cells in self.placed[seed])


@dataclass(eq=False)
class ImportedFile:
    """One file in an attempt of a run; only its documents and its faults are those of the attempt before.

    Attributes:
        path: its path.
        documents: its documents, read once.
        faults: what is wrong with it.
        skipped: the remark on a file without anything to import; None for any other.
        document_id: the id of its row in raw_documents.
        is_unchanged: whether the collection had the same document with the same rows.
        rows_before: the rows of its earlier state, if it is a changed page of an archive.
        stated: what its documents state.
        new_people: the people unknown before, by their new ids.
        newcomers: the new people, with likely duplicates and the answers about them.
    """

    path: Path
    documents: list[Document] = field(default_factory=list)
    faults: Faults = field(default_factory=Faults)
    skipped: DocumentError | None = None
    document_id: str = ""
    is_unchanged: bool = False
    rows_before: StatedRows = field(default_factory=set)
    stated: list[Stated] = field(default_factory=list)
    new_people: dict[str, ListedPlayer] = field(default_factory=dict)
    newcomers: list[Newcomer] = field(default_factory=list)

    def add_fault(self, fault: DocumentError) -> None:
        """Keep a fault, up to as many as one message shows."""
        with suppress(DocumentError):
            self.faults.add(fault)

    @property
    def source(self) -> Source:
        """Return the source of its documents; it needs at least one."""
        return self.documents[0].source

    def rows(self, seed: Seed) -> Iterator[SeedRow]:
        """Yield its rows of a seed."""
        for stated in self.stated:
            yield from stated.rows(seed)

    def owners(self) -> Iterator[tuple[str, Stated]]:
        """Yield every tournament and published ranking that it states, with the document that does."""
        for stated in self.stated:
            for seed in (TOURNAMENTS, PUBLISHED_RANKINGS):
                for row in stated.rows(seed):
                    yield owner_of(seed, key_of(seed, row)), stated

    def place_of(self, seed_name: str, key: str, column: str) -> tuple[str, Location]:
        """Return the subject and the place of a cell in the row with a key without the document; the whole file if it does not state the row."""
        name, row, cells = self._places.get((seed_name, key)) or (f"`{key}`", Location(self.path), {})
        return name, cells.get(column, row)

    @cached_property
    def _places(self) -> dict[tuple[str, str], tuple[str, Location, Mapping[str, Location]]]:
        """The subject of each row by seed and key, its place, and those of cells; made for the first fault, because they take much memory."""
        places = {}
        for stated in self.stated:
            of_table = stated.document.locations if isinstance(stated.document, TournamentDocument) else {}
            for seed in STATEMENTS:
                for row, (location, *_) in zip(stated.rows(seed), stated.placed[seed], strict=True):
                    name = row.get("listed_name") or f"`{row['tournament_id']}`"
                    cells = of_table if seed is TOURNAMENTS else {}
                    places[seed.name, key_of(seed, row)] = (name, location, cells)
        return places


def key_of(seed: Seed, row: SeedRow) -> str:
    """Return the key of a row without the document, joined by blanks."""
    return " ".join(row[column] for column in seed.key[1:])


def owner_of(seed: Seed, key: str) -> str:
    """Return the tournament of a row, or the name and the day of its published ranking, by its key without the document."""
    return key.rpartition(" ")[0] if seed is PUBLISHED_RANKINGS else key.partition(" ")[0]
