"""How people are listed: under which id, with which id of a source, of which nation."""

from __future__ import annotations

from dataclasses import dataclass

from dippouch.seeds.schema import ALIASES
from dippouch.seeds.store import Collection


@dataclass(frozen=True)
class Listing:
    """One way in which a person is listed somewhere: under this id, with this source's id, of this nation ("": none)."""

    player_id: str
    source_player_id: str
    nation_code: str


def listings_of_source(collection: Collection, source_player_id: str) -> list[Listing]:
    """How a person with a source's id is listed."""
    return _listings(collection, "source_player_id = ?", source_player_id)


def listings_named(collection: Collection, name_id: str) -> list[Listing]:
    """How people whose name makes an id are listed: under that id, or under another that is a namesake's."""
    named = "select player_id from listings where name_id = ?"
    return _listings(collection, f"player_id in ({named}) and player_id != ''", name_id)


def is_player_id(collection: Collection, player_id: str) -> bool:
    """Whether an id is anybody's already, before or after aliases."""
    found = collection.query(
        f"select 1 from listings where player_id = $id union all"
        f" select 1 from {ALIASES.name} where player_id = $id or listed_player_id = $id limit 1",
        {"id": player_id},
    )
    return next(found, None) is not None


def _listings(collection: Collection, condition: str, value: str) -> list[Listing]:
    found = collection.query(
        f"select distinct player_id, source_player_id, nation_code from listings where {condition}"
        " order by player_id, source_player_id, nation_code",
        (value,),
    )
    return [Listing(*cells) for cells in found]
