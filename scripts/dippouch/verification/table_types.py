"""Expected tables: rows in the order of their key, figures as fixed-point numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

# A figure as a whole number of 2^-100: exact far beyond what doubles can show, and a step of a ledger takes the same
# time in its thousandth event as in its first.
FixedPoint: TypeAlias = int
UNITS = 1 << 100


def fixed_point(fraction: Fraction) -> FixedPoint:
    """The fixed-point number of a fraction, rounded down."""
    return fraction.numerator * UNITS // fraction.denominator


Value = FixedPoint | Decimal | date | str | int | bool | None
Values = tuple[Value, ...]
Rows = Iterator[Values]


@dataclass(frozen=True)
class ExpectedTable:
    """A published table as it must be, or its rows of one rating system.

    Attributes:
        name: the table in schema `marts`.
        key: the columns that identify a row, without the rating system where `system` says it.
        columns: the further columns that are checked.
        rows: the values of `key` and then of `columns`, in the order of the keys.
        system: the rating system whose rows these are; None for the whole table.
        figures: the columns that are fixed-point numbers.
        rank: the column that ranks the rows of this table by their ratings; it is none of `columns`.
        ranked_within: the column of whose every value there is a ranking of its own; one for the whole table where it is None.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    rows: Rows
    system: str | None = None
    figures: tuple[str, ...] = ()
    rank: str | None = None
    ranked_within: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every column, in the order of the values of a row."""
        return (*self.key, *self.columns)

    @property
    def published_names(self) -> tuple[str, ...]:
        """What is read of a published row: the same, and last the rank, where there is one."""
        return self.names if self.rank is None else (*self.names, self.rank)
