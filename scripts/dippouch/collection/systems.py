"""The settings of a collection, and the default rating system of a published one."""

from __future__ import annotations

from pathlib import Path

from dippouch.collection.files import read_rows
from dippouch.collection.schema import SETTINGS
from dippouch.db import query
from dippouch.settings import project_variable


def read_settings(folder: Path) -> dict[str, str]:
    """Return all settings of a collection; those that it omits have their defaults."""
    rows = read_rows(folder / SETTINGS.path)
    stated = {row["setting"].strip(): row["value"].strip() for row in rows if row["value"].strip()}
    return {**project_variable("default_settings"), **stated}


def published_default_system(database: Path) -> str:
    """Return the id of a published database's default rating system."""
    (settings,) = query(database, "select rating_system_id from marts.settings")
    return str(settings["rating_system_id"])
