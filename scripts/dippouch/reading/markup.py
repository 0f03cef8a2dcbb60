"""Read the markup of web pages: tables, rows, texts, flags, and links.

Markup is often not well formed: rows are cut or nested. The parser repairs what a browser repairs.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import PurePosixPath
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dippouch.messages import Location
from dippouch.reading.documents import Source
from dippouch.reading.table import MOST_ROWS, ONE_TABLE, TableRow, only_table, skipped

_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "caption"])
_SILENT = frozenset(["script", "style", "title", "head", "option", "select"])
# Deeper than any page.
_DEEPEST = 200
# The page of a ranking of 3,000 people has 40,000 tags. The parser's time is quadratic in the depth of nesting.
_MOST_TAGS = 100_000


def page_rows(text: str, source: Source, known: Mapping[str, str]) -> tuple[list[TableRow], list[str]]:
    """Return the rows of the only `<table>` of results on a web page, and a remark on other tables."""
    tables: dict[int, list[TableRow]] = {}
    for number, row in enumerate(parse_page(text, source).css("tr"), start=1):
        place = Location(source.path, place=f"row {number} of the tables")
        table = next(iter(tables_around(row)), 0)
        tables.setdefault(table, []).append(TableRow(place, [text_of(cell) for cell in cells_of(row)]))
    if sum(map(len, tables.values())) > MOST_ROWS:
        raise source.fault(f"more than {MOST_ROWS:,} rows", ONE_TABLE)
    named = {f"table {number} (rows: {len(rows)})": rows for number, rows in enumerate(tables.values(), start=1)}
    found, others = only_table(named, "places", source, known)
    return found, skipped("other tables", others)


def parse_page(text: str, source: Source) -> LexborHTMLParser:
    """Parse a page that is whole and not too large.

    Raises:
        DocumentError: for any other page.
    """
    if "<html" in text.lower() and "</html" not in text.lower():
        raise source.fault("a page that ends before `</html>`", "a whole page", "Save it from the browser again.")
    if (tags := text.count("<")) > _MOST_TAGS:
        raise source.fault(f"{tags:,} tags", f"a page of at most {_MOST_TAGS:,}", "Copy its table into a CSV file.")
    return LexborHTMLParser(text)


def title_of(tree: LexborHTMLParser) -> str:
    """Return the title of a page; empty if it has none."""
    title = tree.css_first("title")
    return " ".join(title.text().split()) if title else ""


def cells_of(row: LexborNode) -> list[LexborNode]:
    """Return the cells of a row, without those of a nested table."""
    return [cell for cell in row.iter() if cell.tag in ("td", "th")]


def around(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements around a node, innermost first."""
    outer = node.parent
    for _ in range(_DEEPEST):
        if outer is None:
            return
        yield outer
        outer = outer.parent


def tables_around(row: LexborNode) -> list[int]:
    """Return the ids of the tables around a row, innermost first."""
    return [element.mem_id for element in around(row) if element.tag == "table"]


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


def flag_of(image: LexborNode) -> str:
    """Return the nation's code in the file name of a flag; empty for other images."""
    stem = PurePosixPath(unquote(_address(image.attributes.get("src")).path)).stem
    return stem if re.fullmatch(r"[A-Z]{2,3}", stem) else ""


def linked_id(node: LexborNode, parameter: str) -> str:
    """Return the id in the first link in a node that has one; empty without."""
    return next((i for link in node.css("a[href]") if (i := id_in(link.attributes.get("href"), parameter))), "")


def addresses(text: str, tree: LexborHTMLParser) -> list[tuple[str, str]]:
    """Return the addresses of a page, with an empty text, and those of its links, with the text of each.

    The sources of the first are: the address that a browser recorded on saving, and the canonical address of the page.
    """
    saved = re.search(r"saved from url=\(\d+\)(\S+)", text[:2000])
    own = [saved[1] if saved else ""]
    own += [node.attributes.get("href") or "" for node in tree.css("link[rel=canonical]")]
    links = [(text_of(link), link.attributes.get("href") or "") for link in tree.css("a")]
    return [*(("", address) for address in own), *((shown, address) for shown, address in links if shown)]


def _address(text: str | None) -> SplitResult:
    """Return the parts of an address; all empty if it is invalid."""
    try:
        return urlsplit(text or "")
    except ValueError:
        return urlsplit("")


def id_in(address: str | None, parameter: str) -> str:
    """Return the id in a parameter of an address; empty without one."""
    values = parse_qs(_address(address).query).get(parameter, [])
    return values[0] if values and re.fullmatch(r"[1-9][0-9]{0,8}", values[0]) else ""


def texts_before(tree: LexborHTMLParser, row: LexborNode) -> list[tuple[str, bool]]:
    """Return the visible texts of a page before a row, each with whether it is a heading, whose texts are joined."""
    found: list[tuple[str, bool]] = []
    last = 0
    nodes = tree.root.traverse(include_text=True) if tree.root else ()
    for node in takewhile(lambda node: node.mem_id != row.mem_id, nodes):
        text = " ".join((node.text_content or "").split()) if node.tag == "-text" else ""
        outer = list(around(node)) if text else []
        if text and _SILENT.isdisjoint(element.tag or "" for element in outer):
            heading = next((element.mem_id for element in outer if _is_heading(element)), 0)
            if heading and heading == last:
                text = f"{found.pop()[0]} {text}"
            found.append((text, bool(heading)))
            last = heading
    return found


def _is_heading(element: LexborNode) -> bool:
    """Return whether an element is a heading: by its tag, or as a row with a single heading."""
    cells = cells_of(element) if element.tag == "tr" else []
    return element.tag in _HEADINGS or (len(cells) == 1 and cells[0].tag == "th")
