"""How people are listed: under which id, how spelt, of which nation."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from dippouch.seeds.schema import ALIASES, PUBLISHED_RANKINGS, RESULTS
from dippouch.seeds.store import Collection


@dataclass(frozen=True)
class Listing:
    """One way in which a person is listed somewhere: under this id, spelt so, of this nation ("": none)."""

    player_id: str
    spelling: str
    nation_code: str


def listings_named(collection: Collection, name_id: str) -> list[Listing]:
    """How people whose name makes an id are listed: under that id, or under another that is a namesake's.

    Whoever the rating keeper split off in a tournament is listed there under the id that they have since.
    """
    found = collection.query(
        "select distinct player_id, spelling, nation_code from listings"
        " where player_id in (select player_id from listings where name_id = ?) and player_id != ''"
        " order by player_id, spelling, nation_code",
        (name_id,),
    )
    return [Listing(*cells) for cells in found]


def is_listed(collection: Collection, listed_id: str) -> bool:
    """Whether a tournament or a published ranking lists an id."""
    found = collection.query(
        f"select 1 from {RESULTS.name} where player_id = $id union all"
        f" select 1 from {PUBLISHED_RANKINGS.name} where player_id = $id limit 1",
        {"id": listed_id},
    )
    return next(found, None) is not None


def is_player_id(collection: Collection, player_id: str) -> bool:
    """Whether an id is anybody's already, before or after aliases."""
    found = collection.query(
        f"select 1 from listings where player_id = $id union all"
        f" select 1 from {ALIASES.name} where player_id = $id or listed_player_id = $id limit 1",
        {"id": player_id},
    )
    return next(found, None) is not None


def ids_listed_as(collection: Collection, name_id: str) -> list[str]:
    """The ids of people whose name makes an id in the order in which a document lists it: `MAGGI Gwen`."""
    found = collection.query(
        f"select player_id from {RESULTS.name} where readable_id(listed_name) = $name union"
        f" select player_id from {PUBLISHED_RANKINGS.name} where readable_id(listed_name) = $name order by 1",
        {"name": name_id},
    )
    return [player_id for (player_id,) in found]


def are_listed_together(collection: Collection, one: str, other: str) -> bool:
    """Whether one tournament or one published ranking lists two ids, so that they are two people."""
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
    """How many of listed ids have no nation in any listing."""
    found = collection.query(
        "select count(*) from json_each(?)"
        " where not exists (select 1 from listings where player_id = value and nation_code != '')",
        [json.dumps(list(player_ids))],
    )
    return int(next(found)[0])
