"""A collection of a million results, built by DuckDB, and by a Spark cluster that loses an executor on the way."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dippouch.db import literal
from dippouch.settings import PROJECT
from support.programs import run_dbt, run_program
from support.spark_build import RESULTS, SYSTEMS, Builds, build_on, kill_one_that_works
from support.spark_cluster import running


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The seeds: generated results, with every kind of decision by a rating keeper."""
    folder = tmp_path_factory.mktemp("collection")
    size = {"results": RESULTS, "tournaments": max(RESULTS // 50, 40), "players": max(RESULTS // 16, 400)}
    options = [f"--{name}={number}" for name, number in size.items()]
    done = run_program("benchmarks/make_collection.py", *options, "--as-seeds", folder / "seeds")
    assert done.returncode == 0, done.stderr
    _keep(folder / "seeds")
    return folder / "seeds"


def _keep(seeds: Path) -> None:
    """Write decisions on people, spellings and corrections, with every character that a seed may hold."""
    results = max((seeds / "wdd").glob("raw_results.*"), key=lambda path: path.stat().st_size)
    with duckdb.connect() as connection:
        first = connection.execute(
            f"select player_id, first_name, last_name from {literal(results)}"
            " where tournament_id = 'synthetic-1' and placement <= 6 order by placement, player_id limit 6"
        ).fetchall()
    one, two, three, four, five, six = (player for player, *_ in first)
    _, first_name, last_name = first[0]
    systems = (PROJECT / "seeds/reference/ref_rating_systems.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [systems[0], *(line for line in systems if line.startswith(tuple(f"{system}," for system in SYSTEMS)))]
    kept.append("continued,Continued,Ann,40,20,7,3.5,2,15,2001-01-01,,Old Ranking,2005-01-01\n")
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
        seeds / "wdd/raw_published_rankings.csv",
        f"Old Ranking,Ann,2005-01-01,1,{one},,{first_name} {accented},{first_name},{accented},,,60.5,1,12,old.txt,{'0' * 64},wdd-text",
    )


def _add(seed: Path, *lines: str) -> None:
    with seed.open("a", encoding="utf-8", newline="") as file:
        file.writelines(f"{line}\n" for line in lines)


@pytest.fixture(scope="session")
def builds(collection: Path, tmp_path_factory: pytest.TempPathFactory) -> Builds:
    """Both builds; an executor is killed while Spark computes the ledger."""
    folder = tmp_path_factory.mktemp("warehouses")
    done = run_dbt(
        *("--quiet", "build", "--selector", "spark", "--exclude-resource-type", "test"),
        *("--target-path", folder / "dbt", "--log-path", folder / "dbt"),
        DPTR_SEEDS=collection,
        DPTR_WAREHOUSE=folder,
    )
    assert done.returncode == 0, done.stdout
    killed: list[int] = []
    with running(folder / "cluster") as cluster:

        def on_line(line: str) -> None:
            if "START sql table model intermediate.int_rating_ledger" in line:
                killed.append(kill_one_that_works(cluster))

        said = build_on(cluster, collection, folder / "on_spark", on_line)
        started = cluster.executors_started()
    assert killed
    return Builds(folder / "build.duckdb", folder / "on_spark" / "spark", started, said)
