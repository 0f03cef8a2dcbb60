"""A loop over a dictionary, result after result in the order of play, as in most rating projects."""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np

from contenders.race import Course

_ROWS = """
    from build.intermediate.int_rating_updates as updates
    inner join build.staging.stg_rating_systems as systems on updates.rating_system_id = systems.rating_system_id
    order by updates.ended_on, updates.event_number, updates.update_number
"""
_BATCH = 100_000


def loop(course: Course) -> Callable[[], None]:
    """Rate in a dictionary, and keep every rating in memory; store nothing.

    Batches keep the rows of a large history out of memory, which favours the loop.
    """
    ratings: dict[tuple[str, str], float] = {}
    before, after = array("d"), array("d")
    rows = course.rows(
        "select updates.rating_system_id, updates.player_id, updates.percentile_score, updates.tournament_value,"
        f" systems.initial_rating {_ROWS}"
    )
    while batch := rows.fetchmany(_BATCH):
        for system, player, percentile, value, initial in batch:
            rating = ratings.get((system, player), initial)
            before.append(rating)
            rating += value / 100 * (percentile - rating)
            after.append(rating)
            ratings[system, player] = rating

    def store() -> None:
        numbers = course.columns(f"select updates.update_number {_ROWS}").fetchnumpy()["update_number"]
        found = {"update_number": numbers, "rating_before": np.array(before), "rating_after": np.array(after)}
        course.store("select * from found", found=found)

    return store
