"""The rating systems of a collection, read from their seed, and which of them is the default."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from pathlib import Path

from dippouch.db import query
from dippouch.errors import UserError
from dippouch.rating.rules import FIGURES, RatingRules
from dippouch.seeds.collection_settings import RATING_SYSTEM, read_settings
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import RATING_SYSTEMS, SETTINGS


def read_default_system(folder: Path) -> str:
    """The id of the default rating system of a collection, by which documents print figures.

    Raises:
        UserError: when its settings cannot be read.
    """
    return read_settings(folder)[RATING_SYSTEM]


def read_default_rules(folder: Path) -> RatingRules:
    """The rules of the default rating system of a collection.

    Raises:
        UserError: when they are not there, or cannot be read.
    """
    system = read_default_system(folder)
    rules = read_rating_systems(folder).get(system)
    if rules is None:
        raise UserError(
            f"{folder / RATING_SYSTEMS}: found no rating system `{system}`, the default one; expected its rules among the"
            f" systems, or in {folder / SETTINGS} a row `{RATING_SYSTEM},ID` with the id of another one"
        )
    return rules


def published_default_system(database: Path) -> str:
    """The id of the default rating system of a published database.

    Raises:
        UserError: when the database cannot be read, or another version published it.
    """
    (settings,) = query(database, "select rating_system_id from marts.settings")
    return str(settings["rating_system_id"])


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
