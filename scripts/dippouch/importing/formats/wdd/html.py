"""The format `wdd-html`: pages of the World Diplomacy Database saved from a browser.

The page of a tournament, of a player (`player_fiche5.php`: the tournaments they played) or of a ranking. Rows of data are
`<tr class="row_even">` and `row_odd`, headings are `<th>`, nations are flags (`.../FRA.gif`), ids are in links
(`player_fiche.php?id_player=1073`). A row cut off before its name is lost, and counts as missing because the page
declares its number of players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dippouch.documents import Appearance, Document, ListedPlayer, PlayerDocument, Source, TournamentDocument
from dippouch.errors import Faults, Location
from dippouch.importing.context import Context
from dippouch.importing.formats import markup
from dippouch.importing.formats.standings import is_league, skipped_leagues
from dippouch.importing.formats.table import Cell, Columns, Row, read_columns, skipped
from dippouch.importing.formats.wdd.text_pages import Line, is_page_head, known_columns, make_document
from dippouch.importing.parsing.dates import parse_date_span
from dippouch.importing.parsing.numbers import parse_count, parse_placement
from dippouch.names import has_capitals, shortened, split_name, tidy_text

FORMAT = "wdd-html"

_ONLY_ON_PAGES = re.compile(r"class=.?row_(even|odd)|id_player=|id_tournament=|Coeff 1|Last Update", re.IGNORECASE)
_MARKED = re.compile(r"<tr\b[^>]*class=.?row_", re.IGNORECASE)
# On a player's page: `3 / 75 players`.
_RANK_AND_TOTAL = re.compile(r"(?P<rank>[^/]*?)\s*(?:/\s*(?P<players>[0-9]*)\s*(?:players?)?)?", re.IGNORECASE)
# The column of the ids in links, which the table of the page does not show.
_ID = "wdd_id"


@dataclass(frozen=True)
class _Page:
    """A page with its only table of results: its parsed text, the columns and the rows of data."""

    tree: LexborHTMLParser
    text: str
    head: LexborNode
    columns: Columns
    rows: list[Row]
    source: Source
    context: Context

    def own_ids(self, parameter: str, name: str) -> tuple[str, ...]:
        """Return the id of the page's subject, if the page states it."""
        number = markup.own_id(self.text, self.tree, parameter, name)
        return (f"wdd:{number}",) if number else ()


def detect(text: str) -> bool:
    """Return whether a text is a page with fields or links that only pages of the database have."""
    return markup.MARKUP.search(text) is not None and _ONLY_ON_PAGES.search(text) is not None


def read(text: str, source: Source, context: Context) -> list[Document]:
    """Read the document of a page with one table of results."""
    tree = markup.parse_page(text, source)
    rows = tree.css("tr")
    heads = [i for i, row in enumerate(rows) if is_page_head([markup.text_of(cell) for cell in markup.cells_of(row)])]
    if len(heads) != 1:
        raise source.fault(
            f"{len(heads)} tables of results (the page's title is `{shortened(markup.title_of(tree))}`)",
            "a page of the World Diplomacy Database of one tournament, one player's tournaments or one ranking",
            "Open it in a browser, and save it when it shows the table.",
        )
    head = rows[heads[0]]
    place = Location(source.path, place="headings of the table")
    columns = read_columns(Row(place, [markup.text_of(cell) for cell in markup.cells_of(head)]), known_columns())
    columns = replace(columns, index={**columns.index, _ID: columns.width}, width=columns.width + 1)
    faults = Faults()
    data = [
        _row(cells, Location(source.path, place=f"row {number} of the table"), columns, context, faults)
        for number, cells in enumerate(_data_rows(text, rows, heads[0], columns, source), start=1)
    ]
    page = _Page(tree, text, head, columns, data, source, context)
    return [_read_player(page, faults) if "tournament" in columns.index else _read_table(page, faults)]


def _row(cells: list[LexborNode], place: Location, columns: Columns, context: Context, faults: Faults) -> Row:
    """Return the texts of a row, flags as nations, and the id in the link of its subject; gather unknown flags as faults."""
    texts = [markup.text_of(cell) for cell in cells] + [""] * (columns.width - len(cells))
    for name in ("nation_code", "location_code"):
        at = columns.index.get(name, len(cells))
        if at < len(cells):
            flag = next((code for image in cells[at].css("img") if (code := markup.flag_of(image))), "")
            with faults.gathered():
                texts[at] = Cell(flag, place).parsed("the flag", context.nations.of_flag, "Add it there.") or ""
    subject, parameter = ("tournament", "id_tournament") if "tournament" in columns.index else ("", "id_player")
    named = [columns.index[name] for name in (subject or "name", "first_name", "last_name") if name in columns.index]
    texts[columns.index[_ID]] = next(
        (i for at in named if at < len(cells) and (i := markup.linked_id(cells[at], parameter))), ""
    )
    return Row(place, texts)


def _data_rows(text: str, rows: list[LexborNode], at: int, columns: Columns, source: Source) -> list[list[LexborNode]]:
    """Return the cells of the rows under the head; refuse another row that looks like one, so that no row is lost silently.

    A nested table that is never closed contains all following rows, and a row that lost its tag is joined with the row above it.
    """
    tables = markup.tables_around(rows[at])[:1]
    own = [row for row in rows[at + 1 :] if markup.tables_around(row)[:1] == tables]
    if text.lower().count("<table") > text.lower().count("</table"):
        own = [row for row in rows[at + 1 :] if set(tables) <= set(markup.tables_around(row))]
    taken = [row for row in own if _is_marked(row)] or own
    faults = Faults()
    if (stated := len(_MARKED.findall(text))) > (read_rows := sum(map(_is_marked, rows))):
        hint = "Put every row into the table, or save the page from the browser again."
        faults.add(source.fault(f"{read_rows} rows of results in tables", f"{stated}, the number of their tags", hint))
    for lost in _lost(rows, at, taken, columns):
        found = f"`{shortened(lost)}` beside the rows of the table"
        hint = 'Give its row the class of the other rows (`class="row_odd"`) in their table, or delete it.'
        faults.add(source.fault(found, "every result in a row of the same table, marked like the others", hint))
    if not taken:
        faults.add(source.fault("a table without rows", "at least one row under the headings"))
    faults.raise_any()
    width = len(columns.head.texts)
    return [cells[i : i + width] for cells in map(markup.cells_of, taken) for i in range(0, len(cells), width)]


def _lost(rows: list[LexborNode], at: int, taken: list[LexborNode], columns: Columns) -> Iterator[str]:
    """Yield the text of every other row that is marked, has a link to a subject of the table, or several texts in the table."""
    of_data = {row.mem_id for row in taken}
    link = "id_tournament" if "tournament" in columns.index else "id_player"
    for i, row in enumerate(rows):
        texts = [text for cell in markup.cells_of(row) if (text := markup.text_of(cell))]
        is_under = i > at and markup.tables_around(row) == markup.tables_around(rows[at]) and len(texts) > 1
        is_linked = i > at and any(markup.linked_id(cell, link) for cell in markup.cells_of(row))
        if i != at and row.mem_id not in of_data and (is_under or is_linked or _is_marked(row)):
            yield " ".join(texts)


def _is_marked(row: LexborNode) -> bool:
    return (row.attributes.get("class") or "").startswith("row_")


def _read_table(page: _Page, faults: Faults) -> Document:
    """Read the tournament or the ranking of a page."""
    # Lines of markup are invisible to users, so the place is the page.
    place = Location(page.source.path)
    lines = [Line(place, text, is_heading) for text, is_heading in markup.texts_before(page.tree, page.head)]
    named = [row for row in page.rows if any(page.columns.text(row, name) for name in ("name", "last_name"))]
    cut = [
        f"`{shortened(' '.join(filter(None, row.texts)))}` ({row.location.in_file})"
        for row in page.rows
        if row not in named
    ]
    document = make_document(lines, named, page.columns, page.source, page.context, faults)
    remarks = (*document.remarks, *skipped("rows without a name", cut))
    if not isinstance(document, TournamentDocument):
        return replace(document, remarks=remarks)
    nation, ids = _nation_above(page), page.own_ids("id_tournament", document.name)
    return replace(document, remarks=remarks, nation_code=document.nation_code or nation, source_ids=ids)


def _nation_above(page: _Page) -> str | None:
    """Return the nation of the page's subject: of the only flag in a heading; flags elsewhere choose a language."""
    nations = set()
    for image in page.tree.css("h1 img, h2 img, h3 img, th img"):
        with suppress(ValueError):
            nations.add(page.context.nations.of_flag(markup.flag_of(image)))
    nations.discard(None)
    return nations.pop() if len(nations) == 1 else None


def _read_player(page: _Page, faults: Faults) -> PlayerDocument:
    """Read the player of a page with the tournaments they played."""
    above = Location(page.source.path, place="above the table")
    # The name is in the page's title after `WDD - `, or else in a heading.
    headings = [text for text, is_heading in markup.texts_before(page.tree, page.head) if is_heading]
    name = next(filter(has_capitals, [markup.title_of(page.tree).rpartition(" - ")[2], *headings]), None)
    if name is None:
        raise page.source.fault(
            "no name of a player above the table", "a heading or a title such as `WDD - Edi BIRSAN`"
        )
    text = page.columns.text
    leagues = [text(row, "tournament") for row in page.rows if is_league(text(row, "kind"))]
    cut = [row.location.in_file for row in page.rows if not text(row, "tournament")]
    rows = [row for row in page.rows if text(row, "tournament") and not is_league(text(row, "kind"))]
    appearances = faults.each(rows, lambda row: _appearance(row, page.columns))
    faults.raise_any()
    ids = page.own_ids("id_player", name)
    player = ListedPlayer(name, *split_name(name), above, _nation_above(page), source_ids=ids)
    remarks = (*skipped_leagues(leagues), *skipped("rows without a tournament", cut))
    return PlayerDocument(page.source, player, appearances, remarks)


def _appearance(row: Row, columns: Columns) -> Appearance:
    """Read one tournament of a player."""
    faults = Faults()
    rank = columns.cell(row, "placement")
    ranked = _RANK_AND_TOTAL.fullmatch(rank.text)
    placed, players = ranked.group("rank", "players") if ranked else (rank.text, None)
    with faults.gathered():
        days = columns.cell(row, "date").parsed("the date", parse_date_span)
    with faults.gathered():
        placement = rank._replace(text=placed).parsed("the rank", parse_placement)
    with faults.gathered():
        field_size = rank._replace(text=players).parsed("the number of players", parse_count) if players else None
    faults.raise_any()
    number = columns.text(row, _ID)
    return Appearance(
        tidy_text(columns.text(row, "tournament")),
        *days,
        placement,
        row.location,
        columns.text(row, "kind") or None,
        (f"wdd:{number}",) if number else (),
        field_size,
    )
