"""The rules of the rating as fractions: the importer checks printed figures against them. Their source is in docs/methodology.md."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, fields
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TypedDict, Unpack


@dataclass(frozen=True)
class RatingRules:
    """One row of rating_systems. Ratings and percentiles are points from 0 to 100; values are percentages of the gap.

    Tournaments until `opened_on` do not count. `value_rule` ignores it: the figures that their pages print have other sources.
    """

    initial_rating: Fraction
    world_championship_value: Fraction
    one_round_divisor: Fraction
    several_rounds_divisor: Fraction
    base_value: Fraction
    maximum_value: Fraction
    first_counted_on: date | None
    counted_years: int | None = None
    opened_on: date | None = None


# The numeric rules, in the order of the seed.
FIGURES = tuple(field.name for field in fields(RatingRules) if field.type == "Fraction")


def percentile_score(players: int, placement: int) -> Fraction:
    """Return (players + 0.5 - placement) / players * 100, where `players` is the declared number of players."""
    if not 1 <= placement <= players:
        raise ValueError(f"placement {placement} of {players} players")
    return (players + Fraction(1, 2) - placement) / players * 100


class EventFacts(TypedDict):
    """The facts that determine a tournament's value; None where no source states them."""

    is_world_championship: bool
    ended_on: date
    players: int | None
    rounds: int | None


def counted_from(rules: RatingRules, last_event_on: date) -> date | None:
    """Return the first day on which tournaments count, given the end of the last one; None if all count."""
    if rules.counted_years is None:
        return rules.first_counted_on
    year, month = last_event_on.year - rules.counted_years, last_event_on.month
    # Ten years before 29 February is 28 February.
    earliest = date(year, month, min(last_event_on.day, monthrange(year, month)[1]))
    return max(rules.first_counted_on or date.min, earliest)


def value_rule(rules: RatingRules, **event: Unpack[EventFacts]) -> str:
    """Return the name of the rule that gives a tournament its value: the first that applies."""
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
    """Return the percentage of the gap to the percentile score by which a tournament moves a rating."""
    rule, players = value_rule(rules, **event), event["players"]
    if players is None or rule == "before first counted day":
        return Fraction(0)
    if rule == "world championship":
        return rules.world_championship_value
    divisor = rules.one_round_divisor if rule == "one round" else rules.several_rounds_divisor
    return min(players / divisor + rules.base_value, rules.maximum_value)


def agrees_with_printed(figure: Fraction, printed: Decimal | Fraction) -> bool:
    """Return whether an exact figure rounds to the printed one: within 0.005."""
    return abs(figure - Fraction(printed)) <= Fraction(1, 200)
