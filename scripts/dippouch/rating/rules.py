"""The rules of a rating system, for checks of printed figures; `verify_ratings` computes them. Their source is in docs/methodology.md."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from decimal import Decimal
from typing import Any

# As `verify_ratings` takes them. A system: its row in ref_rating_systems, with the figures as decimals, the days as dates (the first
# possible one for none), and `counted_from`; at an import also `is_printed`. A tournament: `players` and `rounds` (None where no source states them), `ended_on`,
# `is_world_championship`, `is_withdrawn`.
RatingRules = dict[str, Any]
EventFacts = dict[str, Any]


def counted_from(rules: RatingRules, last_event_on: date) -> date:
    """Return the first day on which tournaments count, given the end of the last one."""
    earliest: date = rules["first_counted_on"]
    if rules["counted_years"]:
        year, month = last_event_on.year - int(rules["counted_years"]), last_event_on.month
        # Ten years before 29 February is 28 February.
        earliest = max(earliest, date(year, month, min(last_event_on.day, monthrange(year, month)[1])))
    return earliest


def value_rule(rules: RatingRules, event: EventFacts) -> str:
    """Return the name of the rule that gives a tournament its value, as the macro `value_rule` does: the first that applies."""
    in_order = {
        "withdrawn": event["is_withdrawn"],
        "before the opening": event["ended_on"] <= rules["opened_on"],
        "players not declared": event["players"] is None,
        "world championship": event["is_world_championship"],
        "before first counted day": event["ended_on"] < rules["counted_from"],
        "rounds not declared": event["rounds"] is None,
        "one round": event["rounds"] == 1,
    }
    return next((rule for rule, applies in in_order.items() if applies), "several rounds")


def agrees_with_printed(figure: Decimal, printed: Decimal) -> bool:
    """Return whether an exact figure rounds to the printed one: within 0.005."""
    return abs(figure - printed) <= Decimal("0.005")
