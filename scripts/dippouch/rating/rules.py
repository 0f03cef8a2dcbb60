"""The rules of the rating in exact arithmetic, stated independently of the SQL in macros/rules/.

The verification recomputes every rating with them, and the importer holds printed figures against them.

Source of every rule: the Dip Pouch Tournament Rating as the World Diplomacy Database explains it; see
docs/methodology.md. Nothing here is rounded: every figure is a `fractions.Fraction`.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TypedDict, Unpack


@dataclass(frozen=True)
class RatingRules:
    """One row of rating_systems. Ratings and percentiles are points from 0 to 100, values are percent of the way."""

    initial_rating: Fraction
    world_championship_value: Fraction
    one_round_divisor: Fraction
    several_rounds_divisor: Fraction
    base_value: Fraction
    maximum_value: Fraction
    first_counted_on: date | None
    counted_years: int | None = None


# The rules that are figures, in the order of the seed.
FIGURES = (
    "initial_rating",
    "world_championship_value",
    "one_round_divisor",
    "several_rounds_divisor",
    "base_value",
    "maximum_value",
)


def percentile_score(players: int, placement: int) -> Fraction:
    """(players + 0.5 - placement) / players * 100, for `players` declared by the event.

    Raises:
        ValueError: when the placement is not within 1 to players.
    """
    if not 1 <= placement <= players:
        raise ValueError(f"placement {placement} of {players} players")
    return (players + Fraction(1, 2) - placement) / players * 100


class EventFacts(TypedDict):
    """What the value of an event depends on; None where nothing states it."""

    is_world_championship: bool
    ended_on: date
    players: int | None
    rounds: int | None


def counted_from(rules: RatingRules, last_event_on: date) -> date | None:
    """The day from which events count, where the last one ended on a day; None counts everything."""
    if rules.counted_years is None:
        return rules.first_counted_on
    year, month = last_event_on.year - rules.counted_years, last_event_on.month
    # Ten years before 29 February are 28 February.
    earliest = date(year, month, min(last_event_on.day, monthrange(year, month)[1]))
    return max(rules.first_counted_on or date.min, earliest)


def value_rule(rules: RatingRules, **event: Unpack[EventFacts]) -> str:
    """The name of the rule that gives an event its value; the first that applies."""
    if event["players"] is None:
        return "players not declared"
    if event["is_world_championship"]:
        return "world championship"
    if rules.first_counted_on and event["ended_on"] < rules.first_counted_on:
        return "before first counted day"
    if event["rounds"] is None:
        return "rounds not declared"
    return "one round" if event["rounds"] == 1 else "several rounds"


def tournament_value(rules: RatingRules, **event: Unpack[EventFacts]) -> Fraction:
    """How many percent of the way to the percentile score an event moves a rating, from 0 to the system's highest value.

    An event that declares no players cannot be weighed and has value 0; one that declares no rounds is taken for one
    of several rounds (decisions of this project, see docs/methodology.md).
    """
    rule, players = value_rule(rules, **event), event["players"]
    if players is None or rule == "before first counted day":
        return Fraction(0)
    if rule == "world championship":
        return rules.world_championship_value
    divisor = rules.one_round_divisor if rule == "one round" else rules.several_rounds_divisor
    return min(players / divisor + rules.base_value, rules.maximum_value)


def updated_rating(rating: Fraction, percentile: Fraction, value: Fraction) -> Fraction:
    """The rating after one event: a step of `value` percent of the way from the rating to the percentile score."""
    return rating + value / 100 * (percentile - rating)


def agrees_with_printed(figure: Fraction, printed: Decimal | Fraction) -> bool:
    """Whether an exact figure is the printed one: printed at two decimals, it may be off by half a hundredth, no more."""
    return abs(figure - Fraction(printed)) <= Fraction(1, 200)
