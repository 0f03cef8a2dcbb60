"""The format `xlsx`: the standings of one tournament in an Excel workbook, with the layout of a CSV file.

One sheet has the table; others (notes, charts) are ignored. A formula has the value that Excel stored with it.
The value of a merged cell applies to all of its rows: tied players are often shown this way.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from openpyxl import load_workbook
from openpyxl.cell.cell import ERROR_CODES
from openpyxl.utils import coordinate_to_tuple, get_column_letter, range_boundaries
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.xml.constants import SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Record, listed
from dippouch.importing.formats.headings import is_result_head
from dippouch.importing.formats.standings import MOST_ROWS, read_standings

_MOST_COLUMNS = 100
# Limits of the unpacked XML in a workbook. openpyxl makes objects of everything but sheets and texts, at many times their size.
_LARGEST_XML, _LARGEST_OTHER, _MOST_TAGS = 20_000_000, 2_000_000, 1_200_000
_ROWS_AND_TEXTS = ("xl/worksheets/", "xl/sharedStrings.xml")

_WORKBOOK = "an Excel workbook (.xlsx)"
_STANDINGS = "the standings of one tournament"
_COPY = "Copy the table into a new workbook (paste only the values), and save that."

_ROW, _CELL, _FORMULA, _VALUE, _MERGE = (f"{{{SHEET_MAIN_NS}}}{tag}" for tag in ("row", "c", "f", "v", "mergeCell"))
_IN_CELLS = (_FORMULA, _VALUE)


class _Layout(NamedTuple):
    """A sheet's merged cells (the column, counted from 0, the first and the last row) and its hidden rows."""

    merges: list[tuple[int, int, int]]
    hidden: list[int]


class _Sheet(NamedTuple):
    """A sheet's rows, and the hidden ones that are read, too: often a filter hides them."""

    records: list[Record]
    hidden: list[int]


def read(content: bytes, source: Source, context: Context) -> Iterator[Document]:
    """Read the tournament of a workbook."""
    _check_archive(content, source)
    try:
        sheets = _sheets(content, source.path)
    except DocumentError:
        raise
    except Exception as error:  # noqa: BLE001
        # A damaged workbook may raise any error anywhere in openpyxl; all mean the same.
        raise source.fault(
            f"a damaged workbook ({type(error).__name__})", _WORKBOOK, "Open it in Excel and save it again."
        ) from None
    tables = {title: sheet for title, sheet in sheets.items() if any(is_result_head(r.texts) for r in sheet.records)}
    # A list of numbered players beside the standings has no placements.
    ranked = {
        t: sheet for t, sheet in tables.items() if any(is_result_head(r.texts, strictly=True) for r in sheet.records)
    }
    chosen = ranked or tables
    if len(chosen) > 1:
        found = f"tables of results on {len(chosen)} sheets ({', '.join(chosen)})"
        raise source.fault(found, "one tournament a workbook")
    table = next(iter(chosen.values()), None) or next((s for s in sheets.values() if s.records), _Sheet([], []))
    aside = [
        f"`{t}`" for t, other in sheets.items() if other is not table and not all(r.is_blank for r in other.records)
    ]
    remarks = [f"sheets skipped: {', '.join(aside)}"] if aside else []
    if table.hidden:
        remarks.append(f"hidden rows are read, too: {listed([str(row) for row in table.hidden])}")
    for document in read_standings(table.records, source, context):
        yield replace(document, remarks=(*remarks, *document.remarks))
        remarks = []


def _check_archive(content: bytes, source: Source) -> None:
    """Check that a file is a zip archive with a workbook that fits into memory."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = archive.infolist()
            if "xl/workbook.xml" not in (file.filename for file in files):
                hint = "Unpack it and import the files in it."
                raise source.fault("a zip archive that is no workbook", _WORKBOOK, hint)
            xml = [file for file in files if file.filename.endswith((".xml", ".rels"))]
            size = sum(file.file_size for file in xml)
            other = max((f.file_size for f in xml if not f.filename.startswith(_ROWS_AND_TEXTS)), default=0)
            if size > _LARGEST_XML or other > _LARGEST_OTHER:
                raise source.fault(f"{size:,} bytes when unpacked", _STANDINGS, _COPY)
            if (tags := sum(archive.read(file).count(b"<") for file in xml)) > _MOST_TAGS:
                raise source.fault(f"{tags:,} cells, texts and their tags", _STANDINGS, _COPY)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError, RuntimeError):
        raise source.fault("no workbook inside", _WORKBOOK, "Save it from Excel as .xlsx.") from None


def _sheets(content: bytes, path: Path) -> dict[str, _Sheet]:
    """Return every sheet by its title."""
    with warnings.catch_warnings():
        # openpyxl warns about styles and extensions, which are not read.
        warnings.simplefilter("ignore")
        workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        return {
            sheet.title: _laid_out(list(_records(sheet, path)), _layout(sheet, path))
            for sheet in workbook.worksheets
            if sheet.sheet_state == "visible"
        }


def _records(sheet: Worksheet, path: Path) -> Iterator[Record]:
    sheet.reset_dimensions()  # type: ignore[attr-defined]
    for line, values in enumerate(sheet.iter_rows(values_only=True), start=1):
        if line > MOST_ROWS or len(values) > _MOST_COLUMNS:
            found = f"more than {MOST_ROWS:,} rows or {_MOST_COLUMNS} columns, with the empty ones"
            raise DocumentError(Location(path, line), found, _STANDINGS, _COPY)
        record = Record(Location(path, line), [_text(value) for value in values], in_sheet=True)
        for column, text in enumerate(record.texts):
            if text in ERROR_CODES:
                raise record.cell(column).fault(f"the error `{text}`", "a value")
        yield record


def _laid_out(records: list[Record], layout: _Layout) -> _Sheet:
    """Return the rows of a sheet below the table's head, with the value of each merged cell in all of its rows."""
    head = next((i for i, record in enumerate(records) if is_result_head(record.texts)), len(records))
    under = {i + 1: record.texts for i, record in enumerate(records) if i > head}
    for column, first, last in layout.merges:
        if first in under and column < len(under[first]):
            for row in range(first + 1, min(last, len(records)) + 1):
                under[row] += [""] * (column + 1 - len(under[row]))
                under[row][column] = under[row][column] or under[first][column]
    return _Sheet(records, [row for row in layout.hidden if row in under and any(under[row])])


def _layout(sheet: Worksheet, path: Path) -> _Layout:
    """Return the merged cells and the hidden rows of a sheet."""
    layout = _Layout([], [])
    line = column = 0
    # openpyxl shows them only of workbooks loaded as a whole, with all styles, and then formulas instead of their values.
    with sheet._get_source() as source:  # type: ignore[attr-defined]  # noqa: SLF001
        for event, element in iterparse(source, ["start", "end"]):
            if event == "start":
                if element.tag == _ROW:
                    line, column = int(element.get("r") or line + 1), 0
                    if element.get("hidden") in ("1", "true"):
                        layout.hidden.append(line)
            elif element.tag == _CELL:
                named = element.get("r")
                line, column = coordinate_to_tuple(named) if named else (line, column + 1)
                _check_formula(element, Location(path, line, f"cell {get_column_letter(column)}{line}"))
                element.clear()
            elif element.tag == _MERGE:
                first_column, first, _, last = range_boundaries(element.get("ref"))
                layout.merges.append(((first_column or 1) - 1, first or 1, last or 1))
            elif element.tag not in _IN_CELLS:
                element.clear()
    return layout


def _check_formula(cell: Element, location: Location) -> None:
    """Check that a formula has a value."""
    formula = cell.find(_FORMULA)
    if formula is not None and not cell.findtext(_VALUE):
        raise DocumentError(
            location,
            f"the formula `={(formula.text or '')[:60]}` without a value",
            "a value",
            "Open the workbook in Excel and save it, or paste the values over the formulas.",
        )


def _text(value: object) -> str:
    """Return a cell's value as text: days as 2013-08-23, whole numbers without a decimal point."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
