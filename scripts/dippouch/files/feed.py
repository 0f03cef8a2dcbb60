"""An Atom feed of the publications, newest first. It is the only file of the site that has the time of a publication."""

from __future__ import annotations

import uuid
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from dippouch.files.changes import Changes
from dippouch.files.published import Publication
from dippouch.printable import visible_line

NAME = "feed.atom"
LONGEST = 20

_ATOM = "http://www.w3.org/2005/Atom"
_CHANGES = {
    "new_tournaments": "tournament new",
    "changed_tournaments": "tournament changed",
    "gone_tournaments": "tournament gone",
    "new_players": "player new",
    "gone_players": "player gone",
    "moved": "rating changed",
}


@dataclass(frozen=True)
class Entry:
    """One publication in the feed, as text."""

    id: str
    title: str
    published: str
    updated: str
    summary: str


def write_feed(
    site: Path,
    publication: Publication,
    changes: Changes,
    settings: Mapping[str, Any],
    previous: Path | None,
    published_at: datetime,
) -> None:
    """Write the feed: that of the site that is published now, and an entry for this publication.

    The newest entry stays as it was when it is this publication's. An older one of it comes first again, as an update.

    Args:
        site: the folder that is made.
        publication: what it shows.
        changes: what changed with it.
        settings: those of the collection.
        previous: the folder of the site that is published now; None: there is none.
        published_at: when this publication was published.
    """
    entries = _read(previous / NAME) if previous else []
    entry = _entry(publication, changes, published_at)
    if not entries or entries[0].id != entry.id:
        for older in entries:
            if older.id == entry.id:
                entry = replace(entry, published=older.published)
        entries = [entry, *(older for older in entries if older.id != entry.id)]
    feed = _feed(entries[:LONGEST], settings)
    ET.indent(feed)
    text = ET.tostring(feed, encoding="unicode")
    declared = f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'
    (site / NAME).write_text(declared, encoding="utf-8", newline="\n")


def _entry(publication: Publication, changes: Changes, published_at: datetime) -> Entry:
    made_from = f"{publication.seeds_sha256 or ''} {publication.code_version or ''}"
    time = published_at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return Entry(_urn(made_from), _title(publication), time, time, _summary(publication, changes))


def _title(publication: Publication) -> str:
    if publication.last_tournament_name is None:
        return "Nothing to rank yet"
    return f"Up to {visible_line(publication.last_tournament_name)}, {_day(publication.last_tournament_ended_on)}"


def _summary(publication: Publication, changes: Changes) -> str:
    has = ", ".join(
        _number(count, what)
        for count, what in (
            (publication.tournaments, "tournament"),
            (publication.players, "player"),
            (publication.results, "result"),
        )
    )
    came = ", ".join(_number(changes.counts[name], what) for name, what in _CHANGES.items() if changes.counts.get(name))
    return f"{has}. Since the publication before: {came or 'nothing that is rated'}." if changes.since else f"{has}."


def _number(count: int, what: str) -> str:
    noun, _, rest = what.partition(" ")
    return f"{count:,} {noun}{'' if count == 1 else 's'} {rest}".strip()


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""


def _feed(entries: list[Entry], settings: Mapping[str, Any]) -> ET.Element:
    title = visible_line(settings.get("title") or "Rankings")
    address = settings.get("address") or ""
    root = ET.Element("feed", xmlns=_ATOM)
    _add(root, "id", address or _urn(f"feed {title} {settings['rating_system_id']}"))
    _add(root, "title", title)
    _add(root, "updated", entries[0].updated)
    ET.SubElement(root, "link", rel="self", type="application/atom+xml", href=f"{address}{NAME}")
    ET.SubElement(root, "link", rel="alternate", type="text/html", href=f"{address}index.html")
    _add(ET.SubElement(root, "author"), "name", visible_line(settings.get("keeper") or title))
    for entry in entries:
        node = ET.SubElement(root, "entry")
        for name in ("id", "title", "published", "updated", "summary"):
            _add(node, name, getattr(entry, name))
        ET.SubElement(node, "link", rel="alternate", type="text/html", href=f"{address}index.html")
    return root


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text


def _urn(text: str) -> str:
    """A stable id for a text: the feed belongs to no address that is known here."""
    return uuid.uuid5(uuid.NAMESPACE_OID, text).urn


def _read(path: Path) -> list[Entry]:
    """The entries of a feed; what is damaged is left out, and nothing stops for it."""
    try:
        root = ET.parse(path).getroot()  # noqa: S314 (the project's own file, and it defines no entities)
    except (OSError, ET.ParseError, ValueError, LookupError):
        return []
    found: dict[str, Entry] = {}
    for node in root.iterfind(f"{{{_ATOM}}}entry"):
        texts = [
            (node.findtext(f"{{{_ATOM}}}{name}") or "").strip()
            for name in ("id", "title", "published", "updated", "summary")
        ]
        if all(texts) and _is_time(texts[2]) and _is_time(texts[3]):
            found.setdefault(texts[0], Entry(*texts))
    return list(found.values())


def _is_time(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
