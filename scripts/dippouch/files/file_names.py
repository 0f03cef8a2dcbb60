"""Ids as names of files: they must differ on every file system, also where capitals make no difference."""

from __future__ import annotations

from pathlib import Path

import duckdb

from dippouch.errors import UserError
from dippouch.files.published import rows
from dippouch.ids import LONGEST, PATTERN, TAKEN

_IDS = (
    ("players", "player_id", PATTERN),
    ("tournaments", "tournament_id", PATTERN),
    ("rating_systems", "rating_system_id", PATTERN),
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
            f" or regexp_full_match({column}, $taken) or length({column}) > {LONGEST} order by 1 limit 3",
            {"pattern": pattern, "taken": TAKEN},
        )
        if names := ", ".join(f"`{name}`" for (name,) in found):
            raise UserError(
                f"{database}: found {names} as {column} of marts.{table}; expected ids that match {pattern}, have at most {LONGEST}"
                " characters and are no name of a list or a device, because each becomes the name of a file, also where capitals make no difference."
                " Give what the id is made from another name in the seeds, then `make rankings`"
            )
