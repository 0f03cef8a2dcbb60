"""Reader of the form `wdd-html`: pages of the World Diplomacy Database saved from a browser.

The page of a tournament, of a player (`player_fiche5.php`: the tournaments they played) or of a ranking. Rows of data are
`<tr class="row_even">` and `row_odd`, headings are `<th>`, nations are flags (`.../FRA.gif`), ids stand in links
(`player_fiche.php?id_player=1073`). The markup is not well formed: rows are cut or nested. The parser mends what a browser
mends; a row that is cut before its name is lost, and counts as missing because the page declares its players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import parse_qs, unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dippouch.errors import DocumentError
from dippouch.importing.dates import parse_date_span
from dippouch.importing.documents import Appearance, Document, ListedPlayer, PlayerDocument, Source
from dippouch.importing.names import repair_text, shortened, split_listed_name
from dippouch.importing.placements import parse_count, parse_placement
from dippouch.importing.readers.wdd_page import (
    Line,
    PageRow,
    authored_at,
    dated_at,
    flag,
    is_ranking,
    make_ranking,
    make_tournament,
    row_fault,
)
from dippouch.importing.readers.wdd_table import Head, joined_lines, read_head

FORM = "wdd-html"

_MARKUP = re.compile(r"<(!doctype\s+html|html|head|body|table|tr|td)\b", re.IGNORECASE)
_BLOCKS = frozenset(
    (
        "tr",
        "p",
        "div",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "caption",
        "li",
        "ul",
        "form",
        "center",
        "table",
        "body",
        "html",
    )
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "caption"))
_SILENT = frozenset(("script", "style", "title", "head", "option", "select"))
# Deeper than any page of the site; whoever nests deeper wants to see the reader fall: parsing takes the square of it.
_DEEPEST = 200
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# Tags that nobody has to close.
_SELF_CLOSING = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "dd",
        "dt",
        "hr",
        "img",
        "input",
        "li",
        "link",
        "meta",
        "option",
        "p",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "wbr",
    ]
)

_RANK_AND_TOTAL = re.compile(r"(?P<rank>[^/]*?)\s*(?:/\s*(?P<players>[0-9]*)\s*(?:players?)?)?", re.IGNORECASE)


@dataclass(frozen=True)
class _Row:
    """A row of the table: its cells, and how a message names it."""

    cells: list[LexborNode]
    place: str


@dataclass(frozen=True)
class _TextLine:
    """A line of text as the browser shows it; a heading may be a title."""

    text: str
    is_heading: bool


def recognises(text: str) -> bool:
    """Whether a text is of this form: it has the tags of a page."""
    return _MARKUP.search(text) is not None


def read(text: str, source: Source) -> list[Document]:
    """The document that a page holds.

    Raises:
        DocumentError: when the page has no such table, breaks off, or anything on it cannot be read.
    """
    if "<html" in text.lower() and "</html" not in text.lower():
        raise DocumentError(
            source.path,
            None,
            "a page that breaks off before `</html>`",
            "a whole page",
            "Save it from the browser again.",
        )
    _check_depth(text, source)
    page = LexborHTMLParser(text)
    rows = page.css("tr")
    at, head = _find_head(rows, page, source)
    data = _data_rows(rows[at + 1 :], head)
    if not data:
        raise DocumentError(source.path, None, "a table without rows", "at least one row under the headings")
    lines = _lines_above(page, rows[at])
    if "tournament" in head.names:
        own_id = _own_id(page, text, "id_player")
        return [_read_player(page, lines, head, data, rows[at], own_id, source)]
    header = joined_lines([Line(0, line.text) for line in lines])
    page_rows = [row for row in (_page_row(row, head) for row in data) if row.name]
    if is_ranking(header):
        # Whatever stands between the ranking's name and its author is not its name.
        at_author = authored_at(header, source)
        return [make_ranking(_title_of(lines, header, at_author)[:1] + header[at_author:], page_rows, source)]
    title = _title_of(lines, header, dated_at(header, source))
    flags = {code for image in _images_above(page, rows[at]) if (code := _flag_of(image))}
    nation = flag(flags.pop(), PageRow("", "", "", place="above the table"), source) if len(flags) == 1 else None
    return [
        make_tournament(
            header,
            title,
            page_rows,
            source,
            nation_code=nation,
            source_tournament_id=_own_id(page, text, "id_tournament"),
        )
    ]


def _check_depth(text: str, source: Source) -> None:
    depth = 0
    for closing, tag in _TAG.findall(text):
        if tag.lower() not in _SELF_CLOSING:
            depth = max(depth - 1, 0) if closing else depth + 1
        if depth > _DEEPEST:
            raise DocumentError(
                source.path, None, f"tags nested more than {_DEEPEST} deep", "a page as the site shows it"
            )


def _find_head(rows: list[LexborNode], page: LexborHTMLParser, source: Source) -> tuple[int, Head]:
    """The row with the headings of the table, as its position among all rows."""
    heads = [(i, head) for i, row in enumerate(rows) if (head := read_head(_headings(row)))]
    if len(heads) == 1:
        return heads[0]
    if heads:
        raise DocumentError(
            source.path, None, f"{len(heads)} tables of results", "one tournament, player or ranking a page"
        )
    title = page.css_first("title")
    called = f" (its title is `{shortened(' '.join(title.text().split()))}`)" if title else ""
    raise DocumentError(
        source.path,
        None,
        f"a page without a table of results{called}",
        "a page of the World Diplomacy Database of a tournament, a player's tournaments or a ranking",
        "Open it in a browser, and save it when it shows the table.",
    )


def _cells(row: LexborNode) -> list[LexborNode]:
    return [cell for cell in row.iter() if cell.tag in ("td", "th")]


def _headings(row: LexborNode) -> list[str]:
    """The texts of a row's cells, each as often as the columns that it spans."""
    texts = []
    for cell in _cells(row):
        span = cell.attributes.get("colspan") or "1"
        texts += [_text(cell)] * (int(span) if span in ("1", "2", "3") else 1)
    return texts


def _data_rows(rows: list[LexborNode], head: Head) -> list[_Row]:
    """The rows of data under the head. A row that holds several, its tags lost, is several rows."""
    marked = [row for row in rows if (row.attributes.get("class") or "").startswith("row_")]
    found = []
    for row in marked or rows:
        cells = _cells(row)
        subjects = [cell for cell in cells if any(_linked_id(cell, p) for p in ("id_player", "id_tournament"))]
        several = len(cells) % head.width == 0 or (head.names[0] == "rank" and len(subjects) > 1)
        width = head.width if several else len(cells)
        found += [cells[i : i + width] for i in range(0, len(cells), width)] if cells else []
    return [_Row(cells, f"row {number} of the table") for number, cells in enumerate(found, start=1)]


def _text(node: LexborNode) -> str:
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


def _page_row(row: _Row, head: Head) -> PageRow:
    texts = [_text(cell) for cell in row.cells]
    flags = dict.fromkeys(("nation", "location"), "")
    player_id = None
    for cell, column in zip(row.cells, head.names, strict=False):
        if column in flags:
            image = cell.css_first("img")
            flags[column] = (_flag_of(image) if image else "") or ""
        elif column == "name" and player_id is None:
            player_id = _linked_id(cell, "id_player")
    return PageRow(
        head.text(texts, "rank"),
        head.text(texts, "name"),
        head.text(texts, "score"),
        place=row.place,
        nation=flags["nation"],
        location=flags["location"],
        player_id=player_id,
    )


def _flag_of(image: LexborNode) -> str | None:
    """The nation's code in the name of a flag's file; None for a picture of something else."""
    stem = PurePosixPath(unquote(_path_of(image.attributes.get("src")))).stem
    return stem if re.fullmatch(r"[A-Z]{2,3}", stem) else None


def _path_of(address: str | None) -> str:
    """The path in an address; empty when it is none."""
    try:
        return urlsplit(address or "").path
    except ValueError:
        return ""


def _linked_id(node: LexborNode, parameter: str) -> str | None:
    """The id in the first link of a node that has one."""
    return next((i for link in node.css("a[href]") if (i := _id_in(link.attributes.get("href"), parameter))), None)


def _id_in(address: str | None, parameter: str) -> str | None:
    try:
        values = parse_qs(urlsplit(address or "").query).get(parameter, [])
    except ValueError:
        return None
    return values[0] if values and re.fullmatch(r"[1-9][0-9]{0,8}", values[0]) else None


def _own_id(page: LexborHTMLParser, text: str, parameter: str) -> str | None:
    """The id of what the page is about: in the address that a browser noted, or the only one in the page's links."""
    saved = re.search(r"saved from url=\(\d+\)(\S+)", text[:2000])
    if saved and (own := _id_in(saved[1], parameter)):
        return f"wdd:{own}"
    ids = {i for link in page.css("a[href]") if (i := _id_in(link.attributes.get("href"), parameter))}
    return f"wdd:{ids.pop()}" if len(ids) == 1 else None


def _before(page: LexborHTMLParser, row: LexborNode) -> Iterator[LexborNode]:
    """The nodes that stand before a row, in the order of the page."""
    root = page.root
    for node in root.traverse(include_text=True) if root else ():
        if node.mem_id == row.mem_id:
            return
        yield node


def _images_above(page: LexborHTMLParser, row: LexborNode) -> Iterator[LexborNode]:
    return (node for node in _before(page, row) if node.tag == "img")


def _lines_above(page: LexborHTMLParser, row: LexborNode) -> list[_TextLine]:
    """The text above a row in lines, as a browser breaks it."""
    lines: list[_TextLine] = []
    pieces: list[str] = []
    block: LexborNode | None = None

    def flush() -> None:
        text = " ".join("".join(pieces).split())
        if text:
            lines.append(_TextLine(text, block is not None and _is_heading(block)))
        pieces.clear()

    for node in _before(page, row):
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
    cells = _cells(block) if block.tag == "tr" else []
    return block.tag in _HEADINGS or (len(cells) == 1 and cells[0].tag == "th")


def _title_of(lines: list[_TextLine], header: list[Line], at: int) -> list[Line]:
    """The title above a line of fields: the headings right above it, or, without any, the one line above it."""
    headings = {line.text for line in lines if line.is_heading}
    start = at
    while start > 0 and header[start - 1].text in headings:
        start -= 1
    return header[start:at] if start < at else header[max(at - 1, 0) : at]


def _read_player(
    page: LexborHTMLParser,
    lines: list[_TextLine],
    head: Head,
    data: list[_Row],
    row: LexborNode,
    own_id: str | None,
    source: Source,
) -> PlayerDocument:
    """The player of a page with the tournaments they played."""
    name = _name_on(page, lines)
    if name is None:
        raise DocumentError(
            source.path, None, "no name of a player above the table", "a heading or a title such as `WDD - Edi BIRSAN`"
        )
    first_name, last_name = split_listed_name(name)
    flags = [code for image in _images_above(page, row) if (code := _flag_of(image))]
    own = PageRow("", name, "", place="above the table")
    player = ListedPlayer(
        name,
        first_name,
        last_name,
        line=0,
        nation_code=flag(flags[0], own, source) if flags else None,
        source_player_id=own_id,
        place="above the table",
    )
    appearances = [a for a in (_appearance(r, head, source) for r in data) if a is not None]
    return PlayerDocument(source, player, appearances)


def _name_on(page: LexborHTMLParser, lines: list[_TextLine]) -> str | None:
    """The name of the player: the page's title after `WDD - `, or the first heading that is a name."""
    title = page.css_first("title")
    candidates = [" ".join(title.text().split()).rpartition(" - ")[2]] if title else []
    for name in [*candidates, *(line.text for line in lines if line.is_heading)]:
        try:
            first_name, _ = split_listed_name(name)
        except ValueError:
            continue
        if first_name:
            return name
    return None


def _appearance(row: _Row, head: Head, source: Source) -> Appearance | None:
    """One tournament that a player played; None for a row that is cut before its name."""
    texts = [_text(cell) for cell in row.cells]
    name = head.text(texts, "tournament")
    if not name:
        return None
    cell = next(cell for cell, column in zip(row.cells, head.names, strict=False) if column == "tournament")
    here = PageRow("", name, "", place=row.place)
    stated = head.text(texts, "date")
    try:
        started_on, ended_on = parse_date_span(stated)
    except ValueError as error:
        raise row_fault(
            here, source, f"the date `{shortened(stated)}` ({error})", "a date such as `2013-08-25`"
        ) from None
    ranked = _RANK_AND_TOTAL.fullmatch(head.text(texts, "rank"))
    try:
        placement = parse_placement(ranked["rank"] if ranked else head.text(texts, "rank"))
        players = parse_count(ranked["players"]) if ranked and ranked["players"] else None
    except ValueError as error:
        raise row_fault(here, source, f"the rank `{shortened(head.text(texts, 'rank'))}`", str(error)) from None
    tournament_id = _linked_id(cell, "id_tournament")
    return Appearance(
        name=repair_text(name),
        started_on=started_on,
        ended_on=ended_on,
        placement=placement,
        line=0,
        kind=head.text(texts, "kind") or None,
        source_tournament_id=f"wdd:{tournament_id}" if tournament_id else None,
        players=players,
        place=row.place,
    )
