"""Who a listed person is: decided once, at import, by one rule.

1. The id that a source gives (`wdd:1073`) was seen before: the same person, however the name is spelt now.
2. The name makes an id (`john-smith`) that nobody has: a new person of that id.
3. Namesakes exist. Somebody else's is every listing that carries another id of the same source, or another nation where
   both are stated. Of the namesakes that remain, one who is in this tournament already goes first, then one of the
   same stated nation, then the lowest number.
4. None remains: a new person, with the next free number (`john-smith-2`).

What an id was given to never changes afterwards; ref_player_aliases merges and splits on top of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Group
from dataclasses import dataclass
from itertools import count

from dippouch.documents import ListedPlayer
from dippouch.errors import DocumentError
from dippouch.ids import readable_id
from dippouch.matching.listings import Listing, is_player_id, listings_named, listings_of_source
from dippouch.seeds.store import Collection


@dataclass(frozen=True)
class Identity:
    """Who a listed person is.

    Attributes:
        player_id: the id.
        note: what the rating keeper should know of the decision; empty where there was nothing to decide.
    """

    player_id: str
    note: str = ""


def identify_players(
    collection: Collection, players: list[ListedPlayer], *, present: Group[str] = ()
) -> list[Identity]:
    """Who the people are that one document lists; no two of them are the same.

    Args:
        collection: what is known.
        players: the people of one table, each once.
        present: ids that the collection lists in this tournament already.

    Raises:
        DocumentError: when a person is listed twice, or two people of one name cannot be told apart.
    """
    taken: dict[str, ListedPlayer] = {}
    people = []
    for player in players:
        person = _identify(collection, player, present, taken)
        if earlier := taken.get(person.player_id):
            who = f"`{earlier.listed_name}` of {earlier.location.in_file}"
            raise DocumentError(
                player.location,
                f"`{player.listed_name}`, who is {who} (`{person.player_id}`)",
                "every player once",
                "Where these are two people, state the nation of each.",
            )
        taken[person.player_id] = player
        people.append(person)
    return people


def _identify(
    collection: Collection, player: ListedPlayer, present: Group[str], taken: dict[str, ListedPlayer]
) -> Identity:
    name_id = readable_id(player.name)
    if player.source_player_id and (known := listings_of_source(collection, player.source_player_id)):
        player_id = known[0].player_id
        spelt_as = {listing.player_id for listing in listings_named(collection, name_id)}
        note = "" if player_id in spelt_as else f"{player.source_player_id} is known as `{player_id}`"
        return Identity(player_id, note)

    namesakes: dict[str, list[Listing]] = defaultdict(list)
    for listing in listings_named(collection, name_id):
        namesakes[listing.player_id].append(listing)
    possible = [
        player_id
        for player_id, listings in namesakes.items()
        if not _differs(player, listings) and not (player_id in taken and _tells_apart(player, taken[player_id]))
    ]
    if possible:

        def preference(player_id: str) -> tuple[bool, bool, bool, int, str]:
            nations = {listing.nation_code for listing in namesakes[player_id]}
            same_nation = player.nation_code in nations
            return player_id not in present, not same_nation, player_id != name_id, len(player_id), player_id

        chosen = min(possible, key=preference)
        others = sorted(set(namesakes) - {chosen})
        note = ""
        if len(possible) > 1 and not player.nation_code and chosen not in present:
            note = f"taken for `{chosen}`; may be {_listed(others)}"
        return Identity(chosen, note)
    if not namesakes and not is_player_id(collection, name_id) and name_id not in taken:
        return Identity(name_id)
    others = sorted({*namesakes, *({name_id} & taken.keys())}) or [name_id]
    if name_id in taken and not namesakes and not _tells_apart(player, taken[name_id]):
        return Identity(name_id)  # The same person twice: the caller says so.
    player_id = next(
        made for number in count(2) if not is_player_id(collection, made := f"{name_id}-{number}") and made not in taken
    )
    return Identity(player_id, f"a new `{player_id}`, told apart from {_listed(others)}")


def _differs(player: ListedPlayer, listings: list[Listing]) -> bool:
    """Whether a source's id or a stated nation says that a listed person is somebody else."""
    if player.source_player_id:
        of_source = player.source_player_id.partition(":")[0] + ":"
        ids = {listing.source_player_id for listing in listings if listing.source_player_id.startswith(of_source)}
        if ids:
            return player.source_player_id not in ids
    nations = {listing.nation_code for listing in listings} - {""}
    return bool(player.nation_code and nations and player.nation_code not in nations)


def _tells_apart(one: ListedPlayer, other: ListedPlayer) -> bool:
    """Whether a table itself tells two people of one name apart, by ids of its source or by nations."""
    if one.source_player_id and other.source_player_id:
        return one.source_player_id != other.source_player_id
    return bool(one.nation_code and other.nation_code and one.nation_code != other.nation_code)


def _listed(ids: list[str]) -> str:
    return ", ".join(f"`{player_id}`" for player_id in ids[:3]) + (" ..." if len(ids) > 3 else "")
