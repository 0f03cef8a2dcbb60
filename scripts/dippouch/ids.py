"""Readable ids: the same name gives the same id in every document and language."""

from __future__ import annotations

import re
from functools import lru_cache

from slugify import slugify

from dippouch.settings import project_variable

_IDS = project_variable("ids")
PATTERN: str = _IDS["pattern"]
TAKEN: str = _IDS["taken"]
LONGEST: int = _IDS["longest"]
_TAKEN = re.compile(TAKEN)
_PLAIN_WORD = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")

# The same words occur in many documents; results are cached.
_REMEMBERED_WORDS = 200_000


def readable_id(text: str) -> str:
    """Return a stable, readable id: lower-case ASCII words joined by hyphens (`Leï SÄÄRLAINEN` gives `lei-saarlainen`).

    Raises:
        ValueError: when nothing readable is left.
    """
    made = readable_id_or_empty(text)
    if not made:
        raise ValueError(f"no letter or digit in {text!r}")
    return made


def readable_id_or_empty(text: str) -> str:
    """Return the same id, or an empty text when nothing readable is left."""
    # Word by word, because a million results have a million names but few distinct words.
    return "-".join(filter(None, map(_slug_of_word, text.split())))


def name_and_year_id(name: str, year: str) -> str:
    """Return a readable id of a name and a year: `wac-6-2009` for both `WAC 6` and `WAC 6 2009`.

    Raises:
        ValueError: when the name has no letter or digit.
    """
    made = readable_id(name)
    return made if year in made.split("-") else f"{made}-{year}"


def is_taken(made: str) -> bool:
    """Return whether an id is reserved, because the site or an export has another file of that name."""
    return _TAKEN.fullmatch(made) is not None


def fault_of_id(given: str) -> str:
    """Return what a valid id looks like if the given one is invalid; empty if it is valid."""
    if is_taken(given):
        return f"another id, because `{given}` is a reserved file name"
    if not re.fullmatch(PATTERN, given) or len(given) > LONGEST:
        return f"an id of small letters and digits, with hyphens between words, and at most {LONGEST} characters, such as `john-smith-2`"
    return ""


@lru_cache(_REMEMBERED_WORDS)
def _slug_of_word(word: str) -> str:
    # Fast path for most words; slugify takes ten times as long.
    if _PLAIN_WORD.fullmatch(word):
        return word.lower()
    # Treat a typographic apostrophe like a typewriter's.
    made: str = slugify(word.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    return made
