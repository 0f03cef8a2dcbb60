"""Print the top of a published ranking: of all players or one nation, now or at the end of a year."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from dippouch.console import out, plain_table, print_line
from dippouch.db import query
from dippouch.printable import counted, visible_line
from dippouch.query.lookup import words_of


def print_ranking(
    database: Path, system: str, rows: int, *, nation: tuple[str, str] | None = None, year: int | None = None
) -> None:
    """Print the first rows of a ranking and the number of all rows; by default of all players, now.

    `nation` is a code and a name.

    Raises:
        UserError: when the database cannot be read.
    """
    asked: dict[str, object] = {"system": system}
    source = (
        f"from presentation.{'ranking_list' if year is None else 'year_ranking_list'} where rating_system_id = $system"
    )
    if year is not None:
        source += " and year = $year"
        asked["year"] = year
    if nation is not None:
        source += " and nation_code = $nation"
        asked["nation"] = nation[0]
    words = words_of(database)
    table = plain_table(
        *(">rank", escape(words["player"]), ">overall" if nation else "nation", ">rating"),
        *([escape(f">{words['tournaments']}"), "last played"] if year is None else []),
    )
    for row in query(database, f"{source} order by rank, player_id limit $rows", asked | {"rows": rows}):
        table.add_row(
            str(row["national_rank"] if nation else row["rank"]),
            escape(visible_line(row["player_name"])),
            str(row["rank"]) if nation else row["nation_code"] or "",
            f"{row['rating']:.4f}",
            *([str(row["tournaments_counted"]), str(row["last_played_on"])] if year is None else []),
        )
    (ranked,) = query(database, f"select count(*) as players {source}", asked)
    out.print(table)
    print_line(_caption(database, system, words, ranked["players"], nation, year))


def _caption(
    database: Path, system: str, words: dict[str, str], ranked: int, nation: tuple[str, str] | None, year: int | None
) -> str:
    when = f"at the end of {year}"
    if year is None:
        of_system = "select tournaments_counted from presentation.rating_system_card where rating_system_id = $system"
        tournaments = query(database, of_system, {"system": system})[0]["tournaments_counted"]
        when = f"by {tournaments:,} counted {words['tournament' if tournaments == 1 else 'tournaments']}"
    whose = f" from {nation[1]}" if nation else ""
    return f"{counted(ranked, words['player'], words['players'])}{whose} ranked {when}, rating system `{system}`"
