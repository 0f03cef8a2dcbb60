"""Expected tables: rows in the order of their key, figures as fixed-point numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

UNITS = 1 << 100


class FixedPoint(int):
    """A fixed-point number: a whole number of 2^-100, rounded down."""

    __slots__ = ()

    @classmethod
    def of(cls, fraction: Fraction) -> FixedPoint:
        """The fixed-point number of a fraction."""
        return cls(fraction.numerator * UNITS // fraction.denominator)


def fixed_point(fraction: Fraction | None) -> FixedPoint | None:
    """The fixed-point number of a fraction; None for None."""
    return None if fraction is None else FixedPoint.of(fraction)


@dataclass(frozen=True, slots=True)
class Rank:
    """A rank with the exact ratings around it.

    Doubles carry about 16 digits: two ratings that differ by less than that may change places, so a published rank
    may be anything from `best` to `worst`, the ranks of ratings within the tolerance. `exact` is the rank by fractions.
    """

    exact: int
    best: int
    worst: int


Value = FixedPoint | Rank | Decimal | date | str | int | bool | None
Rows = Iterator[tuple[tuple[Value, ...], tuple[Value, ...]]]


@dataclass(frozen=True)
class ExpectedTable:
    """A published table as it must be, or its rows of one rating system.

    Attributes:
        name: the table in schema `marts`.
        key: the columns that identify a row.
        columns: the further columns that are checked.
        rows: the values of `key` and of `columns`, in the order of the keys.
        system: the rating system whose rows these are; None for the whole table.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    rows: Rows
    system: str | None = None
