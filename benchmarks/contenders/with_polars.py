"""polars: the first tournament of all players at once, then the second, like the ledger's recursion.

The number before a career's first update identifies the career.
"""

from __future__ import annotations

import polars as pl

from contenders.race import UPDATES, Course

_STORED = "select update_number, rating_before, rating_after from rated"


def ledger(course: Course) -> None:
    """Rate with polars."""
    change = pl.col("tournament_value") / 100 * (pl.col("percentile_score") - pl.col("rating_before"))
    career = (pl.col("update_number") - pl.col("event_number")).alias("career")
    updates = course.columns(UPDATES).pl().with_columns(career)
    steps: list[pl.DataFrame] = []
    for step in updates.sort("event_number").partition_by("event_number", maintain_order=True):
        if steps:
            # All players in this step played in the one before.
            ratings = steps[-1].select("career", rating_before="rating_after")
            rated = step.join(ratings, on="career", how="inner")
        else:
            rated = step.with_columns(rating_before=pl.col("initial_rating"))
        rated = rated.with_columns(rating_after=pl.col("rating_before") + change)
        steps.append(rated.select("career", "update_number", "rating_before", "rating_after"))
    course.store(_STORED, rated=pl.concat(steps).to_arrow())
