"""The SQL, from seeds to rankings, against the exact oracle on histories that hypothesis makes up."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.compiled import CompiledProject, Warehouse
from support.seed_rows import Rows, reference_rows, result, tournament, write_collection

# Each person with the ids that documents list them under. Namesakes share a name, and some ids are of nobody else.
PEOPLE = [f"player-{letter}" for letter in "abcdef"]
NAMES = {"player-a": "SMITH", "player-b": "SMITH", "player-c": "Söderberg"}
DAYS = ["1996-06-01", "2000-12-31", "2001-01-01", "2001-01-02", "2009-05-05"]


@st.composite
def histories(draw: st.DrawFn) -> Rows:
    """Tournaments with ties, gaps, equal dates and people without a placement, and what a rating keeper decides on them.

    Everything is first made as it is, which no data test would refuse; then documents state some of it otherwise, and
    corrections and aliases put it right.
    """
    rows: Rows = {name: [] for name in ("raw_tournaments", "raw_results", "raw_published_rankings")}
    decisions = _Decisions(draw)
    for number in range(draw(st.integers(1, 6))):
        tournament_id = f"tournament-{number}"
        listed = decisions.listed(tournament_id, draw(st.lists(st.sampled_from(PEOPLE), unique=True)))
        # Few days, so that many events share one; both sides of the first counted day.
        day = draw(st.sampled_from(DAYS))
        facts: dict[str, Any] = {
            "started_on": day,
            "ended_on": day,
            "players": draw(st.none() | st.integers(max(1, len(listed)), 90)),
            "rounds": draw(st.none() | st.integers(1, 4)),
            "kind": draw(st.sampled_from(["", "WDC", "CUP"])),
            "name": tournament_id,
        }
        # A wrong day is near the true one, because the checks refuse a tournament of several years.
        otherwise = OTHERWISE | {"ended_on": [f"{int(day[:4]) + 1}-01-15"]}
        rows["raw_tournaments"].append(
            tournament(tournament_id, day, None) | decisions.stated(tournament_id, "", facts, otherwise)
        )
        placement = 1
        for position, player_id in enumerate(listed, start=1):
            # A tie keeps the placement of the one before.
            if not draw(st.booleans()):
                placement = position
            cells = {
                "placement": None if draw(st.integers(0, 9)) == 0 else placement,
                "nation_code": draw(st.sampled_from(["", "FRA", "SWE"])),
                "last_name": NAMES.get(player_id, player_id),
            }
            stated = decisions.stated(tournament_id, player_id, cells, RESULTS_OTHERWISE)
            rows["raw_results"].append(result(tournament_id, player_id, None) | stated)
    rows["raw_published_rankings"] = [
        ranked
        for day in draw(st.lists(st.sampled_from(DAYS), unique=True, max_size=2))
        for ranked in decisions.ranking(day)
    ]
    return rows | decisions.rows(rows)


# What documents state instead of what was, by field.
OTHERWISE: dict[str, list[str]] = {
    "players": ["1", "7", "89"],
    "rounds": ["1", "2", "5"],
    "kind": ["WDC", "EDC"],
    "name": ["another name"],
    "subtitle": ["a second line"],
    "place": ["Genève"],
    "nation_code": ["FRA", "swe"],
    "boards": ["3"],
}
RESULTS_OTHERWISE: dict[str, list[str]] = {
    "placement": ["1", "2", "91"],
    "nation_code": ["NLD"],
    "last_name": ["SMYTHE"],
}


class _Decisions:
    """What a rating keeper decides on a history while it is made."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._corrections: list[dict[str, Any]] = []
        # Ids that are somebody else's everywhere: the person of each.
        self._everywhere = {f"{person}-alias": person for person in draw(st.sets(st.sampled_from(PEOPLE), max_size=2))}
        self._there: dict[tuple[str, str], str] = {}

    def listed(self, tournament_id: str, people: list[str]) -> list[str]:
        """The ids under which a document lists people: their own, one that is theirs everywhere, or a namesake's."""
        listed: list[str] = []
        for person in people:
            ids = [person, person, *(other for other, whose in self._everywhere.items() if whose == person)]
            ids += [f"{person}-{tournament_id}", *(other for other in PEOPLE if other not in people)]
            player_id = self._draw(st.sampled_from([other for other in ids if other not in listed]))
            listed.append(player_id)
            if self._everywhere.get(player_id, player_id) != person:
                self._there[player_id, tournament_id] = person
        return listed

    def stated(
        self, tournament_id: str, player_id: str, facts: dict[str, Any], otherwise: dict[str, list[str]]
    ) -> dict[str, Any]:
        """What a document states of facts: some of them otherwise, and put right by corrections."""
        stated = dict(facts)
        for field in self._draw(st.sets(st.sampled_from(sorted(otherwise)), max_size=2)):
            wrong = self._draw(st.sampled_from(otherwise[field]))
            if self._draw(st.booleans()):
                # Corrected to something wrong, and reverted: what the document states holds.
                self._decide(tournament_id, player_id, field, wrong, "")
            elif facts.get(field):
                stated[field] = wrong.upper()
                wrongly = self._draw(st.lists(st.sampled_from(otherwise[field]), max_size=1))
                self._decide(tournament_id, player_id, field, *wrongly, str(facts[field]))
        self._decide(tournament_id, player_id, "withdrawn", *self._draw(st.sampled_from(WITHDRAWALS)))
        return stated

    def ranking(self, day: str) -> list[dict[str, Any]]:
        """A ranking that somebody published, with ties."""
        rank, rating, ranked = 1, 8529, []
        for position, person in enumerate(self._draw(st.lists(st.sampled_from(PEOPLE), unique=True)), start=1):
            if not self._draw(st.booleans()):
                rank, rating = position, rating - 111
            ids = [person, *(other for other, whose in self._everywhere.items() if whose == person)]
            player_id = self._draw(st.sampled_from(ids))
            listing = {"player_id": player_id, "listed_name": player_id, "first_name": "", "last_name": player_id}
            page = {"ranking_name": "A ranking", "author": "somebody", "last_update": day}
            source = {"source_document": "test", "source_sha256": "0" * 64, "source_form": "test"}
            ranked.append(page | source | listing | {"published_rank": rank, "published_rating": f"{rating / 100:.2f}"})
        return ranked

    def rows(self, told: Rows) -> Rows:
        """The decisions as rows. An alias of an id that nobody lists would be a fault."""
        listed = {row["player_id"] for table in told.values() for row in table if "player_id" in row}
        everywhere = [(listed_id, "", person) for listed_id, person in self._everywhere.items() if listed_id in listed]
        aliases = [*everywhere, *((*key, person) for key, person in self._there.items())]
        columns = ("listed_player_id", "tournament_id", "player_id")
        return {
            "ref_corrections": self._corrections,
            "ref_player_aliases": [dict(zip(columns, alias, strict=True)) | {"reason": "why"} for alias in aliases],
        }

    def _decide(self, tournament_id: str, player_id: str, field: str, *values: str) -> None:
        about = {"tournament_id": tournament_id, "player_id": player_id, "field": field}
        before = None
        for value in values:
            # A correction that repeats the one before changes nothing, and is refused.
            if value.upper() == before:
                continue
            before = value.upper()
            number = len(self._corrections) + 1
            decided = {"correction_number": number, "value": value, "reason": "why", "decided_on": "2026-03-01"}
            self._corrections.append(about | decided)


# Mostly none; withdrawn, withdrawn and restored, and both again.
WITHDRAWALS: list[tuple[str, ...]] = [(), (), (), (), (), ("true",), ("true", "false"), ("true", "false", "true")]


@pytest.fixture(scope="module")
def warehouse(compiled_project: CompiledProject) -> Warehouse:
    return Warehouse(compiled_project)


@given(rows=histories())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_published_figure_agrees_with_the_exact_oracle(warehouse: Warehouse, rows: Rows) -> None:
    with tempfile.TemporaryDirectory() as folder:
        seeds = write_collection(Path(folder), reference_rows() | rows)
        warehouse.build(seeds)
        assert warehouse.failing_tests() == set()
        assert warehouse.discrepancies(seeds) == []


def test_a_career_of_400_events_agrees_to_a_billionth(warehouse: Warehouse, tmp_path: Path) -> None:
    days = [f"{2001 + n // 28 // 12}-{n // 28 % 12 + 1:02}-{n % 28 + 1:02}" for n in range(400)]
    tournaments = [tournament(f"t{n:03}", day, 7 + n % 60, rounds=1 + n % 3) for n, day in enumerate(days)]
    results = [result(f"t{n:03}", "veteran", 1 + n * 7 % (7 + n % 60)) for n in range(400)]
    rows: Rows = {"raw_tournaments": tournaments, "raw_results": results}
    seeds = write_collection(tmp_path, reference_rows() | rows)
    warehouse.build(seeds)
    assert warehouse.discrepancies(seeds) == []
