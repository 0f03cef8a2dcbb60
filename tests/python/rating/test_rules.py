"""The rules that the importer applies in exact arithmetic: the values of the build, windows of years, printed figures."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from dippouch.db import query
from dippouch.rating.printed import values_of
from dippouch.rating.rules import agrees_with_printed, counted_from
from dippouch.rating.systems import read_rating_systems
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT

SYSTEMS = read_rating_systems(PROJECT / "seeds")
DPTR = SYSTEMS["dptr"]


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


def test_a_printed_figure_agrees_up_to_half_of_its_last_digit() -> None:
    printed = ("12.33", "12.34", "12.35", "12.36")
    assert [agrees_with_printed(Decimal("12.345"), Decimal(one)) for one in printed] == [False, True, True, False]
