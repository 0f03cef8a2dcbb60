"""What the keeper decides about people, as seed rows: the same, different, or split in one tournament."""

from __future__ import annotations

from dippouch.collection.seeds import ALIASES, DISTINCTIONS, Row
from dippouch.collection.working import Collection
from dippouch.errors import KeeperError
from dippouch.importing.names import readable_id


def decide_same(collection: Collection, listed_id: str, player_id: str, reason: str) -> None:
    """Let everything that is listed under one id be another person's, whose id remains.

    Raises:
        KeeperError: when an id is unknown, the two play in one tournament, or it is decided already.
    """
    _check_reason(reason)
    for known in (listed_id, player_id):
        _check_known(collection, known)
    target = (collection.get(ALIASES, (player_id, "")) or {"player_id": player_id})["player_id"]
    if listed_id in (target, player_id):
        raise KeeperError(f"{listed_id}: is {target} already; expected two people")
    if row := collection.get(ALIASES, (listed_id, "")):
        raise KeeperError(f"{listed_id}: is {row['player_id']} already ({row['reason']})")
    # Whoever was merged into the one who is merged now comes along: no alias leads to another alias.
    followers = [row for row in collection.all(ALIASES) if row["player_id"] == listed_id]
    for one in (listed_id, *(row["listed_player_id"] for row in followers)):
        _check_apart(collection, one, target)
    for row in followers:
        collection.put(ALIASES, row | {"player_id": target, "reason": f"{row['reason']}; {reason}"})
    collection.put(ALIASES, _alias(listed_id, "", target, reason))
    collection.remove(DISTINCTIONS, _pair(listed_id, target))


def decide_different(collection: Collection, one: str, other: str, reason: str) -> None:
    """Let two ids be two people; an alias that made them one goes, and the reason stays in its place.

    Raises:
        KeeperError: when an id is unknown or it is decided already.
    """
    _check_reason(reason)
    for known in (one, other):
        _check_known(collection, known)
    if one == other:
        raise KeeperError(f"{one}: found one id twice; expected two people")
    if row := collection.get(DISTINCTIONS, _pair(one, other)):
        raise KeeperError(f"{one} and {other}: are two people already ({row['reason']})")
    for listed_id, player_id in ((one, other), (other, one)):
        alias = collection.get(ALIASES, (listed_id, ""))
        if alias and alias["player_id"] == player_id:
            collection.remove(ALIASES, (listed_id, ""))
    first, second = _pair(one, other)
    collection.put(DISTINCTIONS, {"player_id": first, "other_player_id": second, "reason": reason.strip()})


def decide_split(collection: Collection, listed_id: str, tournament_id: str, player_id: str, reason: str) -> None:
    """Let who is listed under an id in one tournament be another person, new or known.

    Raises:
        KeeperError: when the tournament does not list the id, the new id is none, or that person is there already.
    """
    _check_reason(reason)
    results = collection.results_of(tournament_id)
    if listed_id not in results:
        raise KeeperError(f"{tournament_id}: does not list {listed_id}; expected one of its listed players")
    try:
        proper = readable_id(player_id) == player_id
    except ValueError:
        proper = False
    if not proper:
        raise KeeperError(f"found the id `{player_id}`; expected lower-case words joined by hyphens (`john-smith-2`)")
    if alias := collection.get(ALIASES, (player_id, "")):
        raise KeeperError(f"{player_id}: is {alias['player_id']}; expected the id of a person")
    people = {collection.person(other, tournament_id) for other in results if other != listed_id}
    if player_id in people or collection.person(listed_id, tournament_id) == player_id:
        raise KeeperError(f"{player_id}: plays in {tournament_id} already; expected somebody who does not")
    collection.put(ALIASES, _alias(listed_id, tournament_id, player_id, reason))


def _alias(listed_id: str, tournament_id: str, player_id: str, reason: str) -> Row:
    return {
        "listed_player_id": listed_id,
        "tournament_id": tournament_id,
        "player_id": player_id,
        "reason": reason.strip(),
    }


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise KeeperError("found no reason; expected why the keeper decides so")


def _check_known(collection: Collection, player_id: str) -> None:
    if not collection.is_player_id(player_id):
        raise KeeperError(f"{player_id}: nobody has this id in {collection.folder}")


def _check_apart(collection: Collection, one: str, other: str) -> None:
    if shared := collection.shared_tournaments(one, other):
        raise KeeperError(f"{one} and {other}: play in one tournament ({shared[0]}); expected one person there once")
    if collection.are_ranked_together(one, other):
        raise KeeperError(f"{one} and {other}: are both in one published ranking; expected one person there once")
