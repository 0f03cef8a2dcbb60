"""Everybody's ledger in exact fractions, and the ranks that follow from it.

Ratings are kept as fixed-point numbers (whole numbers of 2^-100): exact far beyond what doubles can show, and small enough
that a million results can be verified.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from dippouch.rating.rules import EventFacts, RatingRules, counted_from, tournament_value, updated_rating, value_rule
from dippouch.verification.inputs import ScoredResult, Tournament
from dippouch.verification.table_types import FixedPoint, Rank

# A fraction grows with every event of a career. Past so many bits it is cut to _PLACES binary places, an error that is
# no larger than 2^-300 and that later events only shrink.
_LONGEST_FRACTION, _PLACES = 4096, 300


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a player's ledger."""

    result: ScoredResult
    value: Fraction
    before: FixedPoint
    after: FixedPoint
    counted: int


Career = list[Step]


def systems_today(systems: dict[str, RatingRules], tournaments: Iterable[Tournament]) -> dict[str, RatingRules]:
    """The rules with the first day that they count from as the collection stands."""
    last = max((tournament.ended_on for tournament in tournaments if not tournament.is_withdrawn), default=None)
    if last is None:
        return systems
    return {system: replace(rules, first_counted_on=counted_from(rules, last)) for system, rules in systems.items()}


def value_of(rules: RatingRules, tournament: Tournament) -> Fraction:
    """The tournament value under the rules of a system as they count today; 0 for a withdrawn tournament."""
    return Fraction(0) if tournament.is_withdrawn else tournament_value(rules, **_event(tournament))


def value_rule_of(rules: RatingRules, tournament: Tournament) -> str:
    """The name of the rule that gives the value."""
    return "withdrawn" if tournament.is_withdrawn else value_rule(rules, **_event(tournament))


def careers_of(rules: RatingRules, results: list[ScoredResult]) -> dict[str, Career]:
    """Everybody's ledger under one rating system, people in the order of their ids.

    Args:
        rules: the system as it counts today.
        results: by player, and each player's by end date, start date, tournament id.
    """
    values: dict[str, Fraction] = {}
    careers: dict[str, Career] = {}
    rating, before, counted = rules.initial_rating, FixedPoint.of(rules.initial_rating), 0
    for result in results:
        if result.score is None:
            continue
        career = careers.get(result.player_id)
        if career is None:
            career = careers[result.player_id] = []
            rating, before, counted = rules.initial_rating, FixedPoint.of(rules.initial_rating), 0
        tournament = result.tournament
        value = values.get(tournament.tournament_id)
        if value is None:
            value = values[tournament.tournament_id] = value_of(rules, tournament)
        rating = _cut(updated_rating(rating, result.score, value))
        after = FixedPoint.of(rating)
        counted += value > 0
        career.append(Step(result, value, before, after, counted))
        before = after
    return careers


def ranked(ratings: dict[str, FixedPoint], near: FixedPoint) -> dict[str, Rank]:
    """The rank of everybody, with the ranks that ratings within the tolerance could have."""
    order = sorted(ratings.items(), key=lambda item: item[1], reverse=True)
    ranks = {}
    first = last = exact = 0
    for position, (player_id, rating) in enumerate(order, start=1):
        if position == 1 or rating != order[position - 2][1]:
            exact = position
        while order[first][1] - rating > near:
            first += 1
        last = max(last, first)
        while last < len(order) and rating - order[last][1] <= near:
            last += 1
        ranks[player_id] = Rank(exact, first + 1, last)
    return ranks


def _event(tournament: Tournament) -> EventFacts:
    return EventFacts(
        is_world_championship=tournament.is_world_championship,
        ended_on=tournament.ended_on,
        players=tournament.players,
        rounds=tournament.rounds,
    )


def _cut(rating: Fraction) -> Fraction:
    """The rating, cut where it has become too long to be handled."""
    if rating.denominator.bit_length() <= _LONGEST_FRACTION:
        return rating
    return Fraction((rating.numerator << _PLACES) // rating.denominator, 1 << _PLACES)
