"""Tournaments: the list, a page each, circuits, and the counted tournaments with the reasons. Players: a page each."""

from typing import Any

from dippouch.site.rendering import Column, Site, first_capital, script_rows

_TOURNAMENTS_A_PAGE, _RESULTS_A_PAGE, _OF_PLAYER_A_PAGE = 50, 200, 150
_LIST = (
    Column("Ended", "ended", "ended_on", first="desc"),
    Column("{Tournament}", "event", "tournament_name"),
    Column("Held in", "text", "place", wide=True),
    Column("Nation", "nation", wide=True),
    Column("Kind", "text", "kind", wide=True),
    Column("{Players}", "count", "players", first="desc"),
    Column("Value", "fixed", "tournament_value", first="desc"),
    Column("Winner", "persons", "winners", wide=True),
)
# The rows on the page of each player.
_OF_SYSTEM = "where rating_system_id = $system order by player_id"
_OF_PLAYER = {
    "history": f"from presentation.result_list {_OF_SYSTEM}, ended_on, started_on, tournament_id",
    "parts_of_rating": f"from presentation.rating_part_list {_OF_SYSTEM}, number",
    "opponents": "from presentation.opponent_list order by player_id, number",
    "reigns": "from main.reigns where competition = 'world' order by player_id, reigned_from",
    "year_ends": """
        select *, year = min(year) over () as is_first_ranking from main.yearly_ranking order by player_id, year desc
    """,
}
_NEIGHBOURS = """
    select * replace (neighbour_id as player_id), player_id as beside
    from presentation.neighbour_list where rating_system_id = $system order by beside, places_below
"""
_EDITIONS = """
    with editions as (select distinct series_name, tournament_id, year from main.series_editions)
    select own.tournament_id as shown_on, series_name, editions.year, cards.*, shown_on = cards.tournament_id as is_here
    from editions as own
    inner join editions using (series_name)
    inner join presentation.tournament_card as cards on editions.tournament_id = cards.tournament_id
    order by shown_on, series_name, ended_on desc, cards.tournament_id
"""


def write_tournaments(site: Site) -> None:
    """Write the pages of tournaments and circuits."""
    content, events = site.content, site.facts["tournaments_word"]
    rows = content.rows("from presentation.tournament_card order by ended_on desc, started_on desc, tournament_id")
    nations = {row["nation_code"]: row["nation_name"] for row in rows if row["nation_code"]}
    columns = [column for column in _LIST if column.kind != "nation" or nations]
    data = "tournaments-rows.js"
    site.script(data, "tableRows", {"nations": nations, "rows": script_rows(columns, rows)})
    context: dict[str, Any] = {"columns": columns, "data": data, "nations": nations}
    title, path, described = first_capital(events), "tournaments.html", f"All {events}, the last first."
    site.pages(rows, _TOURNAMENTS_A_PAGE, path, title, described, "tournaments", path, **context)

    circuits = content.rows("from main.included_circuits order by year desc, circuit_id")
    title, described = f"Included {events} and circuits", f"The {events} that count, and the rule that decides."
    path = "included.html"
    site.pages(rows, _RESULTS_A_PAGE, path, title, described, "tournaments", path, circuits=circuits)

    results = content.groups(
        "from presentation.result_list where rating_system_id = $system"
        " order by tournament_id, placement nulls last, last_name, first_name, player_id",
        "tournament_id",
    )
    editions = content.groups(_EDITIONS, "shown_on")
    for event in content.stream("from presentation.tournament_card order by tournament_id"):
        described = f"{event['tournament_name']}: results, percentile scores, and the change of every rating."
        path = f"tournaments/{event['tournament_id']}.html"
        listed, title = results(event["tournament_id"]), event["tournament_name"]
        context = {"event": event, "editions": editions(event["tournament_id"])}
        site.pages(listed, _RESULTS_A_PAGE, path, title, described, "tournaments", "tournament.html", **context)

    steps = content.rows(
        "from main.circuit_tournaments"
        " left join (select tournament_id, ended_on, stated_period from main.tournaments) using (tournament_id)"
        " left join (select tournament_id, is_counted from main.included_tournaments) using (tournament_id)"
        " order by ended_on nulls last, tournament_id"
    )
    described = f"Circuits with their {events}, and the {events} that count."
    site.page("circuits.html", "Circuits", described, "tournaments", circuits=circuits, steps=steps)


def write_players(site: Site, live: dict[str, Any] | None) -> None:
    """Write the pages of all players, sorted by id, and the file with which they find the rank of any day.

    `live` is the content of their live section, if the site has live pages.
    """
    content = site.content
    groups = {name: content.groups(query, "player_id") for name, query in _OF_PLAYER.items()}
    neighbours = content.groups(_NEIGHBOURS, "beside")
    for player in content.stream(f"from presentation.player_card {_OF_SYSTEM}"):
        player_id, name = player["player_id"], player["player_name"]
        rows = {group: of(player_id) for group, of in groups.items()} | {"neighbours": neighbours(player_id)}
        described = f"{name}: not ranked yet."
        if player["international_rank"] is not None:
            described = f"{name}: rank {player['international_rank']} of {player['ranked_players']}, rating {player['rating']:.2f}."
        path, context = f"players/{player_id}.html", {"player": player, "name": name, "live": live, **rows}
        site.pages(rows["history"][::-1], _OF_PLAYER_A_PAGE, path, name, described, "ranking", "player.html", **context)
    ranked = content.stream(f"from presentation.rank_period_list {_OF_SYSTEM}")
    site.script("rank-periods.js", "rankPeriods", {row["player_id"]: row["periods"] for row in ranked})
