"""A bulk collection is kept as Parquet, and its marts are the same row for row."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from dippouch.collection import observed
from dippouch.collection.seeds import RESULTS, TOURNAMENTS, read_rows
from dippouch.collection.working import Collection
from dippouch.importing.importer import Outcome, import_documents
from dippouch.importing.journal import Journal
from dippouch.importing.reading import group_inputs
from dippouch.inventing.collection import Size, write_invented
from dippouch.settings import PROJECT

SIZE = Size(tournaments=60, players=300, results=1_200, longest_career=40)


def take_in(documents: Path, folder: Path) -> Outcome:
    outcome = import_documents(group_inputs([documents]), folder, journal=Journal(every_row=False))
    assert outcome.rejections == []
    return outcome


@pytest.fixture
def both_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """One invented collection as seeds, and the same in the landing form."""
    written = write_invented(tmp_path / "invented", SIZE, seed=7)
    as_seeds, as_landing = tmp_path / "small" / "seeds", tmp_path / "large" / "seeds"
    take_in(tmp_path / "invented", as_seeds)
    assert not (as_seeds / "landing").exists()
    monkeypatch.setattr(observed, "LANDING_ROWS", 50)
    take_in(tmp_path / "invented", as_landing)
    assert [read_rows(as_landing / table.path) for table in (RESULTS, TOURNAMENTS)] == [[], []]
    assert len(list(observed.iterate_observed(as_landing, RESULTS))) == written
    return as_seeds, as_landing


def marts(seeds: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every mart of a collection."""
    warehouse = seeds.parent
    command = [Path(sys.executable).with_name("dbt"), "--quiet", "build"]
    command += ["--exclude-resource-type", "test", "unit_test", "--target-path", warehouse / "dbt"]
    command += ["--log-path", warehouse / "logs"]
    environment = os.environ | {"DPTR_SEEDS": str(seeds), "DPTR_WAREHOUSE": str(warehouse)}
    subprocess.run([str(part) for part in command], cwd=PROJECT, env=environment, check=True, capture_output=True)
    with duckdb.connect(str(warehouse / "build.duckdb"), read_only=True) as connection:
        tables = connection.execute("select table_name from duckdb_tables() where schema_name = 'marts'").fetchall()
        return {name: connection.execute(f"from marts.{name} order by all").fetchall() for (name,) in sorted(tables)}


def rounded(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Rows whose doubles may differ in the last digit: a mean depends on the order in which it is summed."""
    return [tuple(round(cell, 9) if isinstance(cell, float) else cell for cell in row) for row in rows]


def test_the_marts_are_the_same_in_both_forms(both_forms: tuple[Path, Path]) -> None:
    as_seeds, as_landing = (marts(folder) for folder in both_forms)
    assert as_seeds.keys() == as_landing.keys()
    assert len(as_seeds["rating_history"]) > 1_000
    assert as_seeds["rating_history"] == as_landing["rating_history"]
    for name, rows in as_seeds.items():
        assert rounded(rows) == rounded(as_landing[name]), name


def test_a_large_collection_goes_on_as_a_small_one(both_forms: tuple[Path, Path], tmp_path: Path) -> None:
    _, folder = both_forms
    again = take_in(tmp_path / "invented", folder)
    assert (again.documents["unchanged"], again.written) == (SIZE.tournaments, False)
    with Collection.opened(folder) as collection:
        before = list(collection.all(RESULTS))
    take_in(PROJECT / "tests" / "fixtures" / "wdd_text" / "wac-6-2009.txt", folder)
    with Collection.opened(folder) as collection:
        after = list(collection.all(RESULTS))
    assert [row for row in after if row["tournament_id"] != "wac-6-2009"] == before
    assert len(after) == len(before) + 43


def test_a_table_that_fits_into_a_seed_again_becomes_one(
    both_forms: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    as_seeds, as_landing = both_forms
    monkeypatch.setattr(observed, "LANDING_ROWS", 100_000)
    page = PROJECT / "tests" / "fixtures" / "wdd_text" / "wac-6-2009.txt"
    for folder in (as_seeds, as_landing):
        take_in(page, folder)
    for table in (RESULTS, TOURNAMENTS):
        assert not (as_landing / table.landing_path).exists()
        assert (as_landing / table.path).read_bytes() == (as_seeds / table.path).read_bytes()


def test_what_does_not_change_is_linked_and_not_copied(both_forms: tuple[Path, Path]) -> None:
    _, folder = both_forms
    landing = folder / RESULTS.landing_path
    kept = landing.with_name("kept")
    kept.hardlink_to(landing)
    ranking = PROJECT / "tests" / "fixtures" / "wdd_text" / "international-ranking-2017-08-06.txt"
    take_in(ranking, folder)
    assert landing.samefile(folder / "landing" / "kept")
    shutil.rmtree(folder)
