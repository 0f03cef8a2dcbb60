"""The rules in exact arithmetic: the worked example of the published rules, and general properties of ratings."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dippouch.db import query
from dippouch.rating.printed import contradicted_figures, worths
from dippouch.rating.rules import counted_from, percentile_score, tournament_value, updated_rating
from dippouch.rating.systems import read_rating_systems
from dippouch.seeds.schema import TOURNAMENTS
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT

SYSTEMS = read_rating_systems(PROJECT / "seeds")
DPTR = SYSTEMS["dptr"]
percentages = st.fractions(0, 100)


def value(players: int | None, rounds: int | None, day: str = "2010-06-01", *, championship: bool = False) -> Fraction:
    ended_on = date.fromisoformat(day)
    return tournament_value(DPTR, is_world_championship=championship, ended_on=ended_on, players=players, rounds=rounds)


def test_worked_example() -> None:
    score = percentile_score(65, 8)
    assert score == Fraction(5750, 65)
    assert value(65, 4) == 15
    assert updated_rating(Fraction(55), score, value(65, 4)) == Fraction(3121, 52)
    assert round(float(Fraction(3121, 52)), 4) == 60.0192


@pytest.mark.parametrize(
    ("players", "rounds", "day", "championship", "expected"),
    [
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
    assert value(players, rounds, day, championship=championship) == expected


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
        worth_of = worths(collection, SYSTEMS[system], must)
    found: dict[str, object] = {key: (worth.kind, worth.value, worth.rule) for key, worth in worth_of.items()}
    assert found == must


def test_a_printed_value_agrees_whatever_the_capitals_of_the_kind() -> None:
    with Collection.opened(PROJECT / "seeds") as collection:
        championship = collection.tournament("world-dipcon-xxiii-2013")
        assert championship is not None
        collection.upsert(TOURNAMENTS, championship | {"kind": "wdc"})
        assert list(contradicted_figures(collection, DPTR, "world-dipcon-xxiii-2013")) == []


@pytest.mark.parametrize(
    ("last", "years", "first"),
    [("2024-02-29", 10, "2014-02-28"), ("2024-02-29", 4, "2020-02-29"), ("2026-01-01", None, "2001-01-01")],
)
def test_years_are_counted_back_from_the_last_event(last: str, years: int | None, first: str) -> None:
    rules = replace(DPTR, counted_years=years)
    assert counted_from(rules, date.fromisoformat(last)) == date.fromisoformat(first)


@pytest.mark.parametrize("placement", [0, 66, -1])
def test_a_placement_outside_the_field_has_no_score(placement: int) -> None:
    with pytest.raises(ValueError, match="of 65 players"):
        percentile_score(65, placement)


@given(players=st.integers(1, 500), data=st.data())
@settings(deadline=None)
def test_percentile_scores_fall_with_the_placement_and_average_to_50(players: int, data: st.DataObject) -> None:
    placement = data.draw(st.integers(1, players))
    assert (
        0
        < percentile_score(players, players)
        <= percentile_score(players, placement)
        <= percentile_score(players, 1)
        < 100
    )
    assert sum(percentile_score(players, p) for p in range(1, players + 1)) == 50 * players


@given(rating=percentages, events=st.lists(st.tuples(percentages, st.fractions(0, 20)), max_size=20))
def test_a_rating_never_leaves_the_range_of_what_it_was_made_of(
    rating: Fraction, events: list[tuple[Fraction, Fraction]]
) -> None:
    made_of = [rating, *(score for score, _ in events)]
    for score, worth in events:
        rating = updated_rating(rating, score, worth)
        assert min(made_of) <= rating <= max(made_of)
