"""What a bulk import writes: the rows of the seeds, made by SQL, and looked over by what is declared of them."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from dippouch.db import literal
from dippouch.documents import Source
from dippouch.errors import UserError
from dippouch.importing.rows import BY_TOURNAMENT, source_cells
from dippouch.seeds.checks.declared import DeclaredSeed
from dippouch.seeds.folder import Content
from dippouch.seeds.parquet import relation_files
from dippouch.seeds.schema import RESULTS, TOURNAMENTS, SeedTable

# The files have no ids of other sources.
_NOTHING = "cast(null as varchar)"


def make_seeds(connection: duckdb.DuckDBPyConnection, source: Source, declared: Mapping[str, DeclaredSeed]) -> None:
    """Make a view of the rows of each seed, under its name: of the events that have no refused row.

    Raises:
        UserError: when the rows break what models/seeds/ declares of them, which is a fault of this program.
    """
    said = {column: literal(cell) for column, cell in source_cells(source).items()}
    stated = {"source_tournament_id": _NOTHING, "source_last_update": "last_update"} | said
    columns = ", ".join(f"{stated.get(column, column)} as {column}" for column in TOURNAMENTS.columns)
    connection.execute("create table left_out as select distinct event from refused where event is not null")
    connection.execute(
        f"create view {TOURNAMENTS.name} as select {columns} from events anti join left_out on left_out.event = events.number"
    )
    stated = {"source_player_id": _NOTHING, "listed_by": literal(BY_TOURNAMENT), "nation_code": "listed.nation_code"}
    columns = ", ".join(f"{stated.get(column, column)} as {column}" for column in RESULTS.columns)
    connection.execute(
        f"create view {RESULTS.name} as select {columns}, listed.event as in_events, listed.person as in_people from listed anti join left_out using (event)"
        " join events on events.number = listed.event join people on people.number = listed.person"
        " join names on names.number = listed.name"
    )
    _look_over(connection, declared)


def seed_files(connection: duckdb.DuckDBPyConnection, tournaments: int, results: int) -> dict[str, Content]:
    """What to write for both seeds, by path relative to the collection, and how many rows each has."""
    return relation_files(TOURNAMENTS, connection, tournaments) | relation_files(
        # Events and people are numbered in the order of their ids, which is sorted in a fraction of the time.
        RESULTS,
        connection,
        results,
        order="in_events, placement nulls last, in_people",
    )


def _look_over(connection: duckdb.DuckDBPyConnection, declared: Mapping[str, DeclaredSeed]) -> None:
    """Check what is declared of whole columns: that they are filled, and that keys are unique."""
    for table in (TOURNAMENTS, RESULTS):
        seed = declared[table.name]
        faults = [
            f"count(*) filter (where coalesce({column}, '') = '')" for column in sorted(_texts(table, seed.required))
        ]
        ((*empty,),) = connection.execute(f"select {', '.join(faults)} from {table.name}").fetchall()
        key = {TOURNAMENTS.name: "tournament_id", RESULTS.name: "in_events, in_people"}[table.name]
        twice = connection.execute(f"select 1 from {table.name} group by {key} having count(*) > 1 limit 1").fetchall()
        if any(empty) or twice:
            raise UserError(f"{table.path}: the rows break what models/seeds/ declares of them; nothing was changed")


def _texts(table: SeedTable, columns: set[str]) -> set[str]:
    """Those of some columns that are text."""
    return columns - set(table.types)
