"""Spark builds the same rows as DuckDB from the same model files, to the last bit of every rating."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from dippouch.db import literal
from support.spark_build import RESULTS, SYSTEMS, Builds

pytestmark = pytest.mark.spark

# Every published table that Spark builds, its key, and the columns that are products, which the engines may compute in another order.
TABLES = {
    "rating_history": ((), ()),
    "international_ranking": ((), ()),
    "national_ranking": ((), ()),
    "yearly_ranking": ((), ()),
    "rating_breakdown": (("rating_system_id", "player_id", "event_number"), ("weight", "contribution")),
}
# For doubles that differ in the last bits only. Weights are from 0 to 1, contributions from 0 to 100.
CLOSE = 1e-12


@pytest.fixture
def both(builds: Builds) -> Iterator[duckdb.DuckDBPyConnection]:
    """The tables of both engines, each in a schema."""
    with duckdb.connect() as connection:
        connection.execute(f"attach {literal(builds.duckdb)} as build (read_only)")
        connection.execute("create schema by_duckdb")
        connection.execute("create schema by_spark")
        for table in TABLES:
            files = builds.spark / "marts.db" / table / "*.parquet"
            connection.execute(f"create view by_spark.{table} as select * from read_parquet({literal(files)})")
            connection.execute(f"create view by_duckdb.{table} as select * from build.marts.{table}")
        yield connection


@pytest.mark.parametrize("table", TABLES)
def test_every_row_is_the_same(both: duckdb.DuckDBPyConnection, table: str) -> None:
    columns = both.execute(f"describe by_duckdb.{table}").fetchall()
    assert [column[:2] for column in both.execute(f"describe by_spark.{table}").fetchall()] == [
        column[:2] for column in columns
    ]
    # Different doubles have different shortest texts, so this compares every bit.
    exact = ", ".join(
        f"cast({name} as varchar) as {name}" if type_ == "DOUBLE" else name
        for name, type_, *_ in columns
        if name not in TABLES[table][1]
    )
    for one, other in (("by_duckdb", "by_spark"), ("by_spark", "by_duckdb")):
        only = both.execute(
            f"select {exact} from {one}.{table} except all select {exact} from {other}.{table} limit 5"
        ).fetchall()
        assert only == [], f"only {one}"
    key, products = TABLES[table]
    for column in products:
        apart = both.execute(
            f"select max(abs(by_duckdb.{table}.{column} - by_spark.{table}.{column})) from by_duckdb.{table}"
            f" inner join by_spark.{table} using ({', '.join(key)})"
        ).fetchone()
        assert apart is not None
        assert apart[0] <= CLOSE


def test_every_cell_of_the_seeds_is_read_alike(both: duckdb.DuckDBPyConnection, builds: Builds) -> None:
    """Cells may be empty, or have apostrophes, quotation marks, line ends and accents."""
    seeds = sorted(folder.name for folder in (builds.spark / "seeds.db").iterdir())
    assert {"raw_results", "ref_corrections", "ref_players"} <= set(seeds)
    for seed in seeds:
        files = literal(builds.spark / "seeds.db" / seed / "*.parquet")
        # A seed without rows has no file.
        if not list((builds.spark / "seeds.db" / seed).glob("*.parquet")):
            assert both.execute(f"select count(*) from build.seeds.{seed}").fetchone() == (0,), seed
            continue
        for one, other in (
            (f"build.seeds.{seed}", f"read_parquet({files})"),
            (f"read_parquet({files})", f"build.seeds.{seed}"),
        ):
            assert both.execute(f"from {one} except all from {other} limit 5").fetchall() == [], seed


def test_all_that_was_asked_for_is_there(both: duckdb.DuckDBPyConnection) -> None:
    """Otherwise two empty tables would be equal, too."""
    for table in TABLES:
        counted = both.execute(f"select rating_system_id, count(*) from by_spark.{table} group by all").fetchall()
        assert {system for system, _ in counted} == {*SYSTEMS, "continued"}
    history = both.execute("select count(*) from by_spark.rating_history").fetchone()
    # Some results have no placement, and some tournaments declare no players.
    assert history is not None
    assert history[0] > 0.95 * len(SYSTEMS) * RESULTS


def test_spark_tested_what_it_built_although_an_executor_was_killed(builds: Builds) -> None:
    assert builds.started == 3
    assert "Lost executor" in builds.said
    for test in ("event_numbers_have_no_gap", "ledger_holds_every_update", "rows_are_valid_int_rating_updates_"):
        assert f"PASS {test}" in builds.said
    assert " ERROR=0 " in builds.said
