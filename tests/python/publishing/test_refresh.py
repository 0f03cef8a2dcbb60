"""The whole refresh in a folder of its own: build, verify, publish, and failures of each step."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from filelock import FileLock

from dippouch.db import literal
from dippouch.disk import hashes
from dippouch.publishing.publication import publish
from dippouch.settings import PROJECT
from support.changed_publications import rows
from support.golden import edit_files
from support.programs import copy_of_the_project, run_dbt, run_program, start_program


@pytest.fixture
def collection(built: Path, tmp_path: Path) -> Path:
    """A copy of the project's seeds and, beside it, the warehouse of their publication; paths have special characters."""
    folder = tmp_path / "it's a[1]*"
    shutil.copytree(PROJECT / "seeds", folder / "seeds")
    (folder / "warehouse").mkdir()
    shutil.copy(built / "rankings.duckdb", folder / "warehouse")
    return folder


def start_refresh(folder: Path) -> subprocess.Popen[str]:
    return start_program("refresh", DPTR_SEEDS=folder / "seeds")


@pytest.mark.long
def test_other_printed_figures_are_a_warning_and_a_failed_build_leaves_the_publication_untouched(
    collection: Path,
) -> None:
    edits = "@ documents/raw_results.csv\n- ,99.33,\n+ ,99.34,\n@ reference/ref_settings.csv\n- ,dptr\n+ ,dptr-flat\n"
    edit_files(collection / "seeds", edits)
    seeds = hashes(collection / "seeds")
    database = collection / "warehouse" / "rankings.duckdb"

    done = run_program("refresh", DPTR_SEEDS=collection / "seeds")

    assert done.returncode == 0, done.stderr
    printed = re.findall(r"^  figure=.* printed=([\d.]+)", done.stdout, re.MULTILINE)
    assert printed == "99.34 9.43 14.86 20.00 20.00".split()
    before = database.read_bytes()
    done = run_program("refresh", DPTR_MEMORY="9MB", DPTR_SEEDS=collection / "seeds")

    assert done.returncode == 1
    for words in ("failed_build", "publication is untouched"):
        assert words in done.stderr
    assert len(done.stderr.splitlines()) < 20
    assert "Traceback" not in done.stderr
    assert database.read_bytes() == before
    assert hashes(collection / "seeds") == seeds
    assert (database.parent / "failed_build.duckdb").exists()


@pytest.mark.long
def test_after_a_killed_refresh_two_at_once_end_well_and_the_same_seeds_give_the_same_bytes(
    collection: Path, built: Path, tmp_path: Path
) -> None:
    database = collection / "warehouse" / "rankings.duckdb"
    before = database.read_bytes()
    killed = start_refresh(collection)
    while not list(database.parent.glob(".building/build.duckdb")):
        assert killed.poll() is None
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    assert database.read_bytes() == before

    # The dbt of the killed refresh still writes, and holds the warehouse until it ends.
    refreshes = [start_refresh(collection) for _ in range(2)]
    outputs = [process.communicate() for process in refreshes]
    assert [process.returncode for process in refreshes] == [0, 0], outputs
    assert all("Waiting for another refresh" in out for out, _ in outputs)
    # The second refresh reuses the project as parsed by the first.
    said = (database.parent / "dbt" / "logs" / "output.log").read_text(encoding="utf-8")
    assert "Completed successfully" in said
    assert "Starting full parse" not in said
    assert all(re.search(r"^ +1 +Edi BIRSAN .* 58\.8168 ", out, re.MULTILINE) for out, _ in outputs)
    assert [path.name for path in database.parent.glob(".building*")] == []
    assert not (database.parent / "failed_build.duckdb").exists()
    first, second = exported(built, tmp_path / "first"), exported(database.parent, tmp_path / "second")
    assert any(name.endswith("rating_history.csv") for name in first)
    assert first.keys() == second.keys()
    assert {name for name in first if name.endswith(".csv") and first[name] != second[name]} == set()


@pytest.mark.long
@pytest.mark.parametrize(
    ("stop", "number", "code"),
    [(os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, 143)],
    ids=["ctrl-c", "term"],
)
def test_a_signal_ends_a_refresh_and_its_dbt_with_a_sentence_and_leaves_nothing_behind(
    collection: Path, stop: Callable[[int, int], None], number: int, code: int
) -> None:
    # In a shell's background, programs would inherit that SIGINT is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    warehouse = collection / "warehouse"
    before = hashes(warehouse)
    for name in ("dbt/logs", ".building/build.duckdb", ".building/candidate.duckdb"):
        process = start_refresh(collection)
        while not (warehouse / name).exists():
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        stop(process.pid, number)
        _, said = process.communicate()
        assert (process.returncode, said) == (code, "stopped; nothing was changed\n")
        assert hashes(warehouse)["rankings.duckdb"] == before["rankings.duckdb"]
        assert {path.name for path in warehouse.iterdir()} == {"rankings.duckdb", ".refresh.lock", "dbt"}
        # A dbt would hold it.
        with FileLock(warehouse / ".refresh.lock", timeout=0):
            pass


def exported(warehouse: Path, folder: Path) -> dict[str, str]:
    """Return the hash of every published table as CSV."""
    with duckdb.connect() as connection:
        connection.execute(f"attach {literal(warehouse / 'rankings.duckdb')} as published (read_only)")
        connection.execute(f"export database published to {literal(folder)} (format csv)")
    return hashes(folder)


def test_plain_dbt_build_runs_unit_tests_and_private_models_and_never_writes_into_the_seeds(
    collection: Path, tmp_path: Path
) -> None:
    project = copy_of_the_project(tmp_path / "project")
    recipe = (PROJECT / "docs" / "recipes.md").read_text(encoding="utf-8")
    own = project / "models" / "own" / "wins_by_decade.sql"
    own.parent.mkdir(exist_ok=True)
    own.write_text(recipe.split("wins_by_decade.sql`:\n\n   ```sql\n")[1].split("```")[0], encoding="utf-8")
    in_python = 'def model(dbt, session):\n    return dbt.ref("wins_by_decade").aggregate("sum(wins) as wins")\n'
    own.with_name("all_wins.py").write_text(in_python, encoding="utf-8")
    # dbt writes the SQL of a seed to target/ joined with the seed's path; for an absolute path, it would overwrite the seed.
    folder = tmp_path / "it's here"
    shutil.copytree(collection / "seeds", folder)
    # Every refresh runs the data tests.
    command = ("build", "--exclude-resource-type", "test")
    folders = ("--target-path", tmp_path / "target", "--log-path", tmp_path / "logs")
    warehouse = tmp_path / "warehouse"
    warehouse.mkdir()
    done = run_dbt(*command, *folders, project=project, DPTR_SEEDS=f"{folder}/", HOME="/nowhere")
    assert done.returncode == 0, done.stdout
    assert "WARN=0 ERROR=0 SKIP=0" in done.stdout
    assert hashes(folder) == hashes(collection / "seeds")
    results = json.loads((tmp_path / "target" / "run_results.json").read_text(encoding="utf-8"))["results"]
    rules = json.loads((tmp_path / "target" / "manifest.json").read_text(encoding="utf-8"))["unit_tests"].keys()
    # A refresh leaves unit tests out: they have rows of their own.
    assert rules
    assert rules <= {result["unique_id"] for result in results if result["status"] == "pass"}
    build, published = (warehouse / name for name in ("build.duckdb", "rankings.duckdb"))
    # Without a refresh, the build lacks the hashes of seeds and code.
    assert rows(build, "select seeds_sha256, code_version from marts.publication") == [(None, None)]
    # A private model needs only its query, and is not published.
    wins = "select wins from own.all_wins"
    assert rows(build, wins) == [(3,)]
    publish(build, published, print)
    with pytest.raises(duckdb.CatalogException):
        rows(published, wins)
