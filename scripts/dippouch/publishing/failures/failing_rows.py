"""The rows that a failed test finds, read again from the build that failed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from dippouch.db import attach
from dippouch.publishing.failures.artefacts import Node, Step

SHOWN_ROWS = 5
_SHOWN_COLUMNS = 7
# What dbt's own tests call the column that they test.
_RENAMED = frozenset({"unique_field", "from_field", "value_field"})
# Columns that say which row it is, shown first.
_IDENTITY = re.compile(r".+_(id|code|number|rank)|listed_name|year|kind|placement|ended_on")


@dataclass(frozen=True)
class FailingRows:
    """The first rows that a test found.

    Attributes:
        columns: the columns that tell what is wrong.
        rows: their cells, as text; an empty text for null.
        cells: every filled cell of each row, by column.
        people: the ids under which the person of each row is listed.
    """

    columns: list[str]
    rows: list[list[str]]
    cells: list[dict[str, str]]
    people: list[list[str]]


@contextmanager
def failed_build(build: Path) -> Iterator[duckdb.DuckDBPyConnection | None]:
    """A connection to a build that failed, under the name that its tests know; None when there is nothing to read."""
    with duckdb.connect() as connection:
        try:
            attach(connection, build, "build")
            connection.execute("use build")
        except duckdb.Error:
            yield None
            return
        yield connection


def read_failing_rows(connection: duckdb.DuckDBPyConnection, test: Step) -> FailingRows | None:
    """Run a failed data test again; None when it finds nothing now, or cannot run."""
    try:
        answer = connection.execute(f"select * from ({test.sql}\n) as failing order by all limit {SHOWN_ROWS}")
        columns = [str(column[0]) for column in answer.description or ()]
        found = answer.fetchall()
    except duckdb.Error:
        return None
    if not found:
        return None
    tested = test.node.get("column_name")
    columns = [tested if tested and name in _RENAMED else name for name in columns]
    texts = [["" if cell is None else str(cell) for cell in row] for row in found]
    cells = [{name: cell for name, cell in zip(columns, row, strict=True) if cell} for row in texts]
    shown = _telling(columns, cells, test.node)
    rows = [[row[columns.index(name)] for name in shown] for row in texts]
    return FailingRows(shown, rows, cells, [_listed_as(connection, row) for row in cells])


def _telling(columns: list[str], cells: Sequence[Mapping[str, str]], test: Node) -> list[str]:
    """The columns that tell what is wrong: those that the test names, after those that say which row it is."""
    if len(columns) <= _SHOWN_COLUMNS:
        return columns
    arguments = (test.get("test_metadata") or {}).get("kwargs", {})
    words = set(re.findall(r"\w+", str([arguments.get(name) for name in ("expression", "columns", "column_name")])))
    named = [column for column in columns if column in words]
    filled = [column for column in columns if any(column in row for row in cells)]
    identity = [column for column in filled if _IDENTITY.fullmatch(column) and column not in named]
    chosen = {*named, *identity[: max(_SHOWN_COLUMNS - len(named), 2)]}
    return [column for column in columns if column in chosen]


def _listed_as(connection: duckdb.DuckDBPyConnection, row: dict[str, str]) -> list[str]:
    """The ids under which documents list the person of a row."""
    if listed := row.get("listed_player_id"):
        return [listed]
    if not (player := row.get("player_id")):
        return []
    try:
        aliases = connection.execute(
            "select distinct listed_player_id from staging.stg_player_aliases where player_id = $player"
            " and (tournament_id is null or $tournament is null or tournament_id = $tournament) order by 1",
            {"player": player, "tournament": row.get("tournament_id")},
        ).fetchall()
    except duckdb.Error:
        return [player]
    return [player, *(alias for (alias,) in aliases)]
