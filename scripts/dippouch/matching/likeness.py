"""Whether two names may belong to one person: the rule of imports and of `dptr duplicates`.

First and last names are compared by their letters: accents, capitals, hyphens and doubled letters make no difference, nor do
small words before a last name (`du`) or a suffix after it (`Jr`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import product

from rapidfuzz.distance import OSA, Hamming

from dippouch.given_names import are_short_forms
from dippouch.ids import readable_id
from dippouch.lookalikes import skeleton
from dippouch.matching.people import ListedPerson
from dippouch.names import PARTICLES, SUFFIXES, are_initials

# Kinds of likeness, the likeliest first; this is also the order of display.
SAME_NAME, LOOKS_THE_SAME = "same name", "looks the same"
ACCENTS, SWAPPED = "accents, one id", "names swapped"
INITIALS, SPELLING, SHORT_FORM = "initials", "spelling", "short form"
LIKELIEST = (SAME_NAME, LOOKS_THE_SAME, ACCENTS, SWAPPED, INITIALS, SPELLING, SHORT_FORM)

# Minimum lengths of a part of a name in which one letter, or two, may differ; at most two differ in both parts together. Two
# neighbouring letters may be swapped in any part, two other letters exchanged in one of five.
_ONE_LETTER, _TWO_EXCHANGED, _TWO_LETTERS = 4, 5, 6
_MOST_LETTERS = 2
# Shorter beginnings of first names (`Jo`) fit too many people, unless only one letter follows (`Joe`).
_SHORTEST_FORM, _SHORTEST_BEFORE_LETTER = 3, 2
_NOT_THE_NAME = frozenset("-".join(map(readable_id, (*PARTICLES, *SUFFIXES))).split("-"))
_REMEMBERED = 200_000


def likeness(one: ListedPerson, other: ListedPerson) -> str:
    """Return the kind of likeness of two names that may belong to one person; empty if they may not."""
    if (one.first, one.last) == (other.first, other.last):
        return SAME_NAME
    if skeleton(one.name) == skeleton(other.name):
        return LOOKS_THE_SAME
    one, other = first_name_first(one), first_name_first(other)
    last = _letters_apart(one.last, other.last)
    if last == 0 and one.first != other.first and _is_short_for(one.first, other.first):
        return INITIALS
    if last + _letters_apart(one.first, other.first) <= _MOST_LETTERS or letters(one) == letters(other):
        return SPELLING
    if one.words == other.words:
        return SWAPPED
    return SHORT_FORM if last <= 1 and _are_forms(one.first, other.first) else ""


def first_name_first(person: ListedPerson) -> ListedPerson:
    """Return a person whose last name is initials with the names swapped: `Birsan E.` is E. Birsan, `Perrault FX` FX Perrault."""
    is_swapped = person.first and are_initials(person.last)
    return replace(person, first=person.last, last=person.first) if is_swapped else person


def letters(person: ListedPerson) -> str:
    """Return the letters of a name without small words, however it is divided: `Mc Quinn`, `Dias d'Almeida` and `Dias de Almeida`."""
    first_word, _, others = f"{person.first}-{person.last}".partition("-")
    return cores(first_word)[-1] + cores(others)[0]


@lru_cache(_REMEMBERED)
def cores(part: str) -> tuple[str, ...]:
    """Return the letters of a part of a name without spelling variants, with and without small words; `part` is a readable id."""
    words = part.split("-")
    without = [word for word in words if word not in _NOT_THE_NAME] or words
    return tuple(dict.fromkeys(re.sub(r"(.)\1+", r"\1", "".join(kept)) for kept in (without, words)))


@lru_cache(_REMEMBERED)
def _letters_apart(one: str, other: str) -> int:
    """Return the number of different letters in two parts of names; more than _MOST_LETTERS if too many for their length."""
    found = _MOST_LETTERS + 1
    for ours, theirs in product(cores(one), cores(other)):
        length = max(len(ours), len(theirs))
        are_swapped = sorted(ours) == sorted(theirs)
        # An exchange of two letters, unlike `Carla` and `Clara`, which are two names.
        are_exchanged = length >= _TWO_EXCHANGED and are_swapped and Hamming.distance(ours, theirs) == _MOST_LETTERS
        is_long = length >= _TWO_LETTERS or are_exchanged
        letters = _MOST_LETTERS if is_long else 1 if length >= _ONE_LETTER or are_swapped else 0
        if (apart := OSA.distance(ours, theirs, score_cutoff=letters)) <= letters:
            found = min(found, apart)
    return found


def _is_short_for(one: str, other: str) -> bool:
    """Return whether one name abbreviates the other: `j`, `j-p` and `jp` for `jean-paul`, `jean` and `paul` for it, but no other initial."""
    short, long = sorted((one.split("-"), other.split("-")), key=lambda words: sum(map(len, words)))
    if not all(short) or len(short) > len(long):
        return False
    if short == long[1:] or (len(long) > 1 and short == ["".join(word[0] for word in long)]):
        return True
    return all(
        whole == part or (len(part) == 1 and whole.startswith(part)) for part, whole in zip(short, long, strict=False)
    )


@lru_cache(_REMEMBERED)
def _are_forms(one: str, other: str) -> bool:
    """Return whether one first name may be the short form of the other (`Bob`, `Robert`; `Chris`, `Christian`), or both of a third."""
    short, long = sorted((cores(one)[-1], cores(other)[-1]), key=len)
    shortest = _SHORTEST_BEFORE_LETTER if len(long) == len(short) + 1 else _SHORTEST_FORM
    return (len(short) >= shortest and long.startswith(short)) or are_short_forms(one, other)
