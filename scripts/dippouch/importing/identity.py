"""Who a listed person is, and which event a document tells of: decided once, at import, by one rule each.

A person, in this order:

1. The id that a source gives (`wdd:1073`) was seen before: the same person, however the name is spelt now.
2. The name makes an id (`john-smith`) that nobody has: a new person of that id.
3. Namesakes exist. Somebody else's is every listing that carries another id of the same source, or another nation where
   both are stated. Of the namesakes that remain, one who is in this tournament already goes first, then one of the
   same stated nation, then the lowest number.
4. None remains: a new person, with the next free number (`john-smith-2`).

What an id was given to never changes afterwards; `player_aliases` merges and splits on top of it.

An event, in this order: the source's id; the id that the document gives; the id that name and year make, if the days are
at most NEAR_DAYS apart and no source tells the two apart; otherwise a new event with the next free number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Group
from dataclasses import dataclass
from datetime import date
from itertools import count

from dippouch.collection.seeds import Row
from dippouch.collection.working import Collection, Listing, name_and_year_id
from dippouch.errors import DocumentError
from dippouch.importing.documents import Appearance, ListedPlayer, Source, TournamentDocument
from dippouch.importing.names import readable_id

# Sources disagree on an event's days by its eve or its last day, not by more.
NEAR_DAYS = 7


@dataclass(frozen=True)
class Person:
    """Who a listed person is.

    Attributes:
        player_id: the id.
        note: what the keeper should know of the decision; empty where there was nothing to decide.
    """

    player_id: str
    note: str = ""


def identify_players(
    collection: Collection, players: list[ListedPlayer], source: Source, *, present: Group[str] = ()
) -> list[Person]:
    """Who the people are that one document lists; no two of them are the same.

    Args:
        collection: what is known.
        players: the people of one table, each once.
        source: the document, for messages.
        present: ids that the collection lists in this tournament already.

    Raises:
        DocumentError: when a person is listed twice, or two people of one name cannot be told apart.
    """
    taken: dict[str, ListedPlayer] = {}
    people = []
    for player in players:
        person = _identify(collection, player, present, taken)
        if earlier := taken.get(person.player_id):
            raise DocumentError(
                source.path,
                player.line,
                f"`{player.listed_name}`, who is `{earlier.listed_name}` of line {earlier.line} (`{person.player_id}`)",
                "every player once",
                "Where these are two people, state the nation of each.",
            )
        taken[person.player_id] = player
        people.append(person)
    return people


def _identify(
    collection: Collection, player: ListedPlayer, present: Group[str], taken: dict[str, ListedPlayer]
) -> Person:
    name_id = readable_id(f"{player.first_name} {player.last_name}")
    if player.source_player_id and (known := collection.listings_of_source(player.source_player_id)):
        player_id = known[0].player_id
        spelt_as = {listing.player_id for listing in collection.listings_named(name_id)}
        note = "" if player_id in spelt_as else f"{player.source_player_id} is known as `{player_id}`"
        return Person(player_id, note)

    namesakes: dict[str, list[Listing]] = defaultdict(list)
    for listing in collection.listings_named(name_id):
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
        return Person(chosen, note)
    if not namesakes and not collection.is_player_id(name_id) and name_id not in taken:
        return Person(name_id)
    others = sorted({*namesakes, *({name_id} & taken.keys())}) or [name_id]
    if name_id in taken and not namesakes and not _tells_apart(player, taken[name_id]):
        return Person(name_id)  # The same person twice: the caller says so.
    player_id = next(
        made for number in count(2) if not collection.is_player_id(made := f"{name_id}-{number}") and made not in taken
    )
    return Person(player_id, f"a new `{player_id}`, told apart from {_listed(others)}")


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


def identify_tournament(collection: Collection, told: TournamentDocument | Appearance, source: Source) -> str:
    """The id of the event that a document, or a line of a player's page, tells of; a new one where it is not known.

    Raises:
        DocumentError: when the document gives an id that belongs to another event.
    """
    if told.source_tournament_id and (known := collection.tournaments_of_source(told.source_tournament_id)):
        return known[0]["tournament_id"]
    if isinstance(told, TournamentDocument) and told.tournament_id:
        return _given_id(collection, told, told.tournament_id, source)
    name_id = name_and_year_id(told.name, str(told.ended_on.year))
    for row in collection.tournaments_named(name_id):
        if _is_near(row, told.started_on, told.ended_on) and not _other_id(row, told.source_tournament_id):
            return row["tournament_id"]
    candidates = (name_id if number == 1 else f"{name_id}-{number}" for number in count(1))
    return next(made for made in candidates if collection.tournament(made) is None)


def _given_id(collection: Collection, document: TournamentDocument, given: str, source: Source) -> str:
    tournament_id = readable_id(given)
    row = collection.tournament(tournament_id)
    if row is None or row["name"] == document.name or _is_near(row, document.started_on, document.ended_on):
        return tournament_id
    raise DocumentError(
        source.path,
        document.field_lines.get("tournament_id") or document.field_lines.get("name"),
        f"the tournament id `{given}` for {document.name} ({document.ended_on})",
        f"{row['name']} ({row['ended_on']}), whose id that is",
        "Give the other event an id of its own.",
    )


def _is_near(row: Row, started_on: date, ended_on: date) -> bool:
    days = (date.fromisoformat(row["started_on"]) - started_on, date.fromisoformat(row["ended_on"]) - ended_on)
    return min(abs(day.days) for day in days) <= NEAR_DAYS


def _other_id(row: Row, source_tournament_id: str | None) -> bool:
    """Whether the same source gives a known event another id."""
    has = row["source_tournament_id"]
    if not has or not source_tournament_id:
        return False
    return has.partition(":")[0] == source_tournament_id.partition(":")[0] and has != source_tournament_id


def _listed(ids: list[str]) -> str:
    return ", ".join(f"`{player_id}`" for player_id in ids[:3]) + (" ..." if len(ids) > 3 else "")
