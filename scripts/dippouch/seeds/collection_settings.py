"""The settings of a collection from its seed: its titles and words, and its default rating system.

The defaults are a variable of dbt_project.yml, which SQL reads, too.
"""

from __future__ import annotations

from pathlib import Path

from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import SETTINGS
from dippouch.settings import project_variable

RATING_SYSTEM = "rating_system"


def default_settings() -> dict[str, str]:
    """Return the default of each setting."""
    defaults: dict[str, str] = project_variable("default_settings")
    return defaults


def read_settings(folder: Path) -> dict[str, str]:
    """Return the settings of a collection, with defaults for missing ones.

    Raises:
        UserError: when the seed cannot be read.
    """
    rows = read_rows(folder / SETTINGS)
    stated = {row["setting"].strip(): row["value"].strip() for row in rows if row["value"].strip()}
    return default_settings() | stated
