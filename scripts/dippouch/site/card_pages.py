"""Tournaments: the list, a page each, circuits, and the counted tournaments with the reasons. Players: a page each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from dippouch.export.reading import Content
from dippouch.site.page import Column, DataFile, Page, in_parts, script_rows

_TOURNAMENTS_A_PAGE, _RESULTS_A_PAGE, _OF_PLAYER_A_PAGE = 50, 200, 150
_LIST = (
    Column("Ended", "day", "ended_on", first="desc"),
    Column("{Tournament}", "event", "tournament_name"),
    Column("Held in", "text", "place", wide=True),
    Column("Nation", "nation", wide=True),
    Column("Kind", "text", "kind", wide=True),
    Column("{Players}", "count", "players", first="desc"),
    Column("Value", "fixed", "tournament_value", first="desc"),
    Column("Winner", "persons", "winners", wide=True),
)


def tournament_pages(content: Content) -> Iterator[Page | DataFile]:
    """Yield the pages of tournaments and circuits."""
    events = content.facts["tournaments_word"]
    rows = content.rows("from presentation.tournament_card order by ended_on desc, started_on desc, tournament_id")
    nations = {row["nation_code"]: row["nation_name"] for row in rows if row["nation_code"]}
    columns = [column for column in _LIST if column.kind != "nation" or nations]
    data = "tournaments-rows.js"
    yield DataFile(data, "tableRows", {"nations": nations, "rows": script_rows(columns, rows)})
    for link, part in in_parts(rows, _TOURNAMENTS_A_PAGE, "tournaments.html"):
        context = {"columns": columns, "part": part, "data": data, "nations": nations}
        title, described = part.title(events[:1].upper() + events[1:]), f"All {events}, the last first."
        yield Page(link, title, described, context, "tournaments", "tournaments.html")

    circuits = content.rows("from main.included_circuits order by year desc, circuit_id")
    for link, part in in_parts(rows, _RESULTS_A_PAGE, "included.html"):
        title, described = f"Included {events} and circuits", f"The {events} that count, and the rule that decides."
        context = {"part": part, "circuits": circuits}
        yield Page(link, part.title(title), described, context, "tournaments", "included.html")

    results = content.groups(
        "from presentation.result_list where rating_system_id = $system"
        " order by tournament_id, placement nulls last, last_name, first_name, player_id",
        "tournament_id",
    )
    for event in content.stream("from presentation.tournament_card order by tournament_id"):
        described = f"{event['tournament_name']}: results, percentile scores, and the change of every rating."
        path = f"tournaments/{event['tournament_id']}.html"
        for link, part in in_parts(results(event["tournament_id"]), _RESULTS_A_PAGE, path):
            context = {"event": event, "part": part}
            yield Page(link, part.title(event["tournament_name"]), described, context, "tournaments", "tournament.html")

    steps = content.rows(
        "from main.included_circuits left join main.circuit_tournaments using (circuit_id) left join"
        " (select tournament_id, ended_on, is_counted as is_tournament_counted from main.included_tournaments) using (tournament_id)"
        " order by year desc, circuit_id, ended_on nulls last, tournament_id"
    )
    by_circuit = [list(of_circuit) for _, of_circuit in groupby(steps, key=lambda row: row["circuit_id"])]
    described = f"Circuits with their {events}, and the {events} that count."
    yield Page("circuits.html", "Circuits", described, {"circuits": by_circuit}, "tournaments")


def player_pages(content: Content, live: dict[str, Any] | None) -> Iterator[Page | DataFile]:
    """Yield the pages of all players, sorted by id, and the file with which they find the rank of any day.

    `live` is the content of their live section, if the site has live pages.
    """
    of_system = "where rating_system_id = $system order by player_id"
    results = content.groups(
        f"from presentation.result_list {of_system}, ended_on, started_on, tournament_id", "player_id"
    )
    neighbours = content.groups(
        "select * replace (neighbour_id as player_id), player_id as beside from presentation.neighbour_list"
        " where rating_system_id = $system order by beside, places_below",
        "beside",
    )
    parts = content.groups(f"from presentation.rating_part_list {of_system}, number", "player_id")
    year_ends = content.groups(
        "select *, year = min(year) over () as is_first_ranking from main.yearly_ranking order by player_id, year desc",
        "player_id",
    )
    reigns = content.groups(
        "from main.reigns where competition = 'world' order by player_id, reigned_from", "player_id"
    )
    opponents = content.groups("from presentation.opponent_list order by player_id, number", "player_id")
    for player in content.stream(f"from presentation.player_card {of_system}"):
        player_id, name, history = player["player_id"], player["player_name"], results(player["player_id"])
        context = {
            "player": player,
            "name": name,
            "history": history,
            "neighbours": neighbours(player_id),
            "parts_of_rating": parts(player_id),
            "opponents": opponents(player_id),
            "reigns": reigns(player_id),
            "year_ends": year_ends(player_id),
        }
        described = f"{name}: not ranked yet."
        if player["international_rank"] is not None:
            described = f"{name}: rank {player['international_rank']} of {player['ranked_players']}, rating {player['rating']:.2f}."
        for link, part in in_parts(history[::-1], _OF_PLAYER_A_PAGE, f"players/{player_id}.html"):
            given = {"part": part, "live": live if part.number == 1 else None}
            yield Page(link, part.title(name), described, context | given, "ranking", "player.html")
    ranked = content.stream(f"from presentation.rank_period_list {of_system}")
    yield DataFile("rank-periods.js", "rankPeriods", {row["player_id"]: row["periods"] for row in ranked})
