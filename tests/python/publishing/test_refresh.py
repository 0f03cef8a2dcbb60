"""The main job from end to end, in a folder of its own: build, verify, publish; and what happens when a step fails."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import time
from pathlib import Path

import duckdb
import pytest

from dippouch.db import literal
from dippouch.settings import PROJECT
from support.programs import run_dbt, run_program, start_program


def fingerprint(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new collection with the stored documents, its warehouse beside it, refreshed once."""
    folder = tmp_path_factory.mktemp("collection")
    imported = run_program("import_results.py", "--seeds", folder / "seeds", PROJECT / "tests/fixtures/wdd_text")
    assert imported.returncode == 0, imported.stderr
    refreshed = refresh(folder)
    assert refreshed.returncode == 0, refreshed.stderr
    assert "rows agree with the exact recomputation." in refreshed.stdout
    assert "   1  Edi BIRSAN" in refreshed.stdout
    assert "58.8168" in refreshed.stdout
    return folder


def refresh(folder: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    places = {"DPTR_SEEDS": folder / "seeds", "DPTR_WAREHOUSE": folder / "warehouse"}
    return run_program("refresh_rankings.py", project=PROJECT, **places, **settings)


# Settings of dbt that somebody has for another project, and that would leave out every test.
OF_ANOTHER_PROJECT = {
    "DBT_EXCLUDE_RESOURCE_TYPES": "test unit_test",
    "DBT_ENGINE_EXCLUDE_RESOURCE_TYPES": "test unit_test",
    "DBT_PROFILES_DIR": "/nowhere",
    "DBT_PROJECT_DIR": "/nowhere",
    "DBT_TARGET": "production",
    "DBT_PROFILE": "another",
    "LC_ALL": "C",
}


def test_a_new_collection_has_its_own_warehouse(collection: Path) -> None:
    with duckdb.connect(str(collection / "warehouse" / "rankings.duckdb"), read_only=True) as connection:
        assert connection.execute("select count(*) from marts.tournament_results").fetchone() == (224,)
    assert not (collection / "warehouse" / "failed_build.duckdb").exists()
    assert (collection / "warehouse" / "rankings.duckdb").stat().st_mode & 0o777 == 0o444
    assert (collection / "warehouse" / "dbt" / "logs" / "output.log").exists()


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        # A fault that a dbt test finds.
        (
            "wdd/raw_results.csv",
            "world-dipcon-xxiii-2013,2,",
            "world-dipcon-xxiii-2013,3,",
            "ties leave room for the tied: After k players at placement p the next listed placement is at least p + k: ",
        ),
        # A fault that keeps a seed from loading, and that COPY would have rounded away.
        ("wdd/raw_results.csv", "world-dipcon-xxiii-2013,2,", "world-dipcon-xxiii-2013,2.6,", "found placement `2.6`"),
    ],
)
def test_a_failed_build_leaves_the_publication_untouched(
    collection: Path, tmp_path: Path, file: str, old: str, new: str, message: str
) -> None:
    shutil.copytree(collection, tmp_path / "copy")
    seed = tmp_path / "copy" / "seeds" / file
    seed.write_text(seed.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    seeds = fingerprint(tmp_path / "copy" / "seeds")
    database = tmp_path / "copy" / "warehouse" / "rankings.duckdb"
    before = database.read_bytes()

    done = refresh(tmp_path / "copy", **OF_ANOTHER_PROJECT)

    assert done.returncode == 1
    assert message in done.stderr
    assert f"{seed}:156" in done.stderr
    assert len(done.stderr.splitlines()) < 20
    assert "the last publication is untouched" in done.stderr
    assert "Traceback" not in done.stderr
    assert database.read_bytes() == before
    assert fingerprint(tmp_path / "copy" / "seeds") == seeds


def test_two_refreshes_at_once_both_end_well_and_the_same_seeds_give_the_same_bytes(
    collection: Path, tmp_path: Path
) -> None:
    shutil.copytree(collection / "seeds", tmp_path / "seeds")
    settings = {"DPTR_SEEDS": tmp_path / "seeds", "DPTR_WAREHOUSE": tmp_path / "warehouse"}
    refreshes = [start_program("refresh_rankings.py", **settings) for _ in range(2)]
    outputs = [process.communicate() for process in refreshes]
    assert [process.returncode for process in refreshes] == [0, 0], outputs
    assert any("Waiting for another refresh" in out for out, _ in outputs)

    before = exported(collection / "warehouse", tmp_path / "export_before")
    after = exported(tmp_path / "warehouse", tmp_path / "export_after")
    assert any(name.endswith("rating_history.csv") for name in before)
    assert before.keys() == after.keys()
    assert {name for name in before if name.endswith(".csv") and before[name] != after[name]} == set()


def exported(warehouse: Path, folder: Path) -> dict[str, str]:
    """The hash of every published table as CSV."""
    with duckdb.connect() as connection:
        connection.execute(f"attach {literal(warehouse / 'rankings.duckdb')} as published (read_only)")
        connection.execute(f"export database published to {literal(folder)} (format csv)")
    return fingerprint(folder)


def test_plain_dbt_build_works_and_never_writes_into_the_seeds(collection: Path, tmp_path: Path) -> None:
    # dbt writes the SQL of a seed to target/ joined with the path of the seed: an absolute path would be overwritten.
    folder = tmp_path / "it's here"
    shutil.copytree(collection / "seeds", folder)
    command = ("build", "--target-path", tmp_path / "target", "--log-path", tmp_path / "logs")
    done = run_dbt(*command, DPTR_SEEDS=folder, DPTR_WAREHOUSE=tmp_path, HOME="/nowhere")
    assert done.returncode == 0, done.stdout
    assert "WARN=0 ERROR=0 SKIP=0" in done.stdout
    assert fingerprint(folder) == fingerprint(collection / "seeds")


def test_a_refresh_that_was_killed_does_not_stand_in_the_way_of_the_next(collection: Path, tmp_path: Path) -> None:
    shutil.copytree(collection, tmp_path / "copy")
    database = tmp_path / "copy" / "warehouse" / "rankings.duckdb"
    before = database.read_bytes()
    killed = start_program(
        "refresh_rankings.py", DPTR_SEEDS=tmp_path / "copy" / "seeds", DPTR_WAREHOUSE=tmp_path / "copy" / "warehouse"
    )
    while not list((tmp_path / "copy" / "warehouse").glob(".building-*/build.duckdb")):
        assert killed.poll() is None
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    assert database.read_bytes() == before
    # The dbt that it had started may still be writing.
    done = refresh(tmp_path / "copy")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list((tmp_path / "copy" / "warehouse").glob(".building-*"))


def test_a_folder_without_seeds_gets_a_message(tmp_path: Path) -> None:
    done = refresh(tmp_path)
    assert done.returncode == 1
    assert "no collection of seeds here; scripts/import_results.py --seeds makes one" in done.stderr
