"""What a corrected value may be: how each field is checked, and how it is written into the seed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from dippouch.names import fault_of_name, fault_of_text, in_capitals, repair_text, shortened
from dippouch.seeds.files import is_absent, iterate_rows
from dippouch.seeds.schema import NATION_NAMES, NATIONS, TOURNAMENT_FACTS, TOURNAMENT_KINDS, Row
from dippouch.suggestions import did_you_mean, likely

WITHDRAWN = "withdrawn"
PARTS_OF_A_NAME = ("first_name", "last_name")
RESULT_FIELDS = ("placement", *PARTS_OF_A_NAME, "nation_code", "location_code")

# No later than any event that can have been played, and earlier than the first game of any kind that is rated.
FIRST_YEAR, LAST_YEAR = 1900, 2100
# Leagues that are played by mail take years; what takes longer is a slip in a date.
LONGEST_DAYS = 3 * 366

# More than any event has of anything: players, rounds, boards.
LARGEST_NUMBER = 1_000_000
_LONGEST_TEXT = 200
# Of three letters one may be a slip.
_CODE_LENGTH = 3
_ALIKE_CODES = 60
DAYS = ("started_on", "ended_on")


@dataclass(frozen=True)
class KnownCodes:
    """The codes of a collection that a value may be.

    Attributes:
        kinds: the kinds of tournaments, in capitals.
        nations: the nation codes, in capitals.
        nation_names: the code by each further way to write a nation, in capitals.
    """

    kinds: frozenset[str]
    nations: frozenset[str]
    nation_names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_rows(cls, kinds: Iterable[Row], nations: Iterable[Row], names: Iterable[Row]) -> KnownCodes:
        """The codes that the rows of the seeds of kinds, nations and names of nations hold."""
        codes = set()
        meant: dict[str, str] = {}
        for row in nations:
            code = row["nation_code"].strip().upper()
            codes.add(code)
            for other in (row["name"], row["iso_alpha2"]):
                meant.setdefault(other.strip().upper(), code)
        for row in names:
            meant.setdefault(row["name"].strip().upper(), row["nation_code"].strip().upper())
        return cls(frozenset(row["kind"].strip().upper() for row in kinds), frozenset(codes), meant)

    def nation_meant(self, text: str) -> str:
        """The nation that a text which is no code may mean, as the end of a sentence; empty when there is none."""
        if meant := self.nation_names.get(text.strip().upper()):
            return f"; did you mean `{meant}`?"
        if len(text.strip()) <= _CODE_LENGTH:
            return did_you_mean(text.strip(), sorted(self.nations), alike=_ALIKE_CODES)
        names = likely(text.strip(), sorted(self.nation_names))
        return f"; did you mean `{self.nation_names[names[0]]}` ({names[0].title()})?" if names else ""


def read_codes(folder: Path) -> KnownCodes:
    """The codes of a collection.

    Raises:
        UserError: when a seed of them cannot be read.
    """
    names = folder / NATION_NAMES  # A collection of an older version has none.
    return KnownCodes.of_rows(
        iterate_rows(folder / TOURNAMENT_KINDS.path),
        iterate_rows(folder / NATIONS),
        () if is_absent(names) else iterate_rows(names),
    )


def fields_of(player_id: str) -> tuple[str, ...]:
    """What can be corrected of a result, or, with an empty player id, of a tournament."""
    return RESULT_FIELDS if player_id else TOURNAMENT_FACTS


def canonical_value(name: str, value: str, codes: KnownCodes) -> str:
    """A corrected value as it is written into the seed.

    Args:
        name: the field, one of TOURNAMENT_FACTS or RESULT_FIELDS, or WITHDRAWN.
        value: what somebody gave.
        codes: the codes of the collection.

    Raises:
        ValueError: when it cannot be; the message says what was found and what was expected.
    """
    made = unicodedata.normalize("NFC", " ".join(value.split()) if value.isprintable() else value)
    return _RULES[name](name, made, codes)


def _refused(name: str, value: str, expected: str) -> ValueError:
    return ValueError(f"found {name} `{shortened(value)}`; expected {expected}")


def _number(name: str, value: str, codes: KnownCodes) -> str:
    del codes
    if not re.fullmatch(r"[1-9][0-9]{0,6}", value) or int(value) > LARGEST_NUMBER:
        raise _refused(name, value, f"a whole number from 1 to {LARGEST_NUMBER}")
    return value


def _day(name: str, value: str, codes: KnownCodes) -> str:
    del codes
    try:
        # `fromisoformat` alone takes 20050502 and 2005W186, too.
        day = date.fromisoformat(value) if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value) else None
    except ValueError:
        day = None
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise _refused(name, value, f"a day as YYYY-MM-DD, from {FIRST_YEAR} to {LAST_YEAR}")
    return value


def _kind(name: str, value: str, codes: KnownCodes) -> str:
    if value.upper() not in codes.kinds:
        raise _refused(name, value, f"one of {', '.join(sorted(codes.kinds))}{did_you_mean(value, codes.kinds)}")
    return value.upper()


def _nation(name: str, value: str, codes: KnownCodes) -> str:
    if value.upper() not in codes.nations:
        raise _refused(name, value, f"a nation_code of {NATIONS}, such as `FRA`{codes.nation_meant(value)}")
    return value.upper()


def _text(name: str, value: str, codes: KnownCodes) -> str:
    del codes
    if not value.strip():
        raise _refused(name, value, "some text")
    if fault := fault_of_text(value, _LONGEST_TEXT):
        raise ValueError(f"found {name} `{shortened(value)}` with {fault[0]}; expected {fault[1]}")
    return value.strip()


def _name_of_person(name: str, value: str, codes: KnownCodes) -> str:
    text = repair_text(value)
    if fault := fault_of_name(text):
        raise ValueError(f"found {name} `{shortened(value)}` with {fault[0]}; expected {fault[1]}")
    if not any(character.isalpha() for character in text):
        raise _refused(name, value, "a name with a letter")
    text = _text(name, text, codes)
    return in_capitals(text) if name == "last_name" else text


def _truth(name: str, value: str, codes: KnownCodes) -> str:
    del codes
    if value not in {"true", "false"}:
        raise _refused(name, value, "`true` or `false`")
    return value


_RULES: dict[str, Callable[[str, str, KnownCodes], str]] = {
    **dict.fromkeys(("name", "subtitle", "place"), _text),
    **dict.fromkeys(PARTS_OF_A_NAME, _name_of_person),
    **dict.fromkeys(("nation_code", "location_code"), _nation),
    **dict.fromkeys(("players", "rounds", "boards", "placement"), _number),
    **dict.fromkeys(DAYS, _day),
    "kind": _kind,
    WITHDRAWN: _truth,
}
