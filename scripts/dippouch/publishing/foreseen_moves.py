"""The moves that a change of a collection would cause, from the exact rankings before and after it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

import verify_ratings
from dippouch.db import literal
from dippouch.errors import UserError
from dippouch.publishing.moves import Moves, find_moves
from dippouch.rating.systems import read_default_system

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
