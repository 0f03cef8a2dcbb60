"""Listed players with the evidence about them, to decide whether two are one person."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from dippouch.ids import readable_id_or_empty
from dippouch.printable import counted
from dippouch.seeds.schema import PUBLISHED_RANKINGS, RESULTS, SOURCE_IDS, TOURNAMENTS
from dippouch.seeds.store import Collection


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
        example: one of these tournaments; empty unless needed.
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
        """Return the words of the name in alphabetical order, without doubled letters."""
        return tuple(sorted(re.sub(r"(.)\1+", r"\1", f"{self.first}-{self.last}").split("-")))

    @property
    def evidence(self) -> str:
        """Return the name and the evidence, for people."""
        facts = [self.name, "/".join(sorted(self.nations)), " ".join(sorted(self.source_ids))]
        facts.append(f"{counted(self.tournaments, 'tournament', 'tournaments')} {self.years}".strip())
        facts.append(f"such as {self.example}" if self.example else "")
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
