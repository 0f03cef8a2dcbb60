"""The rating history of every player in fixed-point arithmetic, far more precise than doubles.

Ratings are whole numbers of a unit, 2^-100. The initial rating and the scores are rounded down to a unit, and so
is the rating after every tournament; there is no other rounding. After n tournaments a rating is therefore never too high, and too low
by less than n + 1 units:

- Before the first tournament it is the initial rating, too low by less than one unit.
- A tournament moves a rating r by the share w of its value, from 0 to 1, towards the score p: to (1 - w) r + w p. If r is too low
  by less than n + 1 units and p by less than one, the sum is too low by less than (1 - w) (n + 1) + w units, which is n + 1 at most:
  no step enlarges an error. Rounding down adds less than one unit.

After a million tournaments the error is less than 10^-24, where fractions would have grown to millions of digits. The comparison
allows for careers of `LONGEST_CAREER` tournaments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import duckdb

from dippouch.verification.collection import ExactFigures
from dippouch.verification.report import Discrepancy, cell_text, row_label

TOLERANCE = Fraction(1, 10**9)
# Maximum number of tournaments in a career; up to it, a rating is within 2^-70 of the exact one.
LONGEST_CAREER = 1 << 30
UNITS = 1 << 100

# A number in units of 2^-100: far more precise than a double, and, unlike a fraction, just as fast in the thousandth tournament as in
# the first.
FixedPoint = int

# DuckDB's vector size.
_BATCH = 2_048
_FIGURES = ("rating_before", "rating_change", "rating_after")


def fixed_point(fraction: Fraction) -> FixedPoint:
    """Round a fraction down to a fixed-point number."""
    return fraction.numerator * UNITS // fraction.denominator


# The tolerance, less the maximum error of an expected figure: a change is the difference of two ratings.
_NEAR = fixed_point(TOLERANCE) - 2 * LONGEST_CAREER


def rating_after(before: FixedPoint, score: FixedPoint, share: tuple[int, int]) -> FixedPoint:
    """Return the rating after a tournament, rounded down; `share` is its value as numerator and denominator."""
    numerator, denominator = share
    return before + (score - before) * numerator // denominator


def is_near(published: float | None, exact: FixedPoint) -> bool:
    """Return whether a double is within the tolerance of a fixed-point number; None, NaN and infinity never are.

    The comparison is exact: a double times 2^100 is a double again, and converting that to an integer only cuts off a
    fraction of a unit.
    """
    try:
        return published is not None and abs(int(published * UNITS) - exact) <= _NEAR
    except (ValueError, OverflowError):
        return False


def ledger_steps(exact: ExactFigures) -> Callable[..., tuple[FixedPoint, FixedPoint]]:
    """Return a function of a tournament and the rating before it, which returns the ratings before and after it."""
    initial = {system: fixed_point(rating) for system, rating in exact.initial_ratings.items()}
    scores = {placed: fixed_point(score) for placed, score in exact.scores.items()}
    shares = {event: (value / 100).as_integer_ratio() for event, value in exact.values.items()}

    def step(
        system: str, number: int, tournament: str, placed: tuple[int, int], last: FixedPoint
    ) -> tuple[FixedPoint, FixedPoint]:
        before = initial[system] if number == 1 else last
        return before, rating_after(before, scores[placed], shares[system, tournament])

    return step


def exact_history(
    connection: duckdb.DuckDBPyConnection, exact: ExactFigures, system: str
) -> list[tuple[str, int, str, float]]:
    """Return the history of one rating system: player, number of the tournament, tournament, and rating after it as the nearest double."""
    step, after, lines = ledger_steps(exact), 0, []
    events = connection.execute(
        "select player_id, event_number, tournament_id, players, placement from events order by player_id, event_number"
    )
    for player, number, tournament, *placed in events.fetchall():
        _, after = step(system, number, tournament, tuple(placed), after)
        lines.append((player, number, tournament, after / UNITS))
    return lines


def wrong_figures(connection: duckdb.DuckDBPyConnection, exact: ExactFigures) -> Iterator[Discrepancy]:
    """Compare every rating of the published history with the exact ledger; missing rows are reported elsewhere."""
    step = ledger_steps(exact)
    cursor = connection.execute(
        f"""
        select
            rating_system_id, player_id, event_number, events.tournament_id, events.players, events.placement,
            own.player_id is not null, {", ".join(_FIGURES)}
        from events
        cross join rating_systems
        left join published.marts.rating_history as own using (rating_system_id, player_id, event_number)
        order by rating_system_id, player_id, event_number
        """
    )
    after = 0
    while batch := cursor.fetchmany(_BATCH):
        for system, player, number, tournament, players, placement, is_published, *published in batch:
            before, after = step(system, number, tournament, (players, placement), after)
            for column, has, must in zip(_FIGURES, published, (before, after - before, after), strict=True):
                if is_published and not is_near(has, must):
                    key = {"rating_system_id": system, "player_id": player, "event_number": number}
                    label = row_label(key | {"tournament_id": tournament})
                    yield Discrepancy("rating_history", label, column, cell_text(has), cell_text(must / UNITS))
