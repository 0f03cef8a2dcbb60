"""What the rating keeper decides about people, as seed rows: a match, a non-match, or a split in one tournament."""

from __future__ import annotations

from dippouch.errors import UserError
from dippouch.ids import readable_id_or_empty
from dippouch.matching.aliases import are_ranked_together, person_behind, shared_tournaments
from dippouch.matching.listings import is_player_id
from dippouch.seeds.schema import ALIASES, DISTINCTIONS, Row
from dippouch.seeds.store import Collection


def record_match(collection: Collection, listed_id: str, player_id: str, reason: str) -> None:
    """Let everything that is listed under one id be another person's, whose id remains.

    Raises:
        UserError: when an id is unknown, the two play in one tournament, or it is decided already.
    """
    _check_reason(reason)
    for known in (listed_id, player_id):
        _check_known(collection, known)
    target = (collection.get(ALIASES, (player_id, "")) or {"player_id": player_id})["player_id"]
    if listed_id in (target, player_id):
        raise UserError(f"{listed_id}: is {target} already; expected two people")
    if row := collection.get(ALIASES, (listed_id, "")):
        raise UserError(f"{listed_id}: is {row['player_id']} already ({row['reason']})")
    # Whoever was merged into the one who is merged now comes along: no alias leads to another alias.
    followers = [row for row in collection.all(ALIASES) if row["player_id"] == listed_id]
    for one in (listed_id, *(row["listed_player_id"] for row in followers)):
        _check_apart(collection, one, target)
    for row in followers:
        collection.upsert(ALIASES, row | {"player_id": target, "reason": f"{row['reason']}; {reason}"})
    collection.upsert(ALIASES, _alias(listed_id, "", target, reason))
    collection.remove(DISTINCTIONS, _pair(listed_id, target))


def record_non_match(collection: Collection, one: str, other: str, reason: str) -> None:
    """Let two ids be two people; an alias that made them one goes, and the reason stays in its place.

    Raises:
        UserError: when an id is unknown or it is decided already.
    """
    _check_reason(reason)
    for known in (one, other):
        _check_known(collection, known)
    if one == other:
        raise UserError(f"{one}: found one id twice; expected two people")
    if row := collection.get(DISTINCTIONS, _pair(one, other)):
        raise UserError(f"{one} and {other}: are two people already ({row['reason']})")
    for listed_id, player_id in ((one, other), (other, one)):
        alias = collection.get(ALIASES, (listed_id, ""))
        if alias and alias["player_id"] == player_id:
            collection.remove(ALIASES, (listed_id, ""))
    first, second = _pair(one, other)
    collection.upsert(DISTINCTIONS, {"player_id": first, "other_player_id": second, "reason": reason.strip()})


def record_split(collection: Collection, listed_id: str, tournament_id: str, player_id: str, reason: str) -> None:
    """Let who is listed under an id in one tournament be another person, new or known.

    Raises:
        UserError: when the tournament does not list the id, the new id is none, or that person is there already.
    """
    _check_reason(reason)
    results = collection.results_of(tournament_id)
    if listed_id not in results:
        raise UserError(f"{tournament_id}: does not list {listed_id}; expected one of its listed players")
    if not player_id or readable_id_or_empty(player_id) != player_id:
        raise UserError(f"found the id `{player_id}`; expected lower-case words joined by hyphens (`john-smith-2`)")
    if alias := collection.get(ALIASES, (player_id, "")):
        raise UserError(f"{player_id}: is {alias['player_id']}; expected the id of a person")
    people = {person_behind(collection, other, tournament_id) for other in results if other != listed_id}
    if player_id in people or person_behind(collection, listed_id, tournament_id) == player_id:
        raise UserError(f"{player_id}: plays in {tournament_id} already; expected somebody who does not")
    collection.upsert(ALIASES, _alias(listed_id, tournament_id, player_id, reason))


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
        raise UserError("found no reason; expected why you decide so")


def _check_known(collection: Collection, player_id: str) -> None:
    if not is_player_id(collection, player_id):
        raise UserError(f"{player_id}: nobody has this id in {collection.folder}")


def _check_apart(collection: Collection, one: str, other: str) -> None:
    if shared := shared_tournaments(collection, one, other):
        raise UserError(f"{one} and {other}: play in one tournament ({shared[0]}); expected one person there once")
    if are_ranked_together(collection, one, other):
        raise UserError(f"{one} and {other}: are both in one published ranking; expected one person there once")
