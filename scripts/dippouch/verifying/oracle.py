"""The rules of the rating in exact arithmetic, stated independently of the SQL.

Source of every rule: the Dip Pouch Tournament Rating as the World Diplomacy Database explains it; see
docs/methodology.md. Nothing here is rounded: every figure is a `fractions.Fraction`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction


@dataclass(frozen=True)
class RatingRules:
    """One row of rating_systems. Ratings and percentiles are points from 0 to 100, values are percent of the way."""

    rating_system_id: str
    initial_rating: Fraction
    world_championship_value: Fraction
    one_round_divisor: Fraction
    several_rounds_divisor: Fraction
    base_value: Fraction
    maximum_value: Fraction
    first_counted_on: date | None
    counted_years: int | None = None


def counted_from(rules: RatingRules, last_event_on: date) -> date | None:
    """The first day that a system counts when the last event of the collection ended on a day; None counts everything.

    A window of years reaches back to the same day of an earlier year, or to 28 February where there is no 29th.
    """
    if rules.counted_years is None:
        return rules.first_counted_on
    try:
        window = last_event_on.replace(year=last_event_on.year - rules.counted_years)
    except ValueError:
        window = last_event_on.replace(year=last_event_on.year - rules.counted_years, day=28)
    return max(rules.first_counted_on or window, window)


def percentile_score(players: int, placement: int) -> Fraction:
    """(players + 0.5 - placement) / players * 100, for `players` declared by the event.

    Raises:
        ValueError: when the placement is not within 1 to players.
    """
    if not 1 <= placement <= players:
        raise ValueError(f"placement {placement} of {players} players")
    return (players + Fraction(1, 2) - placement) / players * 100


def tournament_value(
    rules: RatingRules, *, is_world_championship: bool, ended_on: date, players: int | None, rounds: int | None
) -> Fraction:
    """How many percent of the way to the percentile score an event moves a rating, from 0 to the system's highest value.

    An event that declares no players cannot be weighed and has value 0; one that declares no rounds is taken for one
    of several rounds (decisions of this project, see docs/methodology.md).
    """
    if players is None:
        return Fraction(0)
    if is_world_championship:
        return rules.world_championship_value
    if rules.first_counted_on and ended_on < rules.first_counted_on:
        return Fraction(0)
    divisor = rules.one_round_divisor if rounds == 1 else rules.several_rounds_divisor
    return min(players / divisor + rules.base_value, rules.maximum_value)


def updated_rating(rating: Fraction, percentile: Fraction, value: Fraction) -> Fraction:
    """The rating after one event: a step of `value` percent of the way from the rating to the percentile score."""
    return rating + value / 100 * (percentile - rating)


def ratings_after(initial: Fraction, events: Iterable[tuple[Fraction, Fraction]]) -> list[Fraction]:
    """The rating after each event, in order; `events` are (percentile score, tournament value)."""
    ratings = []
    rating = initial
    for percentile, value in events:
        rating = updated_rating(rating, percentile, value)
        ratings.append(rating)
    return ratings


def shared_ranks(ratings: Sequence[Fraction]) -> list[int]:
    """The rank of each rating among all, best first; equal ratings share a rank (1, 2, 2, 4)."""
    first_position: dict[Fraction, int] = {}
    for position, rating in enumerate(sorted(ratings, reverse=True), start=1):
        first_position.setdefault(rating, position)
    return [first_position[rating] for rating in ratings]
