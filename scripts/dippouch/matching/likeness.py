"""Whether two names may belong to one person: the only rule, for imports and for `dptr duplicates`.

Two names may belong to one person if their last names are equal (without accents, particles and the order of parts) and their first
names are equal, an initial or a short form; or if the whole names are at most one letter apart, two from eight letters on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product
from pathlib import Path

from nicknames import NickNamer
from rapidfuzz.distance import Levenshtein

from dippouch.ids import readable_id
from dippouch.matching.people import ListedPerson, are_listed_together, listed_people
from dippouch.names import PARTICLES, SUFFIXES
from dippouch.seeds.persons import people_behind
from dippouch.seeds.schema import DISTINCTIONS
from dippouch.seeds.store import Collection
from dippouch.settings import read_yaml

# Kinds of likeness, the likeliest first; this is also the order of display.
SAME_NAME, FIRST_NAME, SPELLING = LIKELIEST = ("same name", "initial or short form", "spelling")

# From so many letters in both whole names on, two letters may differ.
_LONG_NAME = 8
_MOST_LETTERS = 2
# Of this many pieces of a name, one is intact in any name at most two letters apart.
_PIECES = _MOST_LETTERS + 1
_NOT_THE_NAME = frozenset("-".join(map(readable_id, (*PARTICLES, *SUFFIXES))).split("-"))
_SHORT_FORMS = Path(__file__).parents[1] / "short_forms.yml"
_REMEMBERED = 200_000


@dataclass(frozen=True)
class _Name:
    """A name as the rule compares it: the words of each part without particles, and all letters."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    words: tuple[str, ...]
    letters: str


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


def likeness(one: ListedPerson, other: ListedPerson) -> str:
    """Return the kind of likeness of two names that may belong to one person; empty if they may not."""
    ours, theirs = _name(one.first, one.last), _name(other.first, other.last)
    if ours.words == theirs.words:
        return SAME_NAME
    if ours.last == theirs.last and _are_forms(ours.first, theirs.first):
        return FIRST_NAME
    is_long = min(len(ours.letters), len(theirs.letters)) >= _LONG_NAME
    most = _MOST_LETTERS if is_long else 1
    return SPELLING if Levenshtein.distance(ours.letters, theirs.letters, score_cutoff=most) <= most else ""


class KnownPeople:
    """Listed people, searchable by similar names."""

    def __init__(self, people: Iterable[ListedPerson] = ()) -> None:
        self._by_id: dict[str, ListedPerson] = {}
        self._by_key: dict[tuple[object, ...], list[ListedPerson]] = defaultdict(list)
        for person in people:
            self.add(person)

    def add(self, person: ListedPerson) -> None:
        """Add a person to the search."""
        self._by_id[person.player_id] = person
        name = _name(person.first, person.last)
        for key in (name.words, ("last", *name.last), *_pieces(name.letters)):
            self._by_key[key].append(person)

    def of_id(self, player_id: str) -> ListedPerson | None:
        """Return the person with an id, with their own spelling; None if no document lists the id."""
        return self._by_id.get(player_id)

    def alike(self, person: ListedPerson) -> Iterator[tuple[ListedPerson, str]]:
        """Yield everybody with a name so similar that they may be one person, and the kind of likeness."""
        name = _name(person.first, person.last)
        keys = (name.words, ("last", *name.last), *_pieces_sought(name.letters))
        found = {other.player_id: other for key in keys for other in self._by_key.get(key, ())}
        for other in found.values():
            if how := likeness(person, other):
                yield other, how


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
    """Find every undecided pair that looks alike, the likeliest first."""
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
    return likeliest_first(once.values())


def likely_duplicate(one: ListedPerson, other: ListedPerson, how: str) -> LikelyDuplicate:
    """Make a pair; the person with more tournaments comes first."""
    first, second = sorted((one, other), key=lambda person: (-person.tournaments, person.player_id))
    return LikelyDuplicate(first, second, how)


def likeliest_first(found: Iterable[LikelyDuplicate]) -> list[LikelyDuplicate]:
    """Sort likely duplicates for display."""
    return sorted(
        found,
        key=lambda pair: (
            pair.nations_differ,
            LIKELIEST.index(pair.likeness),
            pair.one.player_id,
            pair.other.player_id,
        ),
    )


@lru_cache(_REMEMBERED)
def _name(first: str, last: str) -> _Name:
    """Return a name as the rule compares it; both parts are readable ids."""
    firsts, lasts = first.split("-"), last.split("-")
    if first and max(map(len, lasts)) == 1 < max(map(len, firsts)):
        firsts, lasts = lasts, firsts  # `Birsan E.` is E. Birsan.
    lasts = [word for word in lasts if word not in _NOT_THE_NAME] or lasts
    words = [word for word in (*firsts, *lasts) if word]
    return _Name(tuple(firsts), tuple(sorted(lasts)), tuple(sorted(words)), "".join(words))


def _are_forms(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether each word of a first name begins or abbreviates the other's, or its initials are the other: `fx`, `jp`."""
    short, long = sorted((one, other), key=len)
    if not all(short) or not all(long):
        return False
    if len(short) == 1 < len(long) and short[0] == "".join(word[0] for word in long):
        return True
    return all(a.startswith(b) or b.startswith(a) or _are_short_forms(a, b) for a, b in zip(short, long, strict=False))


@lru_cache(_REMEMBERED)
def _are_short_forms(one: str, other: str) -> bool:
    """Return whether one first name is a short form of the other (`Bob`, `Robert`), or both of a third."""
    names = _nicknames()
    return (
        other in names.nicknames_of(one)
        or one in names.nicknames_of(other)
        or not names.canonicals_of(one).isdisjoint(names.canonicals_of(other))
    )


@cache
def _nicknames() -> NickNamer:
    """Return the short forms of first names: English ones of a package, those of other languages from short_forms.yml."""
    forms = NickNamer.default_lookup()
    for name, others in read_yaml(_SHORT_FORMS).items():
        forms[name] = {*forms.get(name, ()), *others}
    return NickNamer(nickname_lookup=forms)


def _bounds(length: int) -> list[tuple[int, int]]:
    """Return the beginnings and ends of the pieces of a name of so many letters."""
    return [(length * i // _PIECES, length * (i + 1) // _PIECES) for i in range(_PIECES)]


def _pieces(letters: str) -> Iterator[tuple[object, ...]]:
    """Yield the pieces of a name, each with the length of the name and its beginning."""
    for start, end in _bounds(len(letters)):
        yield len(letters), start, letters[start:end]


def _pieces_sought(letters: str) -> Iterator[tuple[object, ...]]:
    """Yield every piece of which a name at most two letters apart has at least one."""
    for length in range(max(len(letters) - _MOST_LETTERS, 0), len(letters) + _MOST_LETTERS + 1):
        further = len(letters) - length
        for (start, end), shift in product(_bounds(length), range(-_MOST_LETTERS, _MOST_LETTERS + 1)):
            # Letters added or lost before the piece shift it, those behind it do not.
            if start + shift >= 0 and abs(shift) + abs(further - shift) <= _MOST_LETTERS:
                yield length, start, letters[start + shift : end + shift]
