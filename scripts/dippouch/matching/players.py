"""The identity of a listed person: decided once, at import, by one rule.

Files with our own ids (`player_id` of the format `two-tables`) decide it themselves. For all others:

1. A known id of a source (`wdd:1073`): the same person, whatever the spelling of the name.
2. The name makes an id (`john-smith`) that is free: a new person with that id.
3. There are namesakes. Listings with another id at the same source, or with another stated nation, belong to other people.
   Among the remaining namesakes the order is: a person who is in this tournament already (of several, first one
   whose id no other line gives, then one listed with this name and nation), a person of the same stated nation,
   a person whose name is spelt the same, the lowest number.
4. No namesake remains: a new person, with the next free number (`john-smith-2`).

The assignment of an id never changes afterwards; ref_player_aliases merges and splits on top of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Group
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count

from dippouch.documents import ListedPlayer
from dippouch.errors import DocumentError, Faults
from dippouch.ids import is_taken, readable_id_or_empty
from dippouch.matching.listings import Listing, is_player_id, listings_named
from dippouch.matching.source_ids import PLAYER, is_of_another, owner_of
from dippouch.seeds.persons import id_in_tournament
from dippouch.seeds.schema import ALIASES, Row
from dippouch.seeds.store import Collection


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
        faults: gathers people who are listed twice. They get a meaningless id, as does a name without a letter, which a rule about
            rows refuses: the rows of a faulty document are checked, but never written.
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
        person = _identify(collection, player, name_id, present, taken, claimed) if name_id else unknown
        person = as_listed(collection, person, present)
        row = present.get(person.player_id)
        if row and collection.get(ALIASES, (person.player_id, row["tournament_id"])):
            person = replace(person, note="")  # A split has decided.
        earlier = taken.setdefault(person.player_id, player)
        if earlier is player:
            # In a document, ids or nations distinguish namesakes.
            named = player.player_id or f"{name_id or person.player_id} {player.nation_code or ''}"
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


def _described(player: ListedPlayer) -> str:
    return f"`{player.listed_name}`" + (f" ({player.source_ids[0]})" if player.source_ids else "")


def _identify(
    collection: Collection,
    player: ListedPlayer,
    name_id: str,
    present: Mapping[str, Row],
    taken: dict[str, ListedPlayer],
    claimed: Group[str | None],
) -> Identity:
    namesakes = _namesakes(collection, name_id, present)
    if player.player_id:
        return _of_given_id(collection, player, player.player_id, namesakes)
    if known := _known_by_id(collection, player, namesakes):
        return known
    possible = [
        player_id
        for player_id, listings in namesakes.items()
        if not differs(collection, player, player_id, {listing.nation_code for listing in listings})
        and not (player_id in taken and _tells_apart(player, taken[player_id]))
    ]
    if possible:

        def preference(player_id: str) -> tuple[bool, bool, bool, bool, bool, bool, int, str]:
            nations = {listing.nation_code for listing in namesakes[player_id]}
            same_nation = player.nation_code in nations
            spelt_alike = not _other_spelling(player, namesakes[player_id])
            as_listed = _is_listed_so(player, present.get(player_id))
            order = (player_id not in present, player_id in claimed, not as_listed, not same_nation, not spelt_alike)
            return *order, player_id != name_id, len(player_id), player_id

        chosen = min(possible, key=preference)
        others = sorted(set(namesakes) - {chosen})
        note = ""
        if len(possible) > 1 and not player.nation_code and chosen not in present:
            note = f"taken for `{chosen}`; may be {_listed(others)}; if so, use `dptr split`"
        elif other := _other_spelling(player, namesakes[chosen]):
            note = f"taken for `{chosen}`, spelt `{other}` elsewhere; where they are two people, `dptr split` keeps them apart"
        return Identity(chosen, note)
    if not namesakes and not is_player_id(collection, name_id) and name_id not in taken and not is_taken(name_id):
        return Identity(name_id, is_new=True)
    others = sorted({*namesakes, *({name_id} & taken.keys())}) or [name_id]
    if name_id in taken and not namesakes and not _tells_apart(player, taken[name_id]):
        return Identity(name_id, is_new=True)  # The same person twice: the caller reports it.
    player_id = next(
        made for number in count(2) if not is_player_id(collection, made := f"{name_id}-{number}") and made not in taken
    )
    is_file = is_taken(name_id) and not namesakes
    why = f"because `{name_id}` is a reserved file name" if is_file else _told_apart(player, others, namesakes)
    return Identity(player_id, f"a new `{player_id}`, {why}", is_new=True)


def _of_given_id(
    collection: Collection, player: ListedPlayer, player_id: str, namesakes: dict[str, list[Listing]]
) -> Identity:
    """Identify a person by the document's own id, without a search by name."""
    if not is_player_id(collection, player_id):
        return Identity(player_id, is_new=True)
    if player_id not in namesakes:
        return Identity(player_id, f"`{player_id}` is spelt otherwise elsewhere")
    other = _other_spelling(player, namesakes[player_id])
    return Identity(player_id, f"`{player_id}` is spelt `{other}` elsewhere" if other else "")


def _namesakes(collection: Collection, name_id: str, present: Mapping[str, Row]) -> dict[str, list[Listing]]:
    """Return the listings of all people with a name, by id."""
    namesakes: dict[str, list[Listing]] = defaultdict(list)
    for listing in listings_named(collection, name_id):
        namesakes[listing.player_id].append(listing)
    # A person split off in this tournament is listed there under the document's id.
    for listed_id, row in present.items():
        name = f"{row['first_name']} {row['last_name']}".strip()
        if listed_id not in namesakes and readable_id_or_empty(name) == name_id:
            namesakes[listed_id].append(Listing(listed_id, name, row["nation_code"]))
    return namesakes


def _known_by_id(collection: Collection, player: ListedPlayer, namesakes: dict[str, list[Listing]]) -> Identity | None:
    """Identify a person by the document's ids, if one of them is known."""
    owners = {given: owner for given in player.source_ids if (owner := owner_of(collection, PLAYER, given))}
    if not owners:
        return None
    source_id, player_id = next(iter(owners.items()))
    if others := {other: owner for other, owner in owners.items() if owner != player_id}:
        said = ", ".join(f"{other} is `{owner}`" for other, owner in others.items())
        return Identity(player_id, f"{source_id} is known as `{player_id}`, but {said}; `dptr merge` can match them")
    if player_id not in namesakes:
        return Identity(player_id, f"{source_id} is known as `{player_id}`")
    other_spelling = _other_spelling(player, namesakes[player_id])
    return Identity(
        player_id, f"{source_id} is `{player_id}`, spelt `{other_spelling}` elsewhere" if other_spelling else ""
    )


def _other_spelling(player: ListedPlayer, listings: list[Listing]) -> str:
    """Return another spelling of a name, if it is never spelt as in the document, ignoring case; otherwise empty."""
    spellings = [listing.spelling for listing in listings]
    if player.name in spellings or player.name.casefold() in map(str.casefold, spellings):
        return ""
    # The spelling with the most accents is best: accents get lost, but are not invented.
    return max(spellings, key=lambda spelling: (sum(not c.isascii() for c in spelling), spelling))


def _is_listed_so(player: ListedPlayer, row: Row | None) -> bool:
    """Return whether a known result has the listed name and the nation of a listed player."""
    return row is not None and (row["listed_name"], row["nation_code"]) == (
        player.listed_name,
        player.nation_code or "",
    )


def differs(collection: Collection, player: ListedPlayer, player_id: str, nations: Group[str]) -> bool:
    """Return whether a source's id or a nation distinguishes a listed person from the known person of an id with these nations."""
    if is_of_another(collection, PLAYER, player_id, player.source_ids):
        return True
    return bool(player.nation_code and any(nations) and player.nation_code not in nations)


def _tells_apart(one: ListedPlayer, other: ListedPlayer) -> bool:
    """Return whether a table itself distinguishes two namesakes, by ids of its source or by nations."""
    if one.source_ids and other.source_ids:
        return one.source_ids[0] != other.source_ids[0]
    return bool(one.nation_code and other.nation_code and one.nation_code != other.nation_code)


def _told_apart(player: ListedPlayer, others: list[str], namesakes: Mapping[str, list[Listing]]) -> str:
    """Return the nations that distinguish a new person from known namesakes."""
    nations = {listing.nation_code for other in others for listing in namesakes.get(other, ())} - {""}
    differ = player.nation_code and nations and player.nation_code not in nations
    why = f" by nation: {player.nation_code} here, {', '.join(sorted(nations))} there" if differ else ""
    return f"told apart from {_listed(others)}{why}"


def _listed(ids: list[str]) -> str:
    return ", ".join(f"`{player_id}`" for player_id in ids[:3]) + (" ..." if len(ids) > 3 else "")
