"""Readable ids: the same name makes the same id, in every document and every language."""

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

# People occur in many documents: what was made of a word once is kept.
_REMEMBERED_WORDS = 200_000


def readable_id(text: str) -> str:
    """A stable, readable id: lower-case ASCII words joined by hyphens (`Leï SÄÄRLAINEN` gives `lei-saarlainen`).

    Raises:
        ValueError: when nothing readable is left.
    """
    made = readable_id_or_empty(text)
    if not made:
        raise ValueError(f"no letter or digit in {text!r}")
    return made


def readable_id_or_empty(text: str) -> str:
    """The same, and empty when nothing readable is left."""
    # Word by word, because a million results have a million names and few words.
    return "-".join(filter(None, map(_slug_of_word, text.split())))


def name_and_year_id(name: str, year: str) -> str:
    """A readable id of a name and a year: `wac-6-2009` for `WAC 6` and `WAC 6 2009`.

    Raises:
        ValueError: when the name has no letter or digit.
    """
    made = readable_id(name)
    return made if year in made.split("-") else f"{made}-{year}"


def is_taken(made: str) -> bool:
    """Whether nobody may have an id, because something else has a file of that name."""
    return _TAKEN.fullmatch(made) is not None


def fault_of_id(given: str) -> str:
    """What is expected of an id that is none; empty when it is one."""
    if is_taken(given):
        return f"another id, because `{given}` is the name of a file already"
    if not re.fullmatch(PATTERN, given) or len(given) > LONGEST:
        return f"an id of small letters and digits, with hyphens between words, and at most {LONGEST} characters, such as `john-smith-2`"
    return ""


@lru_cache(_REMEMBERED_WORDS)
def _slug_of_word(word: str) -> str:
    # What most words are, and what slugify takes ten times as long for.
    if _PLAIN_WORD.fullmatch(word):
        return word.lower()
    # The apostrophes of print are those of a typewriter.
    made: str = slugify(word.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    return made
