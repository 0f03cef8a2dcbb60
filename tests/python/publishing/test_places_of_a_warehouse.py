"""Warehouses that cannot be written: a message with a remedy, no traceback, and nothing is built."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from filelock import FileLock

from dippouch.publishing import refresh as refresh_module
from support.programs import run_here
from support.seed_rows import contents

# A place for the warehouse, a file of somebody else, and the message; T is the folder of the seeds.
UNUSABLE = [
    ("T/what?/databases", "", "T/what?/databases: found `?`"),
    ("T/what#/databases", "", "T/what#/databases: found `#`"),
    ("T/what\\/databases", "", "T/what\\/databases: found `\\`"),
    ("T/seeds/warehouse", "", "T/seeds/warehouse: found a folder in the seeds; expected one outside of T/seeds"),
    ("T/warehouse", "warehouse", "T/warehouse: found a file; expected a folder, or nothing. Move it away"),
    ("T/warehouse", "warehouse/.building", "T/warehouse/.building: found a file; expected a folder, or nothing"),
]


def refused(place: Path, seeds: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the message of a refresh into a warehouse, which does not reach dbt."""
    monkeypatch.delattr(refresh_module, "run_dbt_build")
    monkeypatch.setenv("DPTR_SEEDS", str(seeds))
    monkeypatch.setenv("DPTR_WAREHOUSE", str(place))
    done = run_here("refresh", "--top", "1")
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stderr


@pytest.mark.parametrize(("place", "file", "said"), UNUSABLE)
def test_an_unusable_place_is_named_and_stays_as_it_is(
    seeds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, file: str, said: str
) -> None:
    if file:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("a file", encoding="utf-8")
    before = contents(tmp_path)
    told = refused(Path(place.replace("T", str(tmp_path), 1)), seeds, monkeypatch)
    assert f"error: {said}".replace("T/", f"{tmp_path}/") in told
    assert contents(tmp_path).keys() <= {*before, "warehouse/.refresh.lock"}


@pytest.mark.parametrize("what", [(Path, "mkdir"), (FileLock, "_acquire")], ids=["folder", "lock"])
def test_a_warehouse_that_may_not_be_written(
    seeds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: tuple[object, str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), "warehouse")

    monkeypatch.setattr(*what, refuse)
    told = refused(tmp_path / "warehouse", seeds, monkeypatch)
    assert f"error: {tmp_path / 'warehouse'}: could not be used (" in told
    assert "Read-only file system); expected a writable folder" in told
    assert "; nothing was changed" in told
