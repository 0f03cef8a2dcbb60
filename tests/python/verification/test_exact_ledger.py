"""The ledger of the verification against fractions, and its comparison, which accepts nothing beyond the tolerance."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dippouch.rating.rules import updated_rating
from dippouch.verification.ledger import TOLERANCE, UNITS, fixed_point, is_near, rating_after

Event = tuple[Fraction, Fraction]

tiny = Fraction(1, 10**40)
percentages = st.sampled_from([Fraction(0), tiny, Fraction(1, 3), 100 - tiny, Fraction(100)]) | st.fractions(0, 100)


def ratings_of(initial: Fraction, events: list[Event]) -> list[int]:
    """Return the ratings of a career by the verification, from scores and values in percent."""
    steps = ((fixed_point(score), (value / 100).as_integer_ratio()) for score, value in events)
    return list(accumulate(steps, lambda rating, step: rating_after(rating, *step), initial=fixed_point(initial)))


@given(initial=percentages, events=st.lists(st.tuples(percentages, percentages), max_size=40))
@settings(deadline=None)
@example(initial=Fraction(1, 3), events=[(Fraction(1, 3), Fraction(100, 7))] * 40)
@example(initial=Fraction(1, 3), events=[(100 - tiny, tiny), (tiny, Fraction(100)), (Fraction(0), Fraction(0))])
def test_after_n_events_a_rating_is_too_low_by_less_than_n_plus_1_units(initial: Fraction, events: list[Event]) -> None:
    exact = [initial]
    for score, value in events:
        exact.append(updated_rating(exact[-1], score, value))
    found = ratings_of(initial, events)
    assert len(found) == len(exact)
    for number, (rating, must) in enumerate(zip(found, exact, strict=True)):
        assert 0 <= must * UNITS - rating < number + 1


@given(figure=st.fractions(-1000, 1000), off=st.floats(-3e-9, 3e-9))
@settings(deadline=None)
@example(figure=Fraction(100), off=1e-9)
@example(figure=Fraction(100), off=-1e-9)
@example(figure=Fraction(0), off=1e-9)
@example(figure=tiny, off=0.0)
def test_a_double_is_near_exactly_when_it_is_within_the_tolerance(figure: Fraction, off: float) -> None:
    published = float(figure) + off
    distance, allowed = abs(Fraction(published) - figure), TOLERANCE
    near = is_near(published, fixed_point(figure))
    # In between is the maximum error after LONGEST_CAREER tournaments.
    assert not near or distance <= allowed
    assert near or distance >= allowed - Fraction(1, 1 << 68)


@pytest.mark.parametrize("published", [None, float("nan"), float("inf"), -float("inf"), 1e300])
def test_what_is_no_figure_is_near_none(published: float | None) -> None:
    assert not is_near(published, fixed_point(Fraction(40)))
