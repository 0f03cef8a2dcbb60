"""pandas: the first tournament of all players at once, then the second, like the ledger's recursion.

The number before a career's first update identifies the career.
"""

from __future__ import annotations

import pandas as pd

from contenders.race import UPDATES, Course

_STORED = "select update_number, rating_before, rating_after from rated"


def ledger(course: Course) -> None:
    """Rate with pandas."""
    updates = course.columns(UPDATES).df()
    updates["career"] = updates["update_number"] - updates["event_number"]
    rating = pd.Series(dtype="float64")
    steps = []
    for event_number, step in updates.groupby("event_number"):
        before = step["initial_rating"] if event_number == 1 else step["career"].map(rating)
        after = before + step["tournament_value"] / 100 * (step["percentile_score"] - before)
        rating = pd.Series(after.to_numpy(), index=step["career"])
        steps.append(
            pd.DataFrame({"update_number": step["update_number"], "rating_before": before, "rating_after": after})
        )
    course.store(_STORED, rated=pd.concat(steps, ignore_index=True))
