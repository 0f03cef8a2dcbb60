"""Ids as names of files: they must differ on every file system, also where capitals make no difference."""

from __future__ import annotations

from pathlib import Path

import duckdb

from dippouch.errors import UserError
from dippouch.files.published import rows

# What the ids of a folder are, and what may not be one because a list has that name.
_SLUG = "[a-z0-9]+(-[a-z0-9]+)*"
_LISTS = "index(-page-[0-9]+)?"
# The longest that most file systems take, with room for an ending.
_LONGEST = 240

_IDS = (
    ("players", "player_id", _SLUG),
    ("tournaments", "tournament_id", _SLUG),
    ("rating_systems", "rating_system_id", _SLUG),
    ("national_ranking", "nation_code", "[A-Z0-9]+"),
)


def check_names(connection: duckdb.DuckDBPyConnection, database: Path) -> None:
    """Refuse ids that cannot be names of files beside each other.

    Ids of people, tournaments and systems are words of small letters and digits, codes of nations are capitals; so no two
    of a kind differ in capitals alone.

    Args:
        connection: has the database attached as `published`.
        database: for the message.

    Raises:
        UserError: when an id is not made so, or has the name of a list.
    """
    for table, column, pattern in _IDS:
        found = rows(
            connection,
            f"select distinct {column} from published.marts.{table} where not regexp_full_match({column}, $pattern)"
            f" or regexp_full_match({column}, $lists) or length({column}) > {_LONGEST} order by 1 limit 3",
            {"pattern": pattern, "lists": _LISTS},
        )
        if names := ", ".join(f"`{name}`" for (name,) in found):
            raise UserError(
                f"{database}: found {names} as {column} of marts.{table}; expected ids that match {pattern}, have at most {_LONGEST}"
                " characters and are not `index`, because each becomes the name of a file, also where capitals make no difference."
                " Give what the id is made from another name in the seeds, then `make rankings`"
            )
