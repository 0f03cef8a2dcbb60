"""Tables as CSV and Parquet, and the package that describes them."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import duckdb
from frictionless import validate

from dippouch.disk import hashes
from support.changed_publications import NOON, Write


def test_the_tables_hold_to_their_package(site: Path) -> None:
    report = validate(str(site / "data" / "datapackage.json"))
    assert report.valid, report.flatten(["title", "message"])
    assert report.stats["tasks"] == len(list((site / "data").glob("*.csv")))


def test_csv_parquet_and_database_have_the_same_rows(site: Path, publication: Path) -> None:
    with duckdb.connect(str(publication), read_only=True) as connection:
        tables = connection.execute("select table_name from duckdb_tables() order by 1").fetchall()
        assert {path.stem for path in (site / "data").glob("*.csv")} == {table for (table,) in tables}
        for (table,) in tables:
            files = {ending: site / "data" / f"{table}.{ending}" for ending in ("csv", "parquet")}
            of_table = f"from marts.{table}"
            types = dict(connection.execute(f"select column_name, column_type from (describe {of_table})").fetchall())
            for rows in (
                f"from read_parquet('{files['parquet']}')",
                f"from read_csv('{files['csv']}', header = true, columns = {types})",
            ):
                differing = (
                    f"select count(*) from (({rows} except all {of_table}) union all ({of_table} except all {rows}))"
                )
                assert connection.execute(differing).fetchone() == (0,), (table, rows)


def test_the_package_names_what_every_table_and_column_is(site: Path) -> None:
    package = json.loads((site / "data/datapackage.json").read_text(encoding="utf-8"))
    resources = {resource["name"]: resource for resource in package["resources"]}
    history = resources["rating_history"]
    assert history["description"].startswith("One row per rating system, player and event number")
    assert history["schema"]["primaryKey"] == ["rating_system_id", "player_id", "event_number"]
    types = {field["name"]: field["type"] for field in history["schema"]["fields"]}
    names = ("player_id", "event_number", "ended_on", "rating_after")
    assert [types[name] for name in names] == ["string", "integer", "date", "number"]
    # An alias for all tournaments has an empty tournament, and key columns cannot be empty.
    without = {name for name, resource in resources.items() if "primaryKey" not in resource["schema"]}
    assert "player_aliases" in without
    assert without <= {"player_aliases", "settings", "publication", "active_ranking"}
    assert all(field["type"] != "any" for resource in resources.values() for field in resource["schema"]["fields"])


def test_the_database_is_the_published_one(site: Path, publication: Path) -> None:
    assert (site / "data/rankings.duckdb").read_bytes() == publication.read_bytes()


def test_the_order_of_rows_in_the_database_and_the_time_make_no_difference_but_in_the_feed(
    site: Path, write: Write
) -> None:
    turned = write(
        "turned",
        *(
            statement
            for table in ("rating_jumps", "yearly_ranking", "tournament_results")
            for statement in (
                f"create temp table turned as from marts.{table} order by all desc",
                f"delete from marts.{table}",
                f"insert into marts.{table} from turned",
                "drop table turned",
            )
        ),
        published_at=NOON + timedelta(days=1),
    )
    before, after = hashes(site), hashes(turned)
    assert {name for name in before if before[name] != after[name]} == {"data/rankings.duckdb", "feed.atom"}
