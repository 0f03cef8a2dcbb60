"""Listings of people: their ids, spellings and nations."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from dippouch.seeds.schema import ALIASES, PUBLISHED_RANKINGS, RESULTS
from dippouch.seeds.store import Collection


@dataclass(frozen=True)
class Listing:
    """One way in which a person is listed: id, spelling, and nation ("": none)."""

    player_id: str
    spelling: str
    nation_code: str


def listings_named(collection: Collection, name_id: str) -> list[Listing]:
    """Return the listings of people whose name makes an id: under that id, or under a namesake's.

    People whom the rating keeper split off in a tournament are listed there under their new id.
    """
    found = collection.query(
        "select distinct player_id, spelling, nation_code from listings"
        " where player_id in (select player_id from listings where name_id = ?) and player_id != ''"
        " order by player_id, spelling, nation_code",
        (name_id,),
    )
    return [Listing(*cells) for cells in found]


def is_listed(collection: Collection, listed_id: str) -> bool:
    """Return whether a tournament or a published ranking lists an id."""
    found = collection.query(
        f"select 1 from {RESULTS.name} where player_id = $id union all"
        f" select 1 from {PUBLISHED_RANKINGS.name} where player_id = $id limit 1",
        {"id": listed_id},
    )
    return next(found, None) is not None


def is_player_id(collection: Collection, player_id: str) -> bool:
    """Return whether an id is in use, before or after aliases."""
    found = collection.query(
        f"select 1 from listings where player_id = $id union all"
        f" select 1 from {ALIASES.name} where player_id = $id or listed_player_id = $id limit 1",
        {"id": player_id},
    )
    return next(found, None) is not None


def ids_listed_as(collection: Collection, name_id: str) -> list[str]:
    """Return the ids of people whose listed name, in the document's word order (`MAGGI Gwen`), makes an id."""
    found = collection.query(
        f"select player_id from {RESULTS.name} where readable_id(listed_name) = $name union"
        f" select player_id from {PUBLISHED_RANKINGS.name} where readable_id(listed_name) = $name order by 1",
        {"name": name_id},
    )
    return [player_id for (player_id,) in found]


def are_listed_together(collection: Collection, one: str, other: str) -> bool:
    """Return whether one tournament or published ranking lists two ids, so that they are two people."""
    found = collection.query(
        f"select 1 from {RESULTS.name} as a join {RESULTS.name} as b using (tournament_id)"
        " where a.player_id = $one and b.player_id = $other"
        f" union all select 1 from {PUBLISHED_RANKINGS.name} as a"
        f" join {PUBLISHED_RANKINGS.name} as b using (ranking_name, last_update)"
        " where a.player_id = $one and b.player_id = $other limit 1",
        {"one": one, "other": other},
    )
    return next(found, None) is not None


def count_without_nation(collection: Collection, player_ids: Iterable[str]) -> int:
    """Count the listed ids without a nation in any listing."""
    found = collection.query(
        "select count(*) from json_each(?)"
        " where not exists (select 1 from listings where player_id = value and nation_code != '')",
        [json.dumps(list(player_ids))],
    )
    return int(next(found)[0])
