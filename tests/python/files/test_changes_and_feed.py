"""What changed since the publication before, and the feed that tells it."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dippouch.files.changes import Changes
from dippouch.files.feed import write_feed
from dippouch.files.published import Publication
from support.changed_publications import NOON, Write

OTHER = "update marts.publication set seeds_sha256 = repeat('cd', 32)"
ATOM = "{http://www.w3.org/2005/Atom}"


def changes(site: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((site / "api/v1/changes.json").read_text(encoding="utf-8"))
    return document


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row.get("player_id") or row["tournament_id"] for row in rows]


def entries(site: Path) -> list[dict[str, str]]:
    root = ET.parse(site / "feed.atom").getroot()  # noqa: S314 (written by the test)
    found = [
        {node.tag.removeprefix(ATOM): (node.text or "").strip() for node in entry}
        for entry in root.iter(f"{ATOM}entry")
    ]
    assert root.findtext(f"{ATOM}updated") == found[0]["updated"]
    assert len({entry["id"] for entry in found}) == len(found) <= 20
    return found


def test_the_first_publication_changes_nothing(site: Path) -> None:
    document = changes(site)
    assert document["since"] is None
    assert [name for name, rows in document.items() if isinstance(rows, list) and rows] == []


def test_changes_name_tournaments_people_and_who_moved(site: Path, write: Write) -> None:
    after = write(
        "after",
        OTHER,
        "update marts.tournaments set tournament_id = 'wac-7-2010', ended_on = '2010-01-31' where tournament_id = 'wac-6-2009'",
        "update marts.tournament_results set placement = 2 where tournament_id = 'world-dipcon-xxiii-2013' and player_id = 'edi-birsan'",
        "update marts.players set player_id = 'ada-lovelace', first_name = 'Ada', last_name = 'LOVELACE' where player_id = 'adam-sigal'",
        "update marts.international_ranking set rating = 50.0, rank = 9 where player_id = 'edi-birsan'",
        "update marts.international_ranking set rank = 7 where player_id = 'leif-bergman'",
        "delete from marts.international_ranking where player_id = 'toby-harris'",
        previous=site,
    )
    document = changes(after)
    assert document["since"]["seeds_sha256"] != document["publication"]["seeds_sha256"]
    assert {name: ids(rows) for name, rows in document.items() if isinstance(rows, list)} == {
        "new_tournaments": ["wac-7-2010"],
        "changed_tournaments": ["world-dipcon-xxiii-2013"],
        "gone_tournaments": ["wac-6-2009"],
        "new_players": ["ada-lovelace"],
        "gone_players": ["adam-sigal"],
        # Leif's rank changed only because of others.
        "moved": ["edi-birsan", "toby-harris"],
    }
    edi, toby = document["moved"]
    assert (edi["rank_before"], edi["rank_after"], edi["rating_after"]) == (1, 9, 50.0)
    assert edi["rating_before"] == pytest.approx(58.8168, abs=1e-4)
    assert (toby["rank_before"], toby["rank_after"], toby["rating_after"]) == (5, None, None)
    assert entries(after)[0]["summary"].endswith(
        "Since the publication before: 1 tournament new, 1 tournament changed, 1 tournament gone, 1 player new, 1 player gone,"
        " 2 ratings changed."
    )


def test_the_same_publication_keeps_its_changes_and_its_entry(site: Path, write: Write) -> None:
    second = write("second", OTHER, "delete from marts.international_ranking where rank > 3", previous=site)
    assert len(changes(second)["moved"]) > 100
    again = write(
        "again",
        OTHER,
        "delete from marts.international_ranking where rank > 3",
        previous=second,
        published_at=NOON + timedelta(days=9),
    )
    for name in ("api/v1/changes.json", "feed.atom", "manifest.json"):
        assert (again / name).read_bytes() == (second / name).read_bytes()


def test_publications_that_do_not_name_their_seeds_are_compared(write: Write) -> None:
    nameless = "update marts.publication set seeds_sha256 = null, code_version = null"
    before = write("before", nameless)
    after = write(
        "after", nameless, "delete from marts.international_ranking where player_id = 'edi-birsan'", previous=before
    )
    assert ids(changes(after)["moved"]) == ["edi-birsan"]
    assert changes(after)["since"]["seeds_sha256"] is None


def spoil(site: Path, copy: Path, name: str, content: bytes | None) -> Path:
    """A copy of a site in which a file is damaged or missing."""
    shutil.copytree(site, copy)
    (copy / name).unlink()
    if content is not None:
        (copy / name).write_bytes(content)
    return copy


@pytest.mark.parametrize("content", [None, b"", b"no database", b"DUCK" * 5000])
def test_a_database_that_cannot_be_compared_stops_nothing(
    site: Path, write: Write, tmp_path: Path, content: bytes | None
) -> None:
    before = spoil(site, tmp_path / "before", "data/rankings.duckdb", content)
    after = write("after", OTHER, previous=before)
    assert changes(after)["since"] is None
    assert len(entries(after)) == 2


@pytest.mark.parametrize(
    "statement",
    [
        "drop table marts.publication",
        "alter table marts.publication drop column code_version",
        "drop table marts.international_ranking",
        "alter table marts.tournament_results drop column percentile_score",
    ],
)
def test_a_database_of_an_older_version_stops_nothing(write: Write, tmp_path: Path, statement: str) -> None:
    current = write("current")
    before = tmp_path / "before"
    older = tmp_path / "current.duckdb"
    spoil(current, before, "data/rankings.duckdb", None)
    with duckdb.connect(str(older)) as connection:
        connection.execute(statement)
    shutil.copyfile(older, before / "data/rankings.duckdb")
    document = changes(write("after", OTHER, previous=before))
    assert document["since"] is None
    assert [name for name, rows in document.items() if isinstance(rows, list) and rows] == []


def test_damaged_changes_of_the_same_publication_are_written_anew(site: Path, write: Write, tmp_path: Path) -> None:
    before = spoil(site, tmp_path / "before", "api/v1/changes.json", b'{"since":')
    assert changes(write("again", previous=before))["since"] is None


def feed_of(folder: Path, publication: Publication, previous: Path | None = None, *, hours: int = 0) -> Path:
    """A folder with the feed of a publication."""
    folder.mkdir()
    settings = {"rating_system_id": "dptr", "title": "Club ratings"}
    write_feed(folder, publication, Changes(), settings, previous, NOON + timedelta(hours=hours))
    return folder


CUP = Publication("ab" * 32, "1.0", 4, 237, 224, "club-cup", "Club Cup", date(2013, 8, 25))


def test_the_feed_has_an_entry_for_each_publication_the_newest_first(tmp_path: Path) -> None:
    folder = None
    for number in range(1, 23):
        cup = replace(CUP, seeds_sha256=f"{number:064x}", last_tournament_name=f"Cup {number}")
        folder = feed_of(tmp_path / f"{number}", cup, folder, hours=number)
    assert folder
    found = entries(folder)
    assert [entry["title"] for entry in found] == [f"Up to Cup {number}, 2013-08-25" for number in range(22, 2, -1)]
    assert found[0]["updated"] == found[0]["published"] == "2026-05-03T10:00:00Z"


def test_a_publication_that_comes_back_is_first_again(tmp_path: Path) -> None:
    first = feed_of(tmp_path / "first", CUP)
    second = feed_of(tmp_path / "second", replace(CUP, code_version="1.1"), first, hours=1)
    third = feed_of(tmp_path / "third", CUP, second, hours=2)
    assert entries(third) == [entries(first)[0] | {"updated": "2026-05-02T14:00:00Z"}, entries(second)[0]]
    assert (feed_of(tmp_path / "fourth", CUP, third, hours=3) / "feed.atom").read_bytes() == (
        third / "feed.atom"
    ).read_bytes()


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"<feed",
        b"<html/>",
        b"\xff\xfe\x00",
        b'<?xml version="1.0" encoding="nonsense"?><feed/>',
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>x</id></entry></feed>',
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>x</id><title>t</title><published>lately</published>'
        b"<updated>now</updated><summary>s</summary></entry></feed>",
    ],
)
def test_a_damaged_feed_begins_anew(tmp_path: Path, content: bytes | None) -> None:
    before = tmp_path / "before"
    before.mkdir()
    if content is not None:
        (before / "feed.atom").write_bytes(content)
    assert len(entries(feed_of(tmp_path / "after", CUP, before))) == 1


def test_names_of_tournaments_are_text_in_the_feed(tmp_path: Path) -> None:
    odd = replace(CUP, last_tournament_name="<script>alert(1)</script> & \u202e\x07\u2028 '\"]]>")
    found = entries(feed_of(tmp_path / "odd", odd))
    assert found[0]["title"] == "Up to <script>alert(1)</script> & \\u202e\\x07\\u2028 '\"]]>, 2013-08-25"


def test_times_are_told_in_utc(write: Write) -> None:
    there = timezone(timedelta(hours=2))
    site = write("there", published_at=datetime(2026, 5, 2, 1, 30, 0, 123456, tzinfo=there))
    assert entries(site)[0]["published"] == "2026-05-01T23:30:00Z"
