"""The rating systems of a collection and its default system, read from their seeds."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

from dippouch.db import query
from dippouch.errors import UserError
from dippouch.rating.rules import RatingRules
from dippouch.seeds.checks import check_seeds
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import RATING_SYSTEMS, SETTINGS
from dippouch.settings import project_variable

_FIGURES = [name for name in RATING_SYSTEMS.columns if RATING_SYSTEMS.sql_type(name) == "double"]


def read_settings(folder: Path) -> dict[str, str]:
    """Return all settings of a collection; those that it omits have their defaults."""
    rows = read_rows(folder / SETTINGS.path)
    stated = {row["setting"].strip(): row["value"].strip() for row in rows if row["value"].strip()}
    return {**project_variable("default_settings"), **stated}


def read_default_rules(folder: Path) -> RatingRules:
    """Return the rules of a collection's default rating system; raise a UserError if they are missing."""
    system = read_settings(folder)["rating_system"]
    rules = read_rating_systems(folder).get(system)
    if rules is None:
        raise UserError(
            f"{folder / RATING_SYSTEMS.path}: found no rating system `{system}`, the default one; expected its rules among the"
            f" systems, or in {folder / SETTINGS.path} a row `rating_system,ID` with the id of another one"
        )
    return rules


def published_default_system(database: Path) -> str:
    """Return the id of a published database's default rating system."""
    (settings,) = query(database, "select rating_system_id from marts.settings")
    return str(settings["rating_system_id"])


def read_rating_systems(folder: Path) -> dict[str, RatingRules]:
    """Return the rating systems of a collection by id.

    Raises:
        UserError: when the seeds have faults that make a rule unreadable.
    """
    systems = {}
    for row in read_rows(folder / RATING_SYSTEMS.path):
        try:
            figures = {name: Decimal(row[name]) for name in _FIGURES}
            days = {name: date.fromisoformat(row[name] or "0001-01-01") for name in ("first_counted_on", "opened_on")}
            systems[row["rating_system_id"]] = {**row, **figures, **days, "counted_from": days["first_counted_on"]}
        except (ArithmeticError, ValueError):
            # The check names the line.
            check_seeds(folder)
            raise
    return systems
