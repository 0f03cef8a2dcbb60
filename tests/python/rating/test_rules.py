"""The rules in exact arithmetic: examples, the values of the build, and general properties of ratings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dippouch.db import query
from dippouch.rating.printed import values_of
from dippouch.rating.rules import EventFacts, agrees_with_printed, counted_from, percentile_score, tournament_value
from dippouch.rating.systems import read_rating_systems
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT

SYSTEMS = read_rating_systems(PROJECT / "seeds")
DPTR = SYSTEMS["dptr"]


@pytest.mark.parametrize(
    ("players", "rounds", "day", "championship", "expected"),
    [
        (65, 4, "2010-06-01", False, Fraction(15)),
        (45, 4, "2009-01-25", False, Fraction(45 * 2, 7) + 2),
        (35, 1, "2009-01-25", False, Fraction(7)),
        (700, 1, "2009-01-25", False, Fraction(15)),
        (35, None, "2009-01-25", False, Fraction(12)),
        (7, 1, "1996-06-01", True, Fraction(20)),
        (65, 4, "2000-12-31", False, Fraction(0)),
        (35, 4, "2001-01-01", False, Fraction(12)),
        (None, 4, "2009-01-25", True, Fraction(0)),
    ],
)
def test_tournament_value(
    players: int | None, rounds: int | None, day: str, championship: bool, expected: Fraction
) -> None:
    event = EventFacts(
        is_world_championship=championship, ended_on=date.fromisoformat(day), players=players, rounds=rounds
    )
    assert tournament_value(DPTR, **event) == expected


@pytest.mark.parametrize("system", SYSTEMS)
def test_tournaments_are_worth_what_the_build_says(system: str, published: Path) -> None:
    rows = query(
        published,
        "select tournament_id, coalesce(kind, '') as kind, tournament_value, value_rule from marts.included_tournaments"
        " join marts.tournaments using (tournament_id) where rating_system_id = ?",
        [system],
    )
    must = {r["tournament_id"]: (r["kind"], pytest.approx(r["tournament_value"]), r["value_rule"]) for r in rows}
    with Collection.opened(PROJECT / "seeds") as collection:
        worth_of = values_of(collection, SYSTEMS[system], must)
    found: dict[str, object] = {key: (worth.kind, worth.value, worth.rule) for key, worth in worth_of.items()}
    assert found == must


@pytest.mark.parametrize(
    ("last", "years", "first"),
    [("2024-02-29", 10, "2014-02-28"), ("2024-02-29", 4, "2020-02-29"), ("2026-01-01", None, "2001-01-01")],
)
def test_years_are_counted_back_from_the_last_event(last: str, years: int | None, first: str) -> None:
    rules = replace(DPTR, counted_years=years)
    assert counted_from(rules, date.fromisoformat(last)) == date.fromisoformat(first)


@given(players=st.integers(1, 500))
def test_percentile_scores_average_to_50(players: int) -> None:
    # The worked example of the rules.
    assert percentile_score(65, 8) == Fraction(5750, 65)
    assert sum(percentile_score(players, placement) for placement in range(1, players + 1)) == 50 * players


def test_a_printed_figure_agrees_up_to_half_of_its_last_digit() -> None:
    printed = ("12.33", "12.34", "12.35", "12.36")
    assert [agrees_with_printed(Fraction("12.345"), Decimal(one)) for one in printed] == [False, True, True, False]
