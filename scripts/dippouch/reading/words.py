"""Words of documents in many languages; `words.csv` has the use and the meaning of each."""

import csv
import re
from functools import cache
from pathlib import Path

from dippouch.ids import readable_id_or_empty

_WORDS = Path(__file__).with_name("words.csv")
_LONGEST_WORD = 60


def heading(text: str) -> str:
    """Normalize a heading: `First Name` becomes `first_name`, `Prénom` `prenom`, `N°` `no`."""
    if len(text) > _LONGEST_WORD:
        return ""
    text = text.replace("(s)", "s")
    if text.isascii():
        plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    else:
        plain = readable_id_or_empty(text.replace("°", "o")).replace("-", "_")
    # `Player #` is a number, not a player.
    return f"{plain}_#".strip("_") if "#" in text else plain


@cache
def listed_words(use: str) -> list[tuple[str, str]]:
    """Return the words of one use with their meanings, as listed; in phrases of the use `title` `*` means any ending."""
    with _WORDS.open(encoding="utf-8", newline="") as file:
        return [(row["word"], row["meaning"]) for row in csv.DictReader(file) if row["use"] == use]


@cache
def words(use: str) -> dict[str, str]:
    """Return the meanings of the words of one use (`label`, `heading`, `no placement` or `month`), by normalized word."""
    return {heading(word): meaning for word, meaning in listed_words(use)}
