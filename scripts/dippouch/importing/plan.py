"""What importing a document changes in a collection: found first, shown, then applied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dippouch.documents import (
    Appearance,
    Document,
    ListedPlayer,
    PlayerDocument,
    RankingDocument,
    Result,
    TournamentDocument,
)
from dippouch.errors import DocumentError
from dippouch.importing.consistency import check_together, refuse_likely_duplicate, refuse_loss
from dippouch.importing.kinds import kind_of
from dippouch.importing.rows import BY_PLAYER, BY_TOURNAMENT, player_row, ranking_row, result_row, tournament_row
from dippouch.matching.events import identify_tournament
from dippouch.matching.listings import is_player_id
from dippouch.matching.players import Identity, identify_players
from dippouch.rating.rules import RatingRules
from dippouch.seeds.corrections import is_withdrawn, withdrawn_results
from dippouch.seeds.schema import PLAYERS, PUBLISHED_RANKINGS, RESULTS, SOURCE_COLUMNS, TOURNAMENTS, Row, SeedTable
from dippouch.seeds.store import Collection, Key


@dataclass(frozen=True)
class Difference:
    """A row that importing a document adds or changes; `before` is None for a new one. No import removes a row."""

    table: SeedTable
    key: Key
    before: Row | None
    after: Row

    def changed_columns(self) -> list[str]:
        """The columns whose facts differ; where the document lies does not count."""
        before = self.before or dict.fromkeys(self.table.columns, "")
        return [c for c in self.table.columns if c not in SOURCE_COLUMNS and before[c] != self.after[c]]


@dataclass(frozen=True)
class Change:
    """What one document changes.

    Attributes:
        document: the document.
        title: what it is about, for people: a tournament's name, a ranking's, or a person's.
        known: whether the collection knew this tournament, ranking or person before.
        differences: rows added and changed; empty when the collection states all of it already.
        notes: decisions on who is who that the rating keeper should know of.
    """

    document: Document
    title: str
    known: bool
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        """`new`, `unchanged` or `changed`."""
        if not self.differences:
            return "unchanged"
        return "changed" if self.known else "new"


def plan_change(collection: Collection, document: Document, rules: RatingRules) -> Change:
    """Find what a document changes in a collection; nothing is applied.

    A document's silence erases nothing: a field that it leaves empty keeps what the collection states.

    Args:
        collection: what is known already.
        document: a document that passed `check_document`.
        rules: the rules by which the document's source weighs tournaments.

    Raises:
        DocumentError: when results that the collection holds are missing from the document, when it contradicts them,
            or when its printed value is not that of such an event.
    """
    if isinstance(document, TournamentDocument):
        return _plan_tournament(collection, document, rules)
    if isinstance(document, PlayerDocument):
        return _plan_player(collection, document, rules)
    return _plan_ranking(collection, document)


def apply_change(collection: Collection, change: Change) -> None:
    """Apply a planned change to a collection that is being changed."""
    for difference in change.differences:
        collection.upsert(difference.table, difference.after)


def _plan_tournament(collection: Collection, document: TournamentDocument, rules: RatingRules) -> Change:
    tournament_id = identify_tournament(collection, document)
    before = collection.tournament(tournament_id)
    listed = collection.results_of(tournament_id)
    listed_players = [result.player for result in document.results]
    people = identify_players(collection, listed_players, present=listed)
    results: dict[Key, Row] = {
        (tournament_id, person.player_id): result_row(tournament_id, person, result, BY_TOURNAMENT)
        for person, result in zip(people, document.results, strict=True)
    }
    if before is None:
        refuse_likely_duplicate(collection, document, results)
    withdrawn = withdrawn_results(collection, tournament_id)
    unlisted = [
        row
        for player_id, row in listed.items()
        if (tournament_id, player_id) not in results and player_id not in withdrawn
    ]
    refuse_loss(document, tournament_id, [row for row in unlisted if row["listed_by"] == BY_TOURNAMENT])
    players = document.players or (_declared(before) if before else None)
    check_together(document.source, document.results, players, unlisted)
    row = tournament_row(tournament_id, document, kind_of(document, rules, before["kind"] if before else ""))
    differences = _differences(TOURNAMENTS, {(tournament_id,): row}, {(tournament_id,): before} if before else {})
    differences += _differences(
        RESULTS, results, {(tournament_id, player_id): row for player_id, row in listed.items()}
    )
    notes = _notes(listed_players, people)
    if is_withdrawn(collection, tournament_id):
        notes.append(
            f"`{tournament_id}` is withdrawn and counts nothing; scripts/edit_tournament.py restore brings it back"
        )
    return Change(document, document.name, before is not None, differences, notes)


def _plan_player(collection: Collection, document: PlayerDocument, rules: RatingRules) -> Change:
    person = identify_players(collection, [document.player])[0]
    notes = [f"`{document.player.listed_name}`: {person.note}"] if person.note else []
    known = is_player_id(collection, person.player_id)
    differences = []
    for appearance in document.appearances:
        differences += _plan_appearance(collection, document, person, appearance, rules)
    row, contradiction = player_row(collection, document, person.player_id)
    if contradiction:
        notes.append(contradiction)
    if row:
        before = collection.get(PLAYERS, (person.player_id,))
        differences += _differences(
            PLAYERS, {(person.player_id,): row}, {(person.player_id,): before} if before else {}, ("source",)
        )
    _refuse_same_event_twice(document, differences)
    return Change(document, document.player.name, known, differences, notes)


def _plan_appearance(
    collection: Collection, document: PlayerDocument, person: Identity, appearance: Appearance, rules: RatingRules
) -> list[Difference]:
    """One line of a player's page: the result, and the tournament when nothing is known of it yet.

    Such a tournament declares no players, so it counts nothing until its own page is imported.
    """
    tournament_id = identify_tournament(collection, appearance)
    before = collection.tournament(tournament_id)
    listed = collection.results_of(tournament_id)
    result = Result(replace(document.player, location=appearance.location), appearance.placement)
    row = result_row(tournament_id, person, result, BY_PLAYER)
    if has := listed.get(person.player_id):
        if has["placement"] and row["placement"] and has["placement"] != row["placement"]:
            raise DocumentError(
                appearance.location,
                f"placement {row['placement']} in {appearance.name}",
                f"placement {has['placement']}, as the tournament `{tournament_id}` lists",
                "Find out which is right; scripts/edit_tournament.py corrects a placement with a reason.",
            )
        # The tournament's own table knows better how it lists the person.
        row |= {c: has[c] for c in ("listed_name", "first_name", "last_name", "listed_by") if has[c]}
    told = TournamentDocument(
        source=document.source,
        name=appearance.name,
        started_on=appearance.started_on,
        ended_on=appearance.ended_on,
        results=[result],
        kind=appearance.kind,
        source_tournament_id=appearance.source_tournament_id,
        locations=dict.fromkeys(("name", "started_on"), appearance.location),
    )
    others = [row for player_id, row in listed.items() if player_id != person.player_id]
    withdrawn = withdrawn_results(collection, tournament_id)
    known_others = [row for row in others if row["player_id"] not in withdrawn]
    check_together(document.source, [result], _declared(before) if before else None, known_others)
    differences = []
    if before is None:
        tournament = tournament_row(tournament_id, told, kind_of(told, rules, ""))
        differences = _differences(TOURNAMENTS, {(tournament_id,): tournament}, {})
    elif appearance.source_tournament_id and not before["source_tournament_id"]:
        learnt = before | {"source_tournament_id": appearance.source_tournament_id}
        differences = _differences(TOURNAMENTS, {(tournament_id,): learnt}, {(tournament_id,): before})
    known: dict[Key, Row] = {(tournament_id, person.player_id): has} if has else {}
    return differences + _differences(RESULTS, {(tournament_id, person.player_id): row}, known)


def _plan_ranking(collection: Collection, document: RankingDocument) -> Change:
    listed_players = [rank.player for rank in document.ranks]
    people = identify_players(collection, listed_players)
    rows: dict[Key, Row] = {}
    known: dict[Key, Row] = {}
    for person, rank in zip(people, document.ranks, strict=True):
        key = (document.ranking_name, document.last_update.isoformat(), person.player_id)
        rows[key] = ranking_row(document, person, rank)
        if before := collection.get(PUBLISHED_RANKINGS, key):
            known[key] = before
    title = f"{document.ranking_name}, {document.last_update}"
    differences = _differences(PUBLISHED_RANKINGS, rows, known)
    return Change(document, title, bool(known), differences, _notes(listed_players, people))


def _differences(
    table: SeedTable, rows: dict[Key, Row], known: dict[Key, Row], silent: tuple[str, ...] = ()
) -> list[Difference]:
    """The rows that state something new; `silent` columns alone do not."""
    found = []
    for key, row in rows.items():
        before = known.get(key)
        after = row
        if before is not None:
            # Where facts came from is said by one document, and not patched together from several.
            after = {c: row[c] if c in SOURCE_COLUMNS else row[c] or before[c] for c in table.columns}
        difference = Difference(table, key, before, after)
        if before is None or set(difference.changed_columns()) - set(silent):
            found.append(difference)
    return found


def _refuse_same_event_twice(document: PlayerDocument, differences: list[Difference]) -> None:
    seen = set()
    for difference in differences:
        if difference.table is RESULTS:
            if difference.key in seen:
                raise document.source.fault(f"the tournament `{difference.key[0]}` twice", "every tournament once")
            seen.add(difference.key)


def _notes(listed: Sequence[ListedPlayer], people: list[Identity]) -> list[str]:
    return [f"`{row.listed_name}`: {person.note}" for row, person in zip(listed, people, strict=True) if person.note]


def _declared(tournament: Row) -> int | None:
    return int(tournament["players"]) if tournament["players"] else None
