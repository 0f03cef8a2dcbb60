"""The format `wdd-html`: pages of the World Diplomacy Database saved from a browser.

The page of a tournament, of a player (`player_fiche5.php`: the tournaments they played) or of a ranking. Rows of data are
`<tr class="row_even">` and `row_odd`, headings are `<th>`, nations are flags (`.../FRA.gif`), ids are in links
(`player_fiche.php?id_player=1073`). A row cut off before its name is lost, and counts as missing because the page
declares its number of players.
"""

from __future__ import annotations

import re
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser

from dippouch.documents import Document, RankingDocument, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import listed
from dippouch.importing.formats.wdd.columns import read_head
from dippouch.importing.formats.wdd.fields import Line, PageRow, is_ranking, make_ranking, make_tournament
from dippouch.importing.formats.wdd.markup import Page, TableRow, flag_of, headings, linked_id, text_of, title_of
from dippouch.importing.formats.wdd.page_rows import data_rows
from dippouch.importing.formats.wdd.player_page import read_player
from dippouch.importing.formats.wdd.text_pages import joined_lines
from dippouch.names import shortened

FORMAT = "wdd-html"

# Smaller tables of other sites are not tables of results.
_ROWS_OF_A_TABLE = 3
# The page of a ranking of 3,000 people has 40,000 tags. The parser's time is quadratic in the depth of nesting.
_MOST_TAGS = 100_000
_COPY = "Of another page, copy the table into a spreadsheet and save it as CSV or .xlsx, with the headings `placement` and `name`."

_MARKUP = re.compile(r"<(!doctype\s+html|html|head|body|table|tr|td)\b", re.IGNORECASE)


def detect(text: str) -> bool:
    """Return whether a text has the tags of a page."""
    return _MARKUP.search(text) is not None


def read(text: str, source: Source, context: Context) -> list[Document]:
    """Read the document of a page."""
    page = _parse(text, source, context)
    return [read_player(page) if "tournament" in page.head.names else _read_table(page)]


def _parse(text: str, source: Source, context: Context) -> Page:
    """Parse a page with one table of results."""
    if "<html" in text.lower() and "</html" not in text.lower():
        raise source.fault("a page that ends before `</html>`", "a whole page", "Save it from the browser again.")
    if (tags := text.count("<")) > _MOST_TAGS:
        raise source.fault(f"{tags:,} tags", f"a page of at most {_MOST_TAGS:,}", _COPY)
    tree = LexborHTMLParser(text)
    rows = tree.css("tr")
    heads = [(i, head) for i, row in enumerate(rows) if (head := read_head(headings(row)))]
    if len(heads) > 1:
        raise source.fault(f"{len(heads)} tables of results", "one tournament, player or ranking per page")
    if not heads:
        title = title_of(tree)
        called = "" if title is None else f" (its title is `{shortened(title)}`)"
        raise source.fault(
            f"a page without a table of results{called}"
            if len(rows) < _ROWS_OF_A_TABLE
            else f"a web page with a table that is not one of the World Diplomacy Database{called}",
            "a page of the World Diplomacy Database of a tournament, a player's tournaments or a ranking",
            "Open it in a browser, and save it when it shows the table." if len(rows) < _ROWS_OF_A_TABLE else _COPY,
        )
    at, head = heads[0]
    data = data_rows(text, tree, rows, at, head, source)
    if not data:
        raise source.fault("a table without rows", "at least one row under the headings")
    return Page(source, text, tree, context.nations, head, rows[at], data)


def _read_table(page: Page) -> TournamentDocument | RankingDocument:
    """Read the tournament or the ranking of a page."""
    # Lines of markup are invisible to users, so the place is the page.
    place = Location(page.source.path)
    header = joined_lines([Line(place, line.text, line.is_heading) for line in page.lines_above])
    faults = Faults()
    rows = [_page_row(row, page, faults) for row in page.rows]
    cut = [f"`{shortened(row.number or row.score)}` ({row.location.in_file})" for row in rows if not row.name]
    with faults.gathered():
        document = _document(page, header, [row for row in rows if row.name])
    faults.raise_any()
    if cut:
        document = replace(document, remarks=(f"rows without a name skipped: {listed(cut)}",))
    return document


def _document(page: Page, header: list[Line], rows: list[PageRow]) -> TournamentDocument | RankingDocument:
    if is_ranking(header):
        return make_ranking(header, rows, page.source)
    document = make_tournament(header, rows, page.source)
    source_ids = page.own_ids("id_tournament", document.name)
    return replace(document, nation_code=page.nation_above(document.name), source_ids=source_ids)


def _page_row(row: TableRow, page: Page, faults: Faults) -> PageRow:
    """Return a row of the page; gather unknown flags as faults."""
    head = page.head
    texts = [text_of(cell) for cell in row.cells]
    nations: dict[str, str | None] = {}
    player_id = None
    for cell, column in zip(row.cells, head.names, strict=False):
        if column in ("nation", "location"):
            image = cell.css_first("img")
            flag = (flag_of(image) if image else "") or ""
            try:
                nations[column] = page.nations.of_flag(flag)
            except ValueError as error:
                faults.add(DocumentError(row.location, f"the flag `{shortened(flag)}`", str(error), "Add it there."))
        elif column == "name" and player_id is None:
            player_id = linked_id(cell, "id_player")
    return PageRow(
        row.location,
        head.text(texts, "rank"),
        head.text(texts, "name"),
        head.text(texts, "score"),
        nation_code=nations.get("nation"),
        location_code=nations.get("location"),
        player_id=player_id,
    )
