"""Warehouses that cannot be written: a message with a remedy, no traceback, and the publication stays."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from dippouch.publishing import refresh as refresh_module
from support.programs import Done, run_here
from support.small_builds import writing_into


@pytest.fixture
def warehouse(seeds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A path for a warehouse of the project's own seeds, set for refreshes in this process."""
    monkeypatch.setenv("DPTR_SEEDS", str(seeds))
    monkeypatch.setenv("DPTR_WAREHOUSE", str(tmp_path / "warehouse"))
    return tmp_path / "warehouse"


@pytest.fixture
def published_there(warehouse: Path, published: Path, built: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A warehouse with a publication; refreshes copy an earlier build instead of running dbt."""

    def copy_build(seeds: Path, folder: Path, **_: object) -> None:
        assert seeds.exists()
        shutil.copyfile(built / "build.duckdb", folder / "build.duckdb")

    monkeypatch.setattr(refresh_module, "run_dbt_build", copy_build)
    warehouse.mkdir()
    shutil.copy(published, warehouse / "rankings.duckdb")
    return warehouse


def refreshed() -> Done:
    return run_here("refresh", "--top", "1")


def test_a_path_that_duckdb_cannot_write_to(warehouse: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPTR_WAREHOUSE", f"{warehouse}?/databases")
    refuses(f"error: {warehouse}?/databases: found `?`", "Set DPTR_WAREHOUSE to another one")
    assert not warehouse.with_name("warehouse?").exists()


def refuses(*said: str) -> None:
    done = refreshed()
    assert done.returncode == 1, done.stdout + done.stderr
    for words in said:
        assert words in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["", ".building", "rankings.duckdb"])
def test_a_file_where_a_folder_belongs_and_a_folder_where_a_file_does(warehouse: Path, name: str) -> None:
    path = warehouse / name
    path.parent.mkdir(exist_ok=True)
    if name in {"", "dbt", ".building"}:
        path.write_text("a file", encoding="utf-8")
        found = "found a file; expected a folder"
    else:
        (path / "further").mkdir(parents=True)
        found = "found a folder; expected a file, or nothing"
    refuses(f"error: {path}: {found}", ". Move it away")
    assert path.exists()


READ_ONLY = OSError(errno.EROFS, os.strerror(errno.EROFS), "warehouse")


@pytest.mark.parametrize("what", [(Path, "mkdir"), (FileLock, "_acquire")], ids=["folder", "lock"])
def test_a_warehouse_that_may_not_be_written(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch, what: tuple[object, str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise READ_ONLY

    monkeypatch.setattr(*what, refuse)
    refuses(f"error: {warehouse}: could not be used (", "Read-only file system); expected a writable folder")


def test_a_disk_that_is_full_gives_a_few_lines(warehouse: Path) -> None:
    # With files limited to a megabyte, dbt cannot even write its manifest.
    command = f"ulimit -f 2000; exec {sys.executable} -m dippouch refresh"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "error: the build failed: dbt stopped with an error\n  [Errno 27] File too large" in done.stderr
    assert done.stderr.splitlines()[-1].endswith("the last publication is untouched")
    assert "Traceback" not in done.stdout + done.stderr
    assert len((done.stdout + done.stderr).splitlines()) < 8
    assert not list(warehouse.glob(".building*"))


def test_a_program_that_writes_into_the_publication_is_named_before_anything_is_built(
    published_there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(refresh_module, "run_dbt_build")
    with writing_into(published_there / "rankings.duckdb") as writer:
        refuses(f"{published_there / 'rankings.duckdb'}: found it open for writing in ", f"(PID {writer.pid})")


def test_a_refusal_after_the_publication_does_not_say_that_nothing_changed(
    published_there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if target.name == "build.duckdb":
            raise READ_ONLY
        return rename(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    (published_there / "rankings.duckdb").unlink()
    refuses("The new rankings are published; only the build beside them is still the old one")
    assert (published_there / "rankings.duckdb").exists()
