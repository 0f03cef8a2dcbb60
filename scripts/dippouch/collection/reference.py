"""Reading the reference seeds that programs need: the rules of the rating systems."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from pathlib import Path

from dippouch.collection.seeds import read_rows
from dippouch.errors import KeeperError
from dippouch.verifying.oracle import RatingRules

PUBLISHED_SYSTEM = "dptr"


def read_rating_systems(folder: Path) -> dict[str, RatingRules]:
    """The rating systems of a collection by id, from reference/rating_systems.csv.

    Raises:
        KeeperError: when the file is missing or a rule in it is not a number or a date.
    """
    path = folder / "reference" / "rating_systems.csv"
    systems = {}
    for line, row in enumerate(read_rows(path), start=2):
        try:
            systems[row["rating_system_id"]] = RatingRules(
                rating_system_id=row["rating_system_id"],
                initial_rating=Fraction(row["initial_rating"]),
                world_championship_value=Fraction(row["world_championship_value"]),
                one_round_divisor=Fraction(row["one_round_divisor"]),
                several_rounds_divisor=Fraction(row["several_rounds_divisor"]),
                base_value=Fraction(row["base_value"]),
                maximum_value=Fraction(row["maximum_value"]),
                first_counted_on=date.fromisoformat(row["first_counted_on"]) if row["first_counted_on"] else None,
                counted_years=int(row["counted_years"]) if row["counted_years"] else None,
            )
        except (KeyError, ValueError) as error:
            raise KeeperError(
                f"{path}:{line}: found {error}; expected the rules as numbers and the day as YYYY-MM-DD"
            ) from None
    return systems
