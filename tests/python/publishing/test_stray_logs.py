"""Another program writes into the published file: its log never affects a new publication, and readers can always read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from dippouch.errors import UserError
from dippouch.publishing.publication import publish
from support.small_builds import players, small_build, writing_into


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A published file with `first` in it; the next build has `second`."""
    (tmp_path / "warehouse").mkdir()
    target = tmp_path / "warehouse" / "rankings.duckdb"
    publish(small_build(tmp_path / "first.duckdb", "first"), target)
    small_build(tmp_path / "second.duckdb", "second")
    return target


@pytest.fixture
def second(tmp_path: Path, target: Path) -> Path:
    assert target.exists()
    return tmp_path / "second.duckdb"


def names(target: Path) -> set[str]:
    return {path.name for path in target.parent.iterdir()}


def test_a_log_that_a_killed_program_left_does_not_meet_the_new_file(target: Path, second: Path) -> None:
    with writing_into(target):
        pass
    log = target.with_name("rankings.duckdb.wal")
    scribbled = log.read_bytes()
    target.with_name("rankings.duckdb.wal.checkpoint").write_bytes(b"no log at all")
    moved = publish(second, target)
    assert players(target) == ["second"]
    assert target.with_name("rankings.duckdb.wal.stray") in moved
    assert target.with_name("rankings.duckdb.wal.stray").read_bytes() == scribbled
    assert names(target) == {"rankings.duckdb", "rankings.duckdb.wal.stray", "rankings.duckdb.wal.checkpoint.stray"}


def test_a_program_that_writes_is_named_and_nothing_is_published(target: Path, second: Path) -> None:
    before = target.read_bytes()
    with writing_into(target) as writer:
        with pytest.raises(UserError) as error:
            publish(second, target)
        assert f"{target}: found it open for writing in " in str(error.value)
        assert f"(PID {writer.pid})" in str(error.value)
        assert target.read_bytes() == before
        assert names(target) == {"rankings.duckdb", "rankings.duckdb.wal"}
    publish(second, target)
    assert players(target) == ["second"]


def test_readers_find_a_whole_file_between_all_steps(
    target: Path, second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with writing_into(target):
        pass
    seen = []
    rename = Path.replace

    def replace(path: Path, to: Path) -> Path:
        seen.extend(players(target))
        found = rename(path, to)
        seen.extend(players(target))
        return found

    monkeypatch.setattr(Path, "replace", replace)
    publish(second, target)
    assert seen == ["first", "first", "first", "second"]


def test_what_is_published_is_read_only_and_for_those_who_may_read(target: Path, second: Path) -> None:
    assert stat.S_IMODE(target.stat().st_mode) == 0o444
    # A damaged publication is replaced like any other.
    target.chmod(0o644)
    target.write_bytes(b"no database")
    mask = os.umask(0o077)
    try:
        publish(second, target)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o400
    assert players(target) == ["second"]
