"""The rules in exact arithmetic: examples, the values of the build, and general properties of ratings."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dippouch.db import query
from dippouch.rating.printed import values_of
from dippouch.rating.rules import agrees_with_printed, counted_from
from dippouch.rating.systems import read_rating_systems
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT
from verify_ratings import percentile_score, tournament_value

SYSTEMS = read_rating_systems(PROJECT / "seeds")
DPTR = SYSTEMS["dptr"]


@pytest.mark.parametrize(
    ("players", "rounds", "day", "championship", "expected"),
    [
        (65, 4, "2010-06-01", False, 15),
        (45, 4, "2009-01-25", False, 45 / 3.5 + 2),
        (35, 1, "2009-01-25", False, 7),
        (700, 1, "2009-01-25", False, 15),
        (35, None, "2009-01-25", False, 12),
        (7, 1, "1996-06-01", True, 20),
        (65, 4, "2000-12-31", False, 0),
        (35, 4, "2001-01-01", False, 12),
        (None, 4, "2009-01-25", True, 0),
    ],
)
def test_tournament_value(
    players: int | None, rounds: int | None, day: str, championship: bool, expected: float
) -> None:
    event = {"players": players, "rounds": rounds, "ended_on": date.fromisoformat(day), "is_withdrawn": False}
    value = tournament_value(DPTR, event | {"is_world_championship": championship})
    assert float(value) == pytest.approx(expected, abs=1e-12)


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
        found: dict[str, object] = dict(values_of(collection, SYSTEMS[system], must))
    assert found == must


@pytest.mark.parametrize(
    ("last", "years", "first"),
    [("2024-02-29", 10, "2014-02-28"), ("2024-02-29", 4, "2020-02-29"), ("2026-01-01", None, "2001-01-01")],
)
def test_years_are_counted_back_from_the_last_event(last: str, years: int | None, first: str) -> None:
    rules = DPTR | {"counted_years": years}
    assert counted_from(rules, date.fromisoformat(last)) == date.fromisoformat(first)


@given(players=st.integers(1, 500))
def test_percentile_scores_average_to_50(players: int) -> None:
    # The worked example of the rules.
    assert float(percentile_score(65, 8)) == pytest.approx(5750 / 65, abs=1e-12)
    total = sum(percentile_score(players, placement) for placement in range(1, players + 1))
    assert float(total) == pytest.approx(50 * players, abs=1e-9)


def test_a_printed_figure_agrees_up_to_half_of_its_last_digit() -> None:
    printed = ("12.33", "12.34", "12.35", "12.36")
    assert [agrees_with_printed(Decimal("12.345"), Decimal(one)) for one in printed] == [False, True, True, False]
