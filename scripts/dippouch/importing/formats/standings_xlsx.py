"""The format `xlsx`: the standings of one tournament in an Excel workbook, laid out as in a CSV file.

One sheet has the table; others (notes, charts) are left alone. A formula counts as the value that Excel stored with it.
What a merged cell of the table holds, every row of it holds: tied players are often shown so.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

from openpyxl import load_workbook
from openpyxl.cell.cell import ERROR_CODES
from openpyxl.utils import get_column_letter, range_boundaries
from openpyxl.workbook import Workbook
from openpyxl.xml.constants import SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Record
from dippouch.importing.formats.document_limits import MOST_CELLS, ReadSoFar
from dippouch.importing.formats.headings import is_result_head
from dippouch.importing.formats.standings import read_standings
from dippouch.names import shortened

FORMAT = "xlsx"

MAGIC = b"PK\x03\x04"
# With it begins each file in the directory of a zip archive.
_ENTRY = b"PK\x01\x02"
# Other methods may take gigabytes to unpack, and no program uses them for a workbook.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

# A workbook of that size unpacked is no list of players, and may be made to fill the memory.
_LARGEST_UNPACKED, _MOST_PARTS = 50_000_000, 5_000
# A cell has four to six of them, a text that cells share has four, even one that no cell shows.
_MOST_TAGS = 1_200_000
_MOST_COLUMNS = 100

# What openpyxl reads whole, at many times its size: styles, themes and the like. A sheet is read row by row.
_LARGEST_PART = 3_000_000
_READ_BY_ROW = ("xl/worksheets/", "xl/sharedStrings.xml")

_COPY = "Copy the table into a new workbook (paste only the values), and save that."
_PIECE = 1 << 16

# How XML begins: with or without a mark, in UTF-16 or not. A parser that is given a file in pieces reads a tag again from its beginning
# with each piece.
_XML = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\n", b" ", b"\r", b"\t")
_LONGEST_TAG = 500_000

_NOT_A_WORKBOOK = "an Excel workbook (.xlsx)"


def read(content: bytes, source: Source, context: Context) -> Iterator[Document]:
    """The tournament that a workbook states.

    Raises:
        DocumentError: when it is no workbook, has no sheet with a table or several, or anything cannot be read.
    """
    _check_archive(content, source)
    try:
        sheets = _sheets(content, source.path)
    except DocumentError:
        raise
    except Exception as error:  # noqa: BLE001
        # A damaged workbook makes openpyxl stumble anywhere, over anything: all of it means the same.
        raise source.fault(
            f"a damaged workbook ({type(error).__name__})", _NOT_A_WORKBOOK, "Open it in Excel and save it again."
        ) from None
    tables = {title: records for title, records in sheets.items() if any(is_result_head(r.texts) for r in records)}
    # A list of numbered players beside the standings has no placements.
    ranked = {t: rows for t, rows in tables.items() if any(is_result_head(r.texts, strictly=True) for r in rows)}
    chosen = ranked or tables
    if len(chosen) > 1:
        found = f"tables of results on {len(chosen)} sheets ({', '.join(chosen)})"
        raise source.fault(found, "one tournament a workbook")
    records = next(iter(chosen.values()), None) or next((r for r in sheets.values() if r), [])
    document = read_standings(records, source, context)
    aside = [f"`{title}`" for title in tables if title not in chosen]
    remarks = (f"sheets left aside: {', '.join(aside)}",) if aside else ()
    yield replace(document, remarks=(*remarks, *document.remarks))


def _check_archive(content: bytes, source: Source) -> None:
    """A workbook is a zip archive with a certain file in it, and as large as one with standings."""
    if (parts := content.count(_ENTRY)) > _MOST_PARTS:
        raise source.fault(f"{parts:,} files inside", f"a workbook of at most {_MOST_PARTS:,} files")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_parts(archive, source)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise source.fault("no workbook inside", _NOT_A_WORKBOOK, "Save it from Excel as .xlsx.") from None


def _check_parts(archive: zipfile.ZipFile, source: Source) -> None:
    """Check the files inside a workbook before openpyxl reads some of them whole.

    Raises:
        DocumentError: when there is too much in them.
    """
    files = {info.filename: info.file_size for info in archive.infolist()}
    if "xl/workbook.xml" not in files:
        raise source.fault(
            "a zip archive that is no workbook", _NOT_A_WORKBOOK, "Unpack it and import the files in it."
        )
    if any(info.compress_type not in _METHODS for info in archive.infolist()):
        raise source.fault("a zip archive with a compression that no workbook has", _NOT_A_WORKBOOK)
    if sum(files.values()) > _LARGEST_UNPACKED:
        raise source.fault(
            f"{sum(files.values()):,} bytes when unpacked", f"a workbook of at most {_LARGEST_UNPACKED:,} bytes"
        )
    for name, size in files.items():
        is_whole = name.endswith((".xml", ".rels")) and not name.startswith(_READ_BY_ROW)
        if is_whole and size > _LARGEST_PART:
            raise source.fault(
                f"{size:,} bytes of {shortened(name)}, which holds no standings",
                f"at most {_LARGEST_PART:,} bytes",
                _COPY,
            )
    left = _MOST_TAGS
    for info in archive.infolist():
        tags = _tags(archive, info, source)
        left -= tags
        if left < 0:
            raise source.fault(
                f"more than {_MOST_TAGS:,} cells, texts and their tags ({tags:,} of them in {shortened(info.filename)})",
                "a workbook with the standings of one tournament",
                _COPY,
            )


def _tags(archive: zipfile.ZipFile, info: zipfile.ZipInfo, source: Source) -> int:
    """The number of tags in a file inside a workbook, of which no more than a piece is in memory.

    What is damaged is told when it is read, if it is.

    Raises:
        DocumentError: for a tag or text of a length that none has.
    """
    tags = without = 0
    with suppress(zipfile.BadZipFile, zlib.error, EOFError, RuntimeError), archive.open(info) as file:
        is_xml = None
        while piece := file.read(_PIECE):
            found = piece.count(b"<")
            tags += found
            is_xml = piece.startswith(_XML) if is_xml is None else is_xml
            without = 0 if found else without + len(piece)
            if is_xml and without > _LONGEST_TAG:
                raise source.fault(
                    f"a tag or text of more than {_LONGEST_TAG:,} bytes in {shortened(info.filename)}",
                    "a workbook with the standings of one tournament",
                    _COPY,
                )
    return tags


def _sheets(content: bytes, path: Path) -> dict[str, list[Record]]:
    """The rows of every sheet by its title.

    Raises:
        DocumentError: for a cell whose value nobody can know.
    """
    with warnings.catch_warnings():
        # What openpyxl warns of (styles, extensions) is nothing that is read here.
        warnings.simplefilter("ignore")
        values = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        formulas = load_workbook(io.BytesIO(content), read_only=True, data_only=False, keep_links=False)
        read = ReadSoFar()
        return {
            title: _with_merges(values, title, list(read.counted(_records(values, formulas, title, path))))
            for title in _titles(values)
        }


def _titles(workbook: Workbook) -> list[str]:
    return [sheet.title for sheet in workbook.worksheets if sheet.sheet_state == "visible"]


def _records(values: Workbook, formulas: Workbook, title: str, path: Path) -> Iterator[Record]:
    for sheet in (values[title], formulas[title]):
        sheet.reset_dimensions()
    rows = zip(values[title].iter_rows(values_only=True), formulas[title].iter_rows(values_only=True), strict=True)
    for line, (stored, written) in enumerate(rows, start=1):
        if len(stored) > _MOST_COLUMNS:
            raise DocumentError(
                Location(path, line),
                f"more than {_MOST_COLUMNS} columns",
                "the standings of one tournament",
                "Delete the empty columns around the table, or copy it into a new workbook.",
            )
        texts = []
        for column, (value, formula) in enumerate(zip(stored, written, strict=True), start=1):
            if value is None and formula is not None:
                raise DocumentError(
                    _cell_at(path, line, column),
                    f"the formula `{str(formula)[:60]}` without a value",
                    "a value",
                    "Open the workbook in Excel and save it, or paste the values over the formulas.",
                )
            if isinstance(value, str) and value in ERROR_CODES:
                raise DocumentError(_cell_at(path, line, column), f"the error `{value}`", "a value")
            texts.append(_text(value))
        yield Record(Location(path, line), texts, in_sheet=True)


def _cell_at(path: Path, line: int, column: int) -> Location:
    return Location(path, line, f"cell {get_column_letter(column)}{line}")


def _with_merges(workbook: Workbook, title: str, records: list[Record]) -> list[Record]:
    """The rows of a sheet, with the value of each merged cell in every row of it, below the head of the table."""
    head = next((i for i, record in enumerate(records) if is_result_head(record.texts)), len(records))
    under = {i + 1: record.texts for i, record in enumerate(records) if i > head}
    # Merges do not overlap in a workbook that Excel wrote; in another they could go on for ever.
    steps = MOST_CELLS
    for column, first, last in _merges(workbook, title):
        if first in under and column < len(under[first]):
            for row in range(first + 1, min(last, len(records)) + 1):
                under[row] += [""] * (column + 1 - len(under[row]))
                under[row][column] = under[row][column] or under[first][column]
                steps -= 1
        if steps < 0:
            break
    return records


def _merges(workbook: Workbook, title: str) -> Iterator[tuple[int, int, int]]:
    """The column, counted from 0, and the first and last row of each merged cell of a sheet."""
    # openpyxl tells them only of a workbook that it loads whole, with all its styles.
    with workbook[title]._get_source() as sheet:  # type: ignore[attr-defined]  # noqa: SLF001
        for _, element in iterparse(sheet):
            if element.tag == f"{{{SHEET_MAIN_NS}}}mergeCell":
                column, first, _, last = range_boundaries(element.get("ref"))
                yield (column or 1) - 1, first or 1, last or 1
            element.clear()


def _text(value: object) -> str:
    """A cell's value as text: days as 2013-08-23, whole numbers without a decimal point."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
