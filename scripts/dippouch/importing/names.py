"""Names of people: repairing broken text, splitting a listed name, making readable ids."""

from __future__ import annotations

import re
import unicodedata

import ftfy
from slugify import slugify

# A name is made of letters, their accents, and what joins them. Digits occur (Ry4an BRASE).
_JOINERS = set(" '’`.,-‐()/&\"")

# Bytes in the right-hand encoding that somebody read in the left-hand one. UTF-8 mistakes are ftfy's.
_MISREADINGS = (("cp850", "latin-1"), ("cp437", "latin-1"), ("mac_roman", "latin-1"))


def _reads_as_name(text: str) -> bool:
    return all(c in _JOINERS or unicodedata.category(c)[0] in "LMN" for c in text)


def repair_text(text: str) -> str:
    """Undo a mistaken decoding, where the text shows one; otherwise give the text back, composed (NFC).

    `Le´ S──RLAINEN` is Latin-1 bytes read as code page 850, and becomes `Leï SÄÄRLAINEN`. A text is touched only when
    it holds characters that no name has and when one of the known misreadings turns it into a name.
    """
    repaired = unicodedata.normalize("NFC", ftfy.fix_encoding(text))
    if _reads_as_name(repaired):
        return repaired
    for wrong, right in _MISREADINGS:
        try:
            candidate = repaired.encode(wrong).decode(right)
        except UnicodeError:
            continue
        if _reads_as_name(candidate):
            return unicodedata.normalize("NFC", candidate)
    return repaired


def split_listed_name(listed_name: str) -> tuple[str, str]:
    """First and last name of a listed name whose last name is in capitals.

    `Vincent DIAS DE ALMEIDA` gives (`Vincent`, `DIAS DE ALMEIDA`). Lower-case particles before the capitals belong to
    the last name (`René van ROOIJEN`), initials before it do not (`Jean P. DUPONT`).

    Raises:
        ValueError: when no word is in capitals; the message says what was expected.
    """
    words = repair_text(listed_name).split()
    if not words:
        raise ValueError("an empty name")

    def capitals(word: str) -> bool:
        letters = [c for c in word if c.isalpha()]
        return bool(letters) and not any(c.islower() for c in letters)

    def initial(word: str) -> bool:
        return re.fullmatch(r"(\w\.)+", word) is not None

    start = len(words)
    while start > 0 and capitals(words[start - 1]) and not (start < len(words) and initial(words[start - 1])):
        start -= 1
    if start == len(words):
        raise ValueError("no last name in capitals")
    if start == 0 and len(words) > 1:
        # Everything is in capitals (JP DUPONT): the first word is the first name.
        start = 1
    while start > 1 and words[start - 1].islower():
        start -= 1
    return " ".join(words[:start]), " ".join(words[start:])


def readable_id(text: str) -> str:
    """A stable, readable id: lower-case ASCII words joined by hyphens (`Leï SÄÄRLAINEN` gives `lei-saarlainen`).

    Raises:
        ValueError: when nothing readable is left.
    """
    made: str = slugify(text)
    if not made:
        raise ValueError(f"no letter or digit in {text!r}")
    return made
