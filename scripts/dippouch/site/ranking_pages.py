"""The rankings: of all players, of active ones, of every year, of nations and of each nation."""

from dippouch.db import DatabaseRow
from dippouch.site.rendering import Column, Site, script_rows

_ROWS_A_PAGE, _NATIONAL_ROWS_A_PAGE = 50, 100
# The columns of every ranking as CSV.
_CSV = "player_id, player_name, nation_code, rating"
_OF_SYSTEM = "where rating_system_id = $system"
RANKING = f"from presentation.ranking_list {_OF_SYSTEM} order by rank, player_id"
_ACTIVE = f"from presentation.ranking_list {_OF_SYSTEM} and active_rank is not null order by active_rank, player_id"


def ranking_columns(facts: DatabaseRow, rank: str = "rank") -> list[Column]:
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
    # The moves are those of the whole ranking.
    unfit = {"nation": not facts["nations_of_people"], "move": rank != "rank"}
    return [column for column in columns if not unfit.get(column.kind)]


def write_rankings(site: Site) -> None:
    """Write the pages of the rankings, with the rows for their search, and every ranking as CSV."""
    content, facts = site.content, site.facts
    ranking = content.rows(RANKING)
    nations = {row["nation_code"]: row["nation_name"] for row in ranking if row["nation_code"]}
    years = content.rows("from presentation.year_card order by year desc")
    known = [row["year"] for row in years]
    lists = (
        ("ranking", "International ranking" if nations else "Ranking", "rank", ranking),
        ("active", f"Ranking of active {facts['players_word']}", "active_rank", content.rows(_ACTIVE)),
    )
    for name, title, rank, rows in lists:
        columns, path, data = ranking_columns(facts, rank), f"{name}.html", f"{name}-rows.js"
        saved = f"select {rank}, {_CSV}, is_provisional, tournaments_counted, last_played_on"
        site.csv(f"{name}.csv", f"{saved} {RANKING if rank == 'rank' else _ACTIVE}")
        site.script(data, "tableRows", {"nations": nations, "scale": site.scale, "rows": script_rows(columns, rows)})
        described = f"{title} by {facts['rating_system_name']}."
        context = {"columns": columns, "data": data, "which": path, "nations": nations, "years": known}
        site.pages(rows, _ROWS_A_PAGE, path, title, described, "ranking", "ranking.html", **context)

    site.page("years.html", "Year by year", "The ranking at the end of every year.", "ranking", years=years)
    ranking_of = content.groups("from main.yearly_ranking order by year, rank, player_id", "year")
    nations_of = content.groups(
        "select *, earlier_rank - rank as places_gained from main.nation_ranking order by year, rank, nation_code",
        "year",
    )
    for year in known[::-1]:
        saved = f"select rank, {_CSV} from main.yearly_ranking where year = {year}"
        site.csv(f"years/{year}.csv", f"{saved} order by rank, player_id")
        described = f"Who led at the end of {year}, by {facts['rating_system_name']}."
        context = {"year": year, "years": known[::-1], "nations": nations_of(year)}
        title, path = f"Ranking at the end of {year}", f"years/{year}.html"
        site.pages(ranking_of(year), _ROWS_A_PAGE, path, title, described, "ranking", "year.html", **context)


def write_nations(site: Site) -> None:
    """Write the list of nations, and a page for each."""
    content, facts = site.content, site.facts
    nations = content.rows("from presentation.nation_card order by rank nulls last, nation_name, nation_code")
    if nations:
        described = f"Nations by the mean rating of their best five {facts['players_word']}."
        site.page("nations.html", "Nations", described, "nations", nations=nations)
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
        path = f"nations/{code.lower()}.html"
        site.pages(ranked(code), _NATIONAL_ROWS_A_PAGE, path, name, described, "nations", "nation.html", **context)
