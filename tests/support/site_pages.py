"""Read a site as its readers do: every page, its links, the cells of its tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

# One page of each kind.
KINDS = (
    "index",
    "ranking",
    "ranking_2",
    "active",
    "years",
    "years/2009",
    "nations",
    "nations/fra",
    "tournaments",
    "tournaments/world-dipcon-xxiii-2013",
    "included",
    "circuits",
    "players/edi-birsan",
    "records",
    "reigns",
    "rules",
    "systems",
    "skill",
    "quality",
    "data",
    "ask",
    "404",
)


def pages_of(site: Path) -> list[Path]:
    """Return all pages of a site."""
    return sorted(site.rglob("*.html"))


def read_page(path: Path) -> LexborHTMLParser:
    """Parse a page like a browser."""
    return LexborHTMLParser(path.read_text(encoding="utf-8"))


def broken_links(site: Path) -> list[str]:
    """Return every link of a site to a missing file, or to a missing anchor of a page."""
    anchors: dict[Path, set[str]] = {}
    broken = []
    for page in pages_of(site):
        tree = read_page(page)
        for link in _links(tree):
            split = urlsplit(link)
            if split.scheme or split.netloc:
                broken.append(f"{page.relative_to(site)}: {link} leads out of the site")
                continue
            target = (page.parent / unquote(split.path)).resolve() if split.path else page
            if not target.is_file():
                broken.append(f"{page.relative_to(site)}: {link} is not there")
            elif split.fragment and "=" not in split.fragment and target.suffix == ".html":
                if target not in anchors:
                    anchors[target] = {node.attributes["id"] or "" for node in read_page(target).css("[id]")}
                if split.fragment not in anchors[target]:
                    broken.append(f"{page.relative_to(site)}: {link} has no such place")
    return broken


def _links(tree: LexborHTMLParser) -> Iterator[str]:
    for selector, attribute in (
        ("[href]", "href"),
        ("[src]", "src"),
        ("select[data-go] option", "value"),
        ("form[action]", "action"),
    ):
        for node in tree.css(selector):
            if value := node.attributes.get(attribute):
                yield value


def rows_of(tree: LexborHTMLParser, caption: str) -> list[list[str]]:
    """Return the visible text of a table's cells; the table's caption begins with `caption`."""
    for table in tree.css("table"):
        found = table.css_first("caption")
        if found is not None and found.text().startswith(caption):
            return [[shown_text(cell) for cell in row.css("td, th")] for row in table.css("tbody tr")]
    raise AssertionError(f"no table `{caption}`")


def shown_text(node: LexborNode) -> str:
    """Return the visible text of an element, with single spaces."""
    return " ".join((node.text() or "").split())
