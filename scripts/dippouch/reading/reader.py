"""The entry point for documents: from a path to documents in any format.

It reads the bytes (`inputs`), detects the format, and lets the module of the format read the facts.
"""

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from dippouch.messages import DocumentError, Location, UserError, visible_line
from dippouch.reading.context import RESULTS_FILE, TOURNAMENTS_FILE, Context
from dippouch.reading.documents import Document, Source, TournamentDocument
from dippouch.reading.inputs import archived_files, archived_pages, decode, read_bytes
from dippouch.reading.standings import read_table
from dippouch.reading.values import words

# In bytes: the page of the largest tournament has a thousandth. The pair of the format `two-tables` has no limit.
LARGEST_DOCUMENT, LARGEST_TEXT = 20_000_000, 5_000_000
_MANY_EVENTS = "Import many tournaments as tournaments.csv and results.csv, which have no limit."

# Files that no folder shows, and Excel's lock files beside open workbooks.
_HIDDEN = re.compile(r"(^|/)(\.|~\$)")
_STANDARD_INPUT = Path("/dev/stdin")

# The reader of each format, imported only for its documents. The readers of tables return rows, the others documents; each raises a
# DocumentError with all faults.
_READERS = {
    "wdr-json": "wdr_json:read",
    "wdd-html": "wdd_html:read",
    "wdd-text": "wdd_text:read",
    "wdd-tabs": "wdd_text:read",
    "html": "markup:page_rows",
    "csv": "table_rows:text_rows",
    "excel": "table_rows:workbook_rows",
    "two-tables": "two_tables:read",
}
_TABLES = frozenset({"html", "csv", "excel"})
# The values of `--as`.
FORMATS = tuple(_READERS)

# The beginnings of workbooks: zip archives, and old Excel files.
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_MARKUP = re.compile(r"<(!doctype\s+html|html|head|body|table|tr|td)\b", re.IGNORECASE)
# Fields and links that only pages of the World Diplomacy Database have, and words in each of their texts.
_ONLY_ON_PAGES = re.compile(r"class=.?row_(even|odd)|id_player=|id_tournament=|Coeff 1|Last Update", re.IGNORECASE)
_TEXT_OF_PAGES = re.compile(r"FirstName|Coeff\s?1|Last Update", re.IGNORECASE)


def read_documents(path: Path, context: Context) -> Iterable[Document]:
    """Read the documents of a path, several one after the other; raise the faults of all after the last.

    Args:
        path: a file returned by `group_inputs`.
        context: the reading context.

    Raises:
        DocumentError: when it cannot be read, or its statements are impossible.
    """
    if path.name != visible_line(path.name):
        found, expected = "a file name with control characters, or not in UTF-8", "visible characters"
        raise DocumentError(Location(path), found, expected, "Rename the file")
    format_name = context.choices.format_name
    is_pair = path.name == TOURNAMENTS_FILE and path.with_name(RESULTS_FILE).is_file()
    if format_name == "two-tables" or (format_name is None and is_pair):
        documents: Iterator[Document] = _reader("two-tables")(path, context)
        return documents
    content = _content(path)
    # The columns of a table by their headings.
    known = {**words("heading"), **context.choices.columns}
    source = Source(
        path, hashlib.sha256(content).hexdigest(), "excel", "", *archived_pages(path.parent).get(path.name, ())
    )
    if format_name == "excel" or (format_name is None and content.startswith(_WORKBOOKS)):
        rows, remarks = _reader("excel")(content, source, known)
        return [read_table(rows, remarks, known, source, context)]
    _check_size(path, len(content), LARGEST_TEXT, "text")
    text, remark, encoding = decode(content, path, context.choices.encoding)
    if not text.strip():
        raise DocumentError(Location(path), "an empty file", "a document")
    source = replace(source, format=format_name or _format_of(text), encoding=encoding)
    read = _reader(source.format)
    if source.format not in _TABLES:
        document: Document = read(text, source, context)
        if context.choices.options and not (isinstance(document, TournamentDocument) or context.choices.ranking):
            raise source.fault("facts of a tournament as options", "a document of one tournament")
    elif source.address:
        raise source.unknown("a page of no known kind", "a tournament, a player or a ranking")
    else:
        rows, remarks = read(text, source, known)
        document = read_table(rows, remarks, known, source, context)
    return [replace(document, remarks=(remark, *document.remarks)) if remark else document]


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
            tournaments = file.with_name(TOURNAMENTS_FILE)
            document = tournaments if file.name == RESULTS_FILE and tournaments.is_file() else file
            found.setdefault(document.resolve(), document)
    if not found:
        raise UserError("no documents found; expected at least one file")
    return list(found.values())


def _reader(format_name: str) -> Any:  # noqa: ANN401 (as `_READERS` says)
    return resolve_name(f"dippouch.reading.{_READERS[format_name]}")


def _format_of(text: str) -> str:
    """Return the format of a text."""
    if text.lstrip().startswith("{"):
        return "wdr-json"
    is_markup = _MARKUP.search(text) is not None
    if is_markup and _ONLY_ON_PAGES.search(text):
        return "wdd-html"
    page: str = resolve_name("dippouch.reading.wdd_text:detect")(text) if _TEXT_OF_PAGES.search(text) else ""
    return page or ("html" if is_markup else "csv")


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
