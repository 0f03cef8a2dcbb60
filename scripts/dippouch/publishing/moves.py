"""Who moved: the published ranking beside the one that takes its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb
from rich.markup import escape
from rich.table import Table

from dippouch.console import plain_table
from dippouch.db import attach

SHOWN_MOVES = 10


@dataclass(frozen=True)
class Move:
    """One player in both rankings or in one; rank and rating are None where the player is not ranked."""

    player_id: str
    name: str
    rank_before: int | None
    rank_after: int | None
    rating_before: float | None
    rating_after: float | None


@dataclass(frozen=True)
class Moves:
    """How many ratings are new, gone and changed, and the largest changes."""

    entered: int
    left: int
    changed: int
    largest: list[Move]


def find_moves(before: Path, after: Path, system: str, shown: int = SHOWN_MOVES) -> Moves:
    """Compare the international rankings of two published databases under one rating system.

    A rank that moves only because somebody else's rating did is not counted.

    Raises:
        duckdb.Error: when a file has no such ranking, for instance because an older version wrote it.
    """
    with duckdb.connect() as connection:
        for name, path in (("before", before), ("after", after)):
            attach(connection, path, f"published_{name}")
        connection.execute(
            """
            create temp table moves as
            select
                coalesce(new.player_id, old.player_id) as player_id,
                concat_ws(' ', coalesce(new.first_name, old.first_name), coalesce(new.last_name, old.last_name)) as name,
                old.rank as rank_before, new.rank as rank_after,
                old.rating as rating_before, new.rating as rating_after
            from (from published_before.marts.international_ranking where rating_system_id = $system) as old
            full join (from published_after.marts.international_ranking where rating_system_id = $system) as new
                on old.player_id = new.player_id
            where old.rating is distinct from new.rating
            """,
            {"system": system},
        )
        entered, left, changed = connection.execute(
            "select count(*) filter (where rating_before is null), count(*) filter (where rating_after is null),"
            " count(rating_before + rating_after) from moves"
        ).fetchone() or (0, 0, 0)
        largest = connection.execute(
            "from moves order by abs(rating_after - rating_before) desc nulls first, coalesce(rank_after, rank_before),"
            " player_id limit $shown",
            {"shown": shown},
        ).fetchall()
    return Moves(entered, left, changed, [Move(*row) for row in largest])


def moves_table(moves: Moves) -> Table:
    """The moves for a terminal: who is new or gone first, then the largest changes of rating."""
    caption = f"{moves.changed:,} ratings changed, {moves.entered:,} players new in the ranking, {moves.left:,} gone"
    table = plain_table("who moved", ">rank", ">rating", caption=caption)
    for move in moves.largest:
        table.add_row(
            escape(move.name),
            f"{move.rank_before or 'none'} -> {move.rank_after or 'none'}",
            f"{_fixed_point(move.rating_before)} -> {_fixed_point(move.rating_after)}",
        )
    return table


def _fixed_point(rating: float | None) -> str:
    return "none" if rating is None else f"{rating:.4f}"
