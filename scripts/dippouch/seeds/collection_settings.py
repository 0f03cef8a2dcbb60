"""The settings of a collection as its seed states them: what it is called, and which rating system is shown first.

The defaults stand in the model `stg_settings` and are read from there.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from dippouch.seeds.files import is_absent, read_rows
from dippouch.seeds.schema import SETTINGS
from dippouch.settings import PROJECT

RATING_SYSTEM = "rating_system"

_STAGING = PROJECT / "models" / "staging" / "reference" / "stg_settings.sql"


@lru_cache(1)
def default_settings() -> dict[str, str]:
    """What each setting is where a collection states nothing."""
    return dict(re.findall(r"^    '(\w+)': '(.*)',$", _STAGING.read_text(encoding="utf-8"), re.MULTILINE))


def read_settings(folder: Path) -> dict[str, str]:
    """The settings of a collection, with the defaults of those that it does not state; all of them in one of an older version.

    Raises:
        UserError: when the seed cannot be read.
    """
    path = folder / SETTINGS
    rows = [] if is_absent(path) else read_rows(path)
    stated = {row["setting"].strip(): row["value"].strip() for row in rows if row["value"].strip()}
    return default_settings() | stated
