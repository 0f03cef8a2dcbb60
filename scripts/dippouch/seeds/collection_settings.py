"""The settings of a collection as its seed states them: what it is called, and which rating system is the default.

The defaults are a variable of dbt_project.yml, which SQL reads, too.
"""

from __future__ import annotations

from pathlib import Path

from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import SETTINGS
from dippouch.settings import project_variable

RATING_SYSTEM = "rating_system"


def default_settings() -> dict[str, str]:
    """What each setting is where a collection states nothing."""
    defaults: dict[str, str] = project_variable("default_settings")
    return defaults


def read_settings(folder: Path) -> dict[str, str]:
    """The settings of a collection, with the defaults of those that it does not state.

    Raises:
        UserError: when the seed cannot be read.
    """
    rows = read_rows(folder / SETTINGS)
    stated = {row["setting"].strip(): row["value"].strip() for row in rows if row["value"].strip()}
    return default_settings() | stated
