"""Readable ids: the same name gives the same id in every document and language."""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import count

from slugify import slugify

from dippouch.settings import project_variable

_IDS = project_variable("ids")
PATTERN: str = _IDS["pattern"]
LONGEST: int = _IDS["longest"]

# What messages expect of an id.
VALID_ID = (
    f"an id of small letters and digits, with hyphens between words, and at most {LONGEST} characters, such as `john-smith-2`,"
    " but no reserved file name such as `index`"
)

# The same words occur in many documents; results are cached.
_REMEMBERED_WORDS = 200_000


def readable_id_or_empty(text: str) -> str:
    """Return a stable, readable id: lower-case ASCII words joined by hyphens (`Leï SÄÄRLAINEN` gives `lei-saarlainen`).

    It is empty when the text has no letter or digit.
    """
    # Word by word, because a million results have a million names but few distinct words.
    return "-".join(filter(None, map(_slug_of_word, text.split())))


def name_and_year_id(name: str, year: str) -> str:
    """Return a readable id of a name and a year: `wac-6-2009` for both `WAC 6` and `WAC 6 2009`; empty as above."""
    made = readable_id_or_empty(name)
    return made if not made or year in made.split("-") else f"{made}-{year}"


def is_taken(made: str) -> bool:
    """Return whether an id is reserved, because the site or an export has another file of that name."""
    return re.fullmatch(_IDS["taken"], made) is not None


def free_id(made: str, is_used: Callable[[str], bool]) -> str:
    """Return an id, with the first free number if it is used or reserved: `john-smith-2`."""
    numbered = (made if number == 1 else f"{made}-{number}" for number in count(1))
    return next(one for one in numbered if not (is_taken(one) or is_used(one)))


def is_valid_id(given: str) -> bool:
    """Return whether an id is as `VALID_ID` says."""
    return re.fullmatch(PATTERN, given) is not None and len(given) <= LONGEST and not is_taken(given)


@lru_cache(_REMEMBERED_WORDS)
def _slug_of_word(word: str) -> str:
    # Treat a typographic apostrophe like a typewriter's.
    return slugify(word.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
