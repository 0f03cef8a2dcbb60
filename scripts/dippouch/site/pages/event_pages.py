"""Tournaments: the list, a page each, circuits, and the counted tournaments with the reasons."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from dippouch.export.reading import Content
from dippouch.site.page import DataFile, Page, first_capital, in_parts
from dippouch.site.table_cells import BETTER, EXPECTED, PERSON, RATED, SCORE, Column, script_rows

ROWS_A_PAGE = 50
RESULTS_A_PAGE = 200
TOURNAMENTS = "tournaments.html"


_LIST = (
    Column("Ended", "day", "ended_on", first="desc"),
    Column("{Tournament}", "event", "name"),
    Column("Place", "text", "place", wide=True),
    Column("Nation", "nation", wide=True),
    Column("Kind", "text", "kind", wide=True),
    Column("{Players}", "count", "players", first="desc"),
    Column("Value", "fixed", "tournament_value", first="desc"),
    Column("Winner", "persons", "winners", wide=True),
)
_INCLUDED = (
    Column("Ended", "day", "ended_on"),
    Column("{Tournament}", "event", "name"),
    Column("{Players}", "count", "players", wide=True),
    Column("Rounds", "count", "rounds", wide=True),
    Column("Value", "fixed", "tournament_value"),
    Column("Counted", "mark", "is_counted", wide=True),
    Column("By the rule", "text", "value_rule"),
)
_CIRCUITS = (
    Column("Year", "text", "year"),
    Column("Circuit", "text", "name"),
    Column("{Tournaments}", "count", "tournaments", wide=True),
    Column("Counted", "mark", "is_counted"),
    Column("Reason", "text", "reason"),
)
_RESULTS = (Column("Place", "rank", "placement"), PERSON, Column("Nation", "nation"), SCORE, EXPECTED, BETTER, *RATED)


def pages(content: Content) -> Iterator[Page | DataFile]:
    """Yield the pages of tournaments and circuits."""
    events = content.facts["tournaments_word"]
    rows = content.rows("from presentation.tournament_card order by ended_on desc, started_on desc, tournament_id")
    nations = {row["nation_code"]: row["nation_name"] for row in rows if row["nation_code"]}
    data = "tournaments-rows.js"
    yield DataFile(data, "tableRows", {"nations": nations, "rows": script_rows(_LIST, rows)})
    for link, part in in_parts(rows, ROWS_A_PAGE, TOURNAMENTS):
        title, described = part.title(first_capital(events)), f"All {events}, the last first."
        context = {"columns": _LIST, "part": part, "data": data, "nations": nations}
        yield Page(link, title, described, context, "tournaments", "tournaments.html")

    circuits = content.rows("from main.included_circuits order by year desc, circuit_id")
    for link, part in in_parts(rows, RESULTS_A_PAGE, "included.html"):
        title, described = f"Included {events} and circuits", f"The {events} that count, and the rule that decides."
        context = {"columns": _INCLUDED, "part": part, "circuits": circuits, "circuit_columns": _CIRCUITS}
        yield Page(link, title, described, context, "tournaments", "included.html")

    results = content.groups(
        "from presentation.result_list where rating_system_id = $system"
        " order by tournament_id, placement nulls last, last_name, first_name, player_id",
        "tournament_id",
    )
    for event in content.stream("from presentation.tournament_card order by tournament_id"):
        event_id = event["tournament_id"]
        for link, part in in_parts(results(event_id), RESULTS_A_PAGE, f"tournaments/{event_id}.html"):
            described = f"{event['name']}: results, percentile scores, and the change of every rating."
            context = {"event": event, "part": part, "columns": _RESULTS}
            yield Page(link, part.title(event["name"]), described, context, "tournaments", "tournament.html")

    steps = content.rows(
        "from presentation.circuit_list order by year desc, circuit_id, ended_on nulls last, tournament_id"
    )
    by_circuit = [list(of_circuit) for _, of_circuit in groupby(steps, key=lambda row: row["circuit_id"])]
    described = f"Circuits with their {events}, and the {events} that count."
    yield Page("circuits.html", "Circuits", described, {"circuits": by_circuit}, "tournaments")
