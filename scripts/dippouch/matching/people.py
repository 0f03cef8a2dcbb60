"""Listed players with what is known of them, for telling whether two are one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dippouch.ids import readable_id_or_empty
from dippouch.seeds.schema import PUBLISHED_RANKINGS, RESULTS, SOURCE_IDS, TOURNAMENTS
from dippouch.seeds.store import Collection


@dataclass(frozen=True)
class ListedPerson:
    """A listed player id and the evidence about it.

    Attributes:
        player_id: the id, before aliases.
        name: the name as most tournaments list it.
        first: first names as a readable id (`jean-paul`); may be empty.
        last: last name as a readable id.
        nations: every nation that is stated of the person.
        source_ids: every id that sources give.
        tournaments: how many tournaments list the id.
        years: the first and the last year of these; empty without any.
        example: one of these, where it matters which.
    """

    player_id: str
    name: str
    first: str
    last: str
    nations: frozenset[str]
    source_ids: frozenset[str]
    tournaments: int
    years: str
    example: str = ""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the name in the order of the alphabet."""
        return tuple(sorted([*self.first.split("-"), *self.last.split("-")]))


def listed_people(collection: Collection) -> list[ListedPerson]:
    """Everybody whom the collection lists, in the order of their ids, by the name that is listed most."""
    found = collection.query(
        f"""
        with spellings as (
            select player_id, first_name, last_name, count(*) as times from {RESULTS.name} group by 1, 2, 3
            union all
            select player_id, first_name, last_name, 0 from {PUBLISHED_RANKINGS.name} group by 1, 2, 3
        ),
        names as (
            select *, row_number() over (
                partition by player_id order by times desc, last_name, first_name
            ) as preference
            from spellings
        ),
        evidence as (
            select
                player_id,
                group_concat(distinct nullif(nation_code, '')) as nations
            from listings group by player_id
        ),
        ids as (
            select our_id, group_concat(source || ':' || source_id) as source_ids
            from {SOURCE_IDS.name} where kind = 'player' group by our_id
        ),
        careers as (
            select
                player_id, count(*) as tournaments,
                substr(min(ended_on), 1, 4) as first_year, substr(max(ended_on), 1, 4) as last_year
            from {RESULTS.name} join {TOURNAMENTS.name} using (tournament_id) group by player_id
        )
        select
            names.player_id, first_name, last_name, coalesce(nations, ''), coalesce(source_ids, ''),
            coalesce(tournaments, 0), first_year || '-' || last_year
        from names
        left join evidence on names.player_id = evidence.player_id
        left join ids on names.player_id = ids.our_id
        left join careers on names.player_id = careers.player_id
        where preference = 1
        order by names.player_id
        """
    )
    return [
        ListedPerson(
            player_id,
            " ".join(part for part in (first_name, last_name) if part),
            readable_id_or_empty(first_name),
            readable_id_or_empty(last_name),
            frozenset(filter(None, nations.split(","))),
            frozenset(filter(None, source_ids.split(","))),
            tournaments,
            years or "",
        )
        for player_id, first_name, last_name, nations, source_ids, tournaments, years in found
    ]
