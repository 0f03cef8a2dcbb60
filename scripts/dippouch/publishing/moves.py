"""Moves in the ranking: from the published database to the one that replaces it, or that a change of a collection would cause."""

from pathlib import Path

from rich.console import Group, RenderableType

from dippouch.collection.memory import Collection
from dippouch.console import table_of
from dippouch.db import DatabaseRow, query
from dippouch.messages import UserError, counted
from dippouch.query import find_system

# The numbers of players who entered and left, the number of changed ratings, and the largest changes, if any, between two rankings.
# A rank that moves only because another player's rating changed is not counted.
_MOVES = """
with old as (select unnest($before::struct(player_id varchar, rank integer, rating double)[], recursive := true)),
new as (select unnest($after::struct(player_id varchar, rank integer, rating double)[], recursive := true)),
moves as (
    select
        player_id,
        old.rank || ' -> ' || new.rank as ranks,
        format('{:.4f} -> {:.4f}', old.rating, new.rating) as ratings,
        abs(new.rating - old.rating) as distance,
        old.rating is null as is_new,
        new.rating is null as is_gone
    from old
    full join new using (player_id)
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
"""


def find_moves(published: Path, build: Path) -> DatabaseRow | None:
    """Compare the published ranking with that of a build under its default rating system; return None if no rating differs."""
    system = find_system(build, None)["rating_system_id"]
    try:
        before = query(published, _PUBLISHED, [system])
    except UserError:
        return None  # There was none, or another version wrote it.
    (moves,) = query(build, _MOVES, {"before": before, "after": query(build, _PUBLISHED, [system])})
    return moves if any(moves.values()) else None


def foresee_moves(before: Collection, after: Collection) -> DatabaseRow:
    """Compare the international rankings of two states of a collection under its default rating system."""
    (moves,) = after.rows(_MOVES, {"before": before.rows(_RANKING), "after": after.rows(_RANKING)})
    return moves


def moves_table(moves: DatabaseRow, heading: str = "who moved") -> RenderableType:
    """Return the moves for a terminal: the largest changes of rating, and the numbers of players who entered and left."""
    changed = counted(moves["changed"], "rating", "ratings")
    counts = f"{changed} changed, {moves['entered']:,} new in the ranking, {moves['left']:,} gone"
    if not moves["largest"]:
        return counts
    return Group(table_of(moves["largest"], {heading: "player", ">rank": "rank", ">rating": "rating"}), counts)
