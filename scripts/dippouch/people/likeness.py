"""Whether two names may belong to one person: the only rule, for imports and for `dptr duplicates`.

Two names may belong to one person if their last names are equal (without accents, particles and the order of parts) and their first
names are equal, an initial or a short form; or if the whole names are at most one letter apart, two from eight letters on.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple
from unicodedata import category

from nicknames import NickNamer
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from dippouch.collection.memory import Collection
from dippouch.names import PARTICLES, SUFFIXES, readable_id_or_empty
from dippouch.people.index import ListedPerson, People, listed_people

# Kinds of likeness, the likeliest first; this is also the order of display.
SAME_NAME, FIRST_NAME, SPELLING = LIKELIEST = ("same name", "initial or short form", "spelling")

# From so many letters in both whole names on, two letters may differ.
_LONG_NAME = 8
_MOST_LETTERS = 2
_NOT_THE_NAME = frozenset("-".join(map(readable_id_or_empty, (*PARTICLES, *SUFFIXES))).split("-"))
_REMEMBERED = 200_000
# The Unicode categories of signs; ids spell some of them out: `Hugo™` gives `hugotm`.
_SIGNS = frozenset({"Sc", "Sm", "So"})
# The short forms of English first names; reading them takes a moment.
_nicknames = cache(NickNamer)

# People with similar names, and the kinds of likeness.
Likely = list[tuple[ListedPerson, str]]


class _Name(NamedTuple):
    """A name as the rule compares it: the words of its parts without particles, and all letters."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    words: tuple[str, ...]
    letters: str


def likeness(one: ListedPerson, other: ListedPerson) -> str:
    """Return the kind of likeness of two names that may belong to one person; empty if they may not."""
    ours, theirs = _name(one.first_name, one.last_name), _name(other.first_name, other.last_name)
    if ours.words == theirs.words:
        return SAME_NAME
    if ours.last == theirs.last and _are_forms(ours.first, theirs.first):
        return FIRST_NAME
    most = _MOST_LETTERS if min(len(ours.letters), len(theirs.letters)) >= _LONG_NAME else 1
    return SPELLING if Levenshtein.distance(ours.letters, theirs.letters, score_cutoff=most) <= most else ""


class KnownPeople:
    """Listed people, searchable by similar names."""

    def __init__(self, people: Iterable[ListedPerson] = ()) -> None:
        self._people: list[ListedPerson] = []
        self._letters: list[str] = []
        # People by words, by last name, and by half of the letters, as positions in the lists.
        self._by_key: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for person in people:
            self.add(person)

    def add(self, person: ListedPerson) -> None:
        """Add a person to the search."""
        name = _name(person.first_name, person.last_name)
        for key in {name.words, name.last, *_halves(name.letters, len(name.letters), 0)}:
            self._by_key[key].append(len(self._people))
        self._people.append(person)
        self._letters.append(name.letters)

    def alike(self, person: ListedPerson) -> Iterator[tuple[ListedPerson, str]]:
        """Yield everybody with a name so similar that they may be one person, and the kind of likeness."""
        name = _name(person.first_name, person.last_name)
        lengths = range(len(name.letters) - _MOST_LETTERS, len(name.letters) + _MOST_LETTERS + 1)
        halves = (half for length in lengths for half in _halves(name.letters, length, _MOST_LETTERS))
        sharing = sorted({number for half in halves for number in self._by_key.get(half, ())})
        known = {number: self._letters[number] for number in sharing}
        near = process.extract(name.letters, known, scorer=Levenshtein.distance, score_cutoff=_MOST_LETTERS, limit=None)
        found = [number for key in (name.words, name.last) for number in self._by_key.get(key, ())]
        for number in dict.fromkeys([*found, *(number for *_, number in near)]):
            if how := likeness(person, self._people[number]):
                yield self._people[number], how


def are_undecided(people: People, one: str, other: str) -> bool:
    """Return whether two ids, after aliases, may belong to one person: no decision and no list says that they are two."""
    if one == other or {one, other} in people.distinct:
        return False
    return not any(people.are_listed_together(*pair) for pair in product(people.ids_of(one), people.ids_of(other)))


def likely(people: People, person: ListedPerson, alike: Iterable[tuple[ListedPerson, str]]) -> Likely:
    """Return those of the people with similar names who may be a new person, each once, the likeliest first."""
    found: dict[str, tuple[ListedPerson, str]] = {}
    for other, how in sorted(alike, key=lambda pair: (LIKELIEST.index(pair[1]), pair[0].player_id)):
        if other.player_id not in found and are_undecided(people, person.player_id, other.player_id):
            found[other.player_id] = (other, how)
    return list(found.values())


def find_likely_duplicates(collection: Collection) -> list[tuple[ListedPerson, ListedPerson, str]]:
    """Return every undecided pair that looks alike, and why, the likeliest first; the first of the two has more tournaments."""
    people, known = People(collection), KnownPeople()
    pairs: dict[frozenset[str], tuple[ListedPerson, ListedPerson, str]] = {}
    for person in listed_people(people):
        for other, how in likely(people, person, known.alike(person)):
            one, two = sorted((person, other), key=lambda listed: (-listed.tournaments, listed.player_id))
            pairs.setdefault(frozenset((one.player_id, two.player_id)), (one, two, how))
        known.add(person)
    return sorted(pairs.values(), key=lambda pair: (LIKELIEST.index(pair[2]), pair[0].name, pair[1].name))


def _halves(letters: str, length: int, most: int) -> Iterator[tuple[object, ...]]:
    """Yield every two quarters that a name of `length` letters may share with `letters` if at most `most` letters differ.

    Two letters change at most two quarters of a name, so names without two common quarters need not be compared.
    """
    more = len(letters) - length
    # A quarter in the middle moves by the letters added or left out before it.
    moved = range((more - most + 1) // 2, (more + most) // 2 + 1)
    quarters = [
        [(i, letters[i * length // 4 + by : (i + 1) * length // 4 + by]) for by in shifts]
        for i, shifts in enumerate(((0,), moved, moved, (more,)))
    ]
    return ((length, *half) for two in combinations(quarters, 2) for half in product(*two))


@lru_cache(_REMEMBERED)
def _name(first_name: str, last_name: str) -> _Name:
    """Return a name as the rule compares it."""
    plain = ("".join(sign for sign in part if category(sign) not in _SIGNS) for part in (first_name, last_name))
    firsts, lasts = (readable_id_or_empty(part).split("-") for part in plain)
    if max(map(len, lasts)) == 1 < max(map(len, firsts)):
        firsts, lasts = lasts, firsts  # `Birsan E.` is E. Birsan.
    lasts = [word for word in lasts if word not in _NOT_THE_NAME] or lasts
    words = [word for word in (*firsts, *lasts) if word]
    return _Name(tuple(firsts), tuple(sorted(lasts)), tuple(sorted(words)), "".join(words))


def _are_forms(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether each word of a first name begins or abbreviates the other's, or its initials are the other: `fx`, `jp`."""
    short, long = sorted((one, other), key=len)
    if not (all(short) and all(long)):
        return False
    if len(long) > 1 and short == ("".join(word[0] for word in long),):
        return True
    pairs = zip(short, long, strict=False)
    return all(a.startswith(b) or b.startswith(a) or _are_short_forms(a, b) for a, b in pairs)


@lru_cache(_REMEMBERED)
def _are_short_forms(one: str, other: str) -> bool:
    """Return whether one first name is a short form of the other (`Bob`, `Robert`), or both of a third."""
    return bool(({one} | _nicknames().canonicals_of(one)) & ({other} | _nicknames().canonicals_of(other)))
