"""Who is behind a listed id, after aliases."""

from __future__ import annotations

from dippouch.seeds.schema import ALIASES
from dippouch.seeds.store import Collection


def person_behind(collection: Collection, listed_id: str, tournament_id: str) -> str:
    """Who is listed under an id in a tournament, after aliases."""
    there = collection.get(ALIASES, (listed_id, tournament_id)) or collection.get(ALIASES, (listed_id, ""))
    return there["player_id"] if there else listed_id


def people_behind(collection: Collection) -> dict[str, str]:
    """Who is behind the listed ids that are somebody else's everywhere."""
    return {row["listed_player_id"]: row["player_id"] for row in collection.all(ALIASES) if not row["tournament_id"]}
