"""Entries in lists of players that are not people, such as `Total`."""

from __future__ import annotations

import re
from pathlib import Path

from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import NOT_PEOPLE


def read_totals(folder: Path) -> frozenset[str]:
    """Return the words of a collection for a total, as `bare_word` returns them.

    Raises:
        UserError: when the seed cannot be read.
    """
    rows = read_rows(folder / NOT_PEOPLE.path)
    return frozenset(bare_word(row["listed_as"]) for row in rows if row["meaning"].strip() == "total")


def bare_word(text: str) -> str:
    """Normalize a text, so that `N. N.`, `N.N.` and `nn` are equal: the rule of `bare_word` in macros/checks, for rows without a database."""
    return re.sub(r"[\W_]+", "", text).lower() or text.strip()
