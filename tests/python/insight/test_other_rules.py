"""The whole history under other rules equals, bit for bit, that of a collection with these rules."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dippouch.rating.rules import FIGURES
from dippouch.seeds.schema import SEEDS
from support.compiled import CompiledProject
from support.made_histories import DAYS, histories
from support.seed_rows import Rows, correction, read_collection, reference_rows

Rules = dict[str, Any]

# The number of tournaments for which `paired_difference` has a verdict.
ENOUGH = 30

# Rules to try, with their limits among them.
TRIED: list[Rules] = [
    {"initial_rating": 55.5},
    {"maximum_value": 0},
    {"maximum_value": 0, "world_championship_value": 0},
    {"base_value": 0, "several_rounds_divisor": 0.01, "one_round_divisor": 1000},
    {"first_counted_on": date.min, "base_value": 7.25},
    {"counted_years": 5},
    {"counted_years": 8, "world_championship_value": 100},
]
HISTORY = "marts.rating_history where rating_system_id = ? order by all"
RANKING = (
    "select player_id, rank, rating, tournaments_counted from marts.international_ranking where rating_system_id = ?"
)
COLUMNS = "player_id, rank, rating, tournaments_counted, default_rank, default_rating"


def called(function: str, rules: Rules) -> str:
    """Return a call that binds the values of rules."""
    return f"marts.{function}({', '.join(f'{name} => ${name}' for name in rules)})"


def rows_of(marts: duckdb.DuckDBPyConnection, function: str, rules: Rules, columns: str = "*") -> list[tuple[Any, ...]]:
    return marts.execute(f"select {columns} from {called(function, rules)} order by all", rules).fetchall()


def systems_of(rows: Rows, tried: list[Rules]) -> dict[str, tuple[dict[str, Any], Rules]]:
    """Return the collection's rating systems, and a variant of the default one for each set of rules, as seed rows and as arguments."""
    seeds = list(rows["ref_rating_systems"])
    (default,) = (row for row in seeds if row["rating_system_id"] == "dptr")
    for number, rules in enumerate(tried):
        figures = {name: str(value) for name, value in rules.items()}
        figures |= {"first_counted_on": ""} if rules.get("first_counted_on") == date.min else {}
        seeds.append(default | figures | {"rating_system_id": f"tried-{number}"})
    return {
        row["rating_system_id"]: (
            row,
            {name: float(row[name]) for name in FIGURES}
            | {
                "first_counted_on": row["first_counted_on"] or date.min,
                "counted_years": int(row["counted_years"] or 0),
            },
        )
        for row in seeds
    }


def check_rules(project: CompiledProject, marts: duckdb.DuckDBPyConnection, rows: Rows, left_out: Rules) -> None:
    """Check that each function under some rules equals a collection with these rules as a system, without `left_out`."""
    excluded, day = left_out.get("excluded_tournaments") or [], left_out.get("day")
    kept = [row for row in rows["raw_tournaments"] if row["ended_on"] <= str(day or date.max)]
    ids = {row["tournament_id"] for row in kept}
    systems = systems_of(rows, TRIED)
    changed = {
        "raw_tournaments": kept,
        "raw_results": [row for row in rows["raw_results"] if row["tournament_id"] in ids],
        "ref_rating_systems": [row for row, _ in systems.values()],
        "ref_corrections": [
            correction(number, tournament_id, "withdrawn", "true")
            for number, tournament_id in enumerate(sorted(ids.intersection(excluded)), start=1000)
        ],
    }
    on_day = "select player_id, rank, rating from marts.ranking_on('dptr', ?)"
    default = {player: tuple(of) for player, *of in marts.execute(on_day, [day or date.max]).fetchall()}
    with project.build(rows | changed) as of_these_rules:
        for system, (row, rules) in systems.items():
            history = of_these_rules.execute(f"select * exclude (rating_system_id) from {HISTORY}", [system]).fetchall()
            assert rows_of(marts, "history_under", rules | left_out) == history
            ranking = of_these_rules.execute(RANKING, [system]).fetchall()
            ranked = {player: tuple(of) for player, *of in ranking}
            found = rows_of(marts, "ranking_under", rules | left_out, COLUMNS)
            assert {(player,) for player, *_ in found} == set(
                marts.execute("select player_id from marts.players").fetchall()
            )
            for player, *of, default_rank, default_rating in found:
                assert tuple(of) == ranked.get(player, (None, float(row["initial_rating"]), 0))
                assert (default_rank, default_rating) == default.get(player, (None, 40.0))
        assert rows_of(marts, "ranking_under", left_out) == rows_of(
            marts, "ranking_under", systems["dptr"][1] | left_out
        )


@given(rows=histories(), data=st.data())
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_rules_on_made_up_histories(compiled_project: CompiledProject, rows: Rows, data: st.DataObject) -> None:
    everything = reference_rows() | rows
    ids = [row["tournament_id"] for row in rows["raw_tournaments"]]
    excluded = data.draw(st.lists(st.sampled_from(ids), unique=True))
    with compiled_project.build(everything) as marts:
        check_rules(compiled_project, marts, everything, {})
        left_out = {"excluded_tournaments": excluded, "day": data.draw(st.none() | st.sampled_from(DAYS))}
        check_rules(compiled_project, marts, everything, left_out)


def test_any_rules_on_the_real_documents(compiled_project: CompiledProject) -> None:
    rows = read_collection()
    with compiled_project.build(rows) as marts:
        check_rules(compiled_project, marts, rows, {})
        left_out = {"excluded_tournaments": ["wac-6-2009", "it's none"], "day": "2009-12-31"}
        check_rules(compiled_project, marts, rows, left_out)


def test_skill_under_the_published_rules_is_the_published_skill(published: Path) -> None:
    with duckdb.connect(str(published), read_only=True) as connection:
        asked = connection.execute(
            "select count(*), sum(pairs), avg(concordance order by tournament_id) from marts.skill_under()"
        ).fetchone()
        assert (
            asked
            == connection.execute(
                "select tournaments, pairs, concordance from marts.rating_skill where slice_kind = 'all' and predictor = 'rating'"
            ).fetchone()
        )
        # Any rules predict the same tournaments. If no rating moves, every pair is undecided.
        still = {"maximum_value": 0, "world_championship_value": 0}
        rows = rows_of(connection, "skill_under", still, "concordance, pairs - undecided")
        assert rows == [(0.5, 0)] * 4


def test_an_advantage_is_a_mean_of_differences_with_its_margin(published: Path) -> None:
    """Differences of 0.1, 0.1, -0.05: mean 0.05, standard deviation 0.0866, margin 1.96 * 0.0866 / sqrt(3) = 0.098."""
    with duckdb.connect(str(published), read_only=True) as connection:
        ask = "from marts.paired_difference(?, ?)"
        row = connection.execute(ask, [[0.6, 0.7, 0.5], [0.5, 0.6, 0.55]]).fetchone()
        assert row == (*map(pytest.approx, (3, 0.05, -0.048, 0.148)), "too few")
        assert connection.execute(ask, [[0.6], [0.5]]).fetchone() == (1, pytest.approx(0.1), None, None, "too few")
        assert connection.execute(ask, [[], []]).fetchone() == (0, None, None, None, "too few")
        for figures, reference, count, verdict in (
            ([0.6, 0.7], [0.5], ENOUGH, "better"),
            ([0.6, 0.7], [0.5], ENOUGH - 1, "too few"),
            ([0.4, 0.3], [0.5], ENOUGH, "worse"),
            ([0.4, 0.6], [0.5], ENOUGH, "not told apart"),
        ):
            lists = [(values * count)[:count] for values in (figures, reference)]
            assert (connection.execute(ask, lists).fetchone() or ())[-1] == verdict


# The limits of a rating system's columns, as declared by the seed.
POSSIBLE = {name: SEEDS["ref_rating_systems"].columns[name] for name in (*FIGURES, "counted_years")}


@pytest.mark.parametrize(
    ("name", "lowest", "highest"), [(name, meta["from"], meta["to"]) for name, meta in POSSIBLE.items()]
)
def test_impossible_rules_are_refused_and_the_ends_of_the_possible_are_not(
    published: Path, name: str, lowest: float, highest: float
) -> None:
    with duckdb.connect(str(published), read_only=True) as connection:
        for value in (lowest, highest):
            assert len(rows_of(connection, "ranking_under", {name: value})) == 237
        for value in (-1 if name == "counted_years" else lowest - 0.01, highest + 1, float("nan"), float("inf")):
            for function in ("ranking_under", "history_under"):
                with pytest.raises(duckdb.Error, match=rf"{name}|cast") as refused:
                    rows_of(connection, function, {name: value})
                assert value != highest + 1 or f"expected a number from {lowest} to {highest}" in str(refused.value)


def test_a_large_field_is_answered(published: Path) -> None:
    """Comparing 100,000 placements with each other would take minutes."""
    with duckdb.connect(str(published), read_only=True) as connection:
        ask = "select count(*) from marts.what_it_takes(player => 'toby-harris', rival => 'edi-birsan', tournament_players => 100000)"
        assert connection.execute(ask).fetchone() == (100_001,)
