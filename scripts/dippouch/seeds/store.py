"""A collection while it is being changed: its rows in a temporary database on disk, not in memory.

Memory stays the same whether a collection has a thousand results or a million, and whatever one document changed can
be taken back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from dippouch.errors import UserError
from dippouch.ids import name_and_year_id, readable_id_or_empty
from dippouch.seeds.files import iterate_rows, write_csv
from dippouch.seeds.folder import Content, check_is_collection, is_new, locked, write_files
from dippouch.seeds.parquet import iterate_raw_rows, raw_files
from dippouch.seeds.schema import (
    CORRECTIONS,
    DECISION_TABLES,
    IMPORTED_TABLES,
    PLAYERS,
    PUBLISHED_RANKINGS,
    RAW_TABLES,
    RESULTS,
    TOURNAMENTS,
    Row,
    SeedTable,
)

_CACHE_KIB = 64 * 1024
_REMEMBERED_NAMES = 200_000
TABLES = (*IMPORTED_TABLES, *DECISION_TABLES)

Key = tuple[str, ...]


# Beside the seeds: names as ids, to find a tournament or a person again, however the name is spelt.
_LOOKUPS = f"""
    create table tournament_names (name_id text, tournament_id text, primary key (name_id, tournament_id)) without rowid;
    create table listings (
        name_id text, player_id text, source_player_id text, nation_code text,
        primary key (name_id, player_id, source_player_id, nation_code)
    ) without rowid;
    create index listings_by_source on listings (source_player_id, player_id);
    create index listings_by_player on listings (player_id);
    create index corrections_by_tournament on {CORRECTIONS.name} (tournament_id);
    create index results_by_player on {RESULTS.name} (player_id);
    create index tournaments_by_end on {TOURNAMENTS.name} (ended_on);
    create index tournaments_by_source on {TOURNAMENTS.name} (source_tournament_id);
"""
_NAME_ID = "readable_id(first_name || ' ' || last_name)"
# What the rows of a table add there.
_LOOKUP_ROWS = {
    TOURNAMENTS: f"tournament_names select name_and_year_id(name, ended_on), tournament_id from {TOURNAMENTS.name}",
    RESULTS: f"listings select {_NAME_ID}, player_id, source_player_id, nation_code from {RESULTS.name}",
    PUBLISHED_RANKINGS: (
        f"listings select {_NAME_ID}, player_id, source_player_id, nation_code from {PUBLISHED_RANKINGS.name}"
    ),
    PLAYERS: f"listings select {_NAME_ID}, player_id, '', nation_code from {PLAYERS.name}",
}


class Collection:
    """The tables of a collection, for looking up and changing rows; `write` makes the changes last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._changed: set[SeedTable] = set()
        # An empty name is a database of SQLite's own in a temporary file, which vanishes with the connection.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute(f"pragma cache_size = -{_CACHE_KIB}")
        self._database.create_function("readable_id", 1, _readable_id, deterministic=True)
        self._database.create_function("name_and_year_id", 2, _name_and_year_id, deterministic=True)
        for table in TABLES:
            columns = ", ".join(f"{column} text not null" for column in table.columns)
            self._database.execute(
                f"create table {table.name} ({columns}, primary key ({', '.join(table.key)})) without rowid"
            )
        self._database.executescript(_LOOKUPS)

    @classmethod
    @contextmanager
    def opened(cls, folder: Path) -> Iterator[Collection]:
        """A collection as its files state it; a folder that is missing or empty is a new one. The caller holds its lock.

        Raises:
            UserError: when a seed file cannot be read or holds a key twice.
        """
        collection = cls(folder)
        try:
            collection._database.execute("begin")
            if not is_new(folder):
                for table in TABLES:
                    collection._load(table)
            yield collection
        finally:
            collection._database.close()

    @classmethod
    @contextmanager
    def existing(cls, folder: Path) -> Iterator[Collection]:
        """Lock and open a collection that must be there.

        Raises:
            UserError: when it is not, somebody else holds it, or it cannot be read.
        """
        check_is_collection(folder)
        with locked(folder), cls.opened(folder) as collection:
            yield collection

    def query(self, sql: str, parameters: Sequence[str] | Mapping[str, str] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query on the seeds (tables bear their names), `listings` and `tournament_names`."""
        return self._database.execute(sql, parameters)

    def rows(self, table: SeedTable, rest: str = "", parameters: Sequence[str] = ()) -> Iterator[Row]:
        """The rows of a table that the rest of a query (`where ...`, `order by ...`) selects."""
        for cells in self.query(f"select {', '.join(table.columns)} from {table.name} {rest}", parameters):
            yield dict(zip(table.columns, cells, strict=True))

    def get(self, table: SeedTable, key: Key) -> Row | None:
        """The row with a key, or None."""
        return next(self.rows(table, f"where {_condition(table)}", key), None)

    def upsert(self, table: SeedTable, row: Row) -> None:
        """Add a row, or replace the one with its key."""
        self._changed.add(table)
        self._database.execute(f"replace into {table.name} values ({_places(table)})", _cells(table, row))
        if lookup := _LOOKUP_ROWS.get(table):
            key = [row[column] for column in table.key]
            self._database.execute(f"insert or ignore into {lookup} where {_condition(table)}", key)

    def remove(self, table: SeedTable, key: Key) -> None:
        """Remove the row with a key of a table of decisions, if there is one."""
        if self._database.execute(f"delete from {table.name} where {_condition(table)}", key).rowcount:
            self._changed.add(table)

    def all(self, table: SeedTable) -> Iterator[Row]:
        """Every row of a table in the order of its file. The table may not change meanwhile."""
        order = ", ".join(
            f"{column} = '', cast({column} as integer)"
            if table.types.get(column) == "integer"
            else f"{column} = '', {column}"
            for column in table.order
        )
        return self.rows(table, f"order by {order}")

    def count(self, table: SeedTable) -> int:
        """How many rows a table has."""
        ((count,),) = self.query(f"select count(*) from {table.name}")
        return int(count)

    def tournament(self, tournament_id: str) -> Row | None:
        """The tournament of an id, or None."""
        return self.get(TOURNAMENTS, (tournament_id,))

    def results_of(self, tournament_id: str) -> dict[str, Row]:
        """The results of a tournament by listed player id."""
        return {row["player_id"]: row for row in self.rows(RESULTS, "where tournament_id = ?", (tournament_id,))}

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Take back every change made inside when it ends with an exception."""
        changed = set(self._changed)
        self._database.execute("savepoint document")
        try:
            yield
        except BaseException:
            self._database.execute("rollback to document")
            self._changed = changed
            raise
        finally:
            self._database.execute("release document")

    def files(self) -> dict[str, Content]:
        """What to write, by path relative to the collection: every table that changed; all of a new collection."""
        files: dict[str, Content] = {}
        new = is_new(self.folder)
        for table in TABLES:
            if table in RAW_TABLES:
                if new or table in self._changed:
                    files |= raw_files(table, self.all(table), self.count(table))
            elif table in self._changed:
                files[table.path] = partial(write_csv, table, self.all(table))
        return files

    def write(self) -> None:
        """Make the changes last, all at once, if there are any. The caller holds the collection's lock.

        Raises:
            UserError: when the disk refuses; nothing is changed then.
        """
        if files := self.files():
            write_files(self.folder, files)

    def _load(self, table: SeedTable) -> None:
        path = self.folder / table.path
        rows = iterate_raw_rows(self.folder, table) if table in RAW_TABLES else iterate_rows(path, table.columns)
        try:
            self._database.executemany(
                f"insert into {table.name} values ({_places(table)})", (_cells(table, row) for row in rows)
            )
        except sqlite3.IntegrityError:
            raise UserError(f"{path}: found a row twice; expected {', '.join(table.key)} to be unique") from None
        if lookup := _LOOKUP_ROWS.get(table):
            self._database.execute(f"insert or ignore into {lookup}")


def _condition(table: SeedTable) -> str:
    return " and ".join(f"{column} = ?" for column in table.key)


def _places(table: SeedTable) -> str:
    return ", ".join("?" for _ in table.columns)


def _cells(table: SeedTable, row: Row) -> tuple[str, ...]:
    return tuple(row[column] for column in table.columns)


_readable_id = lru_cache(_REMEMBERED_NAMES)(readable_id_or_empty)


def _name_and_year_id(name: str, ended_on: str) -> str:
    try:
        return name_and_year_id(name, ended_on[:4])
    except ValueError:
        return ""
