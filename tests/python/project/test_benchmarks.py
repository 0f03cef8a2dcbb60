"""The benchmarks: what they make is always the same, they refuse what does not agree, and what they find gets into the page."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

import run_benchmarks
from dippouch.disk import hashes
from dippouch.errors import UserError
from dippouch.seeds.checks.check import check_seeds
from dippouch.settings import PROJECT
from measuring.ledger_race import CONTENDERS, ENVIRONMENT, Contender, LedgerRace, Place, check_agreement, write_race
from measuring.processes import BENCHMARKS, run_alone
from measuring.refresh_stages import STAGES, Refresh, Refreshes, Step
from measuring.targets import DOCUMENTS
from support.programs import run_here
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
    # A larger one is kept as Parquet, row for row.
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


def made_race(results: int, **seconds: float) -> LedgerRace:
    places = tuple(
        Place(contender, taken := seconds.get(contender.name, 1.0), 2 * 10**9, taken, taken) for contender in CONTENDERS
    )
    return LedgerRace(results, results // 8, 431, 5, places)


def made_refreshes(name: str, results: int | None, whole: float) -> Refreshes:
    stages = dict.fromkeys(STAGES, whole / len(STAGES))
    steps = (
        Step("test", "unique_pairs", whole / 3, 1 / 3),
        Step("model", "int_rating_updates", whole / 4, 0.25),
        Step("model", "rating_history", whole / 8, 0.125),
    )
    slow = Refresh(3 * whole, stages, whole / 2, 5 * 10**9, 10**9, steps)
    return Refreshes(name, results, (slow, Refresh(whole, stages, whole / 2, 10**9, 10**9, steps)))


def test_what_was_measured_is_written_into_its_parts_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = (PROJECT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    page = tmp_path / "benchmarks.md"
    page.write_text(original, encoding="utf-8")
    race = made_race(12_345, ledger=0.5, copied_history=2.0)
    refreshes = [made_refreshes(DOCUMENTS, None, 10), made_refreshes("1,000 results", 1_000, 11.5)]
    monkeypatch.setattr(run_benchmarks, "_race", lambda *given: [race])
    monkeypatch.setattr(run_benchmarks, "_refresh", lambda *given: refreshes)
    options = ("--sizes", "1000", "--write", page)
    assert run_here("run_benchmarks.py", *options, "--only", "ledger").returncode == 0
    written = page.read_text(encoding="utf-8")
    assert "| ledger | this SQL: `int_rating_ledger` | 0.50 | 0.50 - 0.50 | 0.25 | 1.00 | 2.00 GB |" in written
    assert "12,345 results of 1,543 players; the longest career has 431 events" in written
    assert written.partition("of refreshes")[2] == original.partition("of refreshes")[2]

    done = run_here("run_benchmarks.py", *options)
    assert done.returncode == 0, done.stderr
    assert "1,000 results" in done.stdout
    twice = page.read_text(encoding="utf-8")
    assert "| 1,000 results | 1.44 |" in twice
    assert "| `int_rating_updates` 25%, `rating_history` 12% | `unique_pairs` 33% |" in twice
    assert [line for line in twice.splitlines() if line.startswith(("#", "<!--")) and line[:4] != "### "] == [
        line for line in original.splitlines() if line.startswith(("#", "<!--")) and line[:4] != "### "
    ]
    for name in ("benchmarks_ledger.svg", "benchmarks_refresh.svg"):
        assert name in twice
        assert (tmp_path / name).read_text(encoding="utf-8").startswith("<svg")

    told = json.loads(run_here("run_benchmarks.py", "--sizes", "1000", "--json").stdout)
    assert (told["races"][0]["results"], told["refreshes"][1]["results"]) == (12_345, 1_000)
