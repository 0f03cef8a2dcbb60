"""The replacement of a published file: readers are not disturbed, and no log of another program affects the new file."""

from __future__ import annotations

import os
import stat
import time
from functools import partial
from pathlib import Path

import pytest

from dippouch.messages import UserError
from dippouch.publishing.publication import publish
from support.changed_publications import rows
from support.reader_load import Heard, Readers
from support.small_builds import small_build, writing_into

EXPECTED = {"one": "ann", "two": "ben"}
LONGEST_SECONDS = 180


@pytest.fixture
def builds(tmp_path: Path) -> dict[str, Path]:
    """Two builds."""
    return {name: small_build(tmp_path / f"{name}.duckdb", player) for name, player in EXPECTED.items()}


@pytest.fixture
def target(tmp_path: Path, builds: dict[str, Path]) -> Path:
    """The published file of the second build."""
    (tmp_path / "warehouse").mkdir()
    publish(builds["two"], tmp_path / "warehouse" / "rankings.duckdb", print)
    return tmp_path / "warehouse" / "rankings.duckdb"


def names(target: Path) -> set[str]:
    return {path.name for path in target.parent.iterdir()}


def fresh(database: Path) -> str:
    """Query as readers should: open the file for each question."""
    ((player,),) = rows(database, "select player_id from marts.players")
    return str(player)


def test_whoever_opens_the_file_for_each_question_always_finds_a_whole_publication(
    target: Path, builds: dict[str, Path]
) -> None:
    heard: list[Heard] = []
    with Readers([partial(fresh, target)] * 2) as asking:
        ends = time.monotonic() + LONGEST_SECONDS
        while len(heard) < 50:
            assert time.monotonic() < ends, "readers get no answers"
            for build in builds.values():
                publish(build, target, print)
            heard += asking.heard()
    assert {(one.answer, one.fault) for one in heard} == {(player, "") for player in EXPECTED.values()}


def test_a_log_that_a_killed_program_left_does_not_meet_the_new_file(
    target: Path, builds: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with writing_into(target):
        pass
    scribbled = target.with_name("rankings.duckdb.wal").read_bytes()
    seen = []
    rename = Path.replace

    def replace(path: Path, to: Path) -> Path:
        seen.append(fresh(target))
        found = rename(path, to)
        seen.append(fresh(target))
        return found

    monkeypatch.setattr(Path, "replace", replace)
    stray = target.with_name("rankings.duckdb.wal.stray")
    assert publish(builds["one"], target, print) == [stray]
    # Readers find a whole file between all steps.
    assert seen == ["ben", "ben", "ben", "ann"]
    assert stray.read_bytes() == scribbled
    assert names(target) == {target.name, stray.name}


def test_a_program_that_writes_is_named_and_nothing_is_published(target: Path, builds: dict[str, Path]) -> None:
    before = target.read_bytes()
    with writing_into(target) as writer:
        with pytest.raises(UserError) as error:
            publish(builds["one"], target, print)
        assert f"{target}: cannot be read (" in str(error.value)
        assert f"(PID {writer.pid})" in str(error.value)
        assert target.read_bytes() == before
        assert names(target) == {"rankings.duckdb", "rankings.duckdb.wal"}
    publish(builds["one"], target, print)
    assert fresh(target) == "ann"


def test_a_failing_check_leaves_the_publication_untouched(target: Path, builds: dict[str, Path]) -> None:
    before = target.read_bytes()

    def refuse(candidate: Path) -> None:
        assert fresh(candidate) == "ann"
        raise UserError("a figure differs")

    with pytest.raises(UserError, match="a figure differs"):
        publish(builds["one"], target, refuse)
    assert target.read_bytes() == before
    assert names(target) == {target.name}


def test_what_is_published_is_read_only_and_for_those_who_may_read(target: Path, builds: dict[str, Path]) -> None:
    assert stat.S_IMODE(target.stat().st_mode) == 0o444
    # A damaged publication is replaced like any other.
    target.chmod(0o644)
    target.write_bytes(b"no database")
    mask = os.umask(0o077)
    try:
        publish(builds["one"], target, print)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o400
    assert fresh(target) == "ann"
