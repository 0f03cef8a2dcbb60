"""The entry point for documents: from a path to documents in any format.

It decodes the bytes, detects the format, and lets the module of the format read the facts. Bytes are Unicode, or in the encoding that the
rating keeper states: nothing detects others, because lists of names are too short for it. A message shows how their words read in some.
"""

import codecs
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from dippouch.messages import DocumentError, Location, UserError, shortened, visible_line
from dippouch.reading.archive import archived_files, archived_page
from dippouch.reading.context import RESULTS_FILE, TOURNAMENTS_FILE, Context
from dippouch.reading.documents import Document, Source, TournamentDocument
from dippouch.reading.standings import read_table
from dippouch.reading.values import words

# In bytes: the page of the largest tournament has a thousandth. The pair of the format `two-tables` has no limit.
LARGEST_DOCUMENT, LARGEST_TEXT = 20_000_000, 5_000_000
_MANY_EVENTS = "Import many tournaments as tournaments.csv and results.csv, which have no limit."

# Files that no folder shows, and Excel's lock files beside open workbooks.
_HIDDEN = re.compile(r"(^|/)(\.|~\$)")
_STANDARD_INPUT = Path("/dev/stdin")

# The reader of each format, imported only for its documents. The readers of tables return rows, the others documents.
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
# Fields and links that only pages of the World Diplomacy Database have, and their fields as text.
_ONLY_ON_PAGES = re.compile(r"class=.?row_(even|odd)|id_player=|id_tournament=|Coeff 1|Last Update", re.IGNORECASE)
_TEXT_OF_PAGES = re.compile(r"FirstName|Coeff\s?1|Last Update", re.IGNORECASE)

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}

# Single-byte encodings of lists of players.
_ENCODINGS = "cp1252 cp1250 iso8859_2 cp1254 cp1257 mac_roman cp850 cp852 cp1251 cp1253 koi8_r".split()
_WORD = re.compile(rb"[^\x00-\x20,;|\"<>&=]+")
_MOST_WORDS, _SHOWN = 1_000, 3


def read_documents(path: Path, context: Context) -> Iterator[Document]:
    """Read the documents of a path, one after the other; raise the faults of all after the last.

    Args:
        path: a file returned by `group_inputs`.
        context: the reading context.

    Raises:
        DocumentError: when it cannot be read, or its statements are impossible.
    """
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
            tournaments = file.with_name(TOURNAMENTS_FILE)
            document = tournaments if file.name == RESULTS_FILE and tournaments.is_file() else file
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
    if format_name == "two-tables" or (format_name is None and _is_pair(path)):
        documents: Iterator[Document] = _reader("two-tables")(path, context)
        return documents
    content = _content(path)
    # The columns of a table by their headings.
    known = {**words("heading"), **context.choices.columns}
    source = Source(path, hashlib.sha256(content).hexdigest(), "excel", "", *archived_page(path))
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
        document = read(text, source, context)
    elif source.address:
        raise source.unknown("a page of no known kind", "a tournament, a player or a ranking")
    else:
        rows, remarks = read(text, source, known)
        document = read_table(rows, remarks, known, source, context)
    return [replace(document, remarks=(remark, *document.remarks)) if remark else document]


def _is_pair(path: Path) -> bool:
    """Return whether a path is the table of tournaments with a table of results beside it."""
    return path.name == TOURNAMENTS_FILE and path.with_name(RESULTS_FILE).is_file()


def _reader(format_name: str) -> Any:  # noqa: ANN401 (as `_READERS` says)
    return resolve_name(f"dippouch.reading.{_READERS[format_name]}")


def _format_of(text: str) -> str:
    """Return the format of a text."""
    if text.lstrip().startswith("{"):
        return "wdr-json"
    is_markup = _MARKUP.search(text) is not None
    if is_markup and _ONLY_ON_PAGES.search(text):
        return "wdd-html"
    page = resolve_name("dippouch.reading.wdd_text:detect")(text) if _TEXT_OF_PAGES.search(text) else ""
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


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file; raise a DocumentError if the system does not open it."""
    try:
        return path.read_bytes()
    except OSError as error:
        found = f"a file that cannot be opened ({error.strerror})"
        raise DocumentError(Location(path), found, "a readable file") from None


def decode(content: bytes, path: Path, stated: str | None = None) -> tuple[str, str, str]:
    """Return the text of a document, with `\\n` at the end of every line, a remark on its encoding, and the encoding.

    Args:
        content: the bytes.
        path: the document, for messages.
        stated: the encoding that the rating keeper states; valid UTF-8 and marked text need none.

    Raises:
        DocumentError: when the bytes are not text, or in an unknown encoding.
    """
    name = next((name for mark, name in _BYTE_ORDER_MARKS.items() if content.startswith(mark)), None)
    if name is None and b"\0" in content:
        hint = "Copy the table out of a PDF file or a picture into a CSV file; unpack an archive."
        raise DocumentError(Location(path), "a binary file", "a document with text, or a workbook", hint)
    if name is None and _is_valid(content, "utf-8"):
        name = "utf-8"
    if stated and not _is_valid(b"x", stated):
        place = Location(path, place="option --encoding")
        raise DocumentError(place, f"`{shortened(stated)}`", "the name of an encoding, such as `cp1250`")
    if name is None and not stated:
        raise _unknown_encoding(content, path)
    encoding = name or codecs.lookup(stated or "").name
    try:
        text = content.decode(encoding)
    except UnicodeError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content[:start].count(b"\n") + 1
        found = f"bytes that are not {encoding.upper()}"
        raise DocumentError(Location(path, line), found, "text in one encoding", "Save it again as UTF-8.") from None
    encoding = encoding.removesuffix("-sig")
    is_other = name and stated and codecs.lookup(stated).name != encoding and not content.isascii()
    remark = f"read in {encoding.upper()}, because it is valid {encoding.upper()}, not in {stated}" if is_other else ""
    return text.replace("\r\n", "\n").replace("\r", "\n"), remark, encoding


def _is_valid(content: bytes, encoding: str) -> bool:
    """Return whether bytes are text in an encoding; false for an unknown encoding."""
    try:
        return isinstance(content.decode(encoding), str)
    except (ValueError, LookupError):
        return False


def _unknown_encoding(content: bytes, path: Path) -> DocumentError:
    """Return the error for text that is not UTF-8: how the words that tell encodings apart read in each of them."""
    from charset_normalizer import from_bytes

    words = list(dict.fromkeys(match[0] for match in _WORD.finditer(content) if not match[0].isascii()))[:_MOST_WORDS]
    found = from_bytes(b"\n".join(words), cp_isolation=_ENCODINGS, enable_fallback=False)
    # In a few western names cp1252 and cp1250 are equally likely, with Turkish letters cp1254; cp850 has a letter for every byte.
    first, *others = [match.encoding for match in found] or ["cp1250"]
    names = filter(partial(_is_valid, content), ["cp1252", first, "cp1254", *others, "cp1250", "cp850"])
    read_as: dict[tuple[str, ...], str] = {}
    for name in names:
        read_as.setdefault(tuple(word.decode(name) for word in words), name)
    encodings = list(read_as.items())[:_SHOWN]
    # The words that most encodings read differently.
    telling = sorted(zip(*(texts for texts, _ in encodings), strict=True), key=lambda texts: -len(set(texts)))[:_SHOWN]
    shown = [
        f"--encoding {name} ({', '.join(f'`{shortened(texts[i], 30)}`' for texts in telling)})"
        for i, (_, name) in enumerate(encodings)
    ]
    # A line ends with \r\n, \n, or, in files of old Macs, \r alone.
    line = content[: content.index(words[0])].count(b"\n" if b"\n" in content else b"\r") + 1
    hint = f"Choose the encoding in which the words are right: {' or '.join(shown)}; or save the file as UTF-8."
    return DocumentError(Location(path, line), "bytes that are not UTF-8", "text in UTF-8, or a stated encoding", hint)
