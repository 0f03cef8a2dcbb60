"""The feed of the publications."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from dippouch.db import Row
from dippouch.export.feed import write_feed
from support.changed_publications import NOON, Write

ATOM = "{http://www.w3.org/2005/Atom}"


def entries(site: Path) -> list[dict[str, str]]:
    root = ET.parse(site / "feed.atom").getroot()  # noqa: S314 (written by the test)
    found = [
        {node.tag.removeprefix(ATOM): (node.text or "").strip() for node in entry}
        for entry in root.iter(f"{ATOM}entry")
    ]
    assert root.findtext(f"{ATOM}updated") == found[0]["updated"]
    assert len({entry["id"] for entry in found}) == len(found) <= 20
    return found


CUP: Row = {
    "seeds_sha256": "ab" * 32,
    "code_version": "1.0",
    "tournaments": 4,
    "players": 237,
    "results": 1,
    "last_tournament_name": "Club Cup",
    "last_tournament_ended_on": date(2013, 8, 25),
}


def feed_of(folder: Path, publication: Row, previous: Path | None = None, *, hours: int = 0) -> Path:
    """Write the feed of a publication into a folder, and return the folder."""
    folder.mkdir()
    facts = {"rating_system_id": "dptr", "title": "Club ratings", "address": None, "keeper": None}
    write_feed(publication, facts, folder, previous, NOON + timedelta(hours=hours))
    return folder


def test_the_feed_has_an_entry_for_each_publication_the_newest_first(tmp_path: Path) -> None:
    folder = None
    for number in range(1, 23):
        cup = CUP | {"seeds_sha256": f"{number:064x}", "last_tournament_name": f"Cup {number}"}
        folder = feed_of(tmp_path / f"{number}", cup, folder, hours=number)
    assert folder
    found = entries(folder)
    assert [entry["title"] for entry in found] == [f"Up to Cup {number}, 2013-08-25" for number in range(22, 2, -1)]
    assert found[0]["updated"] == found[0]["published"] == "2026-05-03T10:00:00Z"
    assert found[0]["summary"] == "4 tournaments, 237 players, 1 result."


def test_a_publication_that_comes_back_is_first_again(tmp_path: Path) -> None:
    first = feed_of(tmp_path / "first", CUP)
    second = feed_of(tmp_path / "second", CUP | {"code_version": "1.1"}, first, hours=1)
    third = feed_of(tmp_path / "third", CUP, second, hours=2)
    assert entries(third) == [entries(first)[0] | {"updated": "2026-05-02T14:00:00Z"}, entries(second)[0]]
    assert (feed_of(tmp_path / "fourth", CUP, third, hours=3) / "feed.atom").read_bytes() == (
        third / "feed.atom"
    ).read_bytes()


@pytest.mark.parametrize(
    "content",
    [
        b"<feed",
        b"\xff\xfe\x00",
        b'<?xml version="1.0" encoding="nonsense"?><feed/>',
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>x</id></entry></feed>',
    ],
)
def test_a_damaged_feed_begins_anew(tmp_path: Path, content: bytes) -> None:
    before = tmp_path / "before"
    before.mkdir()
    (before / "feed.atom").write_bytes(content)
    assert len(entries(feed_of(tmp_path / "after", CUP, before))) == 1


def test_names_of_tournaments_are_text_in_the_feed(tmp_path: Path) -> None:
    odd = CUP | {"last_tournament_name": "<script>alert(1)</script> & \u202e\x07\u2028 '\"]]>"}
    found = entries(feed_of(tmp_path / "odd", odd))
    assert found[0]["title"] == "Up to <script>alert(1)</script> & \\u202e\\x07\\u2028 '\"]]>, 2013-08-25"


def test_times_are_told_in_utc(write: Write) -> None:
    there = timezone(timedelta(hours=2))
    site = write("there", published_at=datetime(2026, 5, 2, 1, 30, 0, 123456, tzinfo=there))
    assert entries(site)[0]["published"] == "2026-05-01T23:30:00Z"
