"""The identity of a listed person or a described tournament: decided once, at import. Decisions apply on top of it.

docs/identity.md has the rules for people and tournaments. Among several namesakes the order is: a person who is in this tournament already
(of several, first one whose id no other line gives, then one listed with this name and nation), a person of the same stated nation, a
person whose name is spelt the same, the lowest number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Group
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from itertools import count

from dippouch.documents import Appearance, ListedPlayer, TournamentDocument
from dippouch.errors import DocumentError, Faults
from dippouch.ids import fault_of_id, is_taken, name_and_year_id, readable_id_or_empty
from dippouch.matching.people import PLAYER, TOURNAMENT, is_of_another, is_player_id, owner_of
from dippouch.names import shortened
from dippouch.seeds.corrections import corrected_tournament
from dippouch.seeds.persons import id_in_tournament
from dippouch.seeds.schema import ALIASES, TOURNAMENTS, Row
from dippouch.seeds.store import Collection

# Sources disagree on a tournament's days by its eve or its last day, not by more.
NEAR_DAYS = 7


# The ways in which a person is listed: spelling and nation ("": none).
Listings = list[tuple[str, str]]


@dataclass(frozen=True)
class Identity:
    """The identity of a listed person.

    Attributes:
        player_id: the id.
        note: an explanation of the decision for the rating keeper; empty if there was nothing to decide.
        is_new: whether the id was free before.
    """

    player_id: str
    note: str = ""
    is_new: bool = False


def identify_players(
    collection: Collection, players: list[ListedPlayer], faults: Faults, *, present: Mapping[str, Row] | None = None
) -> list[Identity]:
    """Identify the people that one document lists; no two of them are the same.

    Args:
        collection: the known people.
        players: the people of one table, each once.
        faults: gathers people who are listed twice, and names without a letter. They get a meaningless id: the rows of a faulty
            document are checked, but never written.
        present: the collection's results of this tournament, by listed id.
    """
    claimed = {owner_of(collection, PLAYER, given) for player in players for given in player.source_ids}
    # The players by their ids and by the ids of their sources.
    taken: dict[str, ListedPlayer] = {}
    people: list[Identity] = []
    present = present or {}
    for number, player in enumerate(players, start=1):
        if not (name_id := readable_id_or_empty(player.name)):
            faults.add(DocumentError(player.location, f"the name {_described(player)}", "a name with a letter"))
            people.append(Identity(str(number)))
            continue
        person = as_listed(collection, _identify(collection, player, name_id, present, taken, claimed), present)
        row = present.get(person.player_id)
        if row and collection.get(ALIASES, (person.player_id, row["tournament_id"])):
            person = replace(person, note="")  # A split has decided.
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
    collection: Collection, event: TournamentDocument | Appearance, taken: Group[str] = (), *, is_another: bool = False
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
    document = event if isinstance(event, TournamentDocument) else None
    at = event.location_of("name") if isinstance(event, TournamentDocument) else event.location
    if not readable_id_or_empty(event.name):
        found = f"the name `{shortened(event.name)}` of a tournament with no letter or digit"
        raise DocumentError(at, found, "a name with letters")
    for source_id in event.source_ids:
        if owner := owner_of(collection, TOURNAMENT, source_id):
            return owner
    if document and document.tournament_id:
        given = readable_id_or_empty(document.tournament_id)
        if expected := fault_of_id(given):
            at = document.locations.get("tournament_id", at)
            raise DocumentError(at, f"the tournament id `{document.tournament_id}`", expected)
        return given
    name_id = name_and_year_id(event.name, str(event.ended_on.year))
    near = []
    # By the documents' name, or by the corrected one.
    of_name = (
        "where tournament_id in (select tournament_id from tournament_names where name_id = ?) order by tournament_id"
    )
    for row in list(collection.rows(TOURNAMENTS, of_name, (name_id,))):
        known = row["tournament_id"]
        is_other_file = document is None or row["source_sha256"] != document.source.sha256
        if (
            known in taken
            or is_of_another(collection, TOURNAMENT, known, event.source_ids)
            or (is_another and is_other_file)
        ):
            continue
        # As stated or as corrected; the smaller distance counts.
        days = min(_days_between(days, event) for days in (row, corrected_tournament(collection, known)))
        if days <= NEAR_DAYS:
            near.append((is_other_file, days, known))
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
    claimed: Group[str | None],
) -> Identity:
    namesakes = _namesakes(collection, name_id, present)
    if known := _known_by_id(collection, player, namesakes):
        return known
    nations = {known: {nation for _, nation in listings} for known, listings in namesakes.items()}
    possible = [
        player_id
        for player_id, theirs in nations.items()
        if not is_of_another(collection, PLAYER, player_id, player.source_ids)
        and not (player.nation_code and any(theirs) and player.nation_code not in theirs)
        and not (player_id in taken and _are_distinguished(player, taken[player_id]))
    ]
    if possible:

        def preference(player_id: str) -> tuple[bool, bool, bool, bool, bool, bool, int, str]:
            row = present.get(player_id, {})
            listed_so = (row.get("listed_name"), row.get("nation_code")) == (
                player.listed_name,
                player.nation_code or "",
            )
            of_tournament = (player_id not in present, player_id in claimed, not listed_so)
            is_respelt = bool(_other_spelling(player, namesakes[player_id]))
            of_name = (player.nation_code not in nations[player_id], is_respelt, player_id != name_id)
            return *of_tournament, *of_name, len(player_id), player_id

        chosen, note = min(possible, key=preference), ""
        if len(possible) > 1 and not player.nation_code and chosen not in present:
            others = ", ".join(f"`{other}`" for other in sorted({*namesakes} - {chosen}))
            note = f"taken for `{chosen}`; may be {others}; if so, use `dptr split`"
        elif other := _other_spelling(player, namesakes[chosen]):
            note = f"taken for `{chosen}`, spelt `{other}` elsewhere; if they are two people, use `dptr split`"
        return Identity(chosen, note)
    is_known = bool(namesakes) or is_player_id(collection, name_id)
    # The same name twice without a distinction is the same person: the caller reports it.
    is_first = name_id not in taken or not _are_distinguished(player, taken[name_id])
    if not is_known and is_first and not is_taken(name_id):
        return Identity(name_id, is_new=True)
    numbered = (f"{name_id}-{number}" for number in count(2))
    player_id = next(made for made in numbered if not is_player_id(collection, made) and made not in taken)
    why = f"beside `{name_id}`" if is_known or not is_first else f"because `{name_id}` is a reserved file name"
    return Identity(player_id, f"a new `{player_id}`, {why}", is_new=True)


def _namesakes(collection: Collection, name_id: str, present: Mapping[str, Row]) -> dict[str, Listings]:
    """Return the listings of all people with a name, by id."""
    namesakes: dict[str, Listings] = defaultdict(list)
    sql = (
        "select distinct player_id, spelling, nation_code from listings"
        " where player_id in (select player_id from listings where name_id = ?) and player_id != '' order by 1, 2, 3"
    )
    for player_id, spelling, nation in collection.query(sql, (name_id,)):
        namesakes[player_id].append((spelling, nation))
    # A person split off in this tournament is listed there under the document's id, and one by an answer with another name.
    for listed_id, row in present.items():
        name = f"{row['first_name']} {row['last_name']}".strip()
        if listed_id not in namesakes and name_id in map(readable_id_or_empty, (name, row["listed_name"])):
            namesakes[listed_id].append((name, row["nation_code"]))
    return namesakes


def _known_by_id(collection: Collection, player: ListedPlayer, namesakes: dict[str, Listings]) -> Identity | None:
    """Identify a person by the document's own id, or by a known id of a source."""
    if player.player_id and not is_player_id(collection, player.player_id):
        return Identity(player.player_id, is_new=True)
    ids = {player.player_id: player.player_id} if player.player_id else {}
    ids = ids or {given: owner for given in player.source_ids if (owner := owner_of(collection, PLAYER, given))}
    if not ids:
        return None
    given, player_id = next(iter(ids.items()))
    others = ", ".join(f"{other} is `{owner}`" for other, owner in ids.items() if owner != player_id)
    if others:
        return Identity(player_id, f"{given} is `{player_id}`, but {others}; `dptr merge` can match them")
    if player_id not in namesakes:
        return Identity(player_id, f"{given} is `{player_id}`, of another name elsewhere")
    spelling = _other_spelling(player, namesakes[player_id])
    return Identity(player_id, f"{given} is `{player_id}`, spelt `{spelling}` elsewhere" if spelling else "")


def _other_spelling(player: ListedPlayer, listings: Listings) -> str:
    """Return another spelling of a name, if it is never spelt as in the document, ignoring case; otherwise empty."""
    spellings = [spelling for spelling, _ in listings]
    if player.name.casefold() in map(str.casefold, spellings):
        return ""
    # The spelling with the most accents is best: accents get lost, but are not invented.
    return max(spellings, key=lambda spelling: (sum(not c.isascii() for c in spelling), spelling))


def _are_distinguished(one: ListedPlayer, other: ListedPlayer) -> bool:
    """Return whether a table itself distinguishes two namesakes, by ids of its source or by nations."""
    if one.source_ids and other.source_ids:
        return one.source_ids[0] != other.source_ids[0]
    return bool(one.nation_code and other.nation_code and one.nation_code != other.nation_code)


def _described(player: ListedPlayer) -> str:
    return f"`{shortened(player.listed_name)}`" + (f" ({player.source_ids[0]})" if player.source_ids else "")


def _days_between(row: Row, event: TournamentDocument | Appearance) -> int:
    started, ended = (date.fromisoformat(row[name]) for name in ("started_on", "ended_on"))
    return min(abs((started - event.started_on).days), abs((ended - event.ended_on).days))
