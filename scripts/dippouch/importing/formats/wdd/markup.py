"""What can be read off the markup of a page: its rows, texts, flags, links, and the lines above its table.

The markup is not well formed: rows are cut or nested. The parser mends what a browser mends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import parse_qs, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dippouch.documents import Source
from dippouch.errors import Location
from dippouch.importing.formats.wdd.columns import Head

_BLOCKS = frozenset("tr p div h1 h2 h3 h4 h5 h6 caption li ul form center table body html".split())
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "caption"])
_SILENT = frozenset(["script", "style", "title", "head", "option", "select"])
# Deeper than any page of the site; whoever nests deeper is attacking the parser, whose time grows with the square of it.
_DEEPEST = 200
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# Tags that nobody has to close.
_SELF_CLOSING = frozenset(
    "area base br col dd dt hr img input li link meta option p tbody td tfoot th thead tr wbr".split()
)


@dataclass(frozen=True)
class TableRow:
    """A row of the table: its cells, and where it stands."""

    cells: list[LexborNode]
    location: Location


@dataclass(frozen=True)
class TextLine:
    """A line of text as the browser shows it; a heading may be a title."""

    text: str
    is_heading: bool


@dataclass(frozen=True)
class Page:
    """A page of the site: its tree, and the one table of results on it.

    Attributes:
        text: the page as it came.
        head: the columns of the table.
        head_row: the row with its headings.
        rows: the rows under it.
    """

    source: Source
    text: str
    tree: LexborHTMLParser
    head: Head
    head_row: LexborNode
    rows: list[TableRow]

    @property
    def above_table(self) -> Location:
        """Whatever stands above the table, as a location."""
        return Location(self.source.path, place="above the table")

    def flags_above(self) -> list[str]:
        """The codes of the flags above the table, in the order of the page."""
        images = (node for node in _before(self.tree, self.head_row) if node.tag == "img")
        return [code for image in images if (code := flag_of(image))]

    def lines_above(self) -> list[TextLine]:
        """The text above the table in lines, as a browser breaks it."""
        return _lines_before(self.tree, self.head_row)

    def own_id(self, parameter: str) -> str | None:
        """The id of what the page is about: in the address that a browser noted, or the only one in the page's links."""
        saved = re.search(r"saved from url=\(\d+\)(\S+)", self.text[:2000])
        if saved and (own := _id_in(saved[1], parameter)):
            return f"wdd:{own}"
        ids = {i for link in self.tree.css("a[href]") if (i := _id_in(link.attributes.get("href"), parameter))}
        return f"wdd:{ids.pop()}" if len(ids) == 1 else None


def check_depth(text: str, source: Source) -> None:
    """Check that tags are not nested deeper than a page of the site nests them.

    Raises:
        DocumentError: when they are.
    """
    depth = 0
    for closing, tag in _TAG.findall(text):
        if tag.lower() not in _SELF_CLOSING:
            depth = max(depth - 1, 0) if closing else depth + 1
        if depth > _DEEPEST:
            raise source.fault(f"tags nested more than {_DEEPEST} deep", "a page as the site shows it")


def title_of(tree: LexborHTMLParser) -> str | None:
    """The title of a page, where it has one."""
    title = tree.css_first("title")
    return " ".join(title.text().split()) if title else None


def cells_of(row: LexborNode) -> list[LexborNode]:
    """The cells of a row, without those of a table inside it."""
    return [cell for cell in row.iter() if cell.tag in ("td", "th")]


def headings(row: LexborNode) -> list[str]:
    """The texts of a row's cells, each as often as the columns that it spans."""
    texts = []
    for cell in cells_of(row):
        span = cell.attributes.get("colspan") or "1"
        texts += [text_of(cell)] * (int(span) if span in ("1", "2", "3") else 1)
    return texts


def data_rows(rows: list[LexborNode], head: Head, source: Source) -> list[TableRow]:
    """The rows of data under the head. A row that holds several, its tags lost, is several rows."""
    marked = [row for row in rows if (row.attributes.get("class") or "").startswith("row_")]
    found = []
    for row in marked or rows:
        cells = cells_of(row)
        subjects = [cell for cell in cells if any(linked_id(cell, p) for p in ("id_player", "id_tournament"))]
        several = len(cells) % head.width == 0 or (head.names[0] == "rank" and len(subjects) > 1)
        width = head.width if several else len(cells)
        found += [cells[i : i + width] for i in range(0, len(cells), width)] if cells else []
    return [
        TableRow(cells, Location(source.path, place=f"row {number} of the table"))
        for number, cells in enumerate(found, start=1)
    ]


def text_of(node: LexborNode) -> str:
    """The text in a node, without that of a table that broken markup put into it."""
    pieces = []
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if inner.tag == "-text":
            pieces.append(inner.text_content or "")
        elif inner is node or inner.tag not in ("table", "tr", *_SILENT):
            waiting += reversed(list(inner.iter(include_text=True)))
        if inner.tag == "br":
            pieces.append(" ")
    return " ".join("".join(pieces).split())


def flag_of(image: LexborNode) -> str | None:
    """The nation's code in the name of a flag's file; None for a picture of something else."""
    stem = PurePosixPath(unquote(_path_of(image.attributes.get("src")))).stem
    return stem if re.fullmatch(r"[A-Z]{2,3}", stem) else None


def _path_of(address: str | None) -> str:
    """The path in an address; empty when it is none."""
    try:
        return urlsplit(address or "").path
    except ValueError:
        return ""


def linked_id(node: LexborNode, parameter: str) -> str | None:
    """The id in the first link of a node that has one."""
    return next((i for link in node.css("a[href]") if (i := _id_in(link.attributes.get("href"), parameter))), None)


def _id_in(address: str | None, parameter: str) -> str | None:
    try:
        values = parse_qs(urlsplit(address or "").query).get(parameter, [])
    except ValueError:
        return None
    return values[0] if values and re.fullmatch(r"[1-9][0-9]{0,8}", values[0]) else None


def _before(tree: LexborHTMLParser, row: LexborNode) -> Iterator[LexborNode]:
    """The nodes that stand before a row, in the order of the page."""
    root = tree.root
    for node in root.traverse(include_text=True) if root else ():
        if node.mem_id == row.mem_id:
            return
        yield node


def _lines_before(tree: LexborHTMLParser, row: LexborNode) -> list[TextLine]:
    """The text before a row in lines, as a browser breaks it."""
    lines: list[TextLine] = []
    pieces: list[str] = []
    block: LexborNode | None = None

    def flush() -> None:
        text = " ".join("".join(pieces).split())
        if text:
            lines.append(TextLine(text, block is not None and _is_heading(block)))
        pieces.clear()

    for node in _before(tree, row):
        if node.tag in ("br", "hr"):
            flush()
        elif node.tag in ("td", "th"):
            pieces.append(" ")
        elif node.tag == "-text" and (text := node.text_content or "").strip():
            around = _block_around(node)
            if around is None:
                continue
            if block is None or around.mem_id != block.mem_id:
                flush()
                block = around
            pieces.append(text)
    flush()
    return lines


def _block_around(node: LexborNode) -> LexborNode | None:
    """The element that begins the line on which a text stands; None for text that no browser shows."""
    found: LexborNode | None = None
    around = node.parent
    for _ in range(_DEEPEST):
        if around is None:
            return found
        if around.tag in _SILENT:
            return None
        if found is None and around.tag in _BLOCKS:
            found = around
        around = around.parent
    return found


def _is_heading(block: LexborNode) -> bool:
    """Whether a block is a heading: by its tag, or as a row of nothing but one heading."""
    cells = cells_of(block) if block.tag == "tr" else []
    return block.tag in _HEADINGS or (len(cells) == 1 and cells[0].tag == "th")
