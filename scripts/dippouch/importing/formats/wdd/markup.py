"""Read the markup of a page: its rows, texts, flags, links, and the lines above its table.

The markup is not well formed: rows are cut or nested. The parser repairs what a browser repairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import PurePosixPath
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

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


@dataclass(frozen=True)
class TableRow:
    """A row of the table: its cells and its place."""

    cells: list[LexborNode]
    location: Location


@dataclass(frozen=True)
class TextLine:
    """A line of text as the browser shows it.

    Attributes:
        begins: number of nodes before it.
        block: the element whose line it is on.
        is_heading: whether it may be a title.
    """

    text: str
    begins: int
    block: LexborNode
    is_heading: bool


@dataclass(frozen=True)
class Page:
    """A page of the site: its tree, and its only table of results.

    Attributes:
        text: the page as received.
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
        """Return everything above the table as one place."""
        return Location(self.source.path, place="above the table")

    def nation_above(self, name: str) -> str | None:
        """Return the nation of the page's subject.

        Its flag is beside the facts: on the line of the name or under it, or in a heading if no line has the name. Flags in links
        or above the name belong to the site, such as a choice of languages.
        """
        named = next((line for line in self.lines_above if line.text == name), None)
        nations = set()
        for at, image in enumerate(_before(self.tree, self.head_row)):
            code = flag_of(image) if image.tag == "img" else None
            around = {element.tag for element in _around(image)} if code else {"a"}
            is_own = at > named.begins or _is_in(image, named.block) if named else around & _HEADING_CELLS
            if code and is_own and "a" not in around:
                with suppress(ValueError):
                    nations.add(self.nations.of_flag(code))
        nations.discard(None)
        return nations.pop() if len(nations) == 1 else None

    @cached_property
    def lines_above(self) -> list[TextLine]:
        """Return the text above the table in the lines that a browser shows."""
        return _lines_of(_before(self.tree, self.head_row))

    def own_ids(self, parameter: str, name: str) -> tuple[str, ...]:
        """Return the id of the page's subject; none if the page is ambiguous.

        The sources are: the address that a browser recorded on saving, the canonical address of the page, a link whose text is the
        name, or links to different pages above the table that agree. A single link may lead to the next tournament.

        Args:
            parameter: the parameter of an address that has the id.
            name: the page's subject.
        """
        saved = re.search(r"saved from url=\(\d+\)(\S+)", self.text[:2000])
        own = [saved[1]] if saved else []
        own += [node.attributes.get("href") or "" for node in self.tree.css("link[rel=canonical]")]
        own += [node.attributes.get("content") or "" for node in self.tree.css("meta[property='og:url']")]
        found = next((i for address in own if (i := _id_in(address, parameter))), None)
        if found is None:
            links = [node for node in _before(self.tree, self.head_row) if node.tag == "a"]
            with_id = [(node, i) for node in links if (i := _id_in(node.attributes.get("href"), parameter))]
            named = {i for node, i in with_id if text_of(node).casefold() == name.casefold()}
            ids = {i for _, i in with_id}
            pages = {_address(node.attributes.get("href")).path for node, _ in with_id}
            found = named.pop() if len(named) == 1 else ids.pop() if len(ids) == 1 and len(pages) > 1 else None
        return (f"wdd:{found}",) if found else ()


def title_of(tree: LexborHTMLParser) -> str | None:
    """Return the title of a page, if it has one."""
    title = tree.css_first("title")
    return " ".join(title.text().split()) if title else None


def cells_of(row: LexborNode) -> list[LexborNode]:
    """Return the cells of a row, without those of a nested table."""
    return [cell for cell in row.iter() if cell.tag in ("td", "th")]


def headings(row: LexborNode) -> list[str]:
    """Return the texts of a row's cells, each repeated for the columns that it spans."""
    texts = []
    for cell in cells_of(row):
        span = cell.attributes.get("colspan") or "1"
        texts += [text_of(cell)] * (int(span) if span in ("1", "2", "3") else 1)
    return texts


def table_of(row: LexborNode) -> LexborNode | None:
    """Return the innermost table around a row."""
    return next((element for element in _around(row) if element.tag == "table"), None)


def is_inside(node: LexborNode, outer: LexborNode) -> bool:
    """Return whether a node is inside another."""
    return any(element.mem_id == outer.mem_id for element in _around(node))


def lines_outside(tree: LexborHTMLParser, table: LexborNode) -> list[TextLine]:
    """Return the text outside a table in the lines that a browser shows."""
    inside = {node.mem_id for node in table.traverse(include_text=True)}
    return _lines_of(node for node in _nodes(tree) if node.mem_id not in inside)


def text_of(node: LexborNode) -> str:
    """Return the text in a node, without that of a table that broken markup put into it."""
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
    """Return the nation's code in the file name of a flag; None for other images."""
    stem = PurePosixPath(unquote(_address(image.attributes.get("src")).path)).stem
    return stem if re.fullmatch(r"[A-Z]{2,3}", stem) else None


def _address(text: str | None) -> SplitResult:
    """Return the parts of an address; all empty if it is invalid."""
    try:
        return urlsplit(text or "")
    except ValueError:
        return urlsplit("")


def linked_id(node: LexborNode, parameter: str) -> str | None:
    """Return the id in the first link of a node that has one."""
    return next((i for link in node.css("a[href]") if (i := _id_in(link.attributes.get("href"), parameter))), None)


def _id_in(address: str | None, parameter: str) -> str | None:
    values = parse_qs(_address(address).query).get(parameter, [])
    return values[0] if values and re.fullmatch(r"[1-9][0-9]{0,8}", values[0]) else None


def _nodes(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    """Yield all nodes of a page in order."""
    return iter(tree.root.traverse(include_text=True) if tree.root else ())


def _before(tree: LexborHTMLParser, row: LexborNode) -> Iterator[LexborNode]:
    """Yield the nodes before a row in order."""
    return takewhile(lambda node: node.mem_id != row.mem_id, _nodes(tree))


def _lines_of(nodes: Iterable[LexborNode]) -> list[TextLine]:
    """Return the text of nodes in the lines that a browser shows: a break or a new block starts one."""
    lines: list[TextLine] = []
    pieces: list[str] = []
    block: LexborNode | None = None
    begins = 0

    def end() -> None:
        if block is not None and (text := " ".join("".join(pieces).split())):
            lines.append(TextLine(text, begins, block, _is_heading(block)))
        pieces.clear()

    for at, node in enumerate(nodes):
        if node.tag in ("br", "hr"):
            end()
        elif node.tag in ("td", "th"):
            pieces.append(" ")
        elif node.tag == "-text" and (node.text_content or "").strip() and (around := _block_around(node)):
            if block is None or around.mem_id != block.mem_id:
                end()
                block = around
            begins = begins if any(map(str.strip, pieces)) else at
            pieces.append(node.text_content or "")
    end()
    return lines


def _is_in(node: LexborNode, block: LexborNode) -> bool:
    around = _block_around(node)
    return around is not None and around.mem_id == block.mem_id


def _around(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements around a node, innermost first."""
    around = node.parent
    for _ in range(_DEEPEST):
        if around is None:
            return
        yield around
        around = around.parent


def _block_around(node: LexborNode) -> LexborNode | None:
    """Return the element that begins the line of a text; None for text that browsers do not show."""
    block = None
    for element in _around(node):
        if element.tag in _SILENT:
            return None
        if block is None and element.tag in _BLOCKS:
            block = element
    return block


def _is_heading(block: LexborNode) -> bool:
    """Return whether a block is a heading: by its tag, or as a row with a single heading."""
    cells = cells_of(block) if block.tag == "tr" else []
    return block.tag in _HEADINGS or (len(cells) == 1 and cells[0].tag == "th")
