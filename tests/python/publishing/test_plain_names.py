"""The views with plain names: in the build database and in the published file, under whatever name that is attached."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from support.programs import run_dbt

# Marts whose rows are collections and systems themselves: their views have every row.
_OF_NO_SYSTEM = ("rating_systems", "settings")


@pytest.fixture(params=["build", "rankings"])
def reader(request: pytest.FixtureRequest, built: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection that has a database attached as `r`, and does not use it."""
    with duckdb.connect() as connection:
        connection.execute(f"attach '{built / request.param}.duckdb' as r (read_only)")
        yield connection


def test_every_mart_has_a_view_with_the_rows_of_the_default_system(reader: duckdb.DuckDBPyConnection) -> None:
    marts = reader.execute(
        "select table_name, bool_or(column_name = 'rating_system_id') from duckdb_columns()"
        " where database_name = 'r' and schema_name = 'marts' group by all order by all"
    ).fetchall()
    views = reader.execute(
        "select view_name from duckdb_views() where database_name = 'r' and schema_name = 'main' and not internal order by 1"
    ).fetchall()
    assert views == [(name,) for name, _ in marts]
    assert len(views) > 30
    for name, has_systems in marts:
        is_narrowed = has_systems and name not in _OF_NO_SYSTEM
        exclude, where = ("rating_system_id", "where rating_system_id = 'dptr'") if is_narrowed else ("", "")
        own = reader.execute(
            f"select * {f'exclude ({exclude})' if exclude else ''} from r.marts.{name} {where} order by all"
        )
        columns = [column[0] for column in own.description or ()]
        rows = own.fetchall()
        assert reader.execute(f"select {', '.join(columns)} from r.main.{name} order by all").fetchall() == rows, name
    assert reader.execute("select count(distinct player_id) from r.presentation.ranking_list").fetchone() == (213,)


def test_names_are_beside_ids(reader: duckdb.DuckDBPyConnection) -> None:
    views = reader.execute(
        "select table_name, list(column_name) from duckdb_columns()"
        " where database_name = 'r' and schema_name = 'main' and not internal group by all"
    ).fetchall()
    for name, columns in views:
        assert "player_name" in columns or "player_id" not in columns, name
        assert "nation_name" in columns or "nation_code" not in columns, name
        assert {"tournament_name", "name"} & {*columns} or "tournament_id" not in columns, name
    event = (
        "select player_name, tournament_name from r.rating_history where player_id = 'edi-birsan' and event_number = 1"
    )
    assert reader.execute(event).fetchone() == ("Edi BIRSAN", "World DipCon VI 1996")
    first = "select player_name, nation_name from r.international_ranking where rank = 1"
    assert reader.execute(first).fetchone() == ("Edi BIRSAN", "United States")


def test_views_their_columns_and_functions_have_comments(reader: duckdb.DuckDBPyConnection) -> None:
    for kind in ("tables", "views", "columns", "functions"):
        silent = reader.execute(
            f"select * from duckdb_{kind}() where database_name = 'r' and schema_name in ('main', 'marts') and not internal"
            " and coalesce(comment, '') = ''"
        )
        assert silent.fetchall() == [], kind
    comments = "select comment from duckdb_{}() where database_name = 'r' and schema_name = '{}' and {}"
    for kind, schema, where, words in [
        ("tables", "marts", "table_name = 'rating_history'", "every rating system: filter rating_system_id"),
        ("views", "main", "view_name = 'rating_history'", "only the default rating system"),
        ("columns", "main", "table_name = 'rating_history' and column_name = 'rating_after'", "not rounded"),
        ("columns", "main", "table_name = 'rating_history' and column_name = 'player_name'", "First name and last"),
        ("functions", "marts", "function_name = 'ranking_on'", "One row per player ranked at the end of a day"),
    ]:
        assert words in str(reader.execute(comments.format(kind, schema, where)).fetchone())
    assert "filter" not in str(
        reader.execute(comments.format("tables", "marts", "table_name = 'tournaments'")).fetchone()
    )


def test_a_partial_build_keeps_other_views_and_makes_none_that_lacks_a_mart(built: Path, tmp_path: Path) -> None:
    shutil.copyfile(built / "build.duckdb", tmp_path / "build.duckdb")
    with duckdb.connect(str(tmp_path / "build.duckdb")) as connection:
        for view in ("players", "circuits", "nations"):
            connection.execute(f"drop view {view}")
        connection.execute("drop table marts.nations")
    folders = ("--target-path", tmp_path / "target", "--log-path", tmp_path / "logs")
    done = run_dbt("run", "--select", "players", "circuits", *folders, DPTR_WAREHOUSE=tmp_path)
    assert done.returncode == 0, done.stdout
    with duckdb.connect(str(tmp_path / "build.duckdb"), read_only=True) as connection:
        views = {
            name for (name,) in connection.execute("select view_name from duckdb_views() where not internal").fetchall()
        }
    assert {"circuits", "rating_history"} <= views
    assert not {"players", "nations"} & views
