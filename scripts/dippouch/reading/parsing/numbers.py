"""Placements, counts and printed figures, as people write them."""

from __future__ import annotations

import re
from decimal import Decimal

from dippouch.reading.parsing.words import heading, words

# 3, 3rd, 3e, 3º, 3., 3.0 (a spreadsheet's whole number), and marks of a tie: =3, 3=, T3, joint 3rd, 3 ex aequo, 3-4.
_ORDINAL = r"(?:st|nd|rd|th|er|[eè]re|e|è?me|ème|de|ste|[ºª°.]|\.0+)?"
_PLACEMENT = re.compile(
    rf"(?:=|T-?|joint\s*)(?P<tied>[0-9]{{1,7}}){_ORDINAL}|(?P<first>[0-9]{{1,7}}){_ORDINAL}"
    rf"(?:\s?=|T|\s*\(?(?:ex[ -]?(?:ae|æ)quo|tied?|joint)\)?|\s*[-–/]\s*(?P<last>[0-9]{{1,7}}){_ORDINAL})?",
    re.IGNORECASE,
)
_DASHES = frozenset("-–—")

# A percentile score or a rating, also in a spreadsheet's form: 87.5 for 87.50, 100 for 100.00; the decimal sign may be a comma.
_SCORE = re.compile(r"([0-9]{1,4})(?:[.,]([0-9]{1,2}))?")
_WHOLE_NUMBER = re.compile(r"([0-9]{1,7})(?:\.0+)?")
_WDD_ID = re.compile("0*[1-9][0-9]{0,8}")


def meaning_of_no_placement(text: str) -> str | None:
    """Return the meaning of a mark in place of a placement: `withdrew` for `Abandon`, empty for `-`; None for any other text."""
    if text in _DASHES:
        return ""
    return words("no placement").get(heading(text.split("(", 1)[0]))


def parse_placement(text: str) -> int | None:
    """Parse a placement: `3`, `3rd`, `3.`, `=3`, `T3`, or `3-4` for a tie; None for `DNF`, `-`, blank and the like.

    Raises:
        ValueError: for anything else, such as 0, -1, 2.5 or NaN; the message says what was expected.
    """
    text = text.strip()
    if not text or meaning_of_no_placement(text) is not None:
        return None
    match = _PLACEMENT.fullmatch(text)
    number = int(match["tied"] or match["first"]) if match else 0
    # A tie for placements 3 to 4 means third.
    if number < 1 or (match and match["last"] and int(match["last"]) <= number):
        raise ValueError("a whole number from 1 (also `3rd`, `=3`, `3-4`), or `DNF`, `-` or nothing for no placement")
    return number


def parse_count(text: str) -> int:
    """Parse a number of players, rounds or boards.

    Raises:
        ValueError: when it is not a whole number above 0; the message says what was expected.
    """
    match = _WHOLE_NUMBER.fullmatch(text.strip())
    if not match or int(match[1]) < 1:
        raise ValueError("a whole number above 0")
    return int(match[1])


def parse_decimal(text: str) -> Decimal | None:
    """Parse a figure with up to two decimals: `98.30`, a spreadsheet's `98.3` or `100`, or with a comma; None for `-` and blank.

    Raises:
        ValueError: when it is not such a figure; the message says what was expected.
    """
    if text in ("", "-"):
        return None
    match = _SCORE.fullmatch(text)
    if not match:
        raise ValueError("a number at two decimals, such as `98.30`")
    return Decimal(f"{match[1]}.{match[2] or '':0<2}")


def parse_wdd_id(text: str) -> str:
    """Parse the World Diplomacy Database's number of a person or a tournament: `1073` gives `wdd:1073`.

    Raises:
        ValueError: when it is not a number; the message says what was expected.
    """
    if not _WDD_ID.fullmatch(text):
        raise ValueError("a number, such as `1073`")
    return f"wdd:{int(text)}"
