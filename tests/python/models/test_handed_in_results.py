"""`ratings_with` about results that a collection lacks gives the ratings of the collection with them, to the last digit."""

from __future__ import annotations

from typing import Any

import pytest

from support.compiled import CompiledProject
from support.seed_rows import Rows, large_history, reference_rows

_ASKED = """
    select player_id, rating from marts.ratings_with(
        map($people, $places), tournament => $id, tournament_players => $players, tournament_rounds => $rounds,
        championship => $championship, first_day => $first_day, last_day => $last_day
    )
"""
_WITH = (
    "select player_id, rating from marts.players where player_id in (select player_id from marts.tournament_results)"
)


@pytest.mark.parametrize("system", ["dptr-ten-years", "continued"])
def test_asked_ratings_are_those_after_the_import(compiled_project: CompiledProject, system: str) -> None:
    rows = reference_rows() | large_history() | {"ref_settings": [{"setting": "rating_system", "value": system}]}
    # A window of years that its last tournament moves.
    for row in rows["ref_rating_systems"]:
        row["counted_years"] = row["counted_years"] and "3"
    last, other = max(rows["raw_tournaments"], key=lambda row: row["ended_on"]), rows["raw_tournaments"][5]
    with compiled_project.build(rows) as complete:
        expected = dict(complete.execute(_WITH).fetchall())
    for event, is_known in ((last, False), (other, True)):
        with compiled_project.build(_without(rows, event, is_known=is_known)) as marts:
            assert dict(marts.execute(_ASKED, _arguments(rows, event)).fetchall()) == expected


def _without(rows: Rows, event: dict[str, Any], *, is_known: bool) -> Rows:
    """Return a collection without a tournament, or with other facts and with half of its results, some misplaced."""
    others = [row for row in rows["raw_tournaments"] if row is not event]
    results = [row for row in rows["raw_results"] if row["tournament_id"] != event["tournament_id"]]
    if is_known:
        others.append(event | {"kind": "", "rounds": 1, "players": 200, "ended_on": "2009-12-31", "started_on": ""})
        own = [row for row in rows["raw_results"] if row["tournament_id"] == event["tournament_id"]]
        results += [row | {"placement": 1} for row in own[::2]]
    return rows | {"raw_tournaments": others, "raw_results": results}


def _arguments(rows: Rows, event: dict[str, Any]) -> dict[str, Any]:
    own = [row for row in rows["raw_results"] if row["tournament_id"] == event["tournament_id"]]
    return {
        "people": [row["player_id"] for row in own],
        "places": [row["placement"] for row in own],
        "id": event["tournament_id"],
        "players": event["players"],
        "rounds": event["rounds"],
        "championship": event["kind"] == "WDC",
        "first_day": event["started_on"],
        "last_day": event["ended_on"],
    }
