"""The people whom documents list, with the evidence about them, and the ids of their sources."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from dippouch.ids import readable_id_or_empty
from dippouch.printable import counted
from dippouch.seeds.schema import ALIASES, PUBLISHED_RANKINGS, RESULTS, SOURCE_IDS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection

# The kinds of owners of a source's ids.
PLAYER, TOURNAMENT = "player", "tournament"


@dataclass(frozen=True)
class Listing:
    """One way in which a person is listed: id, spelling, and nation ("": none)."""

    player_id: str
    spelling: str
    nation_code: str


@dataclass(frozen=True)
class ListedPerson:
    """A listed player id and the evidence about it.

    Attributes:
        player_id: the id, before aliases.
        name: the name in most tournaments.
        first: first names as a readable id (`jean-paul`); may be empty.
        last: last name as a readable id.
        nations: every stated nation of the person.
        source_ids: every id of the person at a source.
        tournaments: number of tournaments that list the id.
        years: the first and the last year of these; empty without any.
    """

    player_id: str
    name: str
    first: str
    last: str
    nations: frozenset[str]
    source_ids: frozenset[str]
    tournaments: int
    years: str

    @property
    def evidence(self) -> str:
        """Return the name and the evidence, for people."""
        facts = [self.name, "/".join(sorted(self.nations)), " ".join(sorted(self.source_ids))]
        facts.append(f"{counted(self.tournaments, 'tournament', 'tournaments')} {self.years}".strip())
        return ", ".join(fact for fact in facts if fact)


def listed_people(collection: Collection, without: Iterable[str] = ()) -> list[ListedPerson]:
    """Return everybody listed in the collection, sorted by id, with the most frequent name.

    Args:
        collection: the collection.
        without: tournaments that do not count as evidence.
    """
    found = collection.query(
        f"""
        with spellings as (
            select
                player_id, first_name, last_name, count(counted.tournament_id) as times,
                min(counted.ended_on) as first_day, max(counted.ended_on) as last_day
            from {RESULTS.name} left join (
                select * from {TOURNAMENTS.name} where tournament_id not in (select value from json_each(?))
            ) as counted using (tournament_id)
            group by 1, 2, 3
            union all
            select player_id, first_name, last_name, 0, null, null from {PUBLISHED_RANKINGS.name} group by 1, 2, 3
        ),
        names as (
            select
                player_id, first_name, last_name, sum(times) over one as tournaments,
                substr(min(first_day) over one, 1, 4) || '-' || substr(max(last_day) over one, 1, 4) as years,
                row_number() over (partition by player_id order by times desc, last_name, first_name) as preference
            from spellings window one as (partition by player_id)
        )
        select
            player_id, first_name, last_name,
            (select group_concat(distinct nullif(nation_code, '')) from listings where listings.player_id = names.player_id),
            (
                select group_concat(source || ':' || source_id) from {SOURCE_IDS.name}
                where kind = 'player' and our_id = names.player_id
            ),
            tournaments, years
        from names
        where preference = 1
        order by player_id
        """,
        [json.dumps(list(without))],
    )
    return [
        ListedPerson(
            player_id,
            " ".join(part for part in (first_name, last_name) if part),
            readable_id_or_empty(first_name),
            readable_id_or_empty(last_name),
            frozenset((nations or "").split(",")) - {""},
            frozenset((source_ids or "").split(",")) - {""},
            tournaments,
            years or "",
        )
        for player_id, first_name, last_name, nations, source_ids, tournaments, years in found
    ]


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


def names_of(collection: Collection, player_ids: Iterable[str]) -> list[tuple[str, str]]:
    """Return the first and last names of listed ids."""
    names = (
        f"select player_id, first_name, last_name from {RESULTS.name} union all select player_id, first_name, last_name"
    )
    found = collection.query(
        f"select distinct first_name, last_name from ({names} from {PUBLISHED_RANKINGS.name}) join json_each(?) on value = player_id",
        [json.dumps(list(player_ids))],
    )
    return list(found)


def count_without_nation(collection: Collection, player_ids: Iterable[str]) -> int:
    """Count the listed ids without a nation in any listing."""
    found = collection.query(
        "select count(*) from json_each(?)"
        " where not exists (select 1 from listings where player_id = value and nation_code != '')",
        [json.dumps(list(player_ids))],
    )
    return int(next(found)[0])


def owner_of(collection: Collection, kind: str, source_id: str) -> str | None:
    """Return our id of the person or tournament (`kind`) with a source's id such as `wdd:1073`; None if it has no owner."""
    source, _, number = source_id.partition(":")
    row = collection.get(SOURCE_IDS, (source, kind, number))
    return row["our_id"] if row else None


def ids_of(collection: Collection, kind: str, our_id: str, source: str) -> set[str]:
    """Return the ids of a person or tournament at a source (`wdd`), as `wdd:1073`."""
    condition = "where kind = ? and our_id = ? and source = ?"
    rows = collection.rows(SOURCE_IDS, condition, (kind, our_id, source))
    return {f"{row['source']}:{row['source_id']}" for row in rows}


def new_rows(collection: Collection, kind: str, our_id: str, source_ids: Iterable[str]) -> list[Row]:
    """Return the rows to add for ids of a person or tournament; an id with any owner already adds none."""
    return [
        {"source": source, "kind": kind, "source_id": number, "our_id": our_id}
        for source_id in source_ids
        if owner_of(collection, kind, source_id) is None
        for source, _, number in [source_id.partition(":")]
    ]


def is_of_another(collection: Collection, kind: str, our_id: str, source_ids: Iterable[str]) -> bool:
    """Return whether the source of one of the ids has other ids for our person or tournament, but not this one."""
    for source_id in source_ids:
        given = ids_of(collection, kind, our_id, source_id.partition(":")[0])
        if given and source_id not in given:
            return True
    return False
