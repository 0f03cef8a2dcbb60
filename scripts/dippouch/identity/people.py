"""Listed players with what is known of them, for telling whether two are one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dippouch.collection.working import Collection
from dippouch.importing.names import readable_id


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
    """

    player_id: str
    name: str
    first: str
    last: str
    nations: frozenset[str]
    source_ids: frozenset[str]
    tournaments: int
    years: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the name in the order of the alphabet."""
        return tuple(sorted([*self.first.split("-"), *self.last.split("-")]))


def listed_people(collection: Collection) -> list[ListedPerson]:
    """Everybody whom the collection lists, in the order of their ids."""
    people = []
    for row in collection.people():
        player_id, first_name, last_name, nations, source_ids, tournaments, first_year, last_year = row
        people.append(
            ListedPerson(
                player_id,
                " ".join(part for part in (first_name, last_name) if part),
                _slug(first_name),
                _slug(last_name),
                frozenset(nations.split()),
                frozenset(source_ids.split()),
                tournaments,
                f"{first_year}-{last_year}" if tournaments else "",
            )
        )
    return people


def _slug(text: str) -> str:
    try:
        return readable_id(text)
    except ValueError:
        return ""
