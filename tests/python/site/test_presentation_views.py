"""The presentation views against plain loops, on the real documents and on a history with long careers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from support import loops
from support.compiled import CompiledProject
from support.loops import Facts, Row, rows_of
from support.seed_rows import large_history, read_collection, reference_rows

Names = list[tuple[str, str | None, str | None]]


@pytest.fixture(scope="module", params=["real documents", "long careers"])
def presentation(
    request: pytest.FixtureRequest, compiled_project: CompiledProject
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A warehouse in memory, with the presentation views."""
    rows = read_collection() if request.param == "real documents" else reference_rows() | large_history()
    with compiled_project.build(rows) as connection:
        yield connection


@pytest.fixture(scope="module")
def facts(presentation: duckdb.DuckDBPyConnection) -> Facts:
    """The input of the loops."""
    return Facts(presentation)


def _names(rows: list[Row]) -> Names:
    return sorted((row["player_id"], row["first_name"], row["last_name"]) for row in rows)


def test_the_ten_opponents_are_those_of_the_function(presentation: duckdb.DuckDBPyConnection, facts: Facts) -> None:
    shown: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    columns = "player_id, opponent_id, tournaments, times_ahead, times_behind, times_level, last_met_on"
    for player, *row in presentation.execute(
        f"select {columns} from presentation.opponent_list order by player_id, number"
    ).fetchall():
        shown[player].append(tuple(row))
    players = sorted({result["player_id"] for result in facts.results})
    for player in players[:: max(1, len(players) // 20)]:
        met = sorted(loops.head_to_head(facts, player), key=lambda row: (-row[1], -row[5].toordinal(), row[0]))
        assert shown[player] == [row for row in met if row[1] > 1][:10]


def test_the_parts_add_up_to_the_rating(presentation: duckdb.DuckDBPyConnection, facts: Facts) -> None:
    parts: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows_of(presentation, "from presentation.rating_part_list order by player_id, number"):
        parts[row["rating_system_id"], row["player_id"]].append(row)
    cards = {
        (row["rating_system_id"], row["player_id"]): row
        for row in rows_of(presentation, "from presentation.player_card")
    }
    # A person without a rated result has the initial rating only.
    assert parts.keys() == cards.keys() >= facts.careers.keys()
    for player, has in parts.items():
        career = facts.careers.get(player, [])
        left = 1.0
        shares: list[tuple[float, float, str]] = []
        for event in reversed(career):
            share = left * event["tournament_value"] / 100
            if share > 0:
                shares.append((share, event["percentile_score"], event["tournament_id"]))
            left -= share
        expected: list[tuple[float, float, str | None]] = [(left, cards[player]["initial_rating"], None)]
        if earlier := shares[12:]:
            weight = sum(share for share, _, _ in earlier)
            expected.append((weight, sum(share * score for share, score, _ in earlier) / weight, None))
        expected += shares[:12][::-1]
        assert [part["tournament_id"] for part in has] == [tournament for _, _, tournament in expected]
        assert [part["number"] for part in has] == [*range(1, len(has) + 1)]
        assert [(part["weight"], part["score"]) for part in has] == [
            (pytest.approx(weight), pytest.approx(score)) for weight, score, _ in expected
        ]
        assert sum(part["events"] for part in has) == len(shares) + 1
        rating = career[-1]["rating_after"] if career else cards[player]["initial_rating"]
        assert sum(part["contribution"] for part in has) == pytest.approx(rating)
        assert cards[player]["rating"] == (rating if cards[player]["rank"] else cards[player]["initial_rating"])


def test_a_result_has_the_step_that_it_caused(presentation: duckdb.DuckDBPyConnection, facts: Facts) -> None:
    steps = {(*key, event["tournament_id"]): event for key, career in facts.careers.items() for event in career}
    rows = rows_of(presentation, "from presentation.result_list")
    assert len(rows) == len(facts.results) * len(facts.systems)
    counted = {(row["rating_system_id"], row["tournament_id"]) for row in facts.counted}
    kept = ("event_number", "tournament_value", "rating_before", "rating_change", "rating_after")
    for row in rows:
        step = steps.get((row["rating_system_id"], row["player_id"], row["tournament_id"]), dict.fromkeys(kept))
        assert [row[name] for name in kept] == [step[name] for name in kept]
        if row["placement"] is None:
            assert row["not_counted_because"] == "no placement"
        else:
            is_counted = (row["rating_system_id"], row["tournament_id"]) in counted
            assert (row["not_counted_because"] is None) == is_counted


def test_a_year_has_its_leaders_and_a_row_its_gain(presentation: duckdb.DuckDBPyConnection, facts: Facts) -> None:
    year_ends = facts.year_ends().items()
    ranks = {(*key, player): rank for key, ratings in year_ends for player, rank in loops.ranks(ratings).items()}
    rows = rows_of(presentation, "from presentation.year_ranking_list")
    assert {(row["rating_system_id"], row["year"], row["player_id"]): row["rank"] for row in rows} == ranks
    for row in rows:
        before = ranks.get((row["rating_system_id"], row["year"] - 1, row["player_id"]))
        assert row["places_gained"] == (None if before is None else before - row["rank"])
    system = facts.settings["rating_system_id"]
    for row in rows_of(presentation, "from presentation.year_card"):
        leaders = {key[2] for key, rank in ranks.items() if (*key[:2], rank) == (system, row["year"], 1)}
        assert {leader["player_id"] for leader in row["leaders"]} == leaders
