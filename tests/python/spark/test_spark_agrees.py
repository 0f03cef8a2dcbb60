"""Spark builds the same rows as DuckDB from the same model files, although it loses an executor, to the last bit of every rating."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest

from dippouch.db import literal
from dippouch.settings import PROJECT
from support.programs import done, run_dbt, run_program
from support.spark_cluster import build_on, running

pytestmark = pytest.mark.spark

# Number of results to make; set DPTR_SPARK_RESULTS to fewer for a quick run.
RESULTS = int(os.environ.get("DPTR_SPARK_RESULTS", "1_000_000"))
# The systems that rate them: two with different rules.
SYSTEMS = ("dptr", "dptr-ten-years")


class Builds(NamedTuple):
    """The builds of one collection by both engines.

    Attributes:
        duckdb: the build database.
        spark: the folder of Spark's tables.
        executors: the number of executors, replacements included.
        said: dbt's output on Spark.
    """

    duckdb: Path
    spark: Path
    executors: int
    said: str


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The seeds: generated results, with every kind of decision by a rating keeper."""
    folder = tmp_path_factory.mktemp("collection")
    size = {"results": RESULTS, "tournaments": max(RESULTS // 50, 40), "players": max(RESULTS // 16, 400)}
    options = [f"--{name}={number}" for name, number in size.items()]
    done(run_program("benchmarks/make_collection.py", *options, "--as-seeds", folder / "seeds"))
    _keep(folder / "seeds")
    return folder / "seeds"


def _keep(seeds: Path) -> None:
    """Write decisions on people, spellings and corrections, with every character that a seed may hold."""
    results = max((seeds / "documents").glob("raw_results.*"), key=lambda path: path.stat().st_size)
    with duckdb.connect() as connection:
        first = connection.execute(
            f"select player_id, first_name, last_name from {literal(results)}"
            " where tournament_id = 'synthetic-1' and placement <= 6 order by placement, player_id limit 6"
        ).fetchall()
    one, two, three, four, five, six = (player for player, *_ in first)
    _, first_name, last_name = first[0]
    systems = (PROJECT / "seeds/reference/ref_rating_systems.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [systems[0], *(line for line in systems if line.startswith(tuple(f"{system}," for system in SYSTEMS)))]
    kept.append("continued,Continued,Ann,40,20,7,3.5,2,15,2001-01-01,,Old Ranking,2005-01-01,\n")
    (seeds / "reference/ref_rating_systems.csv").write_text("".join(kept), encoding="utf-8")
    _add(
        seeds / "reference/ref_corrections.csv",
        "1,synthetic-2,,players,900,a misprint,2026-01-01",
        "2,synthetic-3,,withdrawn,true,never played,2026-01-02",
        "3,synthetic-4,,ended_on,2003-05-05,it was later,2026-01-03",
        "4,synthetic-5,,rounds,1,it's a day,2026-01-04",
        "5,synthetic-6,,kind,wdc,a World Championship,2026-01-05",
        "6,synthetic-7,,players,99,a slip,2026-01-06",
        "7,synthetic-7,,players,,the document is right,2026-01-07",
        f"8,synthetic-1,{two},placement,1,both won,2026-01-08",
        f"9,synthetic-1,{six},withdrawn,true,was not there,2026-01-09",
        f'10,synthetic-1,{five},nation_code,fra,"says ""moi"", of \'France\' \\ and so on",2026-01-10',
    )
    _add(
        seeds / "reference/ref_player_aliases.csv",
        f"{three},,{one}-and-{three},one person",
        f'{four},synthetic-1,{four}-the-younger,"the son, that day"',
    )
    _add(seeds / "reference/ref_players.csv", f'{two},Zoë,"D\'ARTAGNAN, ""LE""",fra,,a note\\')
    accented = last_name.replace("A", "Á")
    _add(
        seeds / "documents/raw_published_rankings.csv",
        f"synthetic,Old Ranking,Ann,2005-01-01,1,{one},,{first_name} {accented},{first_name},{accented},,,60.5,1,12",
    )


def _add(seed: Path, *lines: str) -> None:
    with seed.open("a", encoding="utf-8", newline="") as file:
        file.writelines(f"{line}\n" for line in lines)


@pytest.fixture(scope="session")
def builds(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Builds:
    """Both builds; an executor is killed while Spark computes the ledger."""
    folder = tmp_path_factory.mktemp("warehouses")
    without_tests = ("--quiet", "build", "--selector", "spark", "--exclude-resource-type", "test")
    paths = ("--target-path", folder / "dbt", "--log-path", folder / "dbt")
    done(run_dbt(*without_tests, *paths, DPTR_SEEDS=collection, DPTR_WAREHOUSE=folder))
    with running(folder / "cluster") as cluster:
        said = build_on(cluster, collection, folder / "on_spark")
        return Builds(folder / "build.duckdb", folder / "on_spark" / "spark", len(cluster.executors()), said)


# Every published table that Spark builds, and its columns that are products, which the engines may compute in another order.
TABLES = {
    "rating_history": (),
    "international_ranking": (),
    "national_ranking": (),
    "yearly_ranking": (),
    "rating_breakdown": ("weight", "contribution"),
}
KEY = "rating_system_id, player_id, event_number"
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


def check_rows(both: duckdb.DuckDBPyConnection, duckdb_rows: str, spark_rows: str) -> None:
    """Check that two queries return the same rows, each as often."""
    for one, other in ((duckdb_rows, spark_rows), (spark_rows, duckdb_rows)):
        assert both.execute(f"{one} except all {other} limit 5").fetchall() == [], f"only in: {one}"


@pytest.mark.parametrize("table", TABLES)
def test_every_row_is_the_same(both: duckdb.DuckDBPyConnection, table: str) -> None:
    columns = both.execute(f"select column_name, column_type from (describe by_duckdb.{table})").fetchall()
    assert both.execute(f"select column_name, column_type from (describe by_spark.{table})").fetchall() == columns
    # Different doubles have different shortest texts, so this compares every bit.
    exact = ", ".join(
        f"cast({name} as varchar) as {name}" if type_ == "DOUBLE" else name
        for name, type_ in columns
        if name not in TABLES[table]
    )
    check_rows(both, f"select {exact} from by_duckdb.{table}", f"select {exact} from by_spark.{table}")
    for column in TABLES[table]:
        apart = both.execute(
            f"select max(abs(by_duckdb.{table}.{column} - by_spark.{table}.{column})) from by_duckdb.{table}"
            f" inner join by_spark.{table} using ({KEY})"
        ).fetchone()
        assert apart is not None
        assert apart[0] <= CLOSE


def test_every_cell_of_the_seeds_is_read_alike(both: duckdb.DuckDBPyConnection, builds: Builds) -> None:
    """Cells may be empty, or have apostrophes, quotation marks, line ends and accents."""
    seeds = sorted(folder.name for folder in (builds.spark / "seeds.db").iterdir())
    assert {"raw_results", "ref_corrections", "ref_players"} <= set(seeds)
    for seed in seeds:
        folder, rows = builds.spark / "seeds.db" / seed, f"from build.seeds.{seed}"
        # A seed without rows has no file.
        has_file = any(folder.glob("*.parquet"))
        check_rows(
            both, rows, f"from read_parquet({literal(folder / '*.parquet')})" if has_file else f"from ({rows} limit 0)"
        )


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
    assert builds.executors == 3
    assert "Lost executor" in builds.said
    for test in ("event_numbers_have_no_gap", "ledger_holds_every_update"):
        assert f"PASS {test}" in builds.said
    assert " ERROR=0 " in builds.said
