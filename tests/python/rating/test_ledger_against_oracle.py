"""The SQL, from seeds to rankings, against the exact oracle on histories that hypothesis makes up."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dippouch.publishing.publication import publish
from dippouch.verification.compare import verify
from support.compiled import CompiledProject
from support.seed_rows import Rows, reference_rows, result, tournament, write_collection

PLAYERS = [f"player-{letter}" for letter in "abcdefgh"]


@st.composite
def histories(draw: st.DrawFn) -> Rows:
    """Tournaments with ties, gaps, equal dates, one-event players and people without a placement."""
    tournaments, results = [], []
    for number in range(draw(st.integers(1, 8))):
        tournament_id = f"tournament-{number}"
        people = draw(st.lists(st.sampled_from(PLAYERS), unique=True, max_size=len(PLAYERS)))
        players = draw(st.none() | st.integers(max(1, len(people)), 90))
        # Few days, so that many events share one; both sides of the first counted day.
        day = draw(st.sampled_from(["1996-06-01", "2000-12-31", "2001-01-01", "2001-01-02", "2009-05-05"]))
        tournaments.append(
            tournament(
                tournament_id,
                day,
                players,
                rounds=draw(st.none() | st.integers(1, 4)),
                kind=draw(st.sampled_from(["", "WDC", "CUP"])),
            )
        )
        placement = 1
        for position, player_id in enumerate(people, start=1):
            # A tie keeps the placement of the one before.
            if not draw(st.booleans()):
                placement = position
            listed = None if draw(st.integers(0, 9)) == 0 else placement
            nation = draw(st.sampled_from(["", "FRA", "SWE"]))
            results.append(result(tournament_id, player_id, listed, nation_code=nation))
    return {"raw_tournaments": tournaments, "raw_results": results}


@given(rows=histories())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_published_figure_agrees_with_the_exact_oracle(compiled_project: CompiledProject, rows: Rows) -> None:
    with tempfile.TemporaryDirectory() as folder:
        discrepancies = rate_and_verify(compiled_project, reference_rows() | rows, Path(folder))
    assert discrepancies == []


def test_a_career_of_400_events_agrees_to_a_billionth(compiled_project: CompiledProject, tmp_path: Path) -> None:
    days = [f"{2001 + n // 28 // 12}-{n // 28 % 12 + 1:02}-{n % 28 + 1:02}" for n in range(400)]
    tournaments = [tournament(f"t{n:03}", day, 7 + n % 60, rounds=1 + n % 3) for n, day in enumerate(days)]
    results = [result(f"t{n:03}", "veteran", 1 + n * 7 % (7 + n % 60)) for n in range(400)]
    rows: Rows = {"raw_tournaments": tournaments, "raw_results": results}
    assert rate_and_verify(compiled_project, reference_rows() | rows, tmp_path) == []


@pytest.mark.parametrize(
    ("change", "table"),
    [
        ("update build.intermediate.int_rating_ledger set rating_after = rating_after + 1e-6", "rating_history"),
        ("delete from build.intermediate.int_rating_ledger where event_number = 2", "rating_history"),
    ],
)
def test_the_comparison_would_see_a_wrong_ledger(
    compiled_project: CompiledProject, tmp_path: Path, change: str, table: str
) -> None:
    rows: Rows = {
        "raw_tournaments": [tournament("one", "2005-01-01", 20), tournament("two", "2006-01-01", 30)],
        "raw_results": [result("one", "a", 3), result("two", "a", 9)],
    }
    discrepancies = rate_and_verify(compiled_project, reference_rows() | rows, tmp_path, tamper=change)
    assert table in {discrepancy.table for discrepancy in discrepancies}


def rate_and_verify(project: CompiledProject, rows: Rows, folder: Path, tamper: str = "") -> list[Any]:
    """Build rows in memory, publish them, and compare every figure with the exact recomputation of the same rows."""
    seeds = write_collection(folder / "seeds", rows)
    connection = project.build(rows)
    if tamper:
        connection.execute(tamper)
        for model in project.models:
            if model["schema"] == "marts" and model["config"]["materialized"] == "table":
                connection.execute(f"create or replace table {model['relation_name']} as {model['compiled_code']}")
    build = folder / "build.duckdb"
    connection.execute(f"attach '{build}' as on_disk")
    connection.execute("copy from database build to on_disk")
    connection.close()
    target = folder / "rankings.duckdb"
    publish(build, target)
    reports = verify(target, seeds)
    assert sum(report.rows for report in reports) > 0
    return [discrepancy for report in reports for discrepancy in report.discrepancies]
