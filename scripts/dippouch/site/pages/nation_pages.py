"""Nations: their ranking, and a page each with the national ranking."""

from __future__ import annotations

from collections.abc import Iterator

from dippouch.export.reading import Content
from dippouch.site.page import Page, in_parts
from dippouch.site.table_cells import PERSON, Column

ROWS_A_PAGE = 100


_NATIONS = (
    Column("Rank", "rank", "rank"),
    Column("Nation", "nation_name", "nation_name"),
    Column("Best five", "rating", "best_five_rating"),
    Column("Ranked {players}", "count", "ranked_players"),
    Column("In the top 100", "count", "players_in_top_100", wide=True),
    Column("Number one", "persons", "number_ones", wide=True),
)
_NATION = (
    Column("Rank", "rank", "national_rank"),
    PERSON,
    Column("World", "count", "rank"),
    Column("", "move", "places_gained"),
    Column("Rating", "rating", "rating"),
    Column("Course", "course", "course", wide=True),
    Column("{Tournaments}", "count", "tournaments_counted", wide=True),
    Column("Last played", "month", "last_played_on", wide=True),
)


def pages(content: Content) -> Iterator[Page]:
    """The list of nations, and the page of each."""
    facts = content.facts
    nations = content.rows("from presentation.nation_card order by rank nulls last, nation_name, nation_code")
    columns = list(_NATIONS)
    # Most sources name a town and no nation: then nobody's 0 would say anything.
    if any(row["tournaments"] for row in nations):
        columns.append(Column("{Tournaments} held", "count", "tournaments", wide=True))
    described = f"Nations by the mean rating of their best five {facts['players_word']}."
    yield Page(
        "nations.html", "nations.html", "Nations", described, {"nations": nations, "columns": columns}, "nations"
    )

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
        years = history.of(code)
        leaders = number_ones.of(code)
        for link, part in in_parts(ranked.of(code), ROWS_A_PAGE, f"nations/{code.lower()}.html"):
            context = {"nation_card": nation, "columns": _NATION, "part": part, "years": years, "leaders": leaders}
            described = f"National ranking of {nation['nation_name']}, by {facts['rating_system_name']}."
            yield Page(link, "nation.html", part.title(nation["nation_name"]), described, context, "nations")
