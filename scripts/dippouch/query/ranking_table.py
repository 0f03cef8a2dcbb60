"""The top of a published ranking, for a terminal: of all players or a nation's, of today or the end of a year."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from dippouch.console import out, plain_table
from dippouch.db import query
from dippouch.printable import visible_line
from dippouch.query.lookup import full_name

# As of today.
_TODAY = """
    select ranking.*, nations.national_rank
    from marts.international_ranking as ranking
    left join marts.national_ranking as nations
        on ranking.rating_system_id = nations.rating_system_id and ranking.player_id = nations.player_id
    where ranking.rating_system_id = ?
"""

# The same of the end of a year, in which nations are ranked as today: equal ratings have equal ranks.
_YEAR_END = """
    select
        ranking.*,
        players.first_name,
        players.last_name,
        rank() over (partition by ranking.nation_code order by ranking.rank) as national_rank
    from marts.yearly_ranking as ranking
    inner join marts.players as players on ranking.player_id = players.player_id
    where ranking.rating_system_id = ? and ranking.year = ?
"""


def print_ranking(
    database: Path, system: str, rows: int, *, nation: str | None = None, year: int | None = None
) -> None:
    """Print the first rows of a ranking, and under them of how many.

    Args:
        database: a published database.
        system: id of the rating system.
        rows: how many.
        nation: code of the nation whose ranking it is; None: of all.
        year: at whose end; None: today.

    Raises:
        UserError: when the database cannot be read.
    """
    source = _TODAY if year is None else _YEAR_END
    asked: list[object] = [system] if year is None else [system, year]
    if nation is not None:
        source += " and ranking.nation_code = ?"
        asked.append(nation)
    # What a year's end does not have.
    further = (
        "tournaments_counted, last_played_on" if year is None else "null as tournaments_counted, null as last_played_on"
    )
    top = query(
        database,
        f"select rank, national_rank, first_name, last_name, nation_code, rating, {further} from ({source})"
        " order by rank, player_id limit ?",
        [*asked, rows],
    )
    table = plain_table(
        *(">rank", "player", ">overall" if nation else "nation", ">rating"),
        *([">tournaments", "last played"] if year is None else []),
    )
    for row in top:
        table.add_row(
            str(row["national_rank"] if nation else row["rank"]),
            escape(visible_line(full_name(row["first_name"], row["last_name"]))),
            str(row["rank"]) if nation else row["nation_code"] or "",
            f"{row['rating']:.4f}",
            *([str(row["tournaments_counted"]), str(row["last_played_on"])] if year is None else []),
        )
    (ranked,) = query(database, f"select count(*) as players from ({source})", asked)
    out.print(table)
    out.print(escape(_caption(database, system, ranked["players"], nation, year)), soft_wrap=True)


def _caption(database: Path, system: str, ranked: int, nation: str | None, year: int | None) -> str:
    (counts,) = query(
        database,
        "select (select count(*) from marts.included_tournaments where rating_system_id = $1 and is_counted) as tournaments,"
        " (select any_value(nation_name) from marts.national_ranking where nation_code = $2) as nation_name,"
        " (select string_agg(distinct nation_code, ', ' order by nation_code) from marts.national_ranking"
        " where rating_system_id = $1) as nations",
        [system, nation],
    )
    tournaments, nation_name, nations = counts.values()
    when = (
        f"by {tournaments:,} counted {'tournament' if tournaments == 1 else 'tournaments'}"
        if year is None
        else f"at the end of {year}"
    )
    whose = f" from {nation_name or nation}" if nation else ""
    caption = f"{ranked:,} {'player' if ranked == 1 else 'players'}{whose} ranked {when}, rating system `{system}`"
    return caption if ranked or not nation else f"{caption}; today there are players from {nations or 'no nation'}"
