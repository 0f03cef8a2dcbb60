"""The identity of a listed person or a described tournament: decided once, at import. Decisions apply on top of it.

A document may give our own ids (`player_id` of the format `two-tables`). For all others a person is identified so:

1. A known id of a source (`wdd:1073`): the same person, whatever the spelling of the name.
2. The name makes an id (`john-smith`) that is free: a new person with that id.
3. There are namesakes. Listings with another id at the same source, or with another stated nation, belong to other people.
   Among the remaining namesakes the order is: a person who is in this tournament already (of several, first one
   whose id no other line gives, then one listed with this name and nation), a person of the same stated nation,
   a person whose name is spelt the same, the lowest number.
4. No namesake remains: a new person, with the next free number (`john-smith-2`). `newcomers.py` asks whether it is one.

A tournament is identified by the source's id; the id in the document; the id of name and year, if the days are at most NEAR_DAYS
apart and no source distinguishes the two; otherwise it is a new tournament with the next free number.
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
from dippouch.ids import fault_of_id, is_taken, name_and_year_id, readable_id, readable_id_or_empty
from dippouch.matching.people import PLAYER, TOURNAMENT, Listing, is_of_another, is_player_id, listings_named, owner_of
from dippouch.names import shortened
from dippouch.seeds.corrections import corrected_tournament
from dippouch.seeds.persons import id_in_tournament
from dippouch.seeds.schema import ALIASES, TOURNAMENTS, Row
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
    taken: dict[str, ListedPlayer] = {}
    stated: dict[str, ListedPlayer] = {}
    people: list[Identity] = []
    present = present or {}
    for player in players:
        unknown = Identity(str(len(people) + 1))
        name_id = readable_id_or_empty(player.name)
        if not name_id:
            faults.add(
                DocumentError(player.location, f"the name `{shortened(player.listed_name)}`", "a name with a letter")
            )
            people.append(unknown)
            continue
        person = as_listed(collection, _identify(collection, player, name_id, present, taken, claimed), present)
        row = present.get(person.player_id)
        if row and collection.get(ALIASES, (person.player_id, row["tournament_id"])):
            person = replace(person, note="")  # A split has decided.
        earlier = taken.setdefault(person.player_id, player)
        if earlier is player:
            # In a document, ids or nations distinguish namesakes.
            named = player.player_id or f"{name_id} {player.nation_code or ''}"
            earlier = stated.setdefault(next(iter(player.source_ids), named), player)
        if earlier is not player:
            found = f"{_described(player)}, who is {_described(earlier)} of {earlier.location.in_file}"
            way_out = "Delete one row. If they are two people, give each their nation or their id."
            faults.add(DocumentError(player.location, found, "every player once", way_out))
            person = unknown
        people.append(person)
    return people


def as_listed(collection: Collection, person: Identity, listed: Mapping[str, Row]) -> Identity:
    """Return a person under their id in a tournament's results, which may be a different one by a decision."""
    if not listed or person.is_new or person.player_id in listed:
        return person
    tournament_id = next(iter(listed.values()))["tournament_id"]
    return replace(person, player_id=id_in_tournament(collection, person.player_id, tournament_id, listed))


def differs(collection: Collection, player: ListedPlayer, player_id: str, nations: Group[str]) -> bool:
    """Return whether a source's id or a nation distinguishes a listed person from the known person of an id with these nations."""
    if is_of_another(collection, PLAYER, player_id, player.source_ids):
        return True
    return bool(player.nation_code and any(nations) and player.nation_code not in nations)


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
    possible = [
        player_id
        for player_id, listings in namesakes.items()
        if not differs(collection, player, player_id, {listing.nation_code for listing in listings})
        and not (player_id in taken and _are_distinguished(player, taken[player_id]))
    ]
    if possible:

        def preference(player_id: str) -> tuple[bool, bool, bool, bool, bool, bool, int, str]:
            nations = {listing.nation_code for listing in namesakes[player_id]}
            row = present.get(player_id, {})
            is_listed_so = (row.get("listed_name"), row.get("nation_code")) == (
                player.listed_name,
                player.nation_code or "",
            )
            spelt_alike = not _other_spelling(player, namesakes[player_id])
            order = (player_id not in present, player_id in claimed, not is_listed_so)
            same = (player.nation_code not in nations, not spelt_alike, player_id != name_id)
            return *order, *same, len(player_id), player_id

        chosen = min(possible, key=preference)
        note = ""
        if len(possible) > 1 and not player.nation_code and chosen not in present:
            others = ", ".join(f"`{other}`" for other in sorted({*namesakes} - {chosen}))
            note = f"taken for `{chosen}`; may be {others}; if so, use `dptr split`"
        elif other := _other_spelling(player, namesakes[chosen]):
            note = f"taken for `{chosen}`, spelt `{other}` elsewhere; where they are two people, `dptr split` keeps them apart"
        return Identity(chosen, note)
    is_known = bool(namesakes) or is_player_id(collection, name_id)
    is_first = name_id not in taken or not _are_distinguished(player, taken[name_id])
    # The same name twice without a distinction is the same person: the caller reports it.
    if not is_known and is_first and not is_taken(name_id):
        return Identity(name_id, is_new=True)
    numbered = (f"{name_id}-{number}" for number in count(2))
    player_id = next(made for made in numbered if not is_player_id(collection, made) and made not in taken)
    why = f"beside `{name_id}`" if is_known or not is_first else f"because `{name_id}` is a reserved file name"
    return Identity(player_id, f"a new `{player_id}`, {why}", is_new=True)


def _namesakes(collection: Collection, name_id: str, present: Mapping[str, Row]) -> dict[str, list[Listing]]:
    """Return the listings of all people with a name, by id."""
    namesakes: dict[str, list[Listing]] = defaultdict(list)
    for listing in listings_named(collection, name_id):
        namesakes[listing.player_id].append(listing)
    # A person split off in this tournament is listed there under the document's id, and one by an answer with another name.
    for listed_id, row in present.items():
        name = f"{row['first_name']} {row['last_name']}".strip()
        if listed_id not in namesakes and name_id in map(readable_id_or_empty, (name, row["listed_name"])):
            namesakes[listed_id].append(Listing(listed_id, name, row["nation_code"]))
    return namesakes


def _known_by_id(collection: Collection, player: ListedPlayer, namesakes: dict[str, list[Listing]]) -> Identity | None:
    """Identify a person by the document's own id, or by a known id of a source."""
    owners = {given: owner for given in player.source_ids if (owner := owner_of(collection, PLAYER, given))}
    if player.player_id:
        owners = {player.player_id: player.player_id}
        if not is_player_id(collection, player.player_id):
            return Identity(player.player_id, is_new=True)
    if not owners:
        return None
    given, player_id = next(iter(owners.items()))
    if others := {other: owner for other, owner in owners.items() if owner != player_id}:
        further = ", ".join(f"{other} is `{owner}`" for other, owner in others.items())
        return Identity(player_id, f"{given} is known as `{player_id}`, but {further}; `dptr merge` can match them")
    if player_id not in namesakes:
        return Identity(player_id, f"{given} is `{player_id}`, of another name elsewhere")
    other_spelling = _other_spelling(player, namesakes[player_id])
    return Identity(
        player_id, f"{given} is `{player_id}`, spelt `{other_spelling}` elsewhere" if other_spelling else ""
    )


def _other_spelling(player: ListedPlayer, listings: list[Listing]) -> str:
    """Return another spelling of a name, if it is never spelt as in the document, ignoring case; otherwise empty."""
    spellings = [listing.spelling for listing in listings]
    if player.name in spellings or player.name.casefold() in map(str.casefold, spellings):
        return ""
    # The spelling with the most accents is best: accents get lost, but are not invented.
    return max(spellings, key=lambda spelling: (sum(not c.isascii() for c in spelling), spelling))


def _are_distinguished(one: ListedPlayer, other: ListedPlayer) -> bool:
    """Return whether a table itself distinguishes two namesakes, by ids of its source or by nations."""
    if one.source_ids and other.source_ids:
        return one.source_ids[0] != other.source_ids[0]
    return bool(one.nation_code and other.nation_code and one.nation_code != other.nation_code)


def _described(player: ListedPlayer) -> str:
    return f"`{player.listed_name}`" + (f" ({player.source_ids[0]})" if player.source_ids else "")


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
        DocumentError: when its name makes no id, or the document gives the id of another tournament.
    """
    if not readable_id_or_empty(event.name):
        at = event.location if isinstance(event, Appearance) else event.location_of("name")
        found = f"the name `{shortened(event.name)}` of a tournament with no letter or digit"
        raise DocumentError(at, found, "a name with letters")
    for source_id in event.source_ids:
        if owner := owner_of(collection, TOURNAMENT, source_id):
            return owner
    if isinstance(event, TournamentDocument) and event.tournament_id:
        return _given_id(collection, event)
    name_id = name_and_year_id(event.name, str(event.ended_on.year))
    sha256 = event.source.sha256 if isinstance(event, TournamentDocument) else None
    near = []
    # By the documents' name, or by the corrected one.
    named = (
        "where tournament_id in (select tournament_id from tournament_names where name_id = ?) order by tournament_id"
    )
    for row in list(collection.rows(TOURNAMENTS, named, (name_id,))):
        known = row["tournament_id"]
        of_another = is_of_another(collection, TOURNAMENT, known, event.source_ids)
        if known in taken or of_another or (is_another and row["source_sha256"] != sha256):
            continue
        days = _days_apart(collection, row, event)
        if days <= NEAR_DAYS:
            near.append((row["source_sha256"] != sha256, days, known))
    if near:
        return min(near)[2]
    candidates = (name_id if number == 1 else f"{name_id}-{number}" for number in count(1))
    return next(made for made in candidates if made not in taken and collection.tournament(made) is None)


def _given_id(collection: Collection, document: TournamentDocument) -> str:
    given = document.tournament_id or ""
    at = document.locations.get("tournament_id") or document.location_of("name")
    tournament_id = readable_id(given)
    if expected := fault_of_id(tournament_id):
        raise DocumentError(at, f"the tournament id `{given}`", expected)
    row = collection.tournament(tournament_id)
    if row is None or row["name"] == document.name or _days_between(row, document) <= NEAR_DAYS:
        return tournament_id
    raise DocumentError(
        at,
        f"the tournament id `{given}` for {document.name} ({document.ended_on})",
        f"{row['name']} ({row['ended_on']}), whose id that is",
        "Give the other event an id of its own.",
    )


def _days_apart(collection: Collection, row: Row, event: TournamentDocument | Appearance) -> int:
    """Return the days between a tournament, as stated or corrected, and a described one; the smaller distance counts."""
    corrected = corrected_tournament(collection, row["tournament_id"])
    return min(_days_between(known, event) for known in (row, corrected))


def _days_between(row: Row, event: TournamentDocument | Appearance) -> int:
    started, ended = (date.fromisoformat(row[name]) for name in ("started_on", "ended_on"))
    return min(abs((started - event.started_on).days), abs((ended - event.ended_on).days))
