"""The moves that a change of a collection would cause, from the exact rankings before and after it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from dippouch.db import literal
from dippouch.publishing.moves import Moves, find_moves
from dippouch.rating.systems import read_default_system
from dippouch.verification.collection import load_collection, make_table
from dippouch.verification.ledger import exact_history
from dippouch.verification.tables import EXPECTED, STANDINGS

_LINES = {"player_id": "varchar", "event_number": "integer", "tournament_id": "varchar", "rating_after": "double"}
_HISTORY = """
create table published.marts.rating_history as
select rating_system_id, player_id, event_number, rating_after, tournament_value, ended_on
from lines
inner join tournament_values using (tournament_id)
inner join tournaments using (tournament_id)
where rating_system_id = $system
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
    """Write a collection's international ranking to a database, in the form of the published table."""
    with duckdb.connect() as connection:
        connection.execute(f"attach {literal(database)} as published; create schema published.marts")
        exact = load_collection(connection, seeds)
        make_table(connection, "lines", _LINES, exact_history(connection, exact, system))
        connection.execute(_HISTORY, {"system": system})
        connection.execute(STANDINGS)
        ranking = "published.marts.international_ranking"
        connection.execute(f"create table {ranking} as {EXPECTED['international_ranking'][1]}")
