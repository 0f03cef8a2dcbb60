"""The rankings: of everybody, of who still plays, and of every year."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from dippouch.db import Row
from dippouch.export.reading import Content
from dippouch.site.page import DataFile, Page, Part, first_capital, in_parts
from dippouch.site.table_cells import Column

ROWS_A_PAGE = 50
RANKING, ACTIVE = "ranking.html", "active.html"


def ranking_columns(words: Row, *, rank: str = "rank") -> list[Column]:
    """The columns of a ranking.

    Args:
        words: the row of `presentation.collection_card`.
        rank: the column of the rank.
    """
    return [
        Column("Rank", "rank", rank),
        Column("", "move", "places_gained", first="desc"),
        Column(first_capital(words["player_word"]), "person"),
        Column("Nation", "nation"),
        Column("Rating", "rating", "rating", first="desc"),
        Column("Course", "course", "course", wide=True, first="desc"),
        Column(first_capital(words["tournaments_word"]), "count", "tournaments_counted", wide=True, first="desc"),
        Column("Last played", "month", "last_played_on", wide=True, first="desc"),
    ]


def pages(content: Content, ranking: list[Row]) -> Iterator[Page | DataFile]:
    """The pages of the rankings, with the rows that their scripts search in.

    Args:
        content: the published database.
        ranking: the rows of `presentation.ranking_list`, by rank.
    """
    facts = content.facts
    active = content.rows(
        "from presentation.ranking_list where rating_system_id = $system and active_rank is not null order by active_rank, player_id"
    )
    nations = {row["nation_code"]: row["nation_name"] for row in ranking if row["nation_code"]}
    years = content.rows("from presentation.year_card order by year desc")
    choice = {
        "nations": sorted(nations.items(), key=lambda one: (one[1], one[0])),
        "years": [row["year"] for row in years],
    }

    lists: tuple[tuple[str, str, str, list[Row]], ...] = (
        (RANKING, "International ranking", "rank", ranking),
        (ACTIVE, f"Ranking of active {facts['players_word']}", "active_rank", active),
    )
    for path, title, rank, rows in lists:
        columns = ranking_columns(facts, rank=rank)
        data = path.replace(".html", "-rows.js")
        yield DataFile(data, "tableRows", _table_data(rows, rank, nations, scale_of(ranking)))
        for link, part in in_parts(rows, ROWS_A_PAGE, path):
            described = f"{title}: {facts['rating_system_name']}, {facts['players_word']} {_span(part)}."
            context = {"columns": columns, "part": part, "data": data, "which": path, "nation_column": 3, **choice}
            yield Page(link, "ranking.html", part.title(title), described, context, "ranking")
    yield from _year_pages(content, years)


def scale_of(ranking: list[Row]) -> tuple[float, float, float]:
    """The least and the greatest rating of the small pictures, and the initial rating."""
    ratings = [rating for row in ranking for rating in row["course"]]
    return (min(ratings), max(ratings), ranking[0]["course"][0]) if ranking else (0.0, 1.0, 0.0)


def _year_pages(content: Content, years: list[Row]) -> Iterator[Page]:
    facts = content.facts
    listed = [
        Column("Year", "year", "year"),
        Column("First", "persons", "leaders"),
        Column("Rating", "rating", "best_rating"),
        Column(f"Ranked {facts['players_word']}", "count", "ranked_players"),
    ]
    context: dict[str, Any] = {"years": years, "columns": listed}
    yield Page("years.html", "years.html", "Year by year", "The ranking at the end of every year.", context, "ranking")
    columns = [
        Column("Rank", "rank", "rank"),
        Column("", "move", "places_gained"),
        Column(first_capital(facts["player_word"]), "person"),
        Column("Nation", "nation"),
        Column("Rating", "rating", "rating"),
        Column("The year before", "count", "year_before_rank", wide=True),
    ]
    known = [row["year"] for row in years]
    rows = content.stream(
        "from presentation.year_ranking_list where rating_system_id = $system order by year, rank, player_id"
    )
    for year, of_year in groupby(rows, key=lambda row: row["year"]):
        for link, part in in_parts(list(of_year), ROWS_A_PAGE, f"years/{year}.html"):
            title = part.title(f"Ranking at the end of {year}")
            described = f"Who led at the end of {year}, by {facts['rating_system_name']}."
            context = {"year": year, "years": known[::-1], "columns": columns, "part": part}
            yield Page(link, "year.html", title, described, context, "ranking")


def _table_data(
    rows: list[Row], rank: str, nations: dict[str, str], scale: tuple[float, float, float]
) -> dict[str, Any]:
    """What the script of tables shows: a list a row, in the order of the columns."""
    return {
        "nations": nations,
        "scale": [round(number, 1) for number in scale],
        "rows": [
            [
                row[rank],
                row["places_gained"],
                [row["player_id"], row["first_name"] or "", row["last_name"] or ""],
                row["nation_code"] or "",
                round(row["rating"], 2),
                [round(rating, 1) for rating in row["course"]],
                row["tournaments_counted"],
                row["last_played_on"].isoformat(),
            ]
            for row in rows
        ],
    }


def _span(part: Part) -> str:
    return f"{part.first} to {part.first + len(part.rows) - 1} of {part.total}" if part.rows else "none"
