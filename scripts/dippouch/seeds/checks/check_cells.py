"""What a cell of a seed may hold, by what is declared of its column: its type, its range, and what kind of text it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import lru_cache

from dippouch.ids import fault_of_id, readable_id_or_empty
from dippouch.names import fault_of_person, fault_of_text, shortened
from dippouch.seeds.checks.declared import Range

_REMEMBERED = 100_000
_LARGEST_INTEGER = 2**31 - 1
# A reason grows with the decisions that follow from others; what is longer is no sentence.
_LONGEST_TEXT = 10_000

# What is expected of a cell, empty when the cell is that.
Check = Callable[[str], str]


def check_of(type_: str, range_: Range | None) -> Check | None:
    """What tells what is expected of a cell of a type and a range; None for types that hold anything."""
    of_type = _check_of_type(type_)
    if of_type is None or range_ is None:
        return lru_cache(_REMEMBERED)(of_type) if of_type else None
    read: Callable[[str], Decimal | str] = str if type_ == "date" else Decimal
    low, high = read(range_.low), read(range_.high)
    what = {"date": "a day", "integer": "a whole number"}.get(type_, "a number")

    def check(cell: str) -> str:
        expected = of_type(cell)
        if expected or low <= read(cell.strip()) <= high:  # type: ignore[operator]
            return expected
        return f"{what} from {range_.low} to {range_.high}"

    return lru_cache(_REMEMBERED)(check)


@lru_cache(_REMEMBERED)
def fault_of_cell(column: str, kind: str, text: str) -> str:
    """What is wrong with a cell of text that is stated, of the kind that is declared; empty when nothing is."""
    if kind == "sha256":
        fits = re.fullmatch("[0-9a-f]{64}", text)
        return "" if fits else f"found {column} `{shortened(text)}`; expected 64 hexadecimal digits"
    if kind == "id":
        expected = fault_of_id(text.strip())
        return f"found {column} `{shortened(text)}`; expected {expected}" if expected else ""
    fault = fault_of_text(text, _LONGEST_TEXT)
    return f"found {column} `{shortened(text)}` with {fault[0]}; expected {fault[1]}" if fault else ""


@lru_cache(_REMEMBERED)
def fault_of_listed_person(first_name: str, last_name: str) -> str:
    """What is wrong with the name of a person; empty when nothing is."""
    name = f"{first_name} {last_name}".strip()
    if fault := fault_of_person(first_name.strip(), last_name.strip()):
        return f"found the name `{shortened(name)}` with {fault[0]}; expected {fault[1]}"
    return "" if readable_id_or_empty(name) else f"found the name `{shortened(name)}`; expected a name with a letter"


def _check_of_type(type_: str) -> Check | None:
    if type_ in _CHECKS:
        return _CHECKS[type_]
    if decimal := re.fullmatch(r"decimal\((\d+),(\d+)\)", type_):
        digits, scale = int(decimal[1]), int(decimal[2])
        pattern = re.compile(rf"-?[0-9]{{1,{digits - scale}}}(\.[0-9]{{1,{scale}}})?")
        expected = f"a number with a point and at most {scale} decimals, such as `12.34`"
        return lambda cell: "" if pattern.fullmatch(cell.strip()) else expected
    return None


def _fault_of_integer(cell: str) -> str:
    fits = re.fullmatch(r"-?[0-9]{1,10}", cell.strip()) and abs(int(cell)) <= _LARGEST_INTEGER
    return "" if fits else "a whole number"


def _fault_of_double(cell: str) -> str:
    fits = re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?", cell.strip())
    return "" if fits else "a number with a point, such as `3.5`"


def _fault_of_date(cell: str) -> str:
    try:
        # `fromisoformat` alone takes 20050501, too.
        fits = re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", cell) and date.fromisoformat(cell)
    except ValueError:
        fits = None
    return "" if fits else "a day as YYYY-MM-DD, such as `2005-05-01`"


def _fault_of_boolean(cell: str) -> str:
    return "" if cell.strip().lower() in {"true", "false"} else "`true` or `false`"


_CHECKS = {
    "integer": _fault_of_integer,
    "double": _fault_of_double,
    "date": _fault_of_date,
    "boolean": _fault_of_boolean,
}
