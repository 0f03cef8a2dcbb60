"""The benchmarks generate the same data every time, and refuse contenders that disagree."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dippouch.collection.memory import check_seeds
from dippouch.disk import hashes
from dippouch.messages import UserError
from ledger_race import CONTENDERS, PYTHON, check_agreement, run_contender, write_race
from synthetic.collection import write_collection
from synthetic.results import Size


def test_a_synthetic_collection_is_always_the_same_and_keeps_the_rules_of_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 9_000 < write_collection(tmp_path / "one", Size.of(10_000), seed=1) < 12_000
    check_seeds(tmp_path / "one")
    write_collection(tmp_path / "again", Size.of(10_000), seed=1)
    assert hashes(tmp_path / "again") == hashes(tmp_path / "one")
    # A larger one is stored as Parquet, row for row.
    monkeypatch.setattr("synthetic.collection.LARGEST_SEED", 50)
    write_collection(tmp_path / "large", Size.of(10_000), seed=1)
    seed, parquet = tmp_path / "one/documents/raw_results.csv", tmp_path / "large/documents/raw_results.parquet"
    only = "select count(*) from (from {} except all select columns(*)::varchar from {})"
    tables = f"read_csv('{seed}', all_varchar = true)", f"read_parquet('{parquet}')"
    for one, other in (tables, reversed(tables)):
        assert duckdb.execute(only.format(one, other)).fetchall() == [(0,)]


@pytest.mark.parametrize("contender", CONTENDERS)
def test_a_contender_agrees_with_what_dbt_built(contender: str, built: Path, tmp_path: Path) -> None:
    if not PYTHON.exists():
        pytest.skip("`make .venv-benchmark/benchmark.lock` installs what the contenders need")
    found = run_contender(contender, write_race(built / "build.duckdb", built / "dbt", tmp_path), tmp_path / "stored")
    assert found["cpu_seconds"] > 0
    check_agreement(built / "build.duckdb", tmp_path / "stored", contender)


def test_a_contender_that_does_not_agree_is_refused(built: Path, tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"attach '{built / 'build.duckdb'}' as build (read_only)")
        connection.execute(f"attach '{tmp_path / 'stored'}' as stored")
        connection.execute("create table stored.ratings as from build.intermediate.int_rating_ledger")
        connection.execute("update stored.ratings set rating_after = rating_after + 2e-9 where update_number = 5")
    with pytest.raises(UserError, match=r"found 1 of .* rows that differ .* Nothing was timed"):
        check_agreement(built / "build.duckdb", tmp_path / "stored", "loop")
