"""The feed of the published site: one entry, the last publication."""

import uuid
from datetime import UTC, datetime
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from dippouch.export.reading import Content
from dippouch.messages import counted, in_own_words, visible_line
from dippouch.query import words_in

_TEMPLATE = Path(__file__).with_suffix(".atom")


def feed_of(content: Content) -> str:
    """Return the feed: one entry, which feed readers keep when the next publication replaces it. No other file has its time."""
    facts, (made,) = content.facts, content.rows("from marts.publication")
    time = f"{datetime.fromtimestamp(content.file.stat().st_mtime, UTC):%Y-%m-%dT%H:%M:%SZ}"
    numbers = {"tournament": made["tournaments"], "player": made["people"], "result": made["results"]}
    counts = ", ".join(counted(number, what, f"{what}s") for what, number in numbers.items())
    summary = f"{in_own_words(counts, words_in(facts))}."
    environment = Environment(autoescape=True, undefined=StrictUndefined, finalize=lambda text: visible_line(str(text)))
    template = environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))
    return template.render(site=facts, made=made, time=time, summary=summary, urn=_urn) + "\n"


def _urn(*texts: str | None) -> str:
    """Return a stable id for texts; it is a URN because a site need not know its address."""
    return uuid.uuid5(uuid.NAMESPACE_OID, " ".join(text or "" for text in texts)).urn
