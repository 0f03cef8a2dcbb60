"""What can be read off the markup of a page: its rows, texts, flags, links, and the lines above its table.

The markup is not well formed: rows are cut or nested. The parser mends what a browser mends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import PurePosixPath
from urllib.parse import parse_qs, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dippouch.documents import Source
from dippouch.errors import Location
from dippouch.importing.formats.wdd.columns import Head
from dippouch.importing.parsing.nations import Nations

_BLOCKS = frozenset("tr p div h1 h2 h3 h4 h5 h6 caption li ul form center table body html".split())
_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "caption"])
_HEADING_CELLS = _HEADINGS | {"th"}
_SILENT = frozenset(["script", "style", "title", "head", "option", "select"])
# Deeper than any page of the site.
_DEEPEST = 200
_FLAG_FOLDERS = re.compile(r"drapeau|flag", re.IGNORECASE)
_PRINTING = re.compile(r"<(/?)(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?=[\s/>])", re.IGNORECASE)


@dataclass(frozen=True)
class TableRow:
    """A row of the table: its cells, and where it stands."""

    cells: list[LexborNode]
    location: Location


@dataclass(frozen=True)
class Flag:
    """A picture whose file is named like a flag.

    Attributes:
        code: the nation's code that its name makes.
        is_among_flags: whether it is in a folder of flags.
        is_in_heading: whether it stands in a heading.
    """

    code: str
    is_among_flags: bool
    is_in_heading: bool


@dataclass(frozen=True)
class TextLine:
    """A line of text as the browser shows it.

    Attributes:
        is_heading: whether it may be a title.
        flags: the pictures on it, or between it and the next line, that may be flags of the page's own subject: none in a link.
    """

    text: str
    is_heading: bool
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page of the site: its tree, and the one table of results on it.

    Attributes:
        text: the page as it came.
        nations: the nations of the collection, for flags.
        head: the columns of the table.
        head_row: the row with its headings.
        rows: the rows under it.
    """

    source: Source
    text: str
    tree: LexborHTMLParser
    nations: Nations
    head: Head
    head_row: LexborNode
    rows: list[TableRow]

    @property
    def above_table(self) -> Location:
        """Whatever stands above the table, as a location."""
        return Location(self.source.path, place="above the table")

    def nation_above(self, name: str) -> tuple[str | None, tuple[str, ...]]:
        """The nation of what the page is about, and remarks on flags of no nation that is known.

        Its flag stands with the facts: on the line of the name or under it, or in a heading where no line has the name. What stands
        in a link or above the name is the site's, such as a choice of languages.
        """
        lines = self.lines_above()
        at = next((i for i, line in enumerate(lines) if line.text == name), None)
        flags = [flag for line in lines[at or 0 :] for flag in line.flags if at is not None or flag.is_in_heading]
        nations, remarks = set(), []
        for flag in flags:
            try:
                nations.add(self.nations.of_flag(flag.code))
            except ValueError as error:
                if flag.is_among_flags:
                    remarks.append(f"left aside the flag `{flag.code}` above the table; expected {error}")
        nations.discard(None)
        return nations.pop() if len(nations) == 1 else None, tuple(dict.fromkeys(remarks))

    def lines_above(self) -> list[TextLine]:
        """The text above the table in lines, as a browser breaks it."""
        return _lines_of(_before(self.tree, self.head_row))

    def own_id(self, parameter: str, name: str) -> str | None:
        """The id of what the page is about, if the page is certain to say it.

        That is the address which a browser noted on saving, the address that the page gives as its own, a link whose text is the
        name, or links to different pages above the table that agree. A single link may lead to the next tournament.

        Args:
            parameter: the parameter of an address that has the id.
            name: what the page is about.
        """
        saved = re.search(r"saved from url=\(\d+\)(\S+)", self.text[:2000])
        own = [saved[1]] if saved else []
        own += [node.attributes.get("href") or "" for node in self.tree.css("link[rel=canonical]")]
        own += [node.attributes.get("content") or "" for node in self.tree.css("meta[property='og:url']")]
        found = next((i for address in own if (i := _id_in(address, parameter))), None)
        if found is None:
            links = [
                (node, node.attributes.get("href")) for node in _before(self.tree, self.head_row) if node.tag == "a"
            ]
            with_id = [(node, href, i) for node, href in links if (i := _id_in(href, parameter))]
            named = {i for node, _, i in with_id if text_of(node).casefold() == name.casefold()}
            ids, pages = {i for _, _, i in with_id}, {_path_of(href) for _, href, _ in with_id}
            found = named.pop() if len(named) == 1 else ids.pop() if len(ids) == 1 and len(pages) > 1 else None
        return f"wdd:{found}" if found else None


def parse_page(text: str) -> LexborHTMLParser:
    """The tree of a page, as a browser makes it, with bold and other printing as plain text.

    A parser opens what is printed so again in every paragraph in which nobody closed it, and a small page could fill the memory.
    """
    return LexborHTMLParser(_PRINTING.sub(r"<\1span", text))


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


def table_of(row: LexborNode) -> LexborNode | None:
    """The table that a row is one of: the innermost around it."""
    return next((element for element in _around(row) if element.tag == "table"), None)


def is_inside(node: LexborNode, outer: LexborNode) -> bool:
    """Whether a node is inside another."""
    return any(element.mem_id == outer.mem_id for element in _around(node))


def lines_outside(tree: LexborHTMLParser, table: LexborNode) -> list[TextLine]:
    """The text outside a table in lines, as a browser breaks it."""
    inside = {node.mem_id for node in table.traverse(include_text=True)}
    return _lines_of(node for node in _nodes(tree) if node.mem_id not in inside)


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


def _nodes(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    """All nodes of a page, in its order."""
    return iter(tree.root.traverse(include_text=True) if tree.root else ())


def _before(tree: LexborHTMLParser, row: LexborNode) -> Iterator[LexborNode]:
    """The nodes that stand before a row, in the order of the page."""
    return takewhile(lambda node: node.mem_id != row.mem_id, _nodes(tree))


def _lines_of(nodes: Iterable[LexborNode]) -> list[TextLine]:
    """The text in nodes in lines, as a browser breaks it."""
    lines = _Lines()
    for node in nodes:
        if node.tag in ("br", "hr"):
            lines.end()
        elif node.tag in ("td", "th"):
            lines.pieces.append(" ")
        elif node.tag == "img":
            if flag := _own_flag(node):
                lines.flags.append((flag, _block_around(node)))
        elif node.tag == "-text" and (text := node.text_content or "").strip():
            lines.add(text, _block_around(node))
    lines.end()
    return lines.ended


class _Lines:
    """Lines of text, put together piece by piece."""

    def __init__(self) -> None:
        self.ended: list[TextLine] = []
        self.pieces: list[str] = []
        self.flags: list[tuple[Flag, LexborNode | None]] = []
        self.block: LexborNode | None = None

    def add(self, text: str, block: LexborNode | None) -> None:
        """Add a text of a block, which begins a line of its own; of no block when no browser shows it."""
        if block is None:
            return
        if self.block is None or block.mem_id != self.block.mem_id:
            self.end(block)
            self.block = block
        self.pieces.append(text)

    def end(self, following: LexborNode | None = None) -> None:
        """End the line; a flag that stands in the block which follows belongs to that."""
        text = " ".join("".join(self.pieces).split())
        left: list[tuple[Flag, LexborNode | None]] = []
        own: list[Flag] = []
        for flag, at in self.flags:
            if following and at and at.mem_id == following.mem_id:
                left.append((flag, at))
            else:
                own.append(flag)
        flags = tuple(own)
        if text:
            self.ended.append(TextLine(text, self.block is not None and _is_heading(self.block), flags))
        elif self.ended and flags:
            self.ended[-1] = replace(self.ended[-1], flags=(*self.ended[-1].flags, *flags))
        self.pieces, self.flags = [], left


def _own_flag(image: LexborNode) -> Flag | None:
    """The flag that a picture may be; None in a link, and for a picture of another name."""
    code = flag_of(image)
    around = {node.tag for node in _around(image)}
    if code is None or "a" in around:
        return None
    is_among_flags = _FLAG_FOLDERS.search(_path_of(image.attributes.get("src"))) is not None
    return Flag(code, is_among_flags, not around.isdisjoint(_HEADING_CELLS))


def _around(node: LexborNode) -> Iterator[LexborNode]:
    """The elements around a node, from the inside."""
    around = node.parent
    for _ in range(_DEEPEST):
        if around is None:
            return
        yield around
        around = around.parent


def _block_around(node: LexborNode) -> LexborNode | None:
    """The element that begins the line on which a text stands; None for text that no browser shows."""
    block = None
    for element in _around(node):
        if element.tag in _SILENT:
            return None
        if block is None and element.tag in _BLOCKS:
            block = element
    return block


def _is_heading(block: LexborNode) -> bool:
    """Whether a block is a heading: by its tag, or as a row of nothing but one heading."""
    cells = cells_of(block) if block.tag == "tr" else []
    return block.tag in _HEADINGS or (len(cells) == 1 and cells[0].tag == "th")
