"""Tournaments: the list, a page each, circuits, and what is counted and why."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from dippouch.export.reading import Content
from dippouch.site.page import DataFile, Page, first_capital, in_parts
from dippouch.site.table_cells import Column

ROWS_A_PAGE = 50
RESULTS_A_PAGE = 200
TOURNAMENTS = "tournaments.html"


def pages(content: Content) -> Iterator[Page | DataFile]:
    """The pages of tournaments and circuits."""
    yield from _list(content)
    yield from _each(content)
    yield _circuits(content)


def _list(content: Content) -> Iterator[Page | DataFile]:
    facts = content.facts
    events, event = facts["tournaments_word"], facts["tournament_word"]
    rows = content.rows("from presentation.tournament_card order by ended_on desc, started_on desc, tournament_id")
    nations = {row["nation_code"]: row["nation_name"] for row in rows if row["nation_code"]}
    columns = [
        Column("Ended", "day", "ended_on", first="desc"),
        Column(first_capital(event), "event", "name"),
        Column("Place", "text", "place", wide=True),
        Column("Nation", "nation", wide=True),
        Column("Kind", "text", "kind", wide=True),
        Column(first_capital(facts["players_word"]), "count", "players", first="desc"),
        Column("Value", "fixed", "tournament_value", first="desc"),
        Column("Winner", "persons", "winners", wide=True),
    ]
    data = "tournaments-rows.js"
    yield DataFile(
        data,
        "tableRows",
        {
            "nations": nations,
            "rows": [
                [
                    row["ended_on"].isoformat(),
                    [row["tournament_id"], row["name"]],
                    row["place"] or "",
                    row["nation_code"] or "",
                    row["kind"] or "",
                    row["players"],
                    None if row["tournament_value"] is None else round(row["tournament_value"], 2),
                    [[one["player_id"], one["first_name"] or "", one["last_name"] or ""] for one in row["winners"]],
                ]
                for row in rows
            ],
        },
    )
    for link, part in in_parts(rows, ROWS_A_PAGE, TOURNAMENTS):
        context = {
            "columns": columns,
            "part": part,
            "data": data,
            "nations": sorted(nations.items(), key=lambda one: one[::-1]),
        }
        yield Page(
            link,
            "tournaments.html",
            part.title(first_capital(events)),
            f"All {events}, the last first.",
            context,
            "tournaments",
        )

    reasons = [
        Column("Ended", "day", "ended_on"),
        Column(first_capital(event), "event", "name"),
        Column(first_capital(facts["players_word"]), "count", "players", wide=True),
        Column("Rounds", "count", "rounds", wide=True),
        Column("Value", "fixed", "tournament_value"),
        Column("Counted", "mark", "is_counted", wide=True),
        Column("By the rule", "text", "value_rule"),
    ]
    circuit_columns = [
        Column("Year", "number", "year"),
        Column("Circuit", "text", "name"),
        Column(first_capital(events), "count", "tournaments", wide=True),
        Column("Counted", "mark", "is_counted"),
        Column("Reason", "text", "reason"),
    ]
    circuits = content.rows("from main.included_circuits order by year desc, circuit_id")
    for link, part in in_parts(rows, RESULTS_A_PAGE, "included.html"):
        title = f"Included {events} and circuits"
        context = {"columns": reasons, "part": part, "circuits": circuits, "circuit_columns": circuit_columns}
        yield Page(link, "included.html", title, f"Which {events} count, and by which rule.", context, "tournaments")


def _each(content: Content) -> Iterator[Page]:
    facts = content.facts
    results = content.groups(
        "from presentation.result_list where rating_system_id = $system"
        " order by tournament_id, placement nulls last, last_name, first_name, player_id",
        "tournament_id",
    )
    columns = [
        Column("Place", "rank", "placement"),
        Column(first_capital(facts["player_word"]), "person"),
        Column("Nation", "nation"),
        Column("Percentile", "fixed", "percentile_score", wide=True),
        Column("Expected", "one", "expected_place", wide=True),
        Column("Better by", "better", "places_better", wide=True),
        Column("Before", "fixed", "rating_before", wide=True),
        Column("Change", "change", "rating_change"),
        Column("After", "rating", "rating_after"),
    ]
    for event in content.stream("from presentation.tournament_card order by tournament_id"):
        event_id = event["tournament_id"]
        for link, part in in_parts(list(results.of(event_id)), RESULTS_A_PAGE, f"tournaments/{event_id}.html"):
            described = f"{event['name']}: results, percentile scores, and what they did to every rating."
            context = {"event": event, "part": part, "columns": columns}
            yield Page(link, "tournament.html", part.title(event["name"]), described, context, "tournaments")


def _circuits(content: Content) -> Page:
    rows = content.rows(
        "from presentation.circuit_list order by year desc, circuit_id, ended_on nulls last, tournament_id"
    )
    circuits = [list(steps) for _, steps in groupby(rows, key=lambda row: row["circuit_id"])]
    described = f"Circuits, the {content.facts['tournaments_word']} that they are made of, and which of them count."
    return Page("circuits.html", "circuits.html", "Circuits", described, {"circuits": circuits}, "tournaments")
