"""Tables as CSV and Parquet, and the package that describes them."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest
from frictionless import validate

from dippouch.publishing.publication import publish
from support.changed_publications import NOON, Write, changed_publication, files_of


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_the_tables_hold_to_their_package(site: Path) -> None:
    report = validate(str(site / "data" / "datapackage.json"))
    assert report.valid, report.flatten(["title", "message"])
    assert report.stats["tasks"] == len(list((site / "data").glob("*.csv")))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("dptr,edi-birsan,1,", "dptr,edi-birsan,2,"),
        ("dptr,edi-birsan,1,", "dptr,edi-birsan,first,"),
        ("dptr,edi-birsan,1,", ",edi-birsan,1,"),
    ],
    ids=["the key twice", "a word for a number", "nothing where something must be"],
)
def test_a_table_that_does_not_hold_to_it_is_found(site: Path, tmp_path: Path, before: str, after: str) -> None:
    package = json.loads((site / "data/datapackage.json").read_text(encoding="utf-8"))
    package["resources"] = [one for one in package["resources"] if one["name"] == "rating_history"]
    for name in ("hash", "bytes", "rows"):
        package["resources"][0].pop(name)
    (tmp_path / "datapackage.json").write_text(json.dumps(package), encoding="utf-8")
    text = (site / "data/rating_history.csv").read_text(encoding="utf-8")
    (tmp_path / "rating_history.csv").write_text(text, encoding="utf-8")
    assert validate(str(tmp_path / "datapackage.json")).valid
    (tmp_path / "rating_history.csv").write_text(text.replace(before, after, 1), encoding="utf-8")
    assert not validate(str(tmp_path / "datapackage.json")).valid


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
    assert {field["name"]: field["type"] for field in history["schema"]["fields"]} == {
        **dict.fromkeys(("rating_system_id", "player_id", "tournament_id"), "string"),
        **dict.fromkeys(("event_number", "placement", "players"), "integer"),
        "ended_on": "date",
        **dict.fromkeys("percentile_score tournament_value rating_before rating_change rating_after".split(), "number"),
    }
    # An alias that holds everywhere has no tournament, and no key can be empty.
    without = {name for name, resource in resources.items() if "primaryKey" not in resource["schema"]}
    assert "player_aliases" in without
    assert without <= {"player_aliases", "settings", "publication", "active_ranking"}
    assert all(field["type"] != "any" for resource in resources.values() for field in resource["schema"]["fields"])


def test_the_database_is_the_published_one(site: Path, publication: Path) -> None:
    assert (site / "data/rankings.duckdb").read_bytes() == publication.read_bytes()


def test_the_same_publication_gives_the_same_bytes_but_for_the_time_in_the_feed(
    site: Path, publication: Path, tmp_path: Path
) -> None:
    later = tmp_path / "later"
    files_of(publication, later, published_at=NOON + timedelta(days=1))
    before, after = contents(site), contents(later)
    assert {name for name in before | after if before.get(name) != after.get(name)} == {"feed.atom"}
    assert b"2026-05-02" in before["feed.atom"]
    assert not [name for name, content in before.items() if b"2026-05-02" in content and name != "feed.atom"]


def test_a_build_that_is_published_twice_gives_the_same_files_but_for_the_database(built: Path, tmp_path: Path) -> None:
    sites = []
    for name in ("one", "two"):
        publish(built / "build.duckdb", tmp_path / name / "published.duckdb")
        database = changed_publication(tmp_path / name / "published.duckdb", tmp_path / name / "rankings.duckdb")
        files_of(database, tmp_path / name / "site")
        sites.append(contents(tmp_path / name / "site"))
    assert {name for name in sites[0] | sites[1] if sites[0][name] != sites[1][name]} <= {"data/rankings.duckdb"}


def test_the_order_of_rows_in_the_database_makes_no_difference(site: Path, write: Write) -> None:
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
    )
    before, after = contents(site), contents(turned)
    assert {name for name in before if before[name] != after[name]} == {"data/rankings.duckdb"}


def test_nothing_but_the_files_stays_in_the_folder(site: Path) -> None:
    assert sorted(path.name for path in site.iterdir()) == ["api", "data", "feed.atom", "schemas"]


def test_where_the_disk_has_no_links_the_database_is_copied(
    publication: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("reading", "tables"):
        monkeypatch.setattr(f"dippouch.export.{module}.link_or_copy", shutil.copyfile)
    files_of(publication, tmp_path / "site")
    assert (tmp_path / "site/data/rankings.duckdb").stat().st_nlink == 1
