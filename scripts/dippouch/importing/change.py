"""The change that one document makes: the rows that it adds or completes, and its conflicts with the collection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dippouch.documents import Document, ListedPlayer, PlayerDocument, TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.importing.rows import BY_PLAYER
from dippouch.matching.identities import Identity
from dippouch.matching.people import PLAYER, owner_of
from dippouch.seeds.decisions import WITHDRAWN, corrections_in_force
from dippouch.seeds.schema import (
    FURTHER_STATEMENTS,
    PLAYERS,
    PUBLISHED_RANKINGS,
    RESULTS,
    SOURCE_COLUMNS,
    SOURCE_IDS,
    TOURNAMENTS,
    Row,
    Seed,
)
from dippouch.seeds.store import Collection, Key

# Only --replace changes these once they are stated. The first statement of another column stays in any case.
_GUARDED = {
    TOURNAMENTS: ("kind", "started_on", "ended_on", "players", "rounds", "boards"),
    RESULTS: ("placement",),
    PUBLISHED_RANKINGS: ("published_rank", "published_rating"),
    FURTHER_STATEMENTS: ("players", "placement", "published_value", "published_score"),
}
# The first source's id of a row stays; further ones are in the table of ids.
_FIRST_IDS = frozenset({"source_player_id", "source_tournament_id"})
# A tournament's own table knows these better than a player's page.
_OF_TABLE = frozenset({"listed_name", "first_name", "last_name", "listed_by"})
# Different spellings are no contradiction, so no report mentions them.
_UNREPORTED = _OF_TABLE | {"source", "author"}
_SHOWN = 3

# A row of the collection: the name of its seed, and its key, joined by blanks.
CollectionRow = tuple[str, str]


class Conflict(NamedTuple):
    """A guarded cell of which the collection has another value.

    Attributes:
        row: the row of the collection.
        column: the column of the cell.
        location: the place of the statement in the document.
        found: the statement.
        has: the value of the collection.
        by: the last document that changed the tournament, ranking or player's page of the row; empty if nobody knows.
    """

    row: CollectionRow
    column: str
    location: Location
    found: str
    has: str
    by: str

    def refusal(self, by: str, way_out: str) -> DocumentError:
        """Return the refusal of the document, because `by` states the value of the collection."""
        return DocumentError(self.location, self.found, f"{self.has}, as {by} states", way_out)


@dataclass(frozen=True)
class Difference:
    """A row that importing a document adds or changes; `before` is None for a new one. No import removes a row."""

    table: Seed
    key: Key
    before: Row | None
    after: Row

    def changed_columns(self) -> list[str]:
        """Return the columns with different facts, without those about the source document."""
        before = self.before or dict.fromkeys(self.table.columns, "")
        return [c for c in self.table.columns if c not in SOURCE_COLUMNS and before[c] != self.after[c]]


@dataclass
class Change:
    """The changes by one document.

    Attributes:
        collection: the collection to compare with.
        title: the name of its tournament, ranking, or person.
        replace: whether its guarded statements apply where the collection has others.
        known: whether the collection knew this tournament, ranking or person before.
        tournament_id: the tournament of its page or table; empty for other documents.
        differences: rows added and changed; empty when the collection has all of it already.
        conflicts: its guarded statements of which the collection has another value.
        notes: skipped input, decisions on identities, corrections that override it.
        new_people: people unknown before, by their new ids.
        people: the ids of all people whom the document lists.
        locations: the place of each row in the document, by table and key.
    """

    collection: Collection
    document: Document
    title: str
    replace: bool
    known: bool = False
    tournament_id: str = ""
    differences: list[Difference] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    new_people: dict[str, ListedPlayer] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)
    locations: dict[tuple[Seed, Key], Location] = field(default_factory=dict)
    _kept: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        """Return `new`, `unchanged` or `changed`."""
        if not self.differences:
            return "unchanged"
        return "changed" if self.known else "new"

    def state(self, table: Seed, row: Row, location: Location, *, applies: Iterable[str] = ()) -> None:
        """Add a row of the document, if it differs from the collection's row.

        Args:
            table: the seed of the row.
            row: the row as the document states it; an empty cell states nothing.
            location: the place of the row in the document.
            applies: the columns in which what the document states applies in any case.
        """
        key = tuple(row[column] for column in table.key)
        self.locations[table, key] = location
        before = self.collection.get(table, key)
        after = dict(row)
        # A page of an archive that changed replaces what it stated itself before.
        is_newer = before is not None and before.get("source_sha256") in self.document.source.earlier
        always = row.keys() if is_newer else SOURCE_COLUMNS.union(applies)
        # Facts of a tournament on a player's page do not bind its own table.
        is_free = table is TOURNAMENTS and isinstance(self.document, PlayerDocument)
        for column, value in row.items():
            has = before[column] if before else ""
            if before is None or has in ("", value) or column in always:
                after[column] = value or has
            elif not value or column in _FIRST_IDS:
                after[column] = has
            elif column in _GUARDED.get(table, ()) and not is_free:
                after[column] = value if self.replace else has
                if not self._is_corrected(table, key, column, value):
                    place = location
                    if table is TOURNAMENTS and isinstance(self.document, TournamentDocument):
                        place = self.document.location_of(column)
                    found = f"{column} {value} of {row.get('listed_name') or f'`{key[0]}`'}"
                    self.contradict(table, before, column, place, found, has)
            else:
                after[column] = self._unguarded_cell(table, column, row, before)
        difference = Difference(table, key, before, after)
        if before is None or difference.changed_columns():
            self.differences.append(difference)

    def _unguarded_cell(self, table: Seed, column: str, row: Row, before: Row) -> str:
        """Return the value of any other cell: usually the first statement stays, and a note says so."""
        value, has = row[column], before[column]
        is_of_table = row.get("listed_by") != BY_PLAYER
        is_better = before.get("listed_by") == BY_PLAYER and column in _OF_TABLE
        if is_of_table and (is_better or (self.replace and table is not PLAYERS)):
            return value
        if column not in _UNREPORTED:
            owner = before.get("player_id") or before["tournament_id"]
            self._kept.append(f"{column} `{has}` of `{owner}`, not `{value}`")
        return has

    def contradict(self, table: Seed, before: Row, column: str, location: Location, found: str, has: str) -> None:
        """Add a conflict with a row of the collection."""
        key = [before[part] for part in table.key]
        owner = before if "source_document" in before else self.collection.get(TOURNAMENTS, (before["tournament_id"],))
        by = owner["source_document"] if owner else ""
        self.conflicts.append(Conflict((table.name, " ".join(key)), column, location, found, has, by))

    def state_ids(self, kind: str, our_id: str, theirs: tuple[str, ...], location: Location) -> None:
        """Add the sources' ids of a person or a tournament, unless they have an owner."""
        for source, _, number in (one.partition(":") for one in theirs if not owner_of(self.collection, kind, one)):
            self.state(SOURCE_IDS, {"source": source, "kind": kind, "source_id": number, "our_id": our_id}, location)

    def state_people(self, people: list[Identity], listed: Sequence[ListedPlayer]) -> None:
        """Add the people of the document with the decisions on their identities."""
        self.people.update(person.player_id for person in people)
        for person, player in zip(people, listed, strict=True):
            self.state_ids(PLAYER, person.player_id, player.source_ids, player.location)
            if person.note:
                self.notes.append(f"`{player.listed_name}`: {person.note}")
            if person.is_new:
                self.new_people[person.player_id] = player

    def note_kept(self) -> None:
        """Add notes on statements without effect: the collection has others, or a correction applies; and on a second tournament."""
        first = self.tournament_id.rpartition("-")[0]
        if not self.known and self.collection.get(TOURNAMENTS, (first,)):
            self.notes.append(f"new beside `{first}`, of the same name and year; if it is the same: `dptr undo`")
        if self._kept:
            shown = "; ".join(self._kept[:_SHOWN]) + ("; ..." if len(self._kept) > _SHOWN else "")
            self.notes.append(f"the collection keeps its own values ({len(self._kept)}): {shown}")
        for difference in self.differences:
            if difference.before and difference.table in (TOURNAMENTS, RESULTS):
                corrected = self._corrections(difference.key)
                self.notes += [
                    f"`{' '.join(difference.key)}`: {column} is {difference.after[column]} in the document, and stays"
                    f" {corrected[column]} by a correction; `dptr history {difference.key[0]}` shows it"
                    for column in difference.changed_columns()
                    if column in corrected
                ]

    def _corrections(self, key: Key) -> dict[str, str]:
        """Return the corrected values of a tournament or a result."""
        tournament_id, *player_id = key
        return corrections_in_force(self.collection, tournament_id)["".join(player_id)]

    def _is_corrected(self, table: Seed, key: Key, column: str, value: str) -> bool:
        """Return whether a decision corrected the collection's value to the stated one, or withdrew the result."""
        if table in (PUBLISHED_RANKINGS, FURTHER_STATEMENTS):
            return False
        corrected = self._corrections(key)
        is_withdrawn = table is RESULTS and corrected.get(WITHDRAWN) == "true"
        return is_withdrawn or corrected.get(column) == value
