"""The rankings: of all players, of active ones, of every year, of nations and of each nation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from dippouch.db import Row
from dippouch.export.reading import Content
from dippouch.site.page import Csv, DataFile, Page, in_parts
from dippouch.site.table_cells import PERSON, Column, script_rows

ROWS_A_PAGE, NATIONAL_ROWS_A_PAGE = 50, 100
RANKING, ACTIVE = "ranking.html", "active.html"
# The columns of every ranking as CSV.
_CSV = "player_id player_name nation_code rating"


_YEARS = (
    Column("Year", "year", "year"),
    Column("First", "persons", "leaders"),
    Column("Rating", "rating", "best_rating"),
    Column("Ranked {players}", "count", "ranked_players"),
)
_YEAR = (
    Column("Rank", "rank", "rank"),
    Column("", "move", "places_gained"),
    PERSON,
    Column("Nation", "nation"),
    Column("Rating", "rating", "rating"),
    Column("The year before", "count", "year_before_rank", wide=True),
)


_NATIONS = (
    Column("Rank", "rank", "rank"),
    Column("Nation", "nation_name", "nation_name"),
    Column("Best five", "rating", "best_five_rating"),
    Column("Course", "course", "course", wide=True),
    Column("Ranked {players}", "count", "ranked_players"),
    Column("In the top 100", "count", "players_in_top_100", wide=True),
    Column("Number one", "persons", "number_ones", wide=True),
)
_NATIONS_THEN = (
    _NATIONS[0],
    Column("", "move", "places_gained"),
    *(one for one in _NATIONS[1:] if one.key not in {"course", "number_ones"}),
)
_NATION = (
    Column("Rank", "rank", "national_rank"),
    PERSON,
    Column("World", "count", "rank"),
    Column("", "move", "places_gained"),
    Column("Rating", "standing", "rating"),
    Column("Course", "course", "course", wide=True),
    Column("{Tournaments}", "count", "tournaments_counted", wide=True),
    Column("Last played", "month", "last_played_on", wide=True),
)


def ranking_columns(rank: str = "rank") -> list[Column]:
    """Return the columns of a ranking; `rank` names the column with the ranks."""
    return [
        Column("Rank", "rank", rank),
        Column("", "move", "places_gained", first="desc"),
        PERSON,
        Column("Nation", "nation"),
        Column("Rating", "standing", "rating", first="desc"),
        Column("Course", "course", "course", wide=True, first="desc"),
        Column("{Tournaments}", "count", "tournaments_counted", wide=True, first="desc"),
        Column("Last played", "month", "last_played_on", wide=True, first="desc"),
    ]


def pages(content: Content, ranking: list[Row]) -> Iterator[Page | DataFile | Csv]:
    """Yield the pages of the rankings, with the rows for their search; `ranking` has the rows of `presentation.ranking_list` by rank."""
    facts = content.facts
    active = content.rows(
        "from presentation.ranking_list where rating_system_id = $system and active_rank is not null order by active_rank, player_id"
    )
    nations = {row["nation_code"]: row["nation_name"] for row in ranking if row["nation_code"]}
    years = content.rows("from presentation.year_card order by year desc")
    known = [row["year"] for row in years]
    (card,) = content.rows("select bands from presentation.rating_system_card where rating_system_id = $system")
    scale = [round(number, 1) for number in scale_of(ranking)]

    lists: tuple[tuple[str, str, str, list[Row]], ...] = (
        (RANKING, "International ranking", "rank", ranking),
        (ACTIVE, f"Ranking of active {facts['players_word']}", "active_rank", active),
    )
    for path, title, rank, rows in lists:
        columns = ranking_columns(rank)
        yield Csv(
            path.replace(".html", ".csv"), f"{rank} {_CSV} is_provisional tournaments_counted last_played_on", rows
        )
        data = path.replace(".html", "-rows.js")
        yield DataFile(data, "tableRows", {"nations": nations, "scale": scale, "rows": script_rows(columns, rows)})
        for link, part in in_parts(rows, ROWS_A_PAGE, path):
            span = f"{part.first} to {part.first + len(part.rows) - 1} of {part.total}" if part.rows else "none"
            described = f"{title}: {facts['rating_system_name']}, {facts['players_word']} {span}."
            context = {"columns": columns, "part": part, "data": data, "which": path, "bands": card["bands"] or []}
            context |= {"nations": nations, "years": known}
            yield Page(link, part.title(title), described, context, "ranking", "ranking.html")

    shown = {"years": years, "columns": _YEARS}
    yield Page("years.html", "Year by year", "The ranking at the end of every year.", shown, "ranking")
    of_years = content.stream(
        "from presentation.year_ranking_list where rating_system_id = $system order by year, rank, player_id"
    )
    nations_then = content.groups(
        "select *, year_before_rank - rank as places_gained from main.nation_history order by year, rank, nation_code",
        "year",
    )
    for year, of_year in groupby(of_years, key=lambda row: row["year"]):
        rows = list(of_year)
        strengths = nations_then(year)
        yield Csv(f"years/{year}.csv", f"rank {_CSV}", rows)
        for link, part in in_parts(rows, ROWS_A_PAGE, f"years/{year}.html"):
            title = part.title(f"Ranking at the end of {year}")
            described = f"Who led at the end of {year}, by {facts['rating_system_name']}."
            context = {"year": year, "years": known[::-1], "columns": _YEAR, "part": part}
            context |= {"nation_columns": _NATIONS_THEN, "nations": strengths}
            yield Page(link, title, described, context, "ranking", "year.html")


def scale_of(ranking: list[Row]) -> tuple[float, float, float]:
    """Return the lowest and the highest rating of the small charts, and the initial rating."""
    ratings = [rating for row in ranking for rating in row["course"]]
    return (min(ratings), max(ratings), ranking[0]["course"][0]) if ranking else (0.0, 1.0, 0.0)


def nation_pages(content: Content) -> Iterator[Page]:
    """Yield the list of nations, and a page for each."""
    facts = content.facts
    nations = content.rows("from presentation.nation_card order by rank nulls last, nation_name, nation_code")
    columns = list(_NATIONS)
    # Most sources name a town and no nation: a column of zeros would mean nothing.
    if any(row["tournaments"] for row in nations):
        columns.append(Column("{Tournaments} held", "count", "tournaments", wide=True))
    described = f"Nations by the mean rating of their best five {facts['players_word']}."
    if nations:
        yield Page("nations.html", "Nations", described, {"nations": nations, "columns": columns}, "nations")

    ranked = content.groups(
        "from presentation.ranking_list where rating_system_id = $system and nation_code is not null"
        " order by nation_code, national_rank, player_id",
        "nation_code",
    )
    number_ones = content.groups(
        "from main.nation_number_ones order by nation_code, number_one_from desc, player_id", "nation_code"
    )
    history = content.groups("from main.nation_history order by nation_code, year", "nation_code")
    for nation in sorted(nations, key=lambda row: row["nation_code"]):
        code = nation["nation_code"]
        years = history(code)
        leaders = number_ones(code)
        for link, part in in_parts(ranked(code), NATIONAL_ROWS_A_PAGE, f"nations/{code.lower()}.html"):
            context = {"nation_card": nation, "columns": _NATION, "part": part, "years": years, "leaders": leaders}
            described = f"National ranking of {nation['nation_name']}, by {facts['rating_system_name']}."
            yield Page(link, part.title(nation["nation_name"]), described, context, "nations", "nation.html")
