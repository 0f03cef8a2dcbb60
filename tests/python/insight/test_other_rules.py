"""The whole history under other rules: against what is published, bit for bit, and against the slow and obvious way."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dippouch.rating.rules import FIGURES
from dippouch.settings import PROJECT
from support.compiled import CompiledProject
from support.made_histories import DAYS, PLAYERS, histories
from support.naive import History, is_rank, same
from support.seed_rows import Rows, read_collection, reference_rows

Rules = dict[str, Any]

# Rules that somebody tries, their ends among them.
TRIED: list[Rules] = [
    {"initial_rating": 55.5},
    {"maximum_value": 0},
    {"maximum_value": 0, "world_championship_value": 0},
    {"base_value": 0, "several_rounds_divisor": 0.01, "one_round_divisor": 1000},
    {"first_counted_on": date.min, "base_value": 7.25},
    {"counted_years": 5},
    {"counted_years": 8, "world_championship_value": 100},
]


def called(function: str, rules: Rules) -> str:
    """A call that binds the values of rules."""
    return f"marts.{function}({', '.join(f'{name} => ${name}' for name in rules)})"


def rows_of(marts: duckdb.DuckDBPyConnection, function: str, rules: Rules, columns: str = "*") -> list[tuple[Any, ...]]:
    return marts.execute(f"select {columns} from {called(function, rules)} order by all", rules).fetchall()


def stated(marts: duckdb.DuckDBPyConnection, system: str) -> Rules:
    """All rules of a rating system as arguments: where it has no first day or no window, that is said."""
    names = (*FIGURES, "first_counted_on", "counted_years")
    row = marts.execute(f"select {', '.join(names)} from marts.rating_systems where rating_system_id = ?", [system])
    rules = dict(zip(names, row.fetchone() or (), strict=True))
    return rules | {
        "first_counted_on": rules["first_counted_on"] or date.min,
        "counted_years": rules["counted_years"] or 0,
    }


def check_published_rules(marts: duckdb.DuckDBPyConnection) -> None:
    """The rules of every rating system give its history and its ranking again, bit for bit; no rules those of the default one."""
    systems = marts.execute("select rating_system_id, is_default from marts.rating_systems").fetchall()
    for system, is_default in systems:
        history = marts.execute(
            "select * exclude (rating_system_id) from marts.rating_history where rating_system_id = ? order by all",
            [system],
        ).fetchall()
        ranking = marts.execute(
            "select player_id, rank, rating, tournaments_counted from marts.international_ranking where rating_system_id = ? order by all",
            [system],
        ).fetchall()
        for rules in (stated(marts, system), *([{}] if is_default else [])):
            assert rows_of(marts, "history_under", rules) == history
            rated = rows_of(marts, "ranking_under", rules, "player_id, rank, rating, tournaments_counted")
            assert [row for row in rated if row[1] is not None] == ranking
            initial = stated(marts, system)["initial_rating"]
            assert {row[2:] for row in rated if row[1] is None} <= {(initial, 0)}
            assert len(rated) == len({row[0] for row in rated})
            assert marts.execute("select count(*) from marts.players").fetchone() == (len(rated),)


def check_rules(marts: duckdb.DuckDBPyConnection, rows: Rows, rules: Rules) -> None:
    """A ranking under other rules is that of a collection which has these rules and lacks what they leave out."""
    with tempfile.TemporaryDirectory() as folder:
        history = remaining(rows, rules, Path(folder))
    published = {
        player_id: (rating, rank)
        for player_id, rating, rank in marts.execute(
            "select player_id, rating, rank from marts.ranking_on('dptr', ?)", [rules.get("day") or date.max]
        ).fetchall()
    }
    ratings = history.ranking("dptr") if history else {}
    columns = "player_id, rating, rank, tournaments_counted, default_rating, default_rank"
    for player_id, rating, rank, counted, *published_row in rows_of(marts, "ranking_under", rules, columns):
        assert published_row == list(published.get(player_id, (40.0, None)))
        if not history:
            assert (rating, rank, counted) == (rules.get("initial_rating", 40.0), None, 0)
            continue
        standing = history.standing("dptr", player_id)
        assert same(rating, standing.rating)
        assert counted == standing.counted
        assert (rank is None) == (player_id not in ratings)
        assert rank is None or is_rank(rank, standing.rating, list(ratings.values()))


def remaining(rows: Rows, rules: Rules, folder: Path) -> History | None:
    """What is left of a collection when rules leave tournaments out, under these rules; None where nothing is."""
    left_out = set(rules.get("excluded_tournaments") or [])
    last_day = str(rules.get("day") or date.max)
    tournaments = [
        row for row in rows["raw_tournaments"] if row["tournament_id"] not in left_out and row["ended_on"] <= last_day
    ]
    ids = {row["tournament_id"] for row in tournaments}
    systems = [
        row
        | {name: str(value) for name, value in rules.items() if name in row}
        | ({"first_counted_on": ""} if rules.get("first_counted_on") == date.min else {})
        for row in rows["ref_rating_systems"]
        if row["rating_system_id"] == "dptr"
    ]
    results = [row for row in rows["raw_results"] if row["tournament_id"] in ids]
    changed = {"raw_tournaments": tournaments, "raw_results": results, "ref_rating_systems": systems}
    return History(rows | changed, folder) if tournaments else None


@given(rows=histories(), data=st.data())
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_rules_on_made_up_histories(compiled_project: CompiledProject, rows: Rows, data: st.DataObject) -> None:
    everything = reference_rows() | rows
    ids = [row["tournament_id"] for row in rows["raw_tournaments"]]
    with compiled_project.build(everything) as marts:
        check_published_rules(marts)
        for tried in TRIED:
            left_out = data.draw(st.lists(st.sampled_from(ids), unique=True))
            day = data.draw(st.none() | st.sampled_from(DAYS))
            check_rules(marts, everything, tried | {"excluded_tournaments": left_out, "day": day})
        assert len(rows_of(marts, "ranking_under", {})) <= len(PLAYERS)


def test_any_rules_on_the_real_documents(compiled_project: CompiledProject) -> None:
    rows = read_collection()
    with compiled_project.build(rows) as marts:
        check_published_rules(marts)
        for tried in [{}, *TRIED]:
            check_rules(marts, rows, tried)
        check_rules(marts, rows, {"excluded_tournaments": ["wac-6-2009", "it's none"], "day": "2009-12-31"})


def test_a_day_is_the_published_ranking_of_that_day(compiled_project: CompiledProject) -> None:
    with compiled_project.build(read_collection()) as marts:
        for day in ("1996-05-31", "1996-06-01", "2009-12-31", "2013-08-25"):
            asked = marts.execute(
                "select player_id, rank, rating from marts.ranking_on('dptr', ?) order by all", [day]
            ).fetchall()
            ranked = rows_of(marts, "ranking_under", {"day": day}, "player_id, rank, rating")
            assert [row for row in ranked if row[1] is not None] == asked


def test_the_best_stand_first_and_those_without_rank_last(published: Path) -> None:
    with duckdb.connect(str(published), read_only=True) as connection:
        rows = connection.execute("select rank, player_name, nation_code from marts.ranking_under()").fetchall()
    assert rows[0] == (1, "Edi BIRSAN", "USA")
    ranks = [rank for rank, *_ in rows]
    assert ranks == sorted(rank for rank in ranks if rank) + [None] * (237 - 213)


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
        # Whatever the rules count, the same tournaments are predicted; where nothing moves, everything is undecided.
        still = {"maximum_value": 0, "world_championship_value": 0}
        rows = rows_of(connection, "skill_under", still, "concordance, pairs - undecided")
        assert rows == [(0.5, 0)] * 4


def test_an_advantage_is_a_mean_of_differences_with_its_margin(published: Path) -> None:
    """Differences of 0.1, 0.1, -0.05: mean 0.05, standard deviation 0.0866, margin 1.96 * 0.0866 / sqrt(3) = 0.098."""
    with duckdb.connect(str(published), read_only=True) as connection:
        ask = "from marts.paired_difference(?, ?)"
        row = connection.execute(ask, [[0.6, 0.7, 0.5], [0.5, 0.6, 0.55]]).fetchone()
        assert row == pytest.approx((3, 0.05, -0.048, 0.148))
        assert connection.execute(ask, [[0.6], [0.5]]).fetchone() == (1, pytest.approx(0.1), None, None)
        assert connection.execute(ask, [[], []]).fetchone() == (0, None, None, None)


SEED = PROJECT / "models" / "seeds" / "reference" / "ref_rating_systems.yml"


def possible_values() -> list[tuple[str, float, float]]:
    """What the seed says that a rating system may have, by column."""
    (seed,) = yaml.safe_load(SEED.read_text(encoding="utf-8"))["seeds"]
    columns = {column["name"]: column.get("config", {}).get("meta", {}) for column in seed["columns"]}
    return [(name, columns[name]["from"], columns[name]["to"]) for name in (*FIGURES, "counted_years")]


@pytest.mark.parametrize(("name", "lowest", "highest"), possible_values())
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


def test_a_divisor_of_0_is_an_error_that_says_what_is_possible(published: Path) -> None:
    with (
        duckdb.connect(str(published), read_only=True) as connection,
        pytest.raises(
            duckdb.InvalidInputException, match=r"found one_round_divisor 0; expected a number from 0\.01 to 1000"
        ),
    ):
        connection.execute("from marts.ranking_under(one_round_divisor => 0)")


def test_a_call_names_what_it_changes_and_nothing_else(published: Path) -> None:
    """The defaults are published, too; under whatever name the database is attached."""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{published}' as r (read_only); use r")
        assert connection.execute("select count(rank) from marts.ranking_under(maximum_value => 0)").fetchone() == (
            153,
        )
        assert connection.execute("select count(*) from marts.history_under(day => '1996-06-01')").fetchone() == (85,)
        with pytest.raises(duckdb.BinderException, match="does not support the supplied arguments"):
            connection.execute("from marts.ranking_under(nonsense => 1)")
