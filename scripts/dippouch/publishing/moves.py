"""Moves in the ranking: from the published database to the one that replaces it, or that a change of a collection would cause."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
from rich.console import Group, RenderableType
from rich.markup import escape

import verify_ratings
from dippouch.console import plain_table
from dippouch.db import attach
from dippouch.errors import UserError
from dippouch.printable import counted
from dippouch.rating.systems import published_default_system, read_settings
from dippouch.seeds.checks import load_macros

# A rank that moves only because another player's rating changed is not counted.
_MOVES = """
create temp table moves as
select
    player_id,
    old.rank || ' -> ' || new.rank as ranks,
    format('{:.4f} -> {:.4f}', old.rating, new.rating) as ratings,
    abs(new.rating - old.rating) as distance,
    old.rating is null as is_new,
    new.rating is null as is_gone
from before.marts.international_ranking as old
full join after.marts.international_ranking as new using (rating_system_id, player_id)
where rating_system_id = $system and coalesce(abs(new.rating - old.rating) > 1e-9, true)
"""

# An import foresees its moves without a build, so exact ratings are ranked here; a test compares them with the published ranks.
_RANKING = """
create table marts.international_ranking as
select
    rating_system_id, player_id, arg_max(rating_after, position) as rating,
    {rank} as rank
from (
    select rating_system_id, player_id, position, rating_after, tournament_value > 0 as is_ranked
    from events
    inner join ratings using (position)
    inner join tournament_values using (rating_system_id, tournament_id)

    union all

    select rating_system_id, player_id, 0 as position, cast(published_rating as double) as rating_after, true as is_ranked
    from openings
)
where rating_system_id = $system
group by rating_system_id, player_id
having bool_or(is_ranked)
"""


@dataclass(frozen=True)
class Moves:
    """Numbers of players who entered and left the ranking, number of changed ratings, and the largest changes: id, ranks, ratings."""

    entered: int
    left: int
    changed: int
    largest: list[tuple[str, str, str]]


def find_moves(published: Path, build: Path) -> Moves | None:
    """Compare the published ranking with that of a build under its default rating system; return None if no rating differs."""
    if not published.exists():
        return None
    try:
        with duckdb.connect() as connection:
            attach(connection, published, "before")
            attach(connection, build, "after")
            moves = _compare(connection, published_default_system(build))
    except duckdb.Error:
        return None  # Another version wrote the published file.
    return moves if moves.entered or moves.left or moves.changed else None


def foresee_moves(before: Path, after: Path) -> Moves:
    """Compare the international rankings of two collections under the default rating system of the first.

    Raises:
        UserError: when a seed cannot be read.
    """
    system = read_settings(before)["rating_system"]
    with duckdb.connect() as connection:
        for name, seeds in (("before", before), ("after", after)):
            make_ranking(connection, seeds, name, system)
        return _compare(connection, system)


def make_ranking(connection: duckdb.DuckDBPyConnection, seeds: Path, name: str, system: str) -> None:
    """Attach a database in memory with a collection's international ranking."""
    connection.execute(f"attach ':memory:' as {name}; create schema {name}.marts")
    with recomputing(seeds):
        verify_ratings.recompute(connection, seeds)
    connection.execute(f"use {name}")
    connection.execute(_RANKING.format(rank=load_macros().rank_by("rating")), {"system": system})


@contextmanager
def recomputing(seeds: Path) -> Iterator[None]:
    """Turn an error of the exact recomputation, which reads seeds without checks, into a `UserError`."""
    try:
        yield
    except (ArithmeticError, ValueError, duckdb.ConversionException, duckdb.InvalidInputException) as error:
        raise UserError(f"{seeds}: found {error}; expected seeds that pass the checks of `dptr refresh`") from None


def moves_table(moves: Moves, heading: str = "who moved") -> RenderableType:
    """Return the moves for a terminal: the largest changes of rating, and the numbers of players who entered and left."""
    changed = counted(moves.changed, "rating", "ratings")
    counts = f"{changed} changed, {moves.entered:,} new in the ranking, {moves.left:,} gone"
    if not moves.largest:
        return counts
    table = plain_table(heading, ">rank", ">rating")
    for cells in moves.largest:
        table.add_row(*map(escape, cells))
    return Group(table, counts)


def _compare(connection: duckdb.DuckDBPyConnection, system: str) -> Moves:
    """Compare the rankings of the attached databases `before` and `after`."""
    connection.execute(_MOVES, {"system": system})
    counts = "select count(*) filter (is_new), count(*) filter (is_gone), count(distance) from moves"
    ((entered, left, changed),) = connection.execute(counts).fetchall()
    movers = "select player_id, ranks, ratings from moves where distance > 0 order by distance desc, player_id limit 10"
    return Moves(entered, left, changed, connection.execute(movers).fetchall())
