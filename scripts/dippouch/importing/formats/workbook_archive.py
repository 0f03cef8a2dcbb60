"""What is inside a workbook, checked before openpyxl reads some of it whole: at these limits it takes seconds and 300 MB."""

from __future__ import annotations

import io
import zipfile
import zlib
from contextlib import suppress
from pathlib import PurePosixPath
from typing import NoReturn
from xml.parsers.expat import ExpatError, ParserCreate

from openpyxl.xml.constants import PKG_REL_NS, REL_NS, SHEET_MAIN_NS

from dippouch.documents import Source
from dippouch.names import shortened

# With it begins each file in the directory of a zip archive.
_ENTRY = b"PK\x01\x02"
# Other methods may take gigabytes to unpack, and no program uses them for a workbook.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

# A workbook of that size unpacked is no list of players, and may be made to fill the memory.
_LARGEST_UNPACKED, _MOST_FILES = 50_000_000, 5_000
# A cell has four to six of them, a text that cells share has four, even one that no cell shows.
_MOST_TAGS = 1_200_000
# openpyxl makes objects of the rest of a sheet, such as merged cells, and of styles: of these together there are at most so many.
_MOST_OTHERS = 50_000
_ROW, _CELL, _TEXT, _SHEET = (f"{SHEET_MAIN_NS} {tag}" for tag in ("row", "c", "si", "sheet"))
_CELLS_AND_TEXTS = frozenset(f"{SHEET_MAIN_NS} {tag}" for tag in ("row", "c", "v", "f", "is", "t", "r", "si"))
_MOST_TEXTS = 200_000
# As many as Excel has columns: a row is in memory whole.
_MOST_IN_A_ROW = 16_384

# What openpyxl reads whole, at many times its size: styles, themes and the like. A sheet is read row by row.
_LARGEST_WHOLE = 3_000_000
_READ_BY_ROW = ("xl/worksheets/", "xl/sharedStrings.xml")

# How XML begins: with or without a mark, in UTF-16 or not. A parser that is given a file in pieces reads a tag again from its
# beginning with each piece.
_XML = (b"<", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\n", b" ", b"\r", b"\t")
_PIECE, _LONGEST_TAG = 1 << 16, 500_000

NOT_A_WORKBOOK = "an Excel workbook (.xlsx)"
_STANDINGS = "a workbook with the standings of one tournament"
_COPY = "Copy the table into a new workbook (paste only the values), and save that."


def check_archive(content: bytes, source: Source) -> None:
    """Check that a file is a zip archive with a workbook in it, and as large as one with standings.

    Raises:
        DocumentError: when it is not.
    """
    if (files := content.count(_ENTRY)) > _MOST_FILES:
        raise source.fault(f"{files:,} files inside", f"a workbook of at most {_MOST_FILES:,} files")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files_inside = archive.infolist()
            _check_files(files_inside, source)
            _check_tags(archive, files_inside, source)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        raise source.fault("no workbook inside", NOT_A_WORKBOOK, "Save it from Excel as .xlsx.") from None


def _check_files(files: list[zipfile.ZipInfo], source: Source) -> None:
    """Check what the directory of the archive says."""
    if "xl/workbook.xml" not in (file.filename for file in files):
        raise source.fault("a zip archive that is no workbook", NOT_A_WORKBOOK, "Unpack it and import the files in it.")
    if any(file.compress_type not in _METHODS for file in files):
        raise source.fault("a zip archive with a compression that no workbook has", NOT_A_WORKBOOK)
    if (size := sum(file.file_size for file in files)) > _LARGEST_UNPACKED:
        raise source.fault(f"{size:,} bytes when unpacked", f"a workbook of at most {_LARGEST_UNPACKED:,} bytes")
    for file in files:
        is_whole = file.filename.endswith((".xml", ".rels")) and not file.filename.startswith(_READ_BY_ROW)
        if is_whole and file.file_size > _LARGEST_WHOLE:
            raise source.fault(
                f"{file.file_size:,} bytes of {shortened(file.filename)}, which holds no standings",
                f"at most {_LARGEST_WHOLE:,} bytes",
                _COPY,
            )


def _check_tags(archive: zipfile.ZipFile, files: list[zipfile.ZipInfo], source: Source) -> None:
    """Check how much stands in all files together; what is damaged is told when it is read, if it is."""
    tags = others = 0
    for file in files:
        before = tags
        pieces = _Pieces(source, shortened(file.filename), others)
        with suppress(zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ExpatError), archive.open(file) as opened:
            while tags <= _MOST_TAGS and (piece := opened.read(_PIECE)):
                tags += piece.count(b"<")
                pieces.check(piece)
        others = pieces.others
        if tags > _MOST_TAGS:
            raise source.fault(
                f"more than {_MOST_TAGS:,} cells, texts and their tags ({tags - before:,} of them in {pieces.name})",
                _STANDINGS,
                _COPY,
            )


class _Pieces:
    """The pieces of one file of XML, one after the other; `others` counts what is neither cell nor text, on from other files."""

    def __init__(self, source: Source, name: str, others: int) -> None:
        self.name = name
        self.others = others
        self._source = source
        self._is_xml: bool | None = None
        self._without_tag = 0
        self._cells = 0
        self._texts = 0
        self._sheets: set[str] = set()
        self._parser = ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._count

    def check(self, piece: bytes) -> None:
        """Check that neither a tag nor a row is longer than any should be.

        Raises:
            DocumentError: when one is.
        """
        if self._is_xml is None:
            self._is_xml = piece.startswith(_XML)
        if not self._is_xml:
            return
        self._without_tag = 0 if b"<" in piece else self._without_tag + len(piece)
        if self._without_tag > _LONGEST_TAG:
            self._refuse(f"a tag or text of more than {_LONGEST_TAG:,} bytes")
        self._parser.Parse(piece)

    def _count(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == _ROW:
            self._cells = 0
        elif tag == _CELL:
            self._cells += 1
            if self._cells > _MOST_IN_A_ROW:
                self._refuse(f"a row of more than {_MOST_IN_A_ROW:,} cells")
        elif tag == _TEXT:
            self._texts += 1
            if self._texts > _MOST_TEXTS:
                self._refuse(f"more than {_MOST_TEXTS:,} texts that cells share")
        elif tag == _SHEET:
            self._count_sheet(attributes.get(f"{REL_NS} id", ""))
        elif tag == f"{PKG_REL_NS} Relationship" and attributes.get("Type", "").endswith("sheet"):
            self._count_sheet(PurePosixPath(attributes.get("Target", "")).name)
        elif tag.startswith(SHEET_MAIN_NS) and tag not in _CELLS_AND_TEXTS:
            self.others += 1
            if self.others > _MOST_OTHERS:
                self._refuse(f"more than {_MOST_OTHERS:,} merged cells, styles and other things that are no cells")

    def _count_sheet(self, name: str) -> None:
        """Check that a sheet has a file of its own: one that is many sheets would be read as often."""
        if name in self._sheets:
            self._refuse(f"`{shortened(name)}` as two sheets")
        self._sheets.add(name)

    def _refuse(self, found: str) -> NoReturn:
        raise self._source.fault(f"{found} in {self.name}", _STANDINGS, _COPY)
