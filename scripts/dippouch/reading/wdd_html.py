"""The format `wdd-html`: pages of the World Diplomacy Database saved from a browser.

Rows of data are `<tr class="row_even">` and `row_odd`, headings are `<th>`, nations are flags (`.../FRA.gif`), ids are in links
(`player_fiche.php?id_player=1073`). A row cut off before its name is lost, and counts as missing because the page
declares its number of players.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from dippouch.messages import Faults, Location, shortened
from dippouch.reading import markup
from dippouch.reading.context import Context, Nations
from dippouch.reading.documents import Document, Source
from dippouch.reading.table import Cell, Columns, TableRow, read_columns, skipped
from dippouch.reading.wdd_page import ID, Kind, Line, WddPage, kind_of

_MARKED = re.compile(r"<tr\b[^>]*class=.?row_", re.IGNORECASE)


def read(text: str, source: Source, context: Context) -> Document:
    """Read the document of a page with one table of results."""
    tree = markup.parse_page(text, source)
    rows = tree.css("tr")
    headings = [list(map(markup.text_of, markup.cells_of(row))) for row in rows]
    heads = [(i, kind) for i, texts in enumerate(headings) if (kind := kind_of(texts))]
    if len(heads) != 1:
        found = f"{len(heads)} tables of results (the page's title is `{shortened(markup.title_of(tree))}`)"
        expected = "a page of the World Diplomacy Database of one tournament, one player's tournaments or one ranking"
        raise source.unknown(found, expected, "Open it in a browser, and save it when it shows the table.")
    at, kind = heads[0]
    place = Location(source.path, place="headings of the table")
    shown = read_columns(TableRow(place, headings[at]), kind.columns)
    columns = replace(shown, index={**shown.index, ID: shown.width}, width=shown.width + 1)
    faults = Faults()
    data = [
        _row(cells, Location(source.path, place=f"row {number} of the table"), columns, kind, context, faults)
        for number, cells in enumerate(_data_rows(text, rows, at, kind, source), start=1)
    ]
    named = [row for row in data if any(columns.text(row, name) for name in kind.subjects)]
    nameless = [row for row in data if row not in named]
    cut = [f"`{shortened(' '.join(filter(None, row.texts)))}` ({row.location.in_file})" for row in nameless]
    # Lines of markup are invisible to users, so the place is the page.
    place = Location(source.path)
    above = [Line(place, text, is_heading) for text, is_heading in markup.texts_before(tree, rows[at])]
    remarks = [*shown.remarks, *skipped("rows without a name", cut)]
    further = (markup.title_of(tree), _nation_above(tree, context.nations), markup.addresses(text, tree))
    return kind.read(WddPage(source, context, above, columns, named, remarks, faults, *further))


def _row(
    cells: list[LexborNode], place: Location, columns: Columns, kind: Kind, context: Context, faults: Faults
) -> TableRow:
    """Return the texts of a row, flags as nations, and the id in the link of its subject; gather unknown flags as faults."""
    texts = [markup.text_of(cell) for cell in cells] + [""] * (columns.width - len(cells))
    for name in ("nation_code", "location_code"):
        at = columns.index.get(name, len(cells))
        if at < len(cells):
            flag = next((code for image in cells[at].css("img") if (code := markup.flag_of(image))), "")
            texts[at] = Cell(flag, place).read("the flag", context.nations.of_flag, faults, "Add it there.") or ""
    named = [columns.index[name] for name in kind.subjects if name in columns.index]
    ids = (markup.linked_id(cells[at], kind.parameter) for at in named if at < len(cells))
    texts[columns.index[ID]] = next(filter(None, ids), "")
    return TableRow(place, texts)


def _data_rows(text: str, rows: list[LexborNode], at: int, kind: Kind, source: Source) -> list[list[LexborNode]]:
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
    for lost in _lost(rows, at, taken, kind):
        found = f"`{shortened(lost)}` beside the rows of the table"
        hint = 'Give its row the class of the other rows (`class="row_odd"`) in their table, or delete it.'
        faults.add(source.fault(found, "every result in a row of the same table, marked like the others", hint))
    if not taken:
        faults.add(source.fault("a table without rows", "at least one row under the headings"))
    faults.raise_any()
    width = len(markup.cells_of(rows[at]))
    return [cells[i : i + width] for cells in map(markup.cells_of, taken) for i in range(0, len(cells), width)]


def _lost(rows: list[LexborNode], at: int, taken: list[LexborNode], kind: Kind) -> Iterator[str]:
    """Yield the text of every other row that is marked, has a link to a subject of the table, or several texts in the table."""
    of_data = {row.mem_id for row in taken}
    for i, row in enumerate(rows):
        texts = [text for cell in markup.cells_of(row) if (text := markup.text_of(cell))]
        is_under = i > at and markup.tables_around(row) == markup.tables_around(rows[at]) and len(texts) > 1
        is_linked = i > at and any(markup.linked_id(cell, kind.parameter) for cell in markup.cells_of(row))
        if i != at and row.mem_id not in of_data and (is_under or is_linked or _is_marked(row)):
            yield " ".join(texts)


def _is_marked(row: LexborNode) -> bool:
    return (row.attributes.get("class") or "").startswith("row_")


def _nation_above(tree: LexborHTMLParser, nations: Nations) -> str | None:
    """Return the nation of the page's subject: of the only flag in a heading; flags elsewhere choose a language."""
    flags = map(markup.flag_of, tree.css("h1 img, h2 img, h3 img, th img"))
    found = {nations.by_wdd_code.get(flag) for flag in flags if flag} - {None}
    return found.pop() if len(found) == 1 else None
