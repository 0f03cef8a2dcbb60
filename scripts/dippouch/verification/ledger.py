"""Everybody's ledger, exact to far more digits than doubles have.

Ratings are fixed-point numbers: whole numbers of a unit, 2^-100. The initial rating and the scores are rounded down to one, and so
is the rating after every event; nothing else is rounded. After n events a rating is therefore never too high, and too low by less
than n + 1 units:

- Before the first event it is the initial rating, too low by less than one unit.
- An event moves a rating r by the share w of its value, from 0 to 1, towards the score p: to (1 - w) r + w p. Where r is too low
  by less than n + 1 units and p by less than one, that is too low by less than (1 - w) (n + 1) + w units, which is n + 1 at most:
  no step enlarges an error. Rounding down adds less than one unit.

After a million events that is less than 10^-24, where fractions would have grown to millions of digits. The comparison allows for
careers of `LONGEST_CAREER` events.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from dippouch.errors import UserError
from dippouch.rating.rules import EventFacts, RatingRules, counted_from, tournament_value, value_rule
from dippouch.verification.inputs import ScoredResult, Tournament
from dippouch.verification.table_types import FixedPoint, fixed_point

# Events of one career; after fewer, a rating is within 2^-70 of the exact one.
LONGEST_CAREER = 1 << 30


@dataclass(frozen=True, slots=True)
class EventValue:
    """What a rating system makes of a tournament.

    Attributes:
        exact: the tournament value, in percent.
        figure: the same as a fixed-point number.
        share: numerator and denominator of the value as a share of 1.
        rule: the name of the rule that gives it.
    """

    exact: Fraction
    figure: FixedPoint
    share: tuple[int, int]
    rule: str


@dataclass(frozen=True, slots=True)
class Career:
    """One player's ledger under one rating system.

    Attributes:
        results: what is rated, in the order of the events.
        ratings: the rating before the first event, and after every one.
        counted: how many events were worth anything.
        uncounted_first: how many were worth nothing before the first of these.
    """

    results: list[ScoredResult]
    ratings: list[FixedPoint]
    counted: int
    uncounted_first: int


def systems_today(systems: dict[str, RatingRules], tournaments: Iterable[Tournament]) -> dict[str, RatingRules]:
    """The rules with the first day that they count from as the collection stands."""
    last = max((tournament.ended_on for tournament in tournaments if not tournament.is_withdrawn), default=None)
    if last is None:
        return systems
    return {system: replace(rules, first_counted_on=counted_from(rules, last)) for system, rules in systems.items()}


def values_of(rules: RatingRules, tournaments: Iterable[Tournament]) -> dict[str, EventValue]:
    """What the rules of a system, as they count today, make of tournaments, by id; a withdrawn one is worth nothing.

    Raises:
        UserError: when a value is not from 0 to 100 percent.
    """
    return {tournament.tournament_id: _value_of(rules, tournament) for tournament in tournaments}


def rated_results(tournaments: Iterable[Tournament]) -> dict[str, list[ScoredResult]]:
    """Everybody's results that have a score, by end date, start date, tournament id; people in the order of their ids."""
    played: dict[str, list[ScoredResult]] = defaultdict(list)
    for tournament in sorted(tournaments, key=_order_of_events):
        for result in tournament.results:
            if result.score is not None:
                played[result.player_id].append(result)
    return dict(sorted(played.items()))


def careers_of(
    rules: RatingRules, values: dict[str, EventValue], played: dict[str, list[ScoredResult]]
) -> dict[str, Career]:
    """Everybody's ledger under one rating system, people in the order of `played`.

    Args:
        rules: the system.
        values: what it makes of every tournament, by id.
        played: everybody's rated results, in the order of the events.
    """
    initial = fixed_point(rules.initial_rating)
    return {player_id: _career(initial, values, results) for player_id, results in played.items()}


def _career(initial: FixedPoint, values: dict[str, EventValue], results: list[ScoredResult]) -> Career:
    rating = initial
    ratings, counted, uncounted_first = [initial], 0, 0
    for result in results:
        assert result.score is not None
        numerator, denominator = values[result.tournament.tournament_id].share
        # As `updated_rating` of the rules, rounded down.
        rating += (result.score - rating) * numerator // denominator
        counted += numerator > 0
        uncounted_first += not counted
        ratings.append(rating)
    return Career(results, ratings, counted, uncounted_first)


def _value_of(rules: RatingRules, tournament: Tournament) -> EventValue:
    event = EventFacts(
        is_world_championship=tournament.is_world_championship,
        ended_on=tournament.ended_on,
        players=tournament.players,
        rounds=tournament.rounds,
    )
    value, rule = Fraction(0), "withdrawn"
    if not tournament.is_withdrawn:
        value, rule = tournament_value(rules, **event), value_rule(rules, **event)
    if not 0 <= value <= 100:
        raise UserError(
            f"tournament {tournament.tournament_id}: found the value {float(value)} by the rule `{rule}`; expected 0 to 100"
            " percent. The rules are in the seed of the rating systems"
        )
    return EventValue(value, fixed_point(value), (value / 100).as_integer_ratio(), rule)


def _order_of_events(tournament: Tournament) -> tuple[date, date, str]:
    return tournament.ended_on, tournament.started_on, tournament.tournament_id
