"""The views with plain names, in the build database and in the published file, attached under any name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

# Marts of the collection or that compare systems: their views have every row.
_OF_NO_SYSTEM = ("rating_systems", "settings", "system_comparison")


@pytest.fixture(params=["build", "rankings"])
def reader(request: pytest.FixtureRequest, built: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with a database attached as `r`, which is not the current one."""
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
