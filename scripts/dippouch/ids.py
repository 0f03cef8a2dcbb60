"""Readable ids: the same name makes the same id, in every document and every language."""

from __future__ import annotations

from functools import lru_cache

from slugify import slugify

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
    return "-".join(slug for word in text.split() if (slug := _slug_of_word(word)))


def name_and_year_id(name: str, year: str) -> str:
    """A readable id of a name and a year: `wac-6-2009` for `WAC 6` and `WAC 6 2009`.

    Raises:
        ValueError: when the name has no letter or digit.
    """
    made = readable_id(name)
    return made if year in made.split("-") else f"{made}-{year}"


@lru_cache(_REMEMBERED_WORDS)
def _slug_of_word(word: str) -> str:
    made: str = slugify(word)
    return made
