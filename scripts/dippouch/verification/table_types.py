"""Expected tables: rows in the order of their key, figures as fixed-point numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from typing import ParamSpec, TypeAlias

from dippouch.rating.rules import FIGURES as RULES

# A figure as a whole number of 2^-100: exact far beyond what doubles can show, and a step of a ledger takes the same
# time in its thousandth event as in its first.
FixedPoint: TypeAlias = int
UNITS = 1 << 100

# The columns that are fixed-point numbers, whatever table they are in.
FIGURES = frozenset(
    {
        "percentile_score",
        "tournament_value",
        "rating_before",
        "rating_change",
        "rating_after",
        "rating",
        "difference",
        *RULES,
    }
)

Value = FixedPoint | Decimal | date | str | int | bool | None
Values = tuple[Value, ...]
Rows = Iterator[Values]
_Inputs = ParamSpec("_Inputs")


@dataclass(frozen=True)
class ExpectedTable:
    """A published table as it must be, or its rows of one rating system.

    Attributes:
        name: the table in schema `marts`.
        key: the columns that identify a row, without the rating system where `system` says it.
        columns: the further columns that are compared.
        rows: the values of `key` and then of `columns`, in the order of the keys.
        ranks: the columns that are ranks, each with the SQL that gives it from published ratings.
        system: the rating system whose rows these are; None for the whole table.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    rows: Rows
    ranks: Mapping[str, str]
    system: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every column, in the order of the values of a row."""
        return (*self.key, *self.columns)


def expected_table(
    name: str, key: str, columns: str, **ranks: str
) -> Callable[[Callable[_Inputs, Rows]], Callable[_Inputs, ExpectedTable]]:
    """Make a function that gives the rows of a table one that gives the table; columns are separated by spaces."""

    def decorate(rows_of: Callable[_Inputs, Rows]) -> Callable[_Inputs, ExpectedTable]:
        @wraps(rows_of)
        def table(*args: _Inputs.args, **kwargs: _Inputs.kwargs) -> ExpectedTable:
            return ExpectedTable(name, tuple(key.split()), tuple(columns.split()), rows_of(*args, **kwargs), ranks)

        return table

    return decorate


def fixed_point(fraction: Fraction) -> FixedPoint:
    """The fixed-point number of a fraction, rounded down."""
    return fraction.numerator * UNITS // fraction.denominator
