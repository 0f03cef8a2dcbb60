"""The people in documents, with the evidence about them, and the ids of their sources."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dippouch.printable import counted
from dippouch.seeds.schema import ALIASES, PUBLISHED_RANKINGS, RESULTS, SOURCE_IDS
from dippouch.seeds.store import Collection

# The kinds of owners of a source's ids.
PLAYER, TOURNAMENT = "player", "tournament"


@dataclass(frozen=True)
class ListedPerson:
    """A listed player id and the evidence about it.

    Attributes:
        player_id: the person, after aliases.
        first_name: the first names in most tournaments; may be empty.
        last_name: the last name in most tournaments.
        nations: every stated nation of the person.
        source_ids: every id of the person at a source.
        tournaments: number of tournaments that list the id.
    """

    player_id: str
    first_name: str
    last_name: str
    nations: frozenset[str] = frozenset()
    source_ids: frozenset[str] = frozenset()
    tournaments: int = 1

    @property
    def name(self) -> str:
        """Return the whole name."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def evidence(self) -> str:
        """Return the name and the evidence, for people."""
        tournaments = counted(self.tournaments, "tournament", "tournaments") if self.tournaments else ""
        facts = (self.name, "/".join(sorted(self.nations)), " ".join(sorted(self.source_ids)), tournaments)
        return ", ".join(filter(None, facts))


def listed_people(collection: Collection) -> list[ListedPerson]:
    """Return everybody listed in the collection, each listed id with its most frequent name, sorted by it."""
    found = collection.query(
        f"""
        with spellings as (
            select player_id, first_name, last_name, count(*) as times from own_{RESULTS.name} group by 1, 2, 3
            union all
            select player_id, first_name, last_name, 0 from {PUBLISHED_RANKINGS.name} group by 1, 2, 3
        ),
        names as (
            select
                player_id, first_name, last_name, sum(times) over one as tournaments,
                row_number() over (partition by player_id order by times desc, last_name, first_name) as preference
            from spellings window one as (partition by player_id)
        )
        select
            coalesce(persons.player_id, names.player_id), first_name, last_name,
            (select coalesce(group_concat(distinct nation_code), '') from listings where listings.player_id = names.player_id),
            (
                select coalesce(group_concat(source || ':' || source_id), '') from {SOURCE_IDS.name}
                where kind = 'player' and our_id = names.player_id
            ),
            tournaments
        from names left join persons on listed_player_id = names.player_id and tournament_id = ''
        where preference = 1
        order by names.player_id
        """
    )
    return [
        ListedPerson(known, first, last, frozenset(nations.split(",")) - {""}, frozenset(ids.split(",")) - {""}, times)
        for known, first, last, nations, ids, times in found
    ]


def is_player_id(collection: Collection, player_id: str, *, of_person: bool = False) -> bool:
    """Return whether an id is in use, before or after aliases; `of_person` excludes one that means another person everywhere."""
    found = collection.query(
        f"select 1 from listings where player_id = $id union all"
        f" select 1 from {ALIASES.name} where player_id = $id"
        f" or listed_player_id = $id and (tournament_id = '' or {not of_person}) limit 1",
        {"id": player_id},
    )
    return next(found, None) is not None


def are_listed_together(collection: Collection, one: str, other: str) -> bool:
    """Return whether one tournament or published ranking lists two ids, so that they are two people."""
    lists = {f"own_{RESULTS.name}": "tournament_id", PUBLISHED_RANKINGS.name: "ranking_name, last_update"}
    sql = " union all ".join(
        f"select 1 from {name} as a join {name} as b using ({key}) where a.player_id = $one and b.player_id = $other"
        for name, key in lists.items()
    )
    found = collection.query(f"{sql} limit 1", {"one": one, "other": other})
    return next(found, None) is not None


def owner_of(collection: Collection, kind: str, source_id: str) -> str | None:
    """Return our id of the person or tournament (`kind`) with a source's id such as `wdd:1073`; None if it has no owner."""
    source, _, number = source_id.partition(":")
    row = collection.get(SOURCE_IDS, (source, kind, number))
    return row["our_id"] if row else None


def is_of_another(collection: Collection, kind: str, our_id: str, source_ids: Iterable[str]) -> bool:
    """Return whether the source of one of the ids has other ids for our person or tournament, but not this one."""
    for source_id in source_ids:
        source, _, number = source_id.partition(":")
        rows = collection.rows(SOURCE_IDS, "where kind = ? and our_id = ? and source = ?", (kind, our_id, source))
        if (given := {row["source_id"] for row in rows}) and number not in given:
            return True
    return False
