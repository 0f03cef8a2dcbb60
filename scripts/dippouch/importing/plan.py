"""Plan the changes of a collection by a document: they are found, shown, and then applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.consistency import refuse_likely_duplicate, refuse_loss
from dippouch.importing.kinds import kind_of
from dippouch.importing.rows import BY_PLAYER, BY_TOURNAMENT, player_row, ranking_row, result_row, tournament_row
from dippouch.importing.validation import refuse_other_year
from dippouch.matching.identities import Identity, as_listed, identify_players, identify_tournament
from dippouch.matching.newcomers import Answers, with_answers
from dippouch.matching.people import PLAYER, TOURNAMENT, is_player_id, new_rows
from dippouch.rating.printed import FACTS_OF_VALUE, figure_of_other_facts
from dippouch.rating.rules import RatingRules
from dippouch.seeds.corrections import (
    WITHDRAWN,
    corrected_results,
    corrections_in_force,
    is_withdrawn,
    withdrawn_results,
)
from dippouch.seeds.persons import people_behind
from dippouch.seeds.schema import (
    PLAYERS,
    PUBLISHED_RANKINGS,
    RESULTS,
    SOURCE_COLUMNS,
    SOURCE_IDS,
    TOURNAMENT_KINDS,
    TOURNAMENTS,
    Row,
    Seed,
)
from dippouch.seeds.store import Collection, Key
from dippouch.suggestions import suggested_command

_FIRST_IDS = ("source_player_id", "source_tournament_id")


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


@dataclass(frozen=True)
class Change:
    """The changes by one document.

    Attributes:
        title: the name of its tournament, ranking, or person.
        tournament_id: the tournament of its page or table; empty for other documents.
        known: whether the collection knew this tournament, ranking or person before.
        differences: rows added and changed; empty when the collection has all of it already.
        notes: how the document was read, decisions on identities, corrections that override it.
        new_people: people unknown before, by their new ids.
        people: the ids of all people whom the document lists.
        locations: the place of each row in the document, by table and key.
    """

    document: Document
    title: str
    known: bool
    tournament_id: str = ""
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    new_people: dict[str, ListedPlayer] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)
    locations: dict[tuple[Seed, Key], Location] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """Return `new`, `unchanged` or `changed`."""
        if not self.differences:
            return "unchanged"
        return "changed" if self.known else "new"

    def state(self, table: Seed, row: Row, before: Row | None, location: Location | None = None) -> None:
        """Add a row of the document, if it differs from `before`, the row of the collection."""
        key = tuple(row[column] for column in table.key)
        if location:
            self.locations[table, key] = location
        after = row
        if before is not None:
            # The source columns come from a single document. The first source's id of a row stays; further ones are in the
            # table of ids.
            after = {c: row[c] if c in SOURCE_COLUMNS else row[c] or before[c] for c in table.columns}
            after |= {c: before[c] for c in _FIRST_IDS if before.get(c)}
        difference = Difference(table, key, before, after)
        if before is None or difference.changed_columns():
            self.differences.append(difference)

    def state_ids(self, collection: Collection, kind: str, our_id: str, theirs: tuple[str, ...]) -> None:
        """Add the sources' ids of a person or a tournament."""
        for row in new_rows(collection, kind, our_id, theirs):
            self.state(SOURCE_IDS, row, None)

    def state_people(self, collection: Collection, people: list[Identity], listed: Sequence[ListedPlayer]) -> None:
        """Add the people of the document with the decisions on their identities."""
        self.people.update(person.player_id for person in people)
        for person, player in zip(people, listed, strict=True):
            self.state_ids(collection, PLAYER, person.player_id, player.source_ids)
            if person.note:
                self.notes.append(f"`{player.listed_name}`: {person.note}")
            if person.is_new:
                self.new_people[person.player_id] = player


def plan_change(
    collection: Collection,
    document: Document,
    rules: RatingRules,
    faults: Faults,
    answers: Answers,
    *,
    another_event: bool,
) -> Change:
    """Find a document's changes in a collection, without applying them.

    Empty fields of a document delete nothing: the collection's values stay. People listed twice, unknown kinds and likely misspellings
    without an answer are gathered as faults; then the change only serves to check the other rows.

    Raises:
        DocumentError: when the document lacks results that the collection has, contradicts them,
            or has a printed value that is not that of such a tournament.
    """
    if isinstance(document, TournamentDocument):
        return _plan_tournament(collection, document, rules, faults, answers, another_event=another_event)
    if isinstance(document, PlayerDocument):
        return _plan_player(collection, document, rules, faults)
    return _plan_ranking(collection, document, faults)


def apply_change(collection: Collection, change: Change) -> None:
    """Apply a planned change to an open collection."""
    for difference in change.differences:
        collection.upsert(difference.table, difference.after)


def refuse_contradiction(collection: Collection, change: Change, rules: RatingRules) -> None:
    """Refuse an applied change if printed figures contradict the resulting facts.

    Raises:
        DocumentError: when there are such figures; then the caller must take the change back.
    """
    changed = {found.key[0] for found in change.differences if found.table in (TOURNAMENTS, RESULTS)}
    # New tournaments were checked before, with their documents.
    new = {found.key[0] for found in change.differences if found.table is TOURNAMENTS and found.before is None}
    for tournament_id in sorted(changed - new):
        if figure := figure_of_other_facts(collection, rules, tournament_id):
            raise change.document.source.fault(
                f"facts of `{tournament_id}` that contradict {figure}, printed in another of its documents",
                "the players, rounds, days, kind and placements that give the printed figures",
                "If the other document is wrong, correct its facts; then its figures are not checked:"
                f" {_correction(collection, change, tournament_id)}",
            )


def _correction(collection: Collection, change: Change, tournament_id: str) -> str:
    """Return the command that corrects the new facts of a tournament and its changed results."""
    words: list[str] = []
    for difference in change.differences:
        columns = (
            set(difference.changed_columns()) if difference.before and difference.key[0] == tournament_id else set()
        )
        if corrected := [f"{c}={difference.after[c]}" for c in (*FACTS_OF_VALUE, "placement") if c in columns]:
            words += [*(("--player", difference.key[1]) if difference.table is RESULTS else ()), *corrected]
    command = ("correct", tournament_id, *words, "--reason", "...") if words else ("history", tournament_id)
    return suggested_command(*command, seeds=collection.folder)


def _plan_tournament(
    collection: Collection,
    document: TournamentDocument,
    rules: RatingRules,
    faults: Faults,
    answers: Answers,
    *,
    another_event: bool,
) -> Change:
    tournament_id = identify_tournament(collection, document, is_another=another_event)
    before = collection.tournament(tournament_id)
    listed = collection.results_of(tournament_id)
    listed_players = [result.player for result in document.results]
    kind, note = "", ""
    with faults.gathered():
        kind, note = kind_of(list(collection.all(TOURNAMENT_KINDS)), document, rules, before)
    if before is None:
        with faults.gathered():
            refuse_other_year(document)
    named = identify_players(collection, listed_players, faults, present=listed)
    is_whole = not faults and not document.is_partial
    people = with_answers(collection, listed, list(zip(listed_players, named, strict=True)), answers, faults)
    rows = [
        result_row(tournament_id, person, result, BY_TOURNAMENT)
        for person, result in zip(people, document.results, strict=True)
    ]
    for row, person, before_answers in zip(rows, people, named, strict=True):
        if person is not before_answers:
            row |= {column: listed[person.player_id][column] for column in ("first_name", "last_name")}
    # A partial document without a name or a day has a placeholder id.
    if before is None and not another_event and not (document.is_partial and document.tournament_id):
        with faults.gathered():
            refuse_likely_duplicate(collection, document, rows)
    unlisted = listed.keys() - {person.player_id for person in people} - withdrawn_results(collection, tournament_id)
    lost = {
        player_id: row
        for player_id, row in listed.items()
        if player_id in unlisted and row["listed_by"] == BY_TOURNAMENT
    }
    if lost and is_whole:
        refuse_loss(collection, document, tournament_id, lost, {})
    notes = [*document.remarks, *filter(None, [note])]
    change = Change(document, document.name, before is not None, tournament_id, notes=notes)
    stated = tournament_row(tournament_id, document, kind)
    change.state(TOURNAMENTS, stated, before)
    for row, player in zip(rows, listed_players, strict=True):
        change.state(RESULTS, row, listed.get(row["player_id"]), player.location)
    if before and change.differences and change.differences[0].table is not TOURNAMENTS:
        # The source of a tournament is the last document that stated it, or one of its results.
        source = {column: stated[column] for column in SOURCE_COLUMNS}
        change.differences.append(Difference(TOURNAMENTS, (tournament_id,), before, before | source))
    change.state_ids(collection, TOURNAMENT, tournament_id, document.source_ids)
    change.state_people(collection, people, listed_players)
    change.notes.extend(_earlier_matches(collection, people, listed_players, listed))
    change.notes.extend(_corrections_in_force(collection, change.differences))
    if is_withdrawn(collection, tournament_id):
        restore = suggested_command("restore", tournament_id, "--reason", "...", seeds=collection.folder)
        change.notes.append(f"`{tournament_id}` is withdrawn and does not count; {restore} brings it back")
    return change


def _plan_player(collection: Collection, document: PlayerDocument, rules: RatingRules, faults: Faults) -> Change:
    people = identify_players(collection, [document.player], faults)
    person = people[0]
    change = Change(
        document, document.player.name, is_player_id(collection, person.player_id), notes=[*document.remarks]
    )
    taken: set[str] = set()
    for appearance in document.appearances:
        with faults.gathered():
            tournament_id = identify_tournament(collection, appearance, taken)
            if tournament_id in taken:
                raise document.source.fault(f"the tournament `{tournament_id}` twice", "every tournament once")
            taken.add(tournament_id)
            _plan_appearance(collection, change, document, person, appearance, tournament_id, rules)
    change.state_people(collection, people, [document.player])
    change.notes.extend(_corrections_in_force(collection, change.differences))
    known = collection.get(PLAYERS, (person.player_id,))
    row, contradiction = player_row(document, person.player_id, known)
    if contradiction:
        change.notes.append(contradiction)
    if row:
        change.state(PLAYERS, row, known)
    return change


def _plan_appearance(
    collection: Collection,
    change: Change,
    document: PlayerDocument,
    person: Identity,
    appearance: Appearance,
    tournament_id: str,
    rules: RatingRules,
) -> None:
    """Add one line of a player's page: the result, and the tournament if it is unknown.

    Such a tournament declares no players, so it does not count until its own page is imported.
    """
    before = collection.tournament(tournament_id)
    listed = collection.results_of(tournament_id)
    person = as_listed(collection, person, listed)
    result = Result(replace(document.player, location=appearance.location), appearance.placement)
    row = result_row(tournament_id, person, result, BY_PLAYER)
    if has := listed.get(person.player_id):
        stands = corrected_results(collection, tournament_id)[person.player_id]
        if stands[WITHDRAWN] == "true" or (row["placement"] and row["placement"] == stands["placement"]):
            # If the page agrees with a correction or withdrawal, the table's statement stays as it is.
            row["placement"] = has["placement"]
        if has["placement"] and row["placement"] and has["placement"] != row["placement"]:
            raise DocumentError(
                appearance.location,
                f"placement {row['placement']} in {appearance.name}",
                f"placement {has['placement']}, as the tournament `{tournament_id}` lists",
                "Find out which is right; `dptr correct` corrects a placement with a reason.",
            )
        # The tournament's own table is more reliable on how it lists the person.
        row |= {c: has[c] for c in ("listed_name", "first_name", "last_name", "listed_by") if has[c]}
    told = TournamentDocument(
        source=document.source,
        name=appearance.name,
        started_on=appearance.started_on,
        ended_on=appearance.ended_on,
        results=[result],
        kind=appearance.kind,
        source_ids=appearance.source_ids,
        locations={"kind": appearance.location},
    )
    kind, _ = kind_of(list(collection.all(TOURNAMENT_KINDS)), told, rules, before)
    stated = tournament_row(tournament_id, told, kind)
    tournament = (before or stated) | {"source_tournament_id": stated["source_tournament_id"]}
    change.state(TOURNAMENTS, tournament, before, appearance.location)
    change.state(RESULTS, row, has, appearance.location)
    change.state_ids(collection, TOURNAMENT, tournament_id, appearance.source_ids)


def _plan_ranking(collection: Collection, document: RankingDocument, faults: Faults) -> Change:
    listed_players = [rank.player for rank in document.ranks]
    people = identify_players(collection, listed_players, faults)
    rows = [ranking_row(document, person, rank) for person, rank in zip(people, document.ranks, strict=True)]
    known = [collection.get(PUBLISHED_RANKINGS, tuple(row[c] for c in PUBLISHED_RANKINGS.key)) for row in rows]
    title = f"{document.ranking_name}, {document.last_update}"
    change = Change(document, title, any(known), notes=[*document.remarks])
    for row, before, player in zip(rows, known, listed_players, strict=True):
        change.state(PUBLISHED_RANKINGS, row, before, player.location)
    change.state_people(collection, people, listed_players)
    return change


def _earlier_matches(
    collection: Collection, people: list[Identity], players: Sequence[ListedPlayer], listed: Mapping[str, Row]
) -> list[str]:
    """Return notes on new results of names that an earlier decision matched with a person."""
    behind = people_behind(collection)
    return [
        f"`{player.listed_name}`: is `{behind[person.player_id]}` by an earlier decision"
        for person, player in zip(people, players, strict=True)
        if person.player_id in behind and person.player_id not in listed and not person.is_new
    ]


def _corrections_in_force(collection: Collection, differences: list[Difference]) -> list[str]:
    """Return notes on new statements about corrected fields: the correction still applies, but should be reviewed."""
    notes = []
    for difference in differences:
        if difference.before is None or difference.table not in (TOURNAMENTS, RESULTS):
            continue
        tournament_id, *player_id = difference.key
        corrected = corrections_in_force(collection, tournament_id)["".join(player_id)]
        for column in [column for column in difference.changed_columns() if column in corrected]:
            stated, stands = difference.after[column], corrected[column]
            effect = f"stays {stands} by a correction; `dptr history` shows it, `dptr revert` takes it back"
            if stated == stands:
                effect = "in a correction, too; `dptr history` shows it"
            notes.append(f"`{' '.join(difference.key)}`: {column} is {stated} in the document, and {effect}")
    return notes
