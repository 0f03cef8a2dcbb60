"""Read a site as its readers do: every page, its links, the cells of its tables."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

# One page of each kind.
KINDS = (
    "index ranking ranking_2 active years years/2009 nations nations/fra tournaments tournaments/world-dipcon-xxiii-2013 included"
    " circuits players/edi-birsan records reigns rules systems skill quality data ask"
).split()


def pages_of(site: Path) -> list[Path]:
    """Return all pages of a site."""
    return sorted(site.rglob("*.html"))


def read_page(path: Path) -> LexborHTMLParser:
    """Parse a page like a browser."""
    return LexborHTMLParser(path.read_text(encoding="utf-8"))


def broken_links(site: Path) -> list[str]:
    """Return every link of a site that leads out of it, to a missing file, or to a missing anchor of a page."""
    site = site.resolve()
    trees = {page: read_page(page) for page in pages_of(site)}
    anchors = {page: {node.attributes["id"] for node in tree.css("[id]")} for page, tree in trees.items()}
    broken = []
    for page, tree in trees.items():
        for node in tree.css("[href], [src], select[data-go] option"):
            link = next(filter(None, (node.attributes.get(name) for name in ("href", "src", "value"))), "")
            split = urlsplit(link)
            if split.scheme == "mailto":
                continue
            folder, path = (site, split.path[1:]) if split.path.startswith("/") else (page.parent, split.path)
            target = (folder / unquote(path)).resolve() if path else page
            is_choice = "=" in split.fragment or not split.fragment
            if split.scheme or not target.is_file() or not (is_choice or split.fragment in anchors.get(target, ())):
                broken.append(f"{page.relative_to(site)}: {link}")
    return broken


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
