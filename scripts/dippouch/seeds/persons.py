"""The person of a listed id, after aliases."""

from __future__ import annotations

from collections.abc import Container

from dippouch.seeds.store import Collection


def person_behind(collection: Collection, listed_id: str, tournament_id: str) -> str:
    """Return the person listed under an id in a tournament, after aliases."""
    found = collection.query(
        "select player_id from persons where listed_player_id = ? and tournament_id in ('', ?) order by tournament_id desc",
        (listed_id, tournament_id),
    )
    return next((person for (person,) in found), listed_id)


def people_behind(collection: Collection) -> dict[str, str]:
    """Return the persons of ids that are aliases in every tournament."""
    return dict(collection.query("select listed_player_id, player_id from persons where tournament_id = ''"))


def id_in_tournament(collection: Collection, player_id: str, tournament_id: str, listed: Container[str]) -> str:
    """Return the one of the ids listed in a tournament that belongs to a person there; the given id if none does."""
    if player_id in listed:
        return player_id
    person = person_behind(collection, player_id, tournament_id)
    found = collection.query(
        "select listed_player_id from persons where player_id = ? and tournament_id in ('', ?) order by 1",
        (person, tournament_id),
    )
    theirs = (one for one in [person, *(listed_id for (listed_id,) in found)] if one in listed)
    return next((one for one in theirs if person_behind(collection, one, tournament_id) == person), player_id)
