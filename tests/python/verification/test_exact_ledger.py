"""The ledger of the verification against fractions, and what its comparison lets through: nothing beyond the tolerance."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from unittest.mock import patch

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dippouch.errors import UserError
from dippouch.rating.rules import RatingRules, updated_rating
from dippouch.verification import compare
from dippouch.verification.inputs import ScoredResult, Tournament
from dippouch.verification.ledger import EventValue, careers_of, values_of
from dippouch.verification.table_types import UNITS, expected_table, fixed_point

RULES = RatingRules(
    initial_rating=Fraction(40),
    world_championship_value=Fraction(20),
    one_round_divisor=Fraction(7),
    several_rounds_divisor=Fraction(7, 2),
    base_value=Fraction(2),
    maximum_value=Fraction(15),
    first_counted_on=None,
)
Event = tuple[Fraction, Fraction]

tiny = Fraction(1, 10**40)
percentages = st.sampled_from([Fraction(0), tiny, Fraction(1, 3), 100 - tiny, Fraction(100)]) | st.fractions(0, 100)


def ratings_of(initial: Fraction, events: list[Event]) -> list[int]:
    """The ratings of one career by the verification, from scores and values in percent."""
    values, results = {}, []
    for number, (score, value) in enumerate(events):
        tournament = event(f"t{number}")
        values[tournament.tournament_id] = EventValue(
            value, fixed_point(value), (value / 100).as_integer_ratio(), "a rule"
        )
        results.append(ScoredResult("a", tournament, 1, fixed_point(score), "A", ""))
    return careers_of(replace(RULES, initial_rating=initial), values, {"a": results})["a"].ratings


def event(tournament_id: str, players: int = 20) -> Tournament:
    day = date(2010, 1, 1)
    return Tournament(
        tournament_id,
        day,
        day,
        players,
        rounds=3,
        is_world_championship=False,
        is_withdrawn=False,
        is_corrected=False,
        stated={},
    )


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
    distance, allowed = abs(Fraction(published) - figure), compare.TOLERANCE
    near = compare._same_figures((published,), (fixed_point(figure),))
    # In between is what a career of LONGEST_CAREER events may be off.
    assert not near or distance <= allowed
    assert near or distance >= allowed - Fraction(1, 1 << 68)


@pytest.mark.parametrize("published", [None, float("nan"), float("inf"), -float("inf"), 1e300, "40", Decimal(40)])
def test_what_is_no_double_is_no_figure(published: object) -> None:
    assert not compare._same_figures((published,), (fixed_point(Fraction(40)),))


def test_a_figure_that_may_not_be_there_is_no_figure() -> None:
    assert not compare._same_figures((40.0,), (None,))
    assert compare._same_figures((None,), (None,))


def test_a_value_beyond_100_percent_is_refused() -> None:
    rules = replace(RULES, maximum_value=Fraction(200))
    with pytest.raises(
        UserError, match=r"tournament huge: found the value 116\.\d+ by the rule `several rounds`; expected 0"
    ):
        values_of(rules, [event("huge", players=400)])


numbers = st.integers(0, 12)
values_by_number = st.dictionaries(numbers, st.integers(0, 1))


@given(
    published=values_by_number,
    twice=st.sets(numbers),
    expected=values_by_number,
    block=st.sampled_from([1, 2, 3, 5, 99]),
)
@settings(deadline=None)
def test_every_row_is_compared_wherever_blocks_end(
    published: dict[int, int], twice: set[int], expected: dict[int, int], block: int
) -> None:
    again = sorted(twice & published.keys())
    rows = [*published.items(), *((number, published[number]) for number in again)]
    must = [(n, "row", "missing", "there") for n in expected.keys() - published.keys()]
    must += [(n, "row", "there", "no such row") for n, _ in rows if n not in expected]
    must += [(n, "row", "there", "a second time") for n in again if n in expected]
    must += [
        (n, "value", str(published[n]), str(value)) for n, value in expected.items() if published.get(n, value) != value
    ]
    assert sorted(found_in(rows, expected, block)) == sorted(must)


def found_in(published: list[tuple[int, int]], expected: dict[int, int], block: int) -> list[tuple[int, str, str, str]]:
    """What the comparison of a table with a number and a value finds, blocks of so many rows at a time."""
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as published")
        connection.execute("create schema published.marts")
        connection.execute("create table published.marts.lines (number integer, value integer)")
        if published:
            connection.executemany("insert into published.marts.lines values (?, ?)", published)
        table = expected_table("lines", "number", "value")(lambda: iter(sorted(expected.items())))()
        with patch.object(compare, "_BLOCK", block):
            count, found = compare._compare(connection, table)
    assert count == len(published)
    return [(int(d.row.removeprefix("number ")), d.column, d.published, d.expected) for d in found]
