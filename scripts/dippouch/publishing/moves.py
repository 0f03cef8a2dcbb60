"""Moves in the ranking: from the published database to the one that replaces it, or that a change of a collection would cause."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from rich.console import Group, RenderableType
from rich.markup import escape

import verify_ratings
from dippouch.console import plain_table
from dippouch.db import attach, literal
from dippouch.errors import UserError
from dippouch.printable import counted
from dippouch.rating.systems import read_default_system

# A rank that moves only because another player's rating changed is not counted.
_MOVES = """
    create temp table moves as
    select
        player_id,
        concat_ws(' ', coalesce(new.first_name, old.first_name), coalesce(new.last_name, old.last_name)) as name,
        old.rank as rank_before, new.rank as rank_after,
        old.rating as rating_before, new.rating as rating_after
    from (from before.marts.international_ranking where rating_system_id = $system) as old
    full join (from after.marts.international_ranking where rating_system_id = $system) as new using (player_id)
    where old.rating is distinct from new.rating
"""
_COUNTS = """
    select count(*) filter (rating_before is null), count(*) filter (rating_after is null), count(rating_before + rating_after)
    from moves
"""
_LARGEST = """
    select
        -- Namesakes have their ids.
        name || if(count(*) over (partition by name) > 1, ' (' || player_id || ')', ''),
        rank_before || ' -> ' || rank_after,
        format('{:.4f} -> {:.4f}', rating_before, rating_after)
    from moves
    where rating_before is not null and rating_after is not null
    order by abs(rating_after - rating_before) desc, rank_after, player_id
    limit 10
"""

# The international ranking of exact ratings, in the form of the published table.
_RANKING = """
create table foreseen.marts.international_ranking as
with standings as (
    select rating_system_id, player_id, arg_max(rating_after, event_number) as rating
    from events
    inner join ratings using (position)
    inner join tournament_values using (rating_system_id, tournament_id)
    where rating_system_id = $system
    group by rating_system_id, player_id
    having max(tournament_value) > 0
),

names as (
    select
        results.player_id,
        arg_max(first_name, ended_on) as first_name,
        arg_max(last_name, ended_on) as last_name
    from results
    inner join raw_results as stated
        on results.tournament_id = stated.tournament_id and results.listed_player_id = stated.player_id
    group by results.player_id
)

select *, rank() over (order by rating desc) as rank
from standings
inner join names using (player_id)
"""


@dataclass(frozen=True)
class Moves:
    """Numbers of players who entered and left the ranking, number of changed ratings, and the largest changes: name, ranks, ratings."""

    entered: int
    left: int
    changed: int
    largest: list[tuple[str, str, str]]


def find_moves(before: Path, after: Path, system: str) -> Moves:
    """Compare the international rankings of two published databases under one rating system.

    Raises:
        duckdb.Error: when a file has no such ranking, for instance because an older version wrote it.
    """
    with duckdb.connect() as connection:
        attach(connection, before, "before")
        attach(connection, after, "after")
        connection.execute(_MOVES, {"system": system})
        ((entered, left, changed),) = connection.execute(_COUNTS).fetchall()
        return Moves(entered, left, changed, connection.execute(_LARGEST).fetchall())


def foresee_moves(before: Path, after: Path) -> Moves:
    """Compare the international rankings of two collections under the default rating system of the first.

    Raises:
        UserError: when a seed cannot be read.
    """
    system = read_default_system(before)
    with TemporaryDirectory(prefix="dip-pouch-moves-") as folder:
        earlier, later = Path(folder, "before.duckdb"), Path(folder, "after.duckdb")
        make_ranking(before, earlier, system)
        make_ranking(after, later, system)
        return find_moves(earlier, later, system)


def make_ranking(seeds: Path, database: Path, system: str) -> None:
    """Write a collection's international ranking to a database, in the form of the published table.

    Raises:
        UserError: when a seed cannot be read.
    """
    with duckdb.connect() as connection:
        connection.execute(f"attach {literal(database)} as foreseen; create schema foreseen.marts")
        try:
            verify_ratings.recompute(connection, seeds)
        except (ArithmeticError, ValueError, duckdb.Error) as error:
            raise UserError(f"{seeds}: found {error}; expected seeds that pass the checks of `dptr refresh`") from None
        connection.execute(_RANKING, {"system": system})


def moves_table(moves: Moves, heading: str = "who moved") -> RenderableType:
    """Return the moves for a terminal: the largest changes of rating, and the numbers of players who entered and left."""
    changed, entered = counted(moves.changed, "rating", "ratings"), counted(moves.entered, "player", "players")
    counts = f"{changed} changed, {entered} new in the ranking, {moves.left:,} gone"
    if not moves.largest:
        return counts
    table = plain_table(heading, ">rank", ">rating")
    for cells in moves.largest:
        table.add_row(*map(escape, cells))
    return Group(table, counts)
