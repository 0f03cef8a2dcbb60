"""A collection during changes: its rows in a temporary database on disk, not in memory.

Memory use is the same for a thousand results and for a million, and the changes of one document can be taken back.

SQLite, because an import looks up and writes single rows: with 100,000 results it took 3 microseconds per lookup and 3 per write,
DuckDB 980 and 1,850. The rules about rows run in DuckDB, once per import.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from dippouch.errors import UserError
from dippouch.ids import name_and_year_id, readable_id_or_empty
from dippouch.seeds.checks import check_seeds
from dippouch.seeds.files import Content, canonical_cells, files_of, iterate_rows
from dippouch.seeds.folder import check_is_collection, is_new, locked, write_files
from dippouch.seeds.schema import (
    ALIASES,
    CORRECTIONS,
    DISTINCTIONS,
    IMPORTED_TABLES,
    NONE,
    PLAYERS,
    PUBLISHED_RANKINGS,
    RESULTS,
    SOURCE_IDS,
    TOURNAMENT_KINDS,
    TOURNAMENTS,
    Row,
    Seed,
    correctable,
)
from dippouch.settings import PROJECT, suggested_command

# SQLite's checks of cells that are compared as numbers or days. The rules of macros/checks are stricter.
_CHECKS = {"integer": "{0} not glob '*[^0-9]*'", "date": "{0} = '' or {0} is date({0})"}
_CACHE_KIB = 64 * 1024
_REMEMBERED_NAMES = 200_000
TABLES = (*IMPORTED_TABLES, CORRECTIONS, ALIASES, DISTINCTIONS, TOURNAMENT_KINDS)

Key = tuple[str, ...]

# Additional tables: names as ids, to find a tournament or a person whatever the spelling of the name.
_LOOKUPS = f"""
    create table tournament_names (name_id text, tournament_id text, primary key (name_id, tournament_id)) without rowid;
    create table listings (
        name_id text, player_id text, spelling text, nation_code text,
        primary key (name_id, player_id, spelling, nation_code)
    ) without rowid;
    create index listings_by_player on listings (player_id);
    create index source_ids_by_owner on {SOURCE_IDS.name} (kind, our_id);
    create index corrections_by_tournament on {CORRECTIONS.name} (tournament_id);
    create index results_by_placement on {RESULTS.name} (player_id, placement);
    create index tournaments_by_day on {TOURNAMENTS.name} (ended_on);
    create index tournaments_by_document on {TOURNAMENTS.name} (source_sha256);
"""


def _corrected_view(table: Seed, player_id: str) -> str:
    """Return a view of a table after corrections, with the additional column `withdrawn`."""

    def decided(column: str, stated: str) -> str:
        or_none = table.columns.get(column, {}).get("or_none")
        value = f"iif(decided.value = '{NONE}', '', decided.value)" if or_none else "decided.value"
        return (
            f"coalesce((select {value} from corrections_in_force as decided where decided.tournament_id ="
            f" stated.tournament_id and decided.player_id = {player_id} and decided.field = '{column}'), {stated}) as {column}"
        )

    facts = [decided(column, column) if column in correctable(table) else column for column in table.columns]
    columns = ", ".join([*facts, decided("withdrawn", "'false'")])
    return f"create view corrected_{table.name} as select {columns} from {table.name} as stated;"


_OWN = (
    f"not exists (select 1 from {ALIASES.name} as there"
    " where there.listed_player_id = listed.player_id and there.tournament_id = listed.tournament_id)"
)
# Of several decisions on one field the last applies; one without a value ends the earlier ones. The macro `is_in_force` has the
# same rule as a window function, which SQLite would compute anew for each corrected cell: reading a tournament takes 20 times longer.
_VIEWS = f"""
    create view corrections_in_force as
    select tournament_id, player_id, field, value from {CORRECTIONS.name} as decided
    where value != '' and not exists (
        select 1 from {CORRECTIONS.name} as later
        where later.tournament_id = decided.tournament_id and later.player_id = decided.player_id
            and later.field = decided.field
            and cast(later.correction_number as integer) > cast(decided.correction_number as integer)
    );
    {_corrected_view(TOURNAMENTS, "''")}
    {_corrected_view(RESULTS, "stated.player_id")}
    -- Aliases (an empty tournament: in all) with the person at the end of the chain, like the model int_player_aliases.
    create view persons as
    with recursive followed (listed_player_id, tournament_id, player_id) as (
        select listed_player_id, tournament_id, player_id from {ALIASES.name}
        union
        select followed.listed_player_id, followed.tournament_id, further.player_id
        from followed join {ALIASES.name} as further
            on followed.player_id = further.listed_player_id and further.tournament_id = ''
    )
    select * from followed where player_id not in (select listed_player_id from {ALIASES.name} where tournament_id = '');
    -- Results that no decision for their tournament gives to another person.
    create view own_{RESULTS.name} as select * from {RESULTS.name} as listed where {_OWN};
"""
_NAME = "trim(first_name || ' ' || last_name)"
_LISTING = f"listings select readable_id({_NAME}), player_id, {_NAME}, nation_code from"
# The only name of somebody whom a decision for one tournament made; anybody else keeps their own names.
_LISTING_THERE = (
    f"listings select readable_id({_NAME}), there.player_id, {_NAME}, nation_code"
    f" from {RESULTS.name} as listed join {ALIASES.name} as there"
    " on there.listed_player_id = listed.player_id and there.tournament_id = listed.tournament_id"
    " where there.player_id not in (select player_id from listings)"
)
_TOURNAMENT_NAME = "tournament_names select name_and_year_id(name, substr(ended_on, 1, 4)), tournament_id from"
_WITH_CORRECTIONS = f"where tournament_id in (select tournament_id from {CORRECTIONS.name})"
# The rows to add there for each table: as stated, and as corrected, because a document may use either.
_LOOKUP_ROWS = {
    TOURNAMENTS: (
        f"{_TOURNAMENT_NAME} {TOURNAMENTS.name} where true",
        f"{_TOURNAMENT_NAME} corrected_{TOURNAMENTS.name} {_WITH_CORRECTIONS}",
    ),
    RESULTS: (
        f"{_LISTING} {RESULTS.name} as listed where {_OWN}",
        f"{_LISTING} corrected_{RESULTS.name} as listed {_WITH_CORRECTIONS} and {_OWN}",
    ),
    PUBLISHED_RANKINGS: (f"{_LISTING} {PUBLISHED_RANKINGS.name} where true",),
    PLAYERS: (f"{_LISTING} {PLAYERS.name} where true",),
}


class Collection:
    """The tables of a collection, to look up and change rows; `write` saves the changes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._changed: set[Seed] = set()
        # An empty name makes SQLite use a temporary file, which disappears with the connection.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute(f"pragma cache_size = -{_CACHE_KIB}")
        readable_id = lru_cache(_REMEMBERED_NAMES)(readable_id_or_empty)
        self._database.create_function("readable_id", 1, readable_id, deterministic=True)
        self._database.create_function("name_and_year_id", 2, name_and_year_id, deterministic=True)
        for table in TABLES:
            columns = ", ".join(
                f"{column} text not null check ({_CHECKS.get(table.sql_type(column), 'true').format(column)})"
                for column in table.columns
            )
            self._database.execute(
                f"create table {table.name} ({columns}, primary key ({', '.join(table.key)})) without rowid"
            )
        self._database.executescript(_LOOKUPS + _VIEWS)

    @classmethod
    @contextmanager
    def opened(cls, folder: Path) -> Iterator[Collection]:
        """Open a collection from its files; a missing or empty folder is a new one. The caller holds its lock.

        Raises:
            UserError: when a seed file cannot be read or has a duplicate key, or there is no disk space for the rows.
        """
        collection = cls(folder)
        try:
            collection._database.execute("begin")
            for table in (TOURNAMENT_KINDS,) if is_new(folder) else TABLES:
                collection._load(table)
            # After all rows are there: a listing depends on decisions.
            for lookup in (*chain(*_LOOKUP_ROWS.values()), _LISTING_THERE):
                collection._database.execute(f"insert or ignore into {lookup}")
            yield collection
        except sqlite3.OperationalError as error:
            raise UserError(
                f"{folder}: the temporary database of its rows could not be written ({error}); nothing was changed. Put"
                " TMPDIR=FOLDER before the command to use a folder with more space"
            ) from None
        finally:
            collection._database.close()

    @classmethod
    @contextmanager
    def existing(cls, folder: Path, *, changes: bool = True) -> Iterator[Collection]:
        """Open an existing collection, and lock it for changes.

        Raises:
            UserError: when it does not exist, another program holds its lock, or it cannot be read.
        """
        check_is_collection(folder)
        with locked(folder) if changes else nullcontext(), cls.opened(folder) as collection:
            yield collection

    @property
    def reference(self) -> Path:
        """Return the folder of the reference seeds in use: the project's for a new collection."""
        return PROJECT / "seeds" if is_new(self.folder) else self.folder

    def query(self, sql: str, parameters: Sequence[str] | Mapping[str, str] = ()) -> Iterator[tuple[Any, ...]]:
        """Run a query on the seeds (tables have their names), the views and the tables of names."""
        return self._database.execute(sql, parameters)

    def rows(
        self, table: Seed, rest: str = "", parameters: Sequence[str] = (), *, corrected: bool = False
    ) -> Iterator[Row]:
        """Yield the rows of a table that the rest of a query (`where ...`, `order by ...`) selects.

        `corrected` gives tournaments or results after corrections, with the additional cell `withdrawn`.
        """
        columns = (*table.columns, "withdrawn") if corrected else tuple(table.columns)
        source = f"corrected_{table.name}" if corrected else table.name
        for cells in self.query(f"select {', '.join(columns)} from {source} {rest}", parameters):
            yield dict(zip(columns, cells, strict=True))

    def get(self, table: Seed, key: Key) -> Row | None:
        """Return the row with a key, or None."""
        return next(self.rows(table, f"where {_condition(table)}", key), None)

    def upsert(self, table: Seed, row: Row) -> None:
        """Add a row, or replace the one with its key."""
        self._changed.add(table)
        cells = canonical_cells(table, (row[column] for column in table.columns))
        self._database.execute(f"replace into {table.name} values ({', '.join('?' * len(table.columns))})", cells)
        for lookup in _LOOKUP_ROWS.get(table, ()):
            key = [row[column] for column in table.key]
            self._database.execute(f"insert or ignore into {lookup} and {_condition(table)}", key)
        if table is ALIASES:
            listed_id = [row["listed_player_id"]]
            self._database.execute("delete from listings where player_id = ?", listed_id)
            for lookup in chain(*(_LOOKUP_ROWS[listing] for listing in (RESULTS, PUBLISHED_RANKINGS, PLAYERS))):
                self._database.execute(f"insert or ignore into {lookup} and player_id = ?", listed_id)

    def remove(self, table: Seed, key: Key) -> None:
        """Remove the row with a key from a table of decisions."""
        self._changed.add(table)
        self._database.execute(f"delete from {table.name} where {_condition(table)}", key)

    def all(self, table: Seed) -> Iterator[Row]:
        """Yield every row of a table in the order of its file. The table must not change meanwhile."""
        types = {column: "integer" if table.sql_type(column) == "integer" else "text" for column in table.order}
        order = ", ".join(f"{column} = '', cast({column} as {type_name})" for column, type_name in types.items())
        return self.rows(table, f"order by {order}")

    def results_of(self, tournament_id: str, *, corrected: bool = False) -> dict[str, Row]:
        """Return the results of a tournament by listed player id; `corrected` as in `rows`."""
        rows = self.rows(RESULTS, "where tournament_id = ?", (tournament_id,), corrected=corrected)
        return {row["player_id"]: row for row in rows}

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Roll back every change made inside if it ends with an exception."""
        changed = set(self._changed)
        self._database.execute("savepoint document")
        try:
            yield
        except BaseException:
            # A full disk ends the whole transaction, including the savepoint.
            if self._database.in_transaction:
                self._database.execute("rollback to document")
            self._changed = changed
            raise
        finally:
            if self._database.in_transaction:
                self._database.execute("release document")

    def command(self, *words: str) -> str:
        """Return a command that records a decision, for a message; the reader fills in the reason."""
        return suggested_command(*words, "--reason", "...", seeds=self.folder)

    def files(self) -> dict[str, Content]:
        """Return the files to write, by path relative to the collection: every changed table."""
        files: dict[str, Content] = {}
        for table in self._changed:
            ((count,),) = self.query(f"select count(*) from {table.name}")
            files |= files_of(table, self.all(table), count)
        return files

    def write(self) -> None:
        """Save all changes at once, if there are any. The caller holds the collection's lock.

        Raises:
            UserError: when the disk refuses; then nothing is changed.
        """
        if (files := self.files()) or is_new(self.folder):
            write_files(self.folder, files)

    def _load(self, table: Seed) -> None:
        rows = iterate_rows(self.reference, table)
        try:
            self._database.executemany(f"insert into {table.name} values ({', '.join('?' * len(table.columns))})", rows)
        except sqlite3.IntegrityError:
            # A duplicate key, or a cell that is not a number or day: the check names the line.
            check_seeds(self.reference)
            raise


def _condition(table: Seed) -> str:
    return " and ".join(f"{column} = ?" for column in table.key)
