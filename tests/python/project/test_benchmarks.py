"""The benchmarks generate the same data every time, and refuse contenders that disagree."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from dippouch.disk import hashes
from dippouch.errors import UserError
from dippouch.seeds.checks import check_seeds
from measuring.ledger_race import CONTENDERS, ENVIRONMENT, Contender, check_agreement, write_race
from measuring.processes import BENCHMARKS, run_alone
from synthetic.collection import write_collection
from synthetic.results import Size

PYTHON = ENVIRONMENT / "bin" / "python"


@pytest.fixture(scope="module")
def ten_thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synthetic collection of ten thousand results."""
    folder = tmp_path_factory.mktemp("synthetic") / "seeds"
    assert 9_000 < write_collection(folder, Size.of(10_000), seed=1) < 12_000
    return folder


def test_a_synthetic_collection_is_always_the_same_and_keeps_the_rules_of_seeds(
    ten_thousand: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_seeds(ten_thousand)
    write_collection(tmp_path / "again", Size.of(10_000), seed=1)
    assert hashes(tmp_path / "again") == hashes(ten_thousand)
    # A larger one is stored as Parquet, row for row.
    monkeypatch.setattr("synthetic.collection.LARGEST_SEED", 50)
    write_collection(tmp_path / "large", Size.of(10_000), seed=1)
    seed, parquet = ten_thousand / "wdd/raw_results.csv", tmp_path / "large/wdd/raw_results.parquet"
    only = "select count(*) from (from {} except all select columns(*)::varchar from {})"
    tables = f"read_csv('{seed}', all_varchar = true)", f"read_parquet('{parquet}')"
    for one, other in (tables, reversed(tables)):
        assert duckdb.execute(only.format(one, other)).fetchall() == [(0,)]


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda contender: contender.name)
def test_a_contender_agrees_with_what_dbt_built(contender: Contender, built: Path, tmp_path: Path) -> None:
    if not PYTHON.exists():
        pytest.skip("`make .venv-benchmark/benchmark.lock` installs what the contenders need")
    stored = tmp_path / "stored.duckdb"
    given = write_race(built / "build.duckdb", built / "dbt", tmp_path)
    command: list[str | Path] = [PYTHON, "-m", "contenders", contender.name, given, stored, "--checked"]
    told = json.loads(run_alone(command, contender.name, {"PYTHONPATH": BENCHMARKS}))
    assert told["seconds"] > 0
    assert 10_000_000 < told["peak_bytes"] < 400_000_000
    check_agreement(built / "build.duckdb", stored, contender)


@pytest.mark.parametrize(
    ("spoiled", "differing"),
    [
        ("update stored.ratings set rating_after = rating_after + 2e-9 where update_number = 5", 1),
        ("update stored.ratings set rating_before = null where update_number < 3", 2),
        ("delete from stored.ratings where update_number = 7", 1),
        ("update stored.ratings set rating_after = rating_after + 1e-12", 0),
    ],
)
def test_a_contender_that_does_not_agree_is_refused(spoiled: str, differing: int, built: Path, tmp_path: Path) -> None:
    contender = next(contender for contender in CONTENDERS if contender.name == "loop")
    stored = tmp_path / "stored.duckdb"
    with duckdb.connect() as connection:
        connection.execute(f"attach '{built / 'build.duckdb'}' as build (read_only)")
        connection.execute(f"attach '{stored}' as stored")
        connection.execute("create table stored.ratings as from build.intermediate.int_rating_ledger")
        connection.execute(spoiled)
    if differing:
        with pytest.raises(UserError, match=f"found {differing} of .* rows that differ .* Nothing was timed"):
            check_agreement(built / "build.duckdb", stored, contender)
    else:
        check_agreement(built / "build.duckdb", stored, contender)
