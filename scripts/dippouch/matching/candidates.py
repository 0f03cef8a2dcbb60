"""Likely duplicates: pairs of listed players who may be one person, for the rating keeper to decide.

Only players who share a block are compared (the same last name, or the same first name and the same beginning or end of the last name,
...),
so a hundred thousand players take seconds. Players in the same tournament or ranking, under any of their ids, are never a pair, nor are
pairs with a decision.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from rapidfuzz import fuzz, process

from dippouch.lookalikes import skeleton
from dippouch.matching.likeness import ACCENTS, LIKELIEST, cores, first_name_first, letters, likeness
from dippouch.matching.listings import are_listed_together
from dippouch.matching.people import ListedPerson, listed_people
from dippouch.matching.spellings import other_spellings
from dippouch.seeds.persons import people_behind
from dippouch.seeds.schema import DISTINCTIONS
from dippouch.seeds.store import Collection

# Length of the beginning or end of a last name that makes a block with the first name, and with its initial.
_EDGE, _LONGER_EDGE = 2, 3
# Percentage of common letters. Names of strangers share 60, `Jean Dupont` and `Jean Durand` 73.
_NEAR = 75


@dataclass(frozen=True)
class LikelyDuplicate:
    """Two listed players who may be one person, and why; `one` has more tournaments."""

    one: ListedPerson
    other: ListedPerson
    likeness: str

    @property
    def nations_differ(self) -> bool:
        """Return whether both have stated nations and share none."""
        return bool(self.one.nations and self.other.nations and not self.one.nations & self.other.nations)


class KnownPeople:
    """Listed people, searchable by similar names."""

    def __init__(self, people: Iterable[ListedPerson] = ()) -> None:
        self._names: dict[ListedPerson, str] = {}
        self._by_id: dict[str, ListedPerson] = {}
        self._blocks: dict[tuple[str, ...], list[ListedPerson]] = defaultdict(list)
        self.first_names: set[str] = set()
        for person in people:
            self.add(person)

    def add(self, person: ListedPerson) -> None:
        """Add a person to the search."""
        self._names[person] = person.name.casefold()
        self._by_id[person.player_id] = person
        self.first_names.update((person.first, *person.first.split("-")))
        for block in _blocks(person):
            self._blocks[block].append(person)

    def of_id(self, player_id: str) -> ListedPerson | None:
        """Return the person with an id, with their own spelling; None if no document lists the id."""
        return self._by_id.get(player_id)

    def alike(self, person: ListedPerson) -> Iterator[tuple[ListedPerson, str]]:
        """Yield everybody with a name so similar that they may be one person, and the kind of likeness."""
        found = {other.player_id: other for block in _blocks(person) for other in self._blocks.get(block, ())}
        for other in found.values():
            if how := likeness(person, other):
                yield other, how

    def nearest(self, name: str) -> ListedPerson | None:
        """Return the person whose name has the most letters in common with a name; None when nobody is known."""
        found = process.extractOne(name.casefold(), self._names, scorer=fuzz.ratio)
        return found[2] if found else None


def is_near(one: ListedPerson, other: ListedPerson) -> bool:
    """Return whether two names have so many letters in common that a reader may confuse them."""
    return fuzz.ratio(one.name.casefold(), other.name.casefold(), score_cutoff=_NEAR) > 0


class Undecided:
    """Tells which pairs of people are undecided: no evidence and no decision says that they are two people or one."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self.behind = people_behind(collection)
        self._ids = {person: [person] for person in self.behind.values()}
        for listed_id, person in self.behind.items():
            self._ids[person].append(listed_id)
        different = collection.query(f"select player_id, other_player_id from {DISTINCTIONS.name}")
        self._different = {self._people(*row) for row in different}

    def __call__(self, one: str, other: str) -> bool:
        """Return whether two listed ids may belong to one person, according to decisions and tournaments."""
        pair = self._people(one, other)
        if len(pair) == 1 or pair in self._different:
            return False
        ours, theirs = (self._ids.get(person, [person]) for person in pair)
        return not any(are_listed_together(self._collection, *ids) for ids in product(ours, theirs))

    def _people(self, one: str, other: str) -> frozenset[str]:
        return frozenset((self.behind.get(one, one), self.behind.get(other, other)))


def find_likely_duplicates(collection: Collection) -> list[LikelyDuplicate]:
    """Find every undecided pair that looks alike, the likeliest first, including one id spelt in two ways."""
    found = [LikelyDuplicate(one, other, ACCENTS) for one, other in other_spellings(collection)]
    known, undecided = KnownPeople(), Undecided(collection)
    people = {person.player_id: person for person in listed_people(collection)}

    def behind(listed: ListedPerson) -> ListedPerson:
        player_id = undecided.behind.get(listed.player_id, listed.player_id)
        return people.get(player_id) or replace(listed, player_id=player_id)

    pairs = []
    for person in people.values():
        for other, how in known.alike(person):
            if undecided(person.player_id, other.player_id):
                pairs.append(likely_duplicate(behind(person), behind(other), how))
        known.add(person)
    # A merged person's ids may all resemble the same other one.
    once = {(pair.one.player_id, pair.other.player_id): pair for pair in reversed(likeliest_first(pairs))}
    return likeliest_first([*found, *once.values()])


def likely_duplicate(one: ListedPerson, other: ListedPerson, how: str) -> LikelyDuplicate:
    """Make a pair; the person with more tournaments comes first."""
    first, second = sorted((one, other), key=lambda person: (-person.tournaments, person.player_id))
    return LikelyDuplicate(first, second, how)


def likeliest_first(found: Iterable[LikelyDuplicate]) -> list[LikelyDuplicate]:
    """Sort likely duplicates for display."""
    return sorted(
        found,
        key=lambda candidate: (
            candidate.nations_differ,
            LIKELIEST.index(candidate.likeness),
            candidate.one.player_id,
            candidate.other.player_id,
            candidate.other.name,
        ),
    )


def _blocks(person: ListedPerson) -> set[tuple[str, ...]]:
    """Return the block keys of a person; people with similar names share at least one."""
    person = first_name_first(person)
    blocks = {("words", *person.words), ("looks", skeleton(person.name)), ("letters", letters(person))}
    first = cores(person.first)[-1]
    for last in cores(person.last):
        blocks.add(("last", last))
        for beginning, length in ((first, _EDGE), (first[:1], _LONGER_EDGE)):
            blocks |= {("edge", beginning, last[:length]), ("edge", beginning, last[-length:])}
    return blocks
