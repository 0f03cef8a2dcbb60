"""One listed id with several spellings: lost accents, or two people after all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from dippouch.ids import readable_id_or_empty
from dippouch.matching.people import ListedPerson
from dippouch.seeds.schema import ALIASES, RESULTS, TOURNAMENTS
from dippouch.seeds.store import Collection


def other_spellings(collection: Collection) -> Iterator[tuple[ListedPerson, ListedPerson]]:
    """Yield every listed id with several spellings, ignoring case: the most frequent one paired with each other one.

    If the rating keeper split a person off, the results there belong to another person.
    """
    found = collection.query(
        f"""
        with spelt as (
            select results.player_id, trim(first_name || ' ' || last_name) as name, first_name, last_name,
                count(*) as tournaments, max(tournament_id) as example,
                substr(min(ended_on), 1, 4) || '-' || substr(max(ended_on), 1, 4) as years
            from {RESULTS.name} as results join {TOURNAMENTS.name} using (tournament_id)
            where not exists (
                select 1 from {ALIASES.name} as split
                where split.listed_player_id = results.player_id and split.tournament_id = results.tournament_id
            )
            group by 1, 2
        )
        select player_id, name, first_name, last_name, tournaments, example, years from spelt
        where player_id in (select player_id from spelt group by 1 having count(*) > 1)
        order by player_id, tournaments desc, name
        """
    )
    spelt: dict[tuple[str, str], dict[str, ListedPerson]] = defaultdict(dict)
    for player_id, name, first_name, last_name, tournaments, example, years in found:
        first, last = readable_id_or_empty(first_name), readable_id_or_empty(last_name)
        person = ListedPerson(player_id, name, first, last, frozenset(), frozenset(), tournaments, years, example)
        spelt[player_id, readable_id_or_empty(name)].setdefault(name.casefold(), person)
    for variants in spelt.values():
        most_frequent, *others = variants.values()
        for other in others:
            yield most_frequent, other
