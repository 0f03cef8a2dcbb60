"""Warehouses that cannot be written: a message with a remedy, no traceback, and nothing is built."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from filelock import FileLock

from dippouch.publishing import refresh as refresh_module
from support.programs import run_here


@pytest.fixture
def warehouse(seeds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A path for a warehouse of the project's own seeds, set for refreshes in this process."""
    monkeypatch.setenv("DPTR_SEEDS", str(seeds))
    monkeypatch.setenv("DPTR_WAREHOUSE", str(tmp_path / "warehouse"))
    return tmp_path / "warehouse"


@pytest.fixture(autouse=True)
def _without_dbt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(refresh_module, "run_dbt_build")


def refuses(*said: str) -> None:
    done = run_here("refresh", "--top", "1")
    assert done.returncode == 1, done.stdout + done.stderr
    for words in said:
        assert words in done.stderr, done.stderr


@pytest.mark.parametrize("sign", ["?", "#", "\\"])
def test_a_path_that_dbt_cannot_read(warehouse: Path, monkeypatch: pytest.MonkeyPatch, sign: str) -> None:
    monkeypatch.setenv("DPTR_WAREHOUSE", f"{warehouse}{sign}/databases")
    refuses(f"error: {warehouse}{sign}/databases: found `{sign}`", "Set DPTR_WAREHOUSE to another one")
    assert not warehouse.with_name(f"warehouse{sign}").exists()


@pytest.mark.usefixtures("warehouse")
def test_a_warehouse_in_the_seeds(seeds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPTR_WAREHOUSE", str(seeds / "warehouse"))
    refuses(f"error: {seeds / 'warehouse'}: found a folder in the seeds; expected one outside of {seeds}")
    assert not (seeds / "warehouse").exists()


@pytest.mark.parametrize("name", ["", ".building"])
def test_a_file_where_a_folder_belongs(warehouse: Path, name: str) -> None:
    (warehouse / name).parent.mkdir(exist_ok=True)
    (warehouse / name).write_text("a file", encoding="utf-8")
    refuses(f"error: {warehouse / name}: found a file; expected a folder, or nothing. Move it away")


@pytest.mark.parametrize("what", [(Path, "mkdir"), (FileLock, "_acquire")], ids=["folder", "lock"])
def test_a_warehouse_that_may_not_be_written(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch, what: tuple[object, str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), "warehouse")

    monkeypatch.setattr(*what, refuse)
    refuses(f"error: {warehouse}: could not be used (", "Read-only file system); expected a writable folder")
    refuses("; nothing was changed")
