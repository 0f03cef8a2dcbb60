"""A collection while it is being changed: its rows in a temporary database on disk, not in memory.

Memory stays the same whether a collection has a thousand results or a million, and whatever one document changed can
be taken back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dippouch.collection.observed import iterate_observed, observed_files, write_csv
from dippouch.collection.seeds import (
    ALIASES,
    CORRECTIONS,
    DECISION_TABLES,
    IMPORTED_TABLES,
    OBSERVED_TABLES,
    PLAYERS,
    PUBLISHED_RANKINGS,
    RESULTS,
    TOURNAMENTS,
    Row,
    SeedTable,
    is_new,
    iterate_rows,
)
from dippouch.collection.storage import Content, write_files
from dippouch.errors import KeeperError
from dippouch.importing.names import readable_id

_CACHE_KIB = 64 * 1024
TABLES = (*IMPORTED_TABLES, *DECISION_TABLES)

Key = tuple[str, ...]


@dataclass(frozen=True)
class Listing:
    """One way in which a person is listed somewhere: under this id, with this source's id, of this nation ("": none)."""

    player_id: str
    source_player_id: str
    nation_code: str


class Collection:
    """The tables of a collection, for looking up and changing rows; `write` makes the changes last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._changed: set[SeedTable] = set()
        # An empty name is a database of SQLite's own in a temporary file, which vanishes with the connection.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute(f"pragma cache_size = -{_CACHE_KIB}")
        self._database.create_function("readable_id", 1, _slug_or_empty, deterministic=True)
        for table in TABLES:
            columns = ", ".join(f"{column} text not null" for column in table.columns)
            self._database.execute(
                f"create table {table.name} ({columns}, primary key ({', '.join(table.key)})) without rowid"
            )
        self._database.execute("create index corrections_by_tournament on corrections (tournament_id)")
        self._database.execute("create index results_by_player on results (player_id)")
        self._database.execute("create index tournaments_by_end on tournaments (ended_on)")
        self._database.execute("create index tournaments_by_source on tournaments (source_tournament_id)")
        self._database.execute(
            "create table tournament_names (name_id text, tournament_id text, primary key (name_id, tournament_id))"
            " without rowid"
        )
        self._database.execute(
            "create table listings (name_id text, player_id text, source_player_id text, nation_code text,"
            " primary key (name_id, player_id, source_player_id, nation_code)) without rowid"
        )
        self._database.execute("create index listings_by_source on listings (source_player_id, player_id)")
        self._database.execute("create index listings_by_player on listings (player_id)")

    @classmethod
    @contextmanager
    def opened(cls, folder: Path) -> Iterator[Collection]:
        """A collection as its files state it; a folder that is missing or empty is a new one. The caller holds its lock.

        Raises:
            KeeperError: when a seed file cannot be read or holds a key twice.
        """
        collection = cls(folder)
        try:
            collection._database.execute("begin")
            if not is_new(folder):
                for table in TABLES:
                    collection._load(table)
                collection._index_names()
            yield collection
        finally:
            collection._database.close()

    def get(self, table: SeedTable, key: Key) -> Row | None:
        """The row with a key, or None."""
        condition = " and ".join(f"{column} = ?" for column in table.key)
        return next(self._rows(table, f"where {condition}", key), None)

    def put(self, table: SeedTable, row: Row) -> None:
        """Add a row, or replace the one with its key."""
        self._changed.add(table)
        self._insert(table, row, "replace")
        if table is TOURNAMENTS:
            self._database.execute(
                "insert or ignore into tournament_names values (?, ?)", (tournament_name_id(row), row["tournament_id"])
            )
        elif table in (RESULTS, PUBLISHED_RANKINGS, PLAYERS):
            name_id = readable_id(f"{row['first_name']} {row['last_name']}")
            listing = (name_id, row["player_id"], row.get("source_player_id", ""), row["nation_code"])
            self._database.execute("insert or ignore into listings values (?, ?, ?, ?)", listing)

    def remove(self, table: SeedTable, key: Key) -> None:
        """Remove the row with a key of a table of decisions, if there is one."""
        condition = " and ".join(f"{column} = ?" for column in table.key)
        if self._database.execute(f"delete from {table.name} where {condition}", key).rowcount:
            self._changed.add(table)

    def all(self, table: SeedTable) -> Iterator[Row]:
        """Every row of a table in the order of its file. The table may not change meanwhile."""
        order = ", ".join(
            f"{column} = '', cast({column} as integer)"
            if table.types.get(column) == "integer"
            else f"{column} = '', {column}"
            for column in table.order
        )
        return self._rows(table, f"order by {order}")

    def count(self, table: SeedTable) -> int:
        """How many rows a table has."""
        return int(self._database.execute(f"select count(*) from {table.name}").fetchone()[0])

    def tournament(self, tournament_id: str) -> Row | None:
        """The tournament of an id, or None."""
        return self.get(TOURNAMENTS, (tournament_id,))

    def results_of(self, tournament_id: str) -> dict[str, Row]:
        """The results of a tournament by listed player id."""
        return {row["player_id"]: row for row in self._rows(RESULTS, "where tournament_id = ?", (tournament_id,))}

    def tournaments_of_source(self, source_tournament_id: str) -> list[Row]:
        """The tournaments that carry a source's id: none or one."""
        return list(self._rows(TOURNAMENTS, "where source_tournament_id = ?", (source_tournament_id,)))

    def tournaments_named(self, name_id: str) -> list[Row]:
        """The tournaments whose name and year make an id, in the order of their ids."""
        condition = "where tournament_id in (select tournament_id from tournament_names where name_id = ?) order by tournament_id"
        return list(self._rows(TOURNAMENTS, condition, (name_id,)))

    def tournaments_ended(self, ended_on: str) -> list[Row]:
        """The tournaments that ended on a day (YYYY-MM-DD), in the order of their ids."""
        return list(self._rows(TOURNAMENTS, "where ended_on = ? order by tournament_id", (ended_on,)))

    def listings_of_source(self, source_player_id: str) -> list[Listing]:
        """How a person with a source's id is listed."""
        return self._listings("source_player_id = ?", source_player_id)

    def listings_named(self, name_id: str) -> list[Listing]:
        """How people whose name makes an id are listed: under that id, or under another that is a namesake's."""
        return self._listings(
            "player_id in (select player_id from listings where name_id = ?) and player_id != ''", name_id
        )

    def is_player_id(self, player_id: str) -> bool:
        """Whether an id is anybody's already, before or after aliases."""
        found = self._database.execute(
            f"select 1 from listings where player_id = $id union all"
            f" select 1 from {ALIASES.name} where player_id = $id or listed_player_id = $id limit 1",
            {"id": player_id},
        )
        return found.fetchone() is not None

    def people(self) -> Iterator[tuple[str, str, str, str, str, int, str, str]]:
        """Everybody who is listed: id, first and last name, nations, ids of sources, tournaments, first and last year.

        The name is the one listed most; nations and ids are separated by spaces.
        """
        yield from self._database.execute(
            """
            with spellings as (
                select player_id, first_name, last_name, count(*) as times from results group by 1, 2, 3
                union all
                select player_id, first_name, last_name, 0 from published_rankings group by 1, 2, 3
            ),
            names as (
                select *, row_number() over (
                    partition by player_id order by times desc, last_name, first_name
                ) as preference
                from spellings
            ),
            evidence as (
                select
                    player_id,
                    group_concat(distinct nullif(nation_code, '')) as nations,
                    group_concat(distinct nullif(source_player_id, '')) as source_ids
                from listings group by player_id
            ),
            careers as (
                select
                    player_id, count(*) as tournaments,
                    substr(min(ended_on), 1, 4) as first_year, substr(max(ended_on), 1, 4) as last_year
                from results join tournaments using (tournament_id) group by player_id
            )
            select
                names.player_id, first_name, last_name,
                replace(coalesce(nations, ''), ',', ' '), replace(coalesce(source_ids, ''), ',', ' '),
                coalesce(tournaments, 0), coalesce(first_year, ''), coalesce(last_year, '')
            from names
            left join evidence on names.player_id = evidence.player_id
            left join careers on names.player_id = careers.player_id
            where preference = 1
            order by names.player_id
            """
        )

    def person(self, listed_id: str, tournament_id: str) -> str:
        """Who is listed under an id in a tournament, after aliases."""
        there = self.get(ALIASES, (listed_id, tournament_id)) or self.get(ALIASES, (listed_id, ""))
        return there["player_id"] if there else listed_id

    def shared_tournaments(self, one: str, other: str) -> list[str]:
        """The tournaments that have a result of each of two listed ids, or of whoever else is the same person."""
        found = self._database.execute(
            f"""
            with people as (
                select results.tournament_id, coalesce(there.player_id, everywhere.player_id, results.player_id) as person
                from results
                left join {ALIASES.name} as there
                    on results.player_id = there.listed_player_id and results.tournament_id = there.tournament_id
                left join {ALIASES.name} as everywhere
                    on results.player_id = everywhere.listed_player_id and everywhere.tournament_id = ''
                where results.player_id in (
                    select $one union select $other union
                    select listed_player_id from {ALIASES.name} where player_id in ($one, $other)
                )
            )
            select tournament_id from people where person = $one
            intersect
            select tournament_id from people where person = $other
            """,
            {"one": one, "other": other},
        )
        shared = [tournament_id for (tournament_id,) in found]
        return [tournament_id for tournament_id in shared if not {one, other} & self.withdrawn_results(tournament_id)]

    def are_beside_each_other(self, one: str, other: str) -> bool:
        """Whether one tournament or one published ranking lists two ids, so that they are two people."""
        found = self._database.execute(
            "select 1 from results as a join results as b using (tournament_id)"
            " where a.player_id = $one and b.player_id = $other"
            " union all"
            " select 1 from published_rankings as a join published_rankings as b using (ranking_name, last_update)"
            " where a.player_id = $one and b.player_id = $other limit 1",
            {"one": one, "other": other},
        )
        return found.fetchone() is not None

    def are_ranked_together(self, one: str, other: str) -> bool:
        """Whether one published ranking lists two people, under these ids or under others that are theirs."""
        found = self._database.execute(
            f"""
            with people as (
                select ranking_name, last_update, coalesce(everywhere.player_id, ranked.player_id) as person
                from published_rankings as ranked
                left join {ALIASES.name} as everywhere
                    on ranked.player_id = everywhere.listed_player_id and everywhere.tournament_id = ''
            )
            select 1 from people as a join people as b using (ranking_name, last_update)
            where a.person = $one and b.person = $other limit 1
            """,
            {"one": one, "other": other},
        )
        return found.fetchone() is not None

    def people_behind(self) -> dict[str, str]:
        """Who is behind the listed ids that are somebody else's everywhere."""
        return {row["listed_player_id"]: row["player_id"] for row in self.all(ALIASES) if not row["tournament_id"]}

    def corrections_of(self, tournament_id: str) -> Iterator[Row]:
        """The corrections of a tournament and its results, in the order in which they were decided."""
        return self._rows(
            CORRECTIONS, "where tournament_id = ? order by cast(correction_number as integer)", (tournament_id,)
        )

    def is_withdrawn(self, tournament_id: str) -> bool:
        """Whether the keeper withdrew a tournament, and has not restored it."""
        decisions = [row for row in self.corrections_of(tournament_id) if row["field"] == "withdrawn"]
        latest = [row["value"] for row in decisions if not row["player_id"]]
        return latest[-1:] == ["true"]

    def withdrawn_results(self, tournament_id: str) -> set[str]:
        """The listed players whose result in a tournament the keeper withdrew."""
        latest = {
            row["player_id"]: row["value"] for row in self.corrections_of(tournament_id) if row["field"] == "withdrawn"
        }
        return {player_id for player_id, value in latest.items() if player_id and value == "true"}

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
            if table in OBSERVED_TABLES:
                if new or table in self._changed:
                    files |= observed_files(table, self.all(table), self.count(table))
            elif table in self._changed:
                files[table.path] = partial(write_csv, table, self.all(table))
        return files

    def write(self) -> None:
        """Make the changes last, all at once, if there are any. The caller holds the collection's lock.

        Raises:
            KeeperError: when the disk refuses; nothing is changed then.
        """
        if files := self.files():
            write_files(self.folder, files)

    def _load(self, table: SeedTable) -> None:
        if table in OBSERVED_TABLES:
            path, rows = self.folder / table.path, iterate_observed(self.folder, table)
        else:
            path, rows = self.folder / table.path, iterate_rows(self.folder / table.path, table.columns)
        places = ", ".join("?" for _ in table.columns)
        try:
            self._database.executemany(
                f"insert into {table.name} values ({places})",
                (tuple(row[column] for column in table.columns) for row in rows),
            )
        except sqlite3.IntegrityError:
            raise KeeperError(f"{path}: found a row twice; expected {', '.join(table.key)} to be unique") from None

    def _index_names(self) -> None:
        for row in self._rows(TOURNAMENTS):
            self._database.execute(
                "insert or ignore into tournament_names values (?, ?)", (tournament_name_id(row), row["tournament_id"])
            )
        for table, source in ((RESULTS, "source_player_id"), (PUBLISHED_RANKINGS, "source_player_id"), (PLAYERS, "''")):
            self._database.execute(
                f"insert or ignore into listings select readable_id(first_name || ' ' || last_name), player_id, {source},"
                f" nation_code from (select distinct first_name, last_name, player_id, {source}, nation_code from {table.name})"
            )

    def _insert(self, table: SeedTable, row: Row, verb: str) -> None:
        places = ", ".join("?" for _ in table.columns)
        self._database.execute(
            f"{verb} into {table.name} values ({places})", tuple(row[column] for column in table.columns)
        )

    def _rows(self, table: SeedTable, rest: str = "", parameters: Key = ()) -> Iterator[Row]:
        cursor = self._database.execute(f"select {', '.join(table.columns)} from {table.name} {rest}", parameters)
        for cells in cursor:
            yield dict(zip(table.columns, cells, strict=True))

    def _listings(self, condition: str, value: str) -> list[Listing]:
        found = self._database.execute(
            f"select distinct player_id, source_player_id, nation_code from listings where {condition}"
            " order by player_id, source_player_id, nation_code",
            (value,),
        )
        return [Listing(*cells) for cells in found]


def tournament_name_id(row: Row) -> str:
    """The id that a tournament's name makes: the name, with the year of its end unless the name has it."""
    return name_and_year_id(row["name"], row["ended_on"][:4])


def name_and_year_id(name: str, year: str) -> str:
    """A readable id of a name and a year: `wac-6-2009` for `WAC 6` and `WAC 6 2009`.

    Raises:
        ValueError: when the name has no letter or digit.
    """
    made = readable_id(name)
    return made if year in made.split("-") else f"{made}-{year}"


def _slug_or_empty(text: str) -> str:
    try:
        return readable_id(text)
    except ValueError:
        return ""
