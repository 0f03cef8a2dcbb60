"""numba over arrays in the order of the careers: about the limit of one core, once the rows are in memory."""

from __future__ import annotations

from typing import Any, TypeAlias

import numba
import numpy as np

from contenders.race import UPDATES, Course

Doubles: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

_ORDER = "order by updates.update_number"


def _rate(event_number: Any, percentile: Doubles, value: Doubles, initial: Doubles) -> tuple[Doubles, Doubles]:  # noqa: ANN401
    before, after = np.empty(len(percentile)), np.empty(len(percentile))
    rating = 0.0
    for number in range(len(percentile)):
        if event_number[number] == 1:
            rating = initial[number]
        before[number] = rating
        rating += value[number] / 100 * (percentile[number] - rating)
        after[number] = rating
    return before, after


# The inputs are read-only arrays.
_NUMBERS, _DOUBLES = (numba.types.Array(kind, 1, "C", readonly=True) for kind in (numba.i4, numba.f8))
# Compiled here, before any clock runs.
rate = numba.njit((_NUMBERS, _DOUBLES, _DOUBLES, _DOUBLES))(_rate)


def ledger(course: Course) -> None:
    """Rate from the few required columns, and store the ratings."""
    updates = course.columns(f"{UPDATES} {_ORDER}").fetchnumpy()
    before, after = rate(*_arguments(updates))
    rated = {"update_number": updates["update_number"], "rating_before": before, "rating_after": after}
    course.store("select * from rated", rated=rated)


def history(course: Course) -> None:
    """Rate from all columns of the updates, and store all columns of the history."""
    updates = course.columns(
        "select updates.*, systems.initial_rating from build.intermediate.int_rating_updates as updates"
        " inner join build.staging.stg_rating_systems as systems"
        f" on updates.rating_system_id = systems.rating_system_id {_ORDER}"
    ).to_arrow_table()
    names = ("event_number", "percentile_score", "tournament_value", "initial_rating")
    before, after = rate(*_arguments({name: updates[name].to_numpy() for name in names}))
    rated = updates.append_column("rating_before", [before]).append_column("rating_after", [after])
    course.store(
        "select rating_system_id, player_id, event_number, tournament_id, ended_on, placement, players,"
        " percentile_score, tournament_value, rating_before, rating_after - rating_before as rating_change,"
        " rating_after from rated",
        rated=rated,
    )


def _arguments(updates: dict[str, Any]) -> tuple[Any, ...]:
    doubles = ("percentile_score", "tournament_value", "initial_rating")
    return (
        np.ascontiguousarray(updates["event_number"], dtype=np.int32),
        *(np.ascontiguousarray(updates[name], dtype=np.float64) for name in doubles),
    )
