"""A page per player."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from dippouch.db import Row
from dippouch.export.reading import Content, grouped
from dippouch.site.page import Page, first_capital, in_parts
from dippouch.site.table_cells import BETTER, EXPECTED, PERSON, RATED, SCORE, Column, written_day

RESULTS_A_PAGE = 150
_PLAYERS_AT_A_TIME = 100

# Number of shades in a bar of parts.
_SHADES = 4


_RESULTS = (
    Column("Ended", "day", "ended_on", wide=True),
    Column("{Tournament}", "event_and_place", "tournament_name"),
    Column("Place", "placement", "placement"),
    EXPECTED,
    BETTER,
    SCORE,
    Column("Value", "fixed", "tournament_value", wide=True),
    *RATED,
)
_NEIGHBOURS = (
    Column("Rank", "rank", "rank"),
    PERSON,
    Column("Nation", "nation", wide=True),
    Column("Rating", "rating", "rating"),
    Column("Gap", "change", "gap"),
)


def pages(content: Content, live: dict[str, Any] | None) -> Iterator[Page]:
    """Yield the pages of all players, sorted by id; `live` is the content of their live section, if the site has live pages."""
    facts = content.facts
    results = content.groups(
        "from presentation.result_list where rating_system_id = $system order by player_id, ended_on, started_on, tournament_id",
        "player_id",
    )
    opponents = grouped(_opponents(content), "player_id")
    neighbours = content.groups(
        "select * replace (neighbour_id as player_id), player_id as beside from presentation.neighbour_list"
        " where rating_system_id = $system order by beside, places_below",
        "beside",
    )
    parts = content.groups(
        "from presentation.rating_part_list where rating_system_id = $system order by player_id, number", "player_id"
    )
    reigns = content.groups("from main.number_one_reigns order by player_id, reigned_from", "player_id")
    (card,) = content.rows("select bands from presentation.rating_system_card where rating_system_id = $system")
    last_day = facts["last_update"]
    for player in content.stream("from presentation.player_card where rating_system_id = $system order by player_id"):
        player_id = player["player_id"]
        history = results(player_id)
        rated = [row for row in history if row["event_number"] is not None]
        parts_of_rating = parts(player_id)
        name = player["player_name"]
        context = {
            "player": player,
            "name": name,
            "columns": _RESULTS,
            "neighbours": neighbours(player_id),
            "neighbour_columns": _NEIGHBOURS,
            "bands": card["bands"] or [],
            "parts_of_rating": parts_of_rating,
            "shades": _shades(parts_of_rating),
            "chart": _chart(player, rated, last_day, facts),
            "course": [player["initial_rating"], *(row["rating_after"] for row in rated)],
            "opponents": opponents(player_id),
            "reigns": reigns(player_id),
        }
        described = _described(player, name, facts)
        for link, part in in_parts(history[::-1], RESULTS_A_PAGE, f"players/{player_id}.html"):
            given = {"part": part, "live": live if part.number == 1 else None}
            yield Page(link, part.title(name), described, context | given, "ranking", "player.html")


def _opponents(content: Content) -> Iterator[Row]:
    """Yield each player's most frequent opponents, by player; a few players at a time, because there are many pairs."""
    ids = [row["player_id"] for row in content.stream("select player_id from main.players order by player_id")]
    for first in range(0, len(ids), _PLAYERS_AT_A_TIME):
        some = ids[first : first + _PLAYERS_AT_A_TIME]
        query = "from presentation.opponent_list where player_id between $first and $last order by player_id, number"
        yield from content.stream(query, first=some[0], last=some[-1])


def _shades(parts: list[Row]) -> list[int]:
    """Return the shades of a bar of parts: the initial rating has the first; later tournaments are darker, and neighbours differ."""
    events = len(parts) - 1
    if events < _SHADES:
        return [0, *range(_SHADES - events, _SHADES)]
    return [0, *(1 + number % (_SHADES - 1) for number in range(events))]


def _chart(player: Row, rated: list[Row], last_day: date | None, facts: Row) -> dict[str, Any] | None:
    """Return the content of the chart of ratings, or None if there is nothing to draw."""
    counted = [row for row in rated if row["tournament_value"]]
    if not counted or last_day is None:
        return None
    first = counted[0]["ended_on"]
    days = max((last_day - first).days, 365)
    margin = max(days // 25, 20)
    return {
        "initial": player["initial_rating"],
        "from": first.fromordinal(first.toordinal() - margin).isoformat(),
        "to": last_day.fromordinal(max(last_day, first).toordinal() + margin).isoformat(),
        "words": {"tournament": first_capital(facts["tournament_word"])},
        "events": [
            {
                "day": row["ended_on"].isoformat(),
                "rating": round(row["rating_after"], 4),
                "change": round(row["rating_change"], 4),
                "name": f"{row['tournament_name']}, {written_day(row['ended_on'], '%b %Y')}",
                "place": f"{row['placement']} of {row['players']}" if row["placement"] else "not placed",
                "big": bool(row["is_world_championship"]),
            }
            for row in counted
        ],
    }


def _described(player: Row, name: str, facts: Row) -> str:
    if player["rank"] is None:
        return f"{name}: results, by {facts['rating_system_name']} not ranked yet."
    return (
        f"{name}: rank {player['rank']} of {player['ranked_players']}, rating {player['rating']:.2f} after"
        f" {player['tournaments_counted']} {facts['tournaments_word'] if player['tournaments_counted'] > 1 else facts['tournament_word']}."
    )
