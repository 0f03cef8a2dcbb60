"""The rating systems of a collection, read from their seed."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from pathlib import Path

from dippouch.errors import UserError
from dippouch.rating.rules import FIGURES, RatingRules
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import RATING_SYSTEMS

PUBLISHED_SYSTEM = "dptr"


def read_published_rules(folder: Path) -> RatingRules:
    """The published rules of a collection.

    Raises:
        UserError: when they are not there, or cannot be read.
    """
    rules = read_rating_systems(folder).get(PUBLISHED_SYSTEM)
    if rules is None:
        raise UserError(
            f"{folder / RATING_SYSTEMS}: found no rating system `{PUBLISHED_SYSTEM}`; expected the published rules among the"
            " systems"
        )
    return rules


def read_rating_systems(folder: Path) -> dict[str, RatingRules]:
    """The rating systems of a collection by id, from its seed of them.

    Raises:
        UserError: when the file is missing or a rule in it is not a number or a date.
    """
    path = folder / RATING_SYSTEMS
    systems = {}
    for line, row in enumerate(read_rows(path), start=2):
        try:
            systems[row["rating_system_id"]] = RatingRules(
                **{figure: Fraction(row[figure]) for figure in FIGURES},
                first_counted_on=date.fromisoformat(row["first_counted_on"]) if row["first_counted_on"] else None,
                counted_years=int(row["counted_years"]) if row["counted_years"] else None,
            )
        except (KeyError, ValueError) as error:
            raise UserError(
                f"{path}:{line}: found {error}; expected the rules as numbers and the day as YYYY-MM-DD"
            ) from None
    return systems
