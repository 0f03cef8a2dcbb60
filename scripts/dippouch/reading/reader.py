"""The entry point for documents: from a path to documents in any format.

It decodes the bytes (`text`), detects the format, and reads the facts with the module of the format (`formats`).
"""

import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from dippouch.collect.archive import archived_files, archived_page
from dippouch.errors import DocumentError, Location, UserError
from dippouch.printable import visible_line
from dippouch.reading.context import Context, read_context
from dippouch.reading.documents import Document, Source, TournamentDocument
from dippouch.reading.formats import table_rows, two_tables, wdd_html, wdd_text, wdr_json
from dippouch.reading.formats.markup import MARKUP
from dippouch.reading.formats.standings import read_table
from dippouch.reading.text import decode, read_bytes
from dippouch.reading.words import words
from dippouch.settings import PROJECT

# In bytes: the page of the largest tournament has a thousandth. The pair of the format `two-tables` has no limit.
LARGEST_DOCUMENT, LARGEST_TEXT = 20_000_000, 5_000_000
_MANY_EVENTS = "Import many tournaments as tournaments.csv and results.csv, which have no limit."

# Files that no folder shows, and Excel's lock files beside open workbooks.
_HIDDEN = re.compile(r"(^|/)(\.|~\$)")

# The beginnings of workbooks: zip archives, and old Excel files.
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_EXCEL = "excel"
_STANDARD_INPUT = Path("/dev/stdin")

# Pages and files as text, in the order of detection: whether a text is of the format, and its reader.
_PAGES: dict[str, tuple[Callable[[str], bool], Callable[[str, Source, Context], Document]]] = {
    wdr_json.FORMAT: (wdr_json.detect, wdr_json.read),
    wdd_html.FORMAT: (wdd_html.detect, wdd_html.read),
    wdd_text.TEXT_FORMAT: (wdd_text.detect_text, wdd_text.read),
    wdd_text.TABS_FORMAT: (wdd_text.detect_tabs, wdd_text.read),
}
# Tables as text: the rows of each.
_TABLES = {"html": table_rows.page_rows, "csv": table_rows.text_rows}

# The values of `--as`.
FORMATS = (*_PAGES, *_TABLES, _EXCEL, two_tables.FORMAT)


def read_documents(path: Path, context: Context | None = None) -> Iterator[Document]:
    """Read the documents of a path, one after the other; raise the faults of all after the last.

    Args:
        path: a file returned by `group_inputs`.
        context: the reading context; by default that of the project's own seeds.

    Raises:
        DocumentError: when it cannot be read, or its statements are impossible.
    """
    context = context or read_context(PROJECT / "seeds")
    for document in _read(path, context):
        if context.choices.options and not (isinstance(document, TournamentDocument) or context.choices.ranking):
            raise document.source.fault("facts of a tournament as options", "a document of one tournament")
        yield document


def group_inputs(paths: Iterable[Path]) -> list[Path]:
    """Return the documents to read: the named files (`-` is the standard input), and all files in named folders, sorted by name.

    A pair of the format `two-tables` is one document, named by its table of tournaments. Of an archive, only the pages of its index
    are read. Hidden files are skipped, and duplicates are read once.

    Raises:
        UserError: for a path that does not exist, or when no file is left.
    """
    found: dict[Path, Path] = {}
    for path in (_STANDARD_INPUT if str(path) == "-" else path for path in paths):
        if path.is_dir():
            inside = (p for p in path.rglob("*") if not _HIDDEN.search(p.relative_to(path).as_posix()))
            files = archived_files(path) or sorted(p for p in inside if p.is_file())
        elif path.exists():
            files = [path]
        else:
            raise UserError(f"{visible_line(str(path))}: no such file or folder")
        for file in files:
            document = two_tables.document_of(file)
            found.setdefault(document.resolve(), document)
    if not found:
        raise UserError("no documents found; expected at least one file")
    return list(found.values())


def _read(path: Path, context: Context) -> Iterable[Document]:
    """Read a document with the module of its format."""
    if path.name != visible_line(path.name):
        found, expected = "a file name with control characters, or not in UTF-8", "visible characters"
        raise DocumentError(Location(path), found, expected, "Rename the file")
    format_name = context.choices.format_name
    if format_name == two_tables.FORMAT or (format_name is None and two_tables.is_pair(path)):
        return two_tables.read(path, context)
    content = _content(path)
    # The columns of a table by their headings.
    known = {**words("heading"), **context.choices.columns}
    source = Source(path, hashlib.sha256(content).hexdigest(), _EXCEL, "", *archived_page(path))
    if format_name == _EXCEL or (format_name is None and content.startswith(_WORKBOOKS)):
        return [read_table(*table_rows.workbook_rows(content, source, known), known, source, context)]
    _check_size(path, len(content), LARGEST_TEXT, "text")
    text, remark, encoding = decode(content, path, context.choices.encoding)
    if not text.strip():
        raise DocumentError(Location(path), "an empty file", "a document")
    page = next((name for name, (fits, _) in _PAGES.items() if fits(text)), None)
    detected = format_name or page or ("html" if MARKUP.search(text) else "csv")
    source = replace(source, format=detected, encoding=encoding)
    if source.address and detected not in _PAGES:
        raise source.unknown("a page of no known kind", "a tournament, a player or a ranking")
    if detected in _PAGES:
        document = _PAGES[detected][1](text, source, context)
    else:
        document = read_table(*_TABLES[detected](text, source, known), known, source, context)
    return [replace(document, remarks=(remark, *document.remarks)) if remark else document]


def _content(path: Path) -> bytes:
    """Return the bytes of a document, if it is small enough."""
    if path == _STANDARD_INPUT:
        content = sys.stdin.buffer.read(LARGEST_DOCUMENT + 1)
        _check_size(path, len(content), LARGEST_DOCUMENT, "document")
        return content
    if not path.is_file():
        raise DocumentError(Location(path), "a folder or device", "a file")
    _check_size(path, path.stat().st_size, LARGEST_DOCUMENT, "document")
    return read_bytes(path)


def _check_size(path: Path, size: int, most: int, what: str) -> None:
    if size > most:
        raise DocumentError(Location(path), f"{size:,} bytes", f"a {what} of at most {most:,} bytes", _MANY_EVENTS)
