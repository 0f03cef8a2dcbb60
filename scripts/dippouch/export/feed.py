"""An Atom feed of the publications, newest first. It is the only file of the site with the time of a publication."""

from __future__ import annotations

import uuid
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from pathlib import Path

from dippouch.db import Row
from dippouch.printable import counted, visible_line

NAME = "feed.atom"
LONGEST = 20

_ATOM = "http://www.w3.org/2005/Atom"
_OF_ENTRY = ("id", "title", "published", "updated", "summary")


def write_feed(publication: Row, facts: Row, site: Path, previous: Path | None, published_at: datetime) -> None:
    """Write the feed of the published site, with an entry for this publication.

    It continues the feed of the previous site. If the newest entry is already for this publication, it stays as it was. If an
    older entry is, that one moves to the top as an update. The rows are those of `marts.publication` and
    `presentation.collection_card`.
    """
    entries = _read(previous / NAME) if previous else {}
    entry = _entry(publication, published_at)
    if next(iter(entries), None) != entry["id"]:
        if again := entries.pop(entry["id"], None):
            entry["published"] = again["published"]
        entries = {entry["id"]: entry} | entries
    feed = _feed(list(entries.values())[:LONGEST], facts)
    ET.indent(feed)
    text = ET.tostring(feed, encoding="unicode")
    declared = f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'
    (site / NAME).write_text(declared, encoding="utf-8", newline="\n")


def _entry(publication: Row, published_at: datetime) -> dict[str, str]:
    made_from = f"{publication['seeds_sha256'] or ''} {publication['code_version'] or ''}"
    time = published_at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    title = "Nothing to rank yet"
    if publication["last_tournament_name"] is not None:
        name = visible_line(publication["last_tournament_name"])
        title = f"Up to {name}, {publication['last_tournament_ended_on'].isoformat()}"
    summary = ", ".join(
        counted(publication[f"{what}s"], what, f"{what}s") for what in ("tournament", "player", "result")
    )
    return dict(zip(_OF_ENTRY, (_urn(made_from), title, time, time, f"{summary}."), strict=True))


def _feed(entries: list[dict[str, str]], facts: Row) -> ET.Element:
    title = visible_line(facts["title"] or "Rankings")
    address = facts["address"] or ""
    root = ET.Element("feed", xmlns=_ATOM)
    _add(root, "id", address or _urn(f"feed {title} {facts['rating_system_id']}"))
    _add(root, "title", title)
    _add(root, "updated", entries[0]["updated"])
    ET.SubElement(root, "link", rel="self", type="application/atom+xml", href=f"{address}{NAME}")
    ET.SubElement(root, "link", rel="alternate", type="text/html", href=f"{address}index.html")
    _add(ET.SubElement(root, "author"), "name", visible_line(facts["keeper"] or title))
    for entry in entries:
        node = ET.SubElement(root, "entry")
        for name, text in entry.items():
            _add(node, name, text)
        ET.SubElement(node, "link", rel="alternate", type="text/html", href=f"{address}index.html")
    return root


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text


def _urn(text: str) -> str:
    """Return a stable id for a text; it is a URN because the address of the site is unknown."""
    return uuid.uuid5(uuid.NAMESPACE_OID, text).urn


def _read(path: Path) -> dict[str, dict[str, str]]:
    """Read the entries of a feed by id, without incomplete ones; a damaged feed has none."""
    try:
        root = ET.parse(path).getroot()  # noqa: S314 (the project's own file, without entities)
    except (OSError, ET.ParseError, ValueError, LookupError):
        return {}
    entries = (
        {name: (node.findtext(f"{{{_ATOM}}}{name}") or "").strip() for name in _OF_ENTRY}
        for node in root.iterfind(f"{{{_ATOM}}}entry")
    )
    return {entry["id"]: entry for entry in entries if all(entry.values())}
