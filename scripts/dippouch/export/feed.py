"""The feed of the published site: one entry, the last publication."""

import uuid
import xml.etree.ElementTree as ET
from datetime import UTC, datetime

from dippouch.export.reading import Content
from dippouch.messages import counted, in_own_words, visible_line
from dippouch.query import words_in


def feed_of(content: Content) -> str:
    """Return the feed: one entry, which feed readers keep when the next publication replaces it. No other file has its time."""
    facts, (made,) = content.facts, content.rows("from marts.publication")
    title, address = visible_line(facts["title"] or "Rankings"), facts["address"] or ""
    time = f"{datetime.fromtimestamp(content.file.stat().st_mtime, UTC):%Y-%m-%dT%H:%M:%SZ}"
    name = made["last_tournament_name"]
    up_to = f"Up to {visible_line(name)}, {made['last_tournament_ended_on']}" if name else "Nothing to rank yet"
    numbers = {"tournament": made["tournaments"], "player": made["people"], "result": made["results"]}
    counts = ", ".join(counted(number, what, f"{what}s") for what, number in numbers.items())
    summary = f"{in_own_words(counts, words_in(facts))}."
    feed = ET.Element("feed", xmlns="http://www.w3.org/2005/Atom")
    _add(feed, id=address or _urn(f"feed {title} {facts['rating_system_id']}"), title=title, updated=time)
    ET.SubElement(feed, "link", rel="self", type="application/atom+xml", href=f"{address}feed.atom")
    _add(ET.SubElement(feed, "author"), name=visible_line(facts["keeper"] or title))
    entry = ET.SubElement(feed, "entry")
    made_from = _urn(f"{made['seeds_sha256'] or ''} {made['code_version'] or ''}")
    _add(entry, id=made_from, title=up_to, published=time, updated=time, summary=summary)
    for parent in (feed, entry):
        ET.SubElement(parent, "link", rel="alternate", type="text/html", href=f"{address}index.html")
    ET.indent(feed)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(feed, encoding="unicode")}\n'


def _add(parent: ET.Element, **texts: str) -> None:
    for name, text in texts.items():
        ET.SubElement(parent, name).text = text


def _urn(text: str) -> str:
    """Return a stable id for a text; it is a URN because a site need not know its address."""
    return uuid.uuid5(uuid.NAMESPACE_OID, text).urn
