"""Moves in the ranking: from the published database to the one that replaces it, or that a change of a collection would cause."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
from rich.console import Group, RenderableType

from dippouch.collection.memory import Collection
from dippouch.db import Row, published_default_system, query
from dippouch.errors import UserError
from dippouch.printable import counted
from dippouch.query import table_of

# A rank that moves only because another player's rating changed is not counted.
_MOVES = """
with moves as (
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
)
select
    count(*) filter (is_new) as entered,
    count(*) filter (is_gone) as "left",
    count(distance) as changed,
    list({player: player_id, rank: ranks, rating: ratings} order by distance desc, player_id) filter (distance > 0)[:10] as largest
from moves
"""

# The ranking of a rating system, and that of a collection in memory under its default one.
_PUBLISHED = "select player_id, rank, rating from marts.international_ranking where rating_system_id = ?"
_RANKING = """
select player_id, rank, rating
from int_current_ratings
where rating_system_id = {{ default_system() }} and rank is not null
order by player_id
"""


class Moves(NamedTuple):
    """Numbers of players who entered and left the ranking, number of changed ratings, and the largest changes, if any."""

    entered: int
    left: int
    changed: int
    largest: list[Row] | None


def find_moves(published: Path, build: Path) -> Moves | None:
    """Compare the published ranking with that of a build under its default rating system; return None if no rating differs."""
    system = published_default_system(build)
    try:
        before, after = (query(database, _PUBLISHED, [system]) for database in (published, build))
    except UserError:
        return None  # There was none, or another version wrote it.
    moves = _compare([tuple(row.values()) for row in before], [tuple(row.values()) for row in after])
    return moves if any(moves) else None


def foresee_moves(before: Collection, after: Collection) -> Moves:
    """Compare the international rankings of two states of a collection under its default rating system."""
    return _compare(before.query(_RANKING), after.query(_RANKING))


def moves_table(moves: Moves, heading: str = "who moved") -> RenderableType:
    """Return the moves for a terminal: the largest changes of rating, and the numbers of players who entered and left."""
    changed = counted(moves.changed, "rating", "ratings")
    counts = f"{changed} changed, {moves.entered:,} new in the ranking, {moves.left:,} gone"
    if not moves.largest:
        return counts
    return Group(table_of(moves.largest, {heading: "player", ">rank": "rank", ">rating": "rating"}), counts)


def _compare(before: Sequence[tuple[Any, ...]], after: Sequence[tuple[Any, ...]]) -> Moves:
    """Compare two rankings, each with an id, a rank and a rating in a row."""
    with duckdb.connect() as connection:
        for name, rows in (("before", before), ("after", after)):
            columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
            connection.execute(
                f"create temp table ranking_{name} as select unnest($1::varchar[]) as player_id,"
                " unnest($2::integer[]) as rank, unnest($3::double[]) as rating",
                columns,
            )
        (moves,) = connection.execute(_MOVES).fetchall()
    return Moves(*moves)
