"""The top of the published ranking, for a terminal."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape
from rich.table import Table

from dippouch.console import plain_table
from dippouch.db import reading


def top_of_ranking(database: Path, system: str, rows: int) -> Table:
    """The first rows of the international ranking as a table.

    Args:
        database: a published database; opened for reading only.
        system: id of the rating system.
        rows: how many.
    """
    with reading(database) as connection:
        ranked, tournaments = connection.execute(
            "select (select count(*) from published.marts.international_ranking where rating_system_id = $system),"
            " (select count(*) from published.marts.included_tournaments where rating_system_id = $system and is_counted)",
            {"system": system},
        ).fetchone() or (0, 0)
        top = connection.execute(
            "select rank, first_name, last_name, nation_code, rating, tournaments_counted, last_played_on"
            " from published.marts.international_ranking where rating_system_id = $system order by rank, player_id limit $rows",
            {"system": system, "rows": rows},
        ).fetchall()
    table = plain_table(
        *(">rank", "player", "nation", ">rating", ">tournaments", "last played"),
        caption=f"{ranked:,} players ranked by {tournaments:,} counted tournaments, rating system `{system}`",
    )
    for rank, first_name, last_name, nation, rating, counted, last_played_on in top:
        name = escape(" ".join(part for part in (first_name, last_name) if part))
        table.add_row(str(rank), name, nation or "", f"{rating:.4f}", str(counted), str(last_played_on))
    return table
