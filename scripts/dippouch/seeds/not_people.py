"""Entries in lists of players that are not people: `Bye`, `N. N.`, `Total`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import NOT_PEOPLE

TOTAL, LIKELY_TEAM = "total", "likely team"


@dataclass(frozen=True)
class NotPeople:
    """A collection's words that name nobody: the meaning of each, by its letters and digits in lower case."""

    meanings: Mapping[str, str]

    def meaning_of(self, text: str) -> str | None:
        """Return the meaning of a text that names nobody: `nobody`, `total`, ...; None for a possible name."""
        return self.meanings.get(_plain(text))


def read_not_people(folder: Path) -> NotPeople:
    """Return the words that name nobody in a collection.

    Raises:
        UserError: when the seed cannot be read.
    """
    rows = read_rows(folder / NOT_PEOPLE)
    return NotPeople({_plain(row["listed_as"]): row["meaning"].strip() for row in rows})


@lru_cache(100_000)
def _plain(text: str) -> str:
    """Normalize a text, so that `N. N.`, `N.N.` and `nn` are equal."""
    return re.sub(r"[\W_]+", "", text).casefold() or text.strip()
