"""What can be corrected, and how a corrected value is written into the seed; what it may be is checked with all rows."""

from __future__ import annotations

import unicodedata

from dippouch.names import in_capitals, repair_text
from dippouch.seeds.schema import CODES, RESULTS, TOURNAMENT_FACTS, correctable

WITHDRAWN = "withdrawn"
PARTS_OF_A_NAME = ("first_name", "last_name")
DAYS = ("started_on", "ended_on")

# No later than any event that can have been played, and earlier than the first game of any kind that is rated.
FIRST_YEAR, LAST_YEAR = 1900, 2100


def fields_of(player_id: str) -> tuple[str, ...]:
    """What can be corrected of a result, or, with an empty player id, of a tournament."""
    return correctable(RESULTS) if player_id else TOURNAMENT_FACTS


def tidy_value(name: str, value: str) -> str:
    """A corrected value as it is written into the seed: one blank between words, codes and last names in capitals.

    Args:
        name: the field.
        value: what somebody gave.
    """
    made = unicodedata.normalize("NFC", " ".join(value.split()) if value.isprintable() else value).strip()
    if name in CODES:
        return made.upper()
    if name in PARTS_OF_A_NAME:
        made = repair_text(made)
    return in_capitals(made) if name == "last_name" else made
