"""A page per player."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dippouch.site.page import Content, Groups, Page, Row, in_parts
from dippouch.site.table_cells import Column, written_day

RESULTS_A_PAGE = 150
_PLAYERS_AT_A_TIME = 250

# Shades of a bar of parts: the initial rating has the first; later events are darker.
_SHADES = 4
# So many of the last events are parts of their own.
_LAST_PARTS = 12


def pages(content: Content) -> Iterator[Page]:
    """The pages of all players, in the order of their ids."""
    facts = content.facts
    results = content.groups(
        "from pages.result_rows order by player_id, ended_on, started_on, tournament_id", "player_id"
    )
    opponents = Groups(_opponents(content), "player_id")
    reigns = content.groups("from main.number_one_reigns order by player_id, reigned_from", "player_id")
    last_day = facts["last_update"]
    columns = _columns(facts)
    for player in content.stream("from pages.player_facts order by player_id"):
        player_id = player["player_id"]
        history = results.of(player_id)
        rated = [row for row in history if row["event_number"] is not None]
        name = " ".join(part for part in (player["first_name"], player["last_name"]) if part)
        context = {
            "player": player,
            "name": name,
            "columns": columns,
            "parts_of_rating": _parts(player, rated),
            "chart": _chart(player, rated, last_day, facts),
            "course": [player["initial_rating"], *(row["rating_after"] for row in rated)],
            "opponents": opponents.of(player_id),
            "reigns": reigns.of(player_id),
        }
        described = _described(player, name, facts)
        for link, part in in_parts(history[::-1], RESULTS_A_PAGE, f"players/{player_id}.html"):
            title = name if part.number == 1 else f"{name}, page {part.number}"
            yield Page(link, "player.html", title, described, context | {"part": part}, "ranking")


def _opponents(content: Content) -> Iterator[Row]:
    """Whom everybody met most, in the order of players: some players at a time, because there are many pairs."""
    ids = [row["player_id"] for row in content.stream("select player_id from main.players order by player_id")]
    for first in range(0, len(ids), _PLAYERS_AT_A_TIME):
        some = ids[first : first + _PLAYERS_AT_A_TIME]
        query = "from pages.opponent_rows where player_id between ? and ? order by player_id, number"
        yield from content.stream(query, [some[0], some[-1]])


def _columns(facts: Row) -> list[Column]:
    return [
        Column("Ended", "day", "ended_on", wide=True),
        Column(facts["tournament_word"].capitalize(), "event", "tournament_name"),
        Column("Place", "placement", "placement"),
        Column("Expected", "one", "expected_place", wide=True),
        Column("Better by", "better", "places_better", wide=True),
        Column("Percentile", "fixed", "percentile_score", wide=True),
        Column("Value", "fixed", "tournament_value", wide=True),
        Column("Before", "fixed", "rating_before", wide=True),
        Column("Change", "change", "rating_change"),
        Column("After", "rating", "rating_after"),
    ]


def _parts(player: Row, rated: list[Row]) -> list[dict[str, Any]]:
    """What a rating is made of: the initial rating, and what events left of their own; the newest last, the oldest together."""
    if player["initial_weight"] is None:
        return []
    parts: list[dict[str, Any]] = [
        {
            "score": player["initial_rating"],
            "weight": player["initial_weight"],
            "points": player["initial_contribution"],
            "shade": 0,
        }
    ]
    counted = [row for row in rated if row["weight"]]
    older, last = counted[:-_LAST_PARTS], counted[-_LAST_PARTS:]
    if older:
        weight, points = sum(row["weight"] for row in older), sum(row["contribution"] for row in older)
        parts.append({"older": len(older), "score": points / weight, "weight": weight, "points": points, "shade": 1})
    for number, row in enumerate(last):
        shade = (
            max(1, _SHADES - len(last) + number) if len(last) < _SHADES else 1 + (number + bool(older)) % (_SHADES - 1)
        )
        parts.append(
            {
                "name": row["tournament_name"],
                "id": row["tournament_id"],
                "score": row["percentile_score"],
                "weight": row["weight"],
                "points": row["contribution"],
                "shade": shade,
            }
        )
    return parts


def _chart(player: Row, rated: list[Row], last_day: Any, facts: Row) -> dict[str, Any] | None:  # noqa: ANN401 (a day)
    """What the chart of ratings shows, or None where there is nothing to draw."""
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
        "words": {"tournament": facts["tournament_word"].capitalize()},
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
