"""Moves in the ranking: from the published database to the one that replaces it, or that a change of a collection would cause."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb
from rich.console import Group, RenderableType
from rich.markup import escape

from dippouch.collection.memory import Collection
from dippouch.console import plain_table
from dippouch.db import attach, published_default_system
from dippouch.printable import counted

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
from ranking_before as old
full join ranking_after as new using (player_id)
where coalesce(abs(new.rating - old.rating) > 1e-9, true)
"""

# The ranking of a collection in memory under its default rating system.
_RANKING = """
select player_id, rank, rating
from int_current_ratings
inner join stg_settings on rating_system_id = rating_system
where rank is not null
order by player_id
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
            system = published_default_system(build)
            for name, database in (("before", published), ("after", build)):
                attach(connection, database, f"database_{name}")
                connection.execute(
                    f"create temp table ranking_{name} as select player_id, rank, rating"
                    f" from database_{name}.marts.international_ranking where rating_system_id = ?",
                    [system],
                )
            moves = _compare(connection)
    except duckdb.Error:
        return None  # Another version wrote the published file.
    return moves if moves.entered or moves.left or moves.changed else None


def foresee_moves(before: Collection, after: Collection) -> Moves:
    """Compare the international rankings of two states of a collection under its default rating system."""
    with duckdb.connect() as connection:
        for name, collection in (("before", before), ("after", after)):
            columns = [list(column) for column in zip(*collection.query(_RANKING), strict=True)] or [[], [], []]
            connection.execute(
                f"create temp table ranking_{name} as select unnest($1::varchar[]) as player_id,"
                " unnest($2::integer[]) as rank, unnest($3::double[]) as rating",
                columns,
            )
        return _compare(connection)


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


def _compare(connection: duckdb.DuckDBPyConnection) -> Moves:
    """Compare the tables `ranking_before` and `ranking_after`."""
    connection.execute(_MOVES)
    counts = "select count(*) filter (is_new), count(*) filter (is_gone), count(distance) from moves"
    ((entered, left, changed),) = connection.execute(counts).fetchall()
    movers = "select player_id, ranks, ratings from moves where distance > 0 order by distance desc, player_id limit 10"
    return Moves(entered, left, changed, connection.execute(movers).fetchall())
