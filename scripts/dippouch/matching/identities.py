"""The identity of a listed person or a described tournament: decided once, at import. Decisions apply on top of it.

docs/identity.md has the rules for people and tournaments. Among several namesakes the order is: a person who is in this tournament already
(of several, one listed with this name or nation), a person of the same stated nation, the lowest number. An answer goes before the last two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Group
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import count

from dippouch.documents import ListedPlayer, TournamentDocument
from dippouch.errors import DocumentError, Faults
from dippouch.ids import is_taken, name_and_year_id, readable_id_or_empty
from dippouch.matching.people import PLAYER, TOURNAMENT, is_of_another, is_player_id, owner_of
from dippouch.names import shortened
from dippouch.seeds.decisions import corrected_tournament, id_in_tournament
from dippouch.seeds.schema import TOURNAMENTS, Row
from dippouch.seeds.store import Collection

# Sources disagree on a tournament's days by its eve or its last day, not by more.
NEAR_DAYS = 7


@dataclass(frozen=True)
class Identity:
    """The identity of a listed person.

    Attributes:
        player_id: the id.
        note: an explanation of the decision for the rating keeper; empty if there was nothing to decide.
        is_new: whether the id was free before.
        is_answered: whether an answer gave a person of this tournament another name.
        is_asked: whether the rating keeper has to answer first.
        answer: the person whom an answer names; empty without one.
        namesakes: the people among whom an answer may choose, because none of them is in this tournament.
    """

    player_id: str
    note: str = ""
    is_new: bool = False
    is_answered: bool = False
    is_asked: bool = False
    answer: str = ""
    namesakes: frozenset[str] = frozenset()


def identify_players(
    collection: Collection, players: list[ListedPlayer], faults: Faults, present: Mapping[str, Row]
) -> list[Identity]:
    """Identify the people that one document lists; no two of them are the same.

    Args:
        collection: the known people.
        players: the people of one table, each once.
        faults: gathers people who are listed twice, and last names without a letter. They get a meaningless id: the rows of a faulty
            document are checked, but never written.
        present: the collection's results of this tournament, by listed id.
    """
    # The players by their ids and by the ids of their sources.
    taken: dict[str, ListedPlayer] = {}
    people: list[Identity] = []
    for number, player in enumerate(players, start=1):
        if not ((name_id := readable_id_or_empty(player.name)) and any(map(str.isalpha, player.last_name))):
            faults.add(DocumentError(player.location, f"the name {_described(player)}", "a last name with a letter"))
            people.append(Identity(str(number)))
            continue
        person = as_listed(collection, _identify(collection, player, name_id, present, taken), present)
        ids = (person.player_id, *player.source_ids)
        if earlier := next((taken[known] for known in ids if known in taken), None):
            found = f"{_described(player)}, who is {_described(earlier)} of {earlier.location.in_file}"
            way_out = "Delete one row. If they are two people, give each their nation or their id."
            faults.add(DocumentError(player.location, found, "every player once", way_out))
            person = Identity(str(number))
        taken |= dict.fromkeys(ids, player)
        people.append(person)
    return people


def as_listed(collection: Collection, person: Identity, listed: Mapping[str, Row]) -> Identity:
    """Return a person under their id in a tournament's results, which may be a different one by a decision."""
    if not listed or person.is_new or person.player_id in listed:
        return person
    tournament_id = next(iter(listed.values()))["tournament_id"]
    return replace(person, player_id=id_in_tournament(collection, person.player_id, tournament_id, listed))


def identify_tournament(
    collection: Collection, event: TournamentDocument, taken: Group[str] = (), *, is_another: bool = False
) -> str:
    """Return the id of the tournament that a document, or a line of a player's page, describes; a new one if it is unknown.

    Args:
        collection: the known tournaments.
        event: the described tournament.
        taken: ids of other tournaments on the same page, which are excluded.
        is_another: whether the rating keeper says that it is none of the known tournaments of its name.

    Raises:
        DocumentError: when its name or the id that it gives makes no id.
    """
    at = event.location_of("name")
    if not readable_id_or_empty(event.name):
        found = f"the name `{shortened(event.name)}` of a tournament with no letter or digit"
        raise DocumentError(at, found, "a name with letters")
    for source_id in event.source_ids:
        if owner := owner_of(collection, TOURNAMENT, source_id):
            return owner
    if event.tournament_id:
        return event.tournament_id
    name_id = name_and_year_id(event.name, str(event.ended_on.year))
    near = []
    # By the documents' name, or by the corrected one.
    of_name = "where tournament_id in (select tournament_id from tournament_names where name_id = ?)"
    for row in list(collection.rows(TOURNAMENTS, of_name, (name_id,))):
        known = row["tournament_id"]
        is_other_file = row["source_sha256"] != event.source.sha256
        is_excluded = known in taken or (is_another and is_other_file)
        if is_excluded or is_of_another(collection, TOURNAMENT, known, event.source_ids):
            continue
        # As stated or as corrected; the smaller distance counts.
        days = min(_days_between(days, event) for days in (row, corrected_tournament(collection, known)))
        if days <= NEAR_DAYS:
            near.append((days, is_other_file, known))
    if near:
        return min(near)[2]
    candidates = (name_id if number == 1 else f"{name_id}-{number}" for number in count(1))
    return next(made for made in candidates if made not in taken and collection.get(TOURNAMENTS, (made,)) is None)


def _identify(
    collection: Collection,
    player: ListedPlayer,
    name_id: str,
    present: Mapping[str, Row],
    taken: dict[str, ListedPlayer],
) -> Identity:
    namesakes = find_namesakes(collection, name_id, present)
    if known := _known_by_id(collection, player, namesakes):
        return known
    possible = [
        player_id
        for player_id, theirs in namesakes.items()
        if not is_of_another(collection, PLAYER, player_id, player.source_ids)
        and not _is_further_namesake(player)
        and not (player.nation_code and any(theirs) and player.nation_code not in theirs)
        and not (player_id in taken and _are_distinguished(player, taken[player_id]))
    ]
    if possible:

        def preference(player_id: str) -> tuple[bool, bool, bool, bool, int, str]:
            row = present.get(player_id)
            has_name_there = row is not None and _has_name(row, name_id)
            has_nation_there = row is not None and row["nation_code"] == (player.nation_code or "")
            has_nation = player.nation_code in namesakes[player_id]
            return row is None, not has_name_there, not has_nation_there, not has_nation, len(player_id), player_id

        chosen = min(possible, key=preference)
        namesakes_here = frozenset(() if chosen in present else possible)
        if len(possible) == 1 or player.nation_code or chosen in present:
            return Identity(chosen, namesakes=namesakes_here)
        others = ", ".join(f"`{other}`" for other in sorted({*namesakes} - {chosen}))
        note = f"taken for `{chosen}`; may be {others}; if so, use `dptr split`"
        return Identity(chosen, note, namesakes=namesakes_here)
    for player_id in (name_id if number == 1 else f"{name_id}-{number}" for number in count(1)):
        # The same name twice without a distinction is the same person: the caller reports it.
        is_of_other = player_id in taken and _are_distinguished(player, taken[player_id])
        if not (is_of_other or is_taken(player_id) or is_player_id(collection, player_id, of_person=True)):
            break
    why = "cannot be the name of a file" if is_taken(name_id) else "is taken"
    note = "" if player_id == name_id else f"a new `{player_id}`, because `{name_id}` {why}"
    return Identity(player_id, note, is_new=True)


def find_namesakes(collection: Collection, name_id: str, present: Mapping[str, Row]) -> dict[str, set[str]]:
    """Return the nations of all people with a name, by id; an empty text for a listing without one."""
    namesakes: dict[str, set[str]] = defaultdict(set)
    sql = (
        "select player_id, nation_code from listings"
        " where player_id in (select player_id from listings where name_id = ?) and player_id != ''"
    )
    for player_id, nation in collection.query(sql, (name_id,)):
        namesakes[player_id].add(nation)
    # A person split off in this tournament is listed there under the document's id, and one by an answer with another name.
    for listed_id, row in present.items():
        if listed_id not in namesakes and _has_name(row, name_id):
            namesakes[listed_id].add(row["nation_code"])
    return namesakes


def _has_name(row: Row, name_id: str) -> bool:
    """Return whether a result lists somebody under a name, or an answer gave them another one there."""
    return name_id in map(readable_id_or_empty, (f"{row['first_name']} {row['last_name']}", row["listed_name"]))


def _known_by_id(collection: Collection, player: ListedPlayer, namesakes: Group[str]) -> Identity | None:
    """Identify a person by the document's own id, or by a known id of a source."""
    if player.player_id and not is_player_id(collection, player.player_id):
        return Identity(player.player_id, is_new=True)
    ids = {player.player_id: player.player_id} if player.player_id else {}
    ids = ids or {given: owner for given in player.source_ids if (owner := owner_of(collection, PLAYER, given))}
    if not ids:
        return None
    given, player_id = next(iter(ids.items()))
    for other, owner in ids.items():
        if owner != player_id:
            way_out = f"if they are one: {collection.command('merge', owner, player_id)}"
            return Identity(player_id, f"{given} is `{player_id}`, but {other} is `{owner}`; {way_out}")
    return Identity(player_id, "" if player_id in namesakes else f"{given} is `{player_id}`, of another name elsewhere")


def _is_further_namesake(player: ListedPlayer) -> bool:
    """Return whether the document numbers a person 2 or more among namesakes, so that a known namesake is another person."""
    return any(name.startswith("namesake:") and not name.endswith("-1") for name in player.source_ids)


def _are_distinguished(one: ListedPlayer, other: ListedPlayer) -> bool:
    """Return whether a table itself distinguishes two namesakes, by ids of its source or by nations."""
    if one.source_ids and other.source_ids:
        return one.source_ids[0] != other.source_ids[0]
    return bool(one.nation_code and other.nation_code and one.nation_code != other.nation_code)


def _described(player: ListedPlayer) -> str:
    return f"`{shortened(player.listed_name)}`" + (f" ({player.source_ids[0]})" if player.source_ids else "")


def _days_between(row: Row, event: TournamentDocument) -> int:
    started, ended = (date.fromisoformat(row[name]) for name in ("started_on", "ended_on"))
    return min(abs((started - event.started_on).days), abs((ended - event.ended_on).days))
