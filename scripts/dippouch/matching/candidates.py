"""Likely duplicates: pairs of listed players who may be one person, for the rating keeper to decide.

Only players who share a block are compared (the same words in another order, the same looks, the same last name and initial,
the same first name and the same beginning or end of the last name), so a hundred thousand players take seconds, not all pairs.
Two whom one tournament or ranking lists are two people; so are pairs that were decided on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Group
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz.distance import DamerauLevenshtein

from dippouch.lookalikes import skeleton
from dippouch.matching.listings import are_listed_together
from dippouch.matching.people import ListedPerson, listed_people
from dippouch.matching.spellings import other_spellings
from dippouch.seeds.persons import people_behind
from dippouch.seeds.schema import DISTINCTIONS
from dippouch.seeds.store import Collection

# How alike, the likeliest first; they are shown in this order.
SAME_NAME, LOOKS_THE_SAME = "same name", "looks the same"
ACCENTS, SWAPPED = "accents, one id", "names swapped"
INITIALS, SPELLING = "initials", "spelling"
_LIKELIEST = (SAME_NAME, LOOKS_THE_SAME, ACCENTS, SWAPPED, INITIALS, SPELLING)

# One letter may differ in a part of a name of four letters, two in one of nine.
_ONE_LETTER, _TWO_LETTERS = 4, 9
_SHORTEST_EDGE = 2


@dataclass(frozen=True)
class LikelyDuplicate:
    """Two listed players who may be one person, and why; `one` has more tournaments."""

    one: ListedPerson
    other: ListedPerson
    likeness: str

    @property
    def nations_differ(self) -> bool:
        """Whether both have stated nations and share none."""
        return bool(self.one.nations and self.other.nations and not self.one.nations & self.other.nations)


def find_likely_duplicates(collection: Collection, among: Group[str] | None = None) -> list[LikelyDuplicate]:
    """Every pair that looks alike and is not decided, the likeliest first.

    Args:
        collection: what is known.
        among: only pairs with one of these listed ids; None: all pairs, and names under one id that are spelt in two ways.
    """
    people = listed_people(collection)
    behind = people_behind(collection)

    def persons(one: str, other: str) -> frozenset[str]:
        return frozenset((behind.get(one, one), behind.get(other, other)))

    different = {persons(row["player_id"], row["other_player_id"]) for row in collection.all(DISTINCTIONS)}
    found = []
    if among is None:
        found = [LikelyDuplicate(one, other, ACCENTS) for one, other in other_spellings(collection)]
    for one, other in _pairs(people):
        if among is not None and one.player_id not in among and other.player_id not in among:
            continue
        pair = persons(one.player_id, other.player_id)
        undecided = len(pair) == 2 and pair not in different
        if undecided and (likeness := _likeness(one, other)):
            if are_listed_together(collection, one.player_id, other.player_id):
                continue
            first, second = sorted((one, other), key=lambda person: (-person.tournaments, person.player_id))
            found.append(LikelyDuplicate(first, second, likeness))
    found.sort(
        key=lambda candidate: (
            candidate.nations_differ,
            _LIKELIEST.index(candidate.likeness),
            candidate.one.player_id,
            candidate.other.player_id,
            candidate.other.name,
        )
    )
    return found


def _pairs(people: list[ListedPerson]) -> Iterator[tuple[ListedPerson, ListedPerson]]:
    """The pairs of people who share a block, each once."""
    blocks: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for position, person in enumerate(people):
        for block in _blocks(person):
            blocks[block].append(position)
    seen = set()
    for positions in blocks.values():
        for pair in combinations(positions, 2):
            if pair not in seen:
                seen.add(pair)
                yield people[pair[0]], people[pair[1]]


def _blocks(person: ListedPerson) -> Iterator[tuple[str, ...]]:
    yield ("words", *sorted([*person.first.split("-"), *person.last.split("-")]))
    yield ("looks", skeleton(person.name))
    yield ("initial", person.last, person.first[:1])
    if len(person.last) >= _ONE_LETTER:
        yield ("begins", person.first, person.last[:_SHORTEST_EDGE])
        yield ("ends", person.first, person.last[-_SHORTEST_EDGE:])
    if len(person.first) >= _ONE_LETTER:
        yield ("first ends", person.last, person.first[-_SHORTEST_EDGE:])


def _likeness(one: ListedPerson, other: ListedPerson) -> str:
    if (one.first, one.last) == (other.first, other.last):
        return SAME_NAME
    if skeleton(one.name) == skeleton(other.name):
        return LOOKS_THE_SAME
    if one.words == other.words:
        return SWAPPED
    if one.last == other.last and _is_short_for(one.first, other.first):
        return INITIALS
    same_first, same_last = one.first == other.first, one.last == other.last
    if (same_first and _is_near(one.last, other.last)) or (same_last and _is_near(one.first, other.first)):
        return SPELLING
    return ""


def _is_short_for(one: str, other: str) -> bool:
    """`j` and `j-p` for `jean-paul`, `jean` for `jean-paul`; not two different initials."""
    short, long = sorted((one.split("-"), other.split("-")), key=lambda words: sum(map(len, words)))
    if not all(short) or len(short) > len(long):
        return False
    return all(
        whole == part or (len(part) == 1 and whole.startswith(part)) for part, whole in zip(short, long, strict=False)
    )


def _is_near(one: str, other: str) -> bool:
    length = min(len(one), len(other))
    letters = 2 if length >= _TWO_LETTERS else 1 if length >= _ONE_LETTER else 0
    return bool(letters) and DamerauLevenshtein.distance(one, other, score_cutoff=letters) <= letters
