"""Readers who query without a pause during publications; and detection of outdated or wrong answers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import duckdb
import pytest

from dippouch.publishing.publication import publish
from support.reader_load import Questions, publish_under
from support.small_builds import players, small_build

EXPECTED = {"players": {"one": "ann", "two": "ben"}}


@pytest.fixture
def builds(tmp_path: Path) -> dict[str, Path]:
    """Two builds; the second is published."""
    made = {"one": small_build(tmp_path / "one.duckdb", "ann"), "two": small_build(tmp_path / "two.duckdb", "ben")}
    publish(made["two"], tmp_path / "rankings.duckdb")
    return made


def fresh(database: Path) -> str:
    """Query as readers should: open the file for each question."""
    return ",".join(players(database))


_held: list[duckdb.DuckDBPyConnection] = []


def held_open(database: Path) -> str:
    """Query like a program that never closes the file."""
    if not _held:
        _held.append(duckdb.connect(str(database), read_only=True))
    return ",".join(player for (player,) in _held[0].execute("select player_id from marts.players").fetchall())


def test_whoever_opens_the_file_for_each_question_has_the_publication_of_the_moment(
    tmp_path: Path, builds: dict[str, Path]
) -> None:
    target = tmp_path / "rankings.duckdb"
    readers: list[Questions] = [{"players": partial(fresh, target)}] * 2
    result = publish_under(readers, builds, target, EXPECTED, times=4)
    assert result.faults == []
    assert result.answers["players"] >= 2 * 5
    assert fresh(target) == "ben"


def test_an_old_answer_is_found(tmp_path: Path, builds: dict[str, Path]) -> None:
    target = tmp_path / "rankings.duckdb"
    result = publish_under([{"players": partial(held_open, target)}], builds, target, EXPECTED, times=1)
    assert any("the answer of two, which had been replaced" in found for found in result.faults), result.faults
