"""The rankings: of all players, of active ones, of every year, of nations and of each nation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from dippouch.db import Row
from dippouch.export.reading import Content
from dippouch.site.page import Column, Csv, DataFile, Page, in_parts, script_rows

_ROWS_A_PAGE, _NATIONAL_ROWS_A_PAGE = 50, 100
# The columns of every ranking as CSV.
_CSV = "player_id player_name nation_code rating"
_OF_SYSTEM = "where rating_system_id = $system"


def ranking_columns(facts: Row, rank: str = "rank") -> list[Column]:
    """Return the columns of a ranking of the collection with these facts; `rank` names the column with the ranks."""
    columns = [
        Column("Rank", "rank", rank),
        Column("", "move", "places_gained", first="desc"),
        Column("{Player}", "person"),
        Column("Nation", "nation"),
        Column("Rating", "standing", "rating", first="desc"),
        Column("Trend", "course", "trend", wide=True, first="desc"),
        Column("{Tournaments}", "count", "tournaments_counted", wide=True, first="desc"),
        Column("Last played", "month", "last_played_on", wide=True, first="desc"),
    ]
    return [column for column in columns if column.kind != "nation" or facts["nations_of_people"]]


def pages(content: Content, ranking: list[Row], scale: tuple[float, float, float]) -> Iterator[Page | DataFile | Csv]:
    """Yield the pages of the rankings, with the rows for their search; `ranking` has the rows of `presentation.ranking_list` by rank."""
    facts = content.facts
    active = content.rows(
        f"from presentation.ranking_list {_OF_SYSTEM} and active_rank is not null order by active_rank, player_id"
    )
    nations = {row["nation_code"]: row["nation_name"] for row in ranking if row["nation_code"]}
    years = content.rows("from presentation.year_card order by year desc")
    known = [row["year"] for row in years]
    lists: tuple[tuple[str, str, str, list[Row]], ...] = (
        ("ranking.html", "International ranking" if nations else "Ranking", "rank", ranking),
        ("active.html", f"Ranking of active {facts['players_word']}", "active_rank", active),
    )
    for path, title, rank, rows in lists:
        columns, data = ranking_columns(facts, rank), path.replace(".html", "-rows.js")
        saved = f"{rank} {_CSV} is_provisional tournaments_counted last_played_on"
        yield Csv(path.replace(".html", ".csv"), saved, rows)
        yield DataFile(data, "tableRows", {"nations": nations, "scale": scale, "rows": script_rows(columns, rows)})
        for link, part in in_parts(rows, _ROWS_A_PAGE, path):
            context = {"columns": columns, "part": part, "data": data, "which": path, "nations": nations}
            described = f"{title} by {facts['rating_system_name']}."
            yield Page(link, part.title(title), described, context | {"years": known}, "ranking", "ranking.html")

    yield Page("years.html", "Year by year", "The ranking at the end of every year.", {"years": years}, "ranking")
    of_years = content.stream("from main.yearly_ranking order by year, rank, player_id")
    nations_of = content.groups(
        "select *, earlier_rank - rank as places_gained from main.nation_ranking order by year, rank, nation_code",
        "year",
    )
    for year, of_year in groupby(of_years, key=lambda row: row["year"]):
        rows, nations_then = list(of_year), nations_of(year)
        yield Csv(f"years/{year}.csv", f"rank {_CSV}", rows)
        for link, part in in_parts(rows, _ROWS_A_PAGE, f"years/{year}.html"):
            title = part.title(f"Ranking at the end of {year}")
            context = {"year": year, "years": known[::-1], "part": part, "nations": nations_then}
            described = f"Who led at the end of {year}, by {facts['rating_system_name']}."
            yield Page(link, title, described, context, "ranking", "year.html")


def nation_pages(content: Content) -> Iterator[Page]:
    """Yield the list of nations, and a page for each."""
    facts = content.facts
    nations = content.rows("from presentation.nation_card order by rank nulls last, nation_name, nation_code")
    if nations:
        described = f"Nations by the mean rating of their best five {facts['players_word']}."
        yield Page("nations.html", "Nations", described, {"nations": nations}, "nations")
    ranked = content.groups(
        f"from presentation.ranking_list {_OF_SYSTEM} and nation_code is not null"
        " order by nation_code, national_rank, player_id",
        "nation_code",
    )
    leaders_of = content.groups(
        "from main.reigns where competition = 'nation' order by nation_code, reigned_from desc, player_id",
        "nation_code",
    )
    history_of = content.groups("from main.nation_ranking order by nation_code, year", "nation_code")
    for nation in sorted(nations, key=lambda row: row["nation_code"]):
        code, name = nation["nation_code"], nation["nation_name"]
        context = {"nation_card": nation, "years": history_of(code), "leaders": leaders_of(code)}
        described = f"National ranking of {name}, by {facts['rating_system_name']}."
        for link, part in in_parts(ranked(code), _NATIONAL_ROWS_A_PAGE, f"nations/{code.lower()}.html"):
            yield Page(link, part.title(name), described, context | {"part": part}, "nations", "nation.html")
