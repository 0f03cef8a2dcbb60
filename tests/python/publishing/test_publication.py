"""The content of the published file, and the moves from one to the next."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import duckdb

from dippouch.disk import fingerprint, hashes
from dippouch.publishing.build import code_version
from dippouch.publishing.moves import find_moves
from support.changed_publications import changed_publication, rows


def test_marts_views_and_functions_are_published_and_nothing_else(built: Path, published: Path) -> None:
    kinds = "select distinct table_schema, table_type from information_schema.tables order by all"
    assert rows(published, kinds) == [("main", "VIEW"), ("marts", "BASE TABLE"), ("presentation", "VIEW")]
    functions = "select function_name, parameters from duckdb_functions() where schema_name = 'marts' order by all"
    assert rows(published, functions) == rows(built / "build.duckdb", functions)
    never_null = "select table_name, column_name from duckdb_columns() where schema_name = 'marts' and not is_nullable order by all"
    assert rows(published, never_null) == rows(built / "build.duckdb", never_null) != []
    # Default arguments are published, too.
    assert rows(published, "select count(*) from marts.ranking_under()") == [(237,)]
    # The database may be attached under any name, if it is the current one.
    with duckdb.connect() as connection:
        connection.execute(f"attach '{published}' as rankings (read_only)")
        connection.execute("use rankings")
        assert connection.execute("select count(*) from marts.ranking_on('2013-12-31')").fetchone() == (213,)


def test_a_publication_says_what_it_was_made_of(published: Path, seeds: Path) -> None:
    # The facts depend neither on the time nor on the path of the seeds.
    assert rows(published, "from marts.publication") == [
        (
            *(fingerprint(hashes(seeds)), code_version(), 4, 237, 224),
            *("world-dipcon-xxiii-2013", "World DipCon XXIII 2013", date(2013, 8, 25)),
        )
    ]
    assert re.fullmatch(r"\d+\.\d+\.\d+\+[0-9a-f]{12}", code_version())


def test_the_storage_version_is_one_that_duckdb_1_4_opens(published: Path) -> None:
    # The main header: a checksum, `DUCK`, then the version; 67 means DuckDB 1.4.
    header = published.read_bytes()[:20]
    assert header[8:12] == b"DUCK"
    assert int.from_bytes(header[12:20], "little") == 67


# Marts of the collection or that compare systems: their views have every row.
OF_NO_SYSTEM = ("rating_systems", "settings")


def test_every_mart_has_a_view_with_the_rows_of_the_default_system(published: Path) -> None:
    has_system = "select table_name, bool_or(column_name = 'rating_system_id') from duckdb_columns()"
    marts = rows(published, f"{has_system} where schema_name = 'marts' group by all order by all")
    views = "select view_name from duckdb_views() where schema_name = 'main' and not internal order by 1"
    assert rows(published, views) == [(name,) for name, _ in marts]
    for name, has_systems in marts:
        is_narrowed = has_systems and name not in OF_NO_SYSTEM
        described = [column for column, *_ in rows(published, f"describe marts.{name}")]
        columns = ", ".join(column for column in described if not (is_narrowed and column == "rating_system_id"))
        where = "where rating_system_id = 'dptr'" if is_narrowed else ""
        own = rows(published, f"select {columns} from marts.{name} {where} order by all")
        assert rows(published, f"select {columns} from main.{name} order by all") == own, name


def test_moves_are_the_largest_changes_beside_counts_of_new_and_gone_players(published: Path, tmp_path: Path) -> None:
    change = "update marts.international_ranking set"
    changes = [
        f"{change} player_id = 'ada' where player_id = 'edi-birsan' and rating_system_id = 'dptr'",
        f"{change} rating = rating + 2, rank = 2 where player_id = 'toby-harris'",
        f"{change} rating = rating - 1 where player_id = 'leif-bergman'",
        # A change of rank alone is not a move.
        f"{change} rank = 9 where player_id = 'gwen-maggi'",
    ]
    after = changed_publication(published, tmp_path / "after.duckdb", *changes)
    largest = [
        {"player": "toby-harris", "rank": "5 -> 2", "rating": "51.6000 -> 53.6000"},
        {"player": "leif-bergman", "rank": "4 -> 4", "rating": "51.6591 -> 50.6591"},
    ]
    assert find_moves(published, after) == {"entered": 1, "left": 1, "changed": 2, "largest": largest}
    assert find_moves(published, published) is None
    # Changed ratings alone are moves, too.
    raised = f"{change} rating = rating + 1 where player_id = 'toby-harris'"
    moved = find_moves(published, changed_publication(published, tmp_path / "raised.duckdb", raised))
    largest = [{"player": "toby-harris", "rank": "5 -> 5", "rating": "51.6000 -> 52.6000"}]
    assert moved == {"entered": 0, "left": 0, "changed": 1, "largest": largest}
