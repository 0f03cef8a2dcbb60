"""Tables as CSV and Parquet, the package that describes them, the feed, and what cannot be written."""

from __future__ import annotations

import json
import uuid
import xml.etree.ElementTree as ET
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest
from frictionless import validate

from dippouch.disk import hashes
from dippouch.export.reading import snapshot
from dippouch.messages import UserError
from support.changed_publications import Write, files_of, files_of_at_most

_ATOM = "{http://www.w3.org/2005/Atom}"


def test_the_tables_hold_to_their_package(site: Path, publication: Path) -> None:
    report = validate(str(site / "data" / "datapackage.json"))
    assert report.valid, report.flatten(["title", "message"])
    assert (site / "data/rankings.duckdb").read_bytes() == publication.read_bytes()
    assert report.stats["tasks"] == len(list((site / "data").glob("*.csv")))
    package = json.loads((site / "data/datapackage.json").read_text(encoding="utf-8"))
    (history,) = (resource for resource in package["resources"] if resource["name"] == "rating_history")
    assert history["description"].startswith("One row per rating system, player and event number")
    assert history["schema"]["primaryKey"] == ["rating_system_id", "player_id", "event_number"]


def test_csv_parquet_and_database_have_the_same_rows(site: Path, publication: Path) -> None:
    with duckdb.connect(str(publication), read_only=True) as connection:
        tables = connection.execute("select table_name from duckdb_tables() order by 1").fetchall()
        assert {path.stem for path in (site / "data").glob("*.csv")} == {table for (table,) in tables}
        for (table,) in tables:
            files = {ending: site / "data" / f"{table}.{ending}" for ending in ("csv", "parquet")}
            of_table = f"from marts.{table}"
            types = dict(connection.execute(f"select column_name, column_type from (describe {of_table})").fetchall())
            of_csv = f"from read_csv('{files['csv']}', header = true, columns = {types})"
            for rows in (f"from read_parquet('{files['parquet']}')", of_csv):
                differing = f"({rows} except all {of_table}) union all ({of_table} except all {rows})"
                assert connection.execute(differing).fetchall() == [], (table, rows)


def test_only_the_feed_and_the_database_depend_on_the_time_and_the_order_of_rows(site: Path, write: Write) -> None:
    turn = "create or replace temp table turned as from marts.{0} order by all desc; delete from marts.{0};"
    turn += " insert into marts.{0} from turned"
    turned = write("turned", *map(turn.format, ("rating_history", "yearly_ranking", "tournament_results")))
    before, after = hashes(site), hashes(turned)
    assert {name for name in before if before[name] != after[name]} <= {"data/rankings.duckdb", "feed.atom"}


def test_the_feed_has_an_entry_for_the_publication_with_names_as_text(write: Write) -> None:
    odd = '<script>alert(1)</script> & \u202e\x07\u2028 "]]>'
    made_of = "seeds_sha256 = 'ab', code_version = '1.0'"
    site = write("odd", f"update marts.publication set last_tournament_name = '{odd}', {made_of}")
    feed = ET.parse(site / "feed.atom").getroot()  # noqa: S314 (written by the test)
    (entry,) = feed.iter(f"{_ATOM}entry")
    assert entry.findtext(f"{_ATOM}id") == uuid.uuid5(uuid.NAMESPACE_OID, "ab 1.0").urn
    assert entry.findtext(f"{_ATOM}title") == 'Up to <script>alert(1)</script> & \\u202e\\x07\\u2028 "]]>, 2013-08-25'
    assert entry.findtext(f"{_ATOM}summary") == "4 tournaments, 237 players, 224 results."
    assert datetime.fromisoformat(feed.findtext(f"{_ATOM}updated") or "") > datetime.now(UTC) - timedelta(hours=1)


@pytest.mark.parametrize("size", [0, 3_000, 100_000])
def test_a_full_disk_is_a_message(publication: Path, tmp_path: Path, size: int) -> None:
    message = r"could not be written .* Expected a disk with enough space"
    with files_of_at_most(size), pytest.raises(UserError, match=message):
        files_of(publication, tmp_path / "site")


@pytest.mark.parametrize(
    ("memory", "space", "refused"),
    [
        ("170MB", "1GB", ""),
        ("170MB", "1MB", r"failed to offload .* Expected a disk with enough space"),
        ("1MB", "1GB", r"could not be written .* Expected more memory than DPTR_MEMORY=1MB, such as `DPTR_MEMORY=8GB"),
        ("much", "1GB", r"must have a number .* Expected more memory than DPTR_MEMORY=much"),
    ],
)
def test_lists_that_are_read_together_spill_to_the_disk(
    publication: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: str, space: str, refused: str
) -> None:
    monkeypatch.setenv("DPTR_MEMORY", memory)
    rows = "select repeat(md5(range::varchar), 10) as text from range(100_000) order by text"
    outcome = pytest.raises(UserError, match=refused) if refused else nullcontext()
    with outcome, snapshot(publication, tmp_path) as content:
        content.connection.execute(f"set max_temp_directory_size = '{space}'")
        assert sum(1 for _ in zip(*(content.stream(rows) for _ in range(8)), strict=True)) == 100_000


def test_a_database_of_an_older_version_is_a_message(write: Write) -> None:
    with pytest.raises(UserError, match=r"this version of the project published .* `dptr refresh` publishes it"):
        write("older", "alter table marts.included_tournaments drop column value_rule")
