"""The entry point for documents: from a path to checked documents in any format.

It decodes the bytes (`parsing.decoding`), detects the format, reads the facts with the module of the format (`formats`), and
checks them with `check_document`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from dippouch.documents import Document, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location, UserError
from dippouch.importing.context import Context, read_context
from dippouch.importing.formats import numbered_list, standings_csv, two_tables, wdr_json
from dippouch.importing.formats.facts import with_left_out_facts
from dippouch.importing.formats.wdd import html, text_pages
from dippouch.importing.parsing.decoding import UnknownEncodingError, cannot_be_opened, decode
from dippouch.importing.validation import check_document
from dippouch.names import fault_of_text, shortened
from dippouch.printable import visible_line
from dippouch.settings import PROJECT

# In bytes: the page of the largest tournament has a thousandth. The pair of the format `two-tables` has no limit.
LARGEST_DOCUMENT, LARGEST_TEXT = 20_000_000, 5_000_000
_MANY_EVENTS = "Many tournaments come in as tournaments.csv and results.csv (or .parquet), which have no limit."

_TextReader = Callable[[str, Source, Context], Iterable[Document]]

# The text formats in the order of detection: specific ones first.
_TEXT_FORMATS: dict[str, tuple[Callable[[str], bool], _TextReader]] = {
    wdr_json.FORMAT: (wdr_json.detect, wdr_json.read),
    html.FORMAT: (html.detect, html.read),
    text_pages.TEXT_FORMAT: (text_pages.TEXT.detect, text_pages.TEXT.read),
    text_pages.TABS_FORMAT: (text_pages.TABS.detect, text_pages.TABS.read),
    standings_csv.FORMAT: (standings_csv.detect, standings_csv.read),
    numbered_list.FORMAT: (numbered_list.detect, numbered_list.read),
}

# A workbook, and how its file begins.
_XLSX, _ZIP = "xlsx", b"PK\x03\x04"

# The values of `--as`.
FORMATS = (*_TEXT_FORMATS, _XLSX, two_tables.FORMAT)


def read_documents(path: Path, *, format_name: str | None = None, context: Context | None = None) -> Iterator[Document]:
    """Read and check the documents of a path, one after the other; raise the faults of all after the last.

    Args:
        path: a file returned by `group_inputs`.
        format_name: one of FORMATS; detected when None.
        context: the reading context; by default that of the project's own seeds.

    Raises:
        DocumentError: when it cannot be read, or its statements are impossible.
    """
    _check_path(path)
    context = context or read_context(PROJECT / "seeds")
    faults = Faults()
    with faults.gathered():
        try:
            for stated in _read(path, format_name, context):
                with faults.gathered():
                    document = with_left_out_facts(stated, context)
                    # A faulty one, too, so that one run also reports the faults of its rows.
                    yield document
                    check_document(document, context)
        except DocumentError as error:
            faults.add(error)
            unknown = next(
                (fault for fault in (error, *error.further) if isinstance(fault, UnknownEncodingError)), None
            )
            if unknown:
                yield from _read_in_any(unknown.encodings, path, format_name, context, faults)
    faults.raise_any()


def _read_in_any(
    encodings: tuple[str, ...], path: Path, format_name: str | None, context: Context, faults: Faults
) -> Iterator[Document]:
    """Yield the documents on which all likely encodings of a text agree, and gather the faults on which they agree."""
    readings: list[tuple[list[Document], dict[str, DocumentError]]] = []
    for encoding in encodings:
        read: list[Document] = []
        told: dict[str, DocumentError] = {}
        try:
            for document in read_documents(path, format_name=format_name, context=replace(context, encoding=encoding)):
                read.append(document)  # noqa: PERF402 (keep documents before a fault)
        except DocumentError as error:
            told = {_in_ascii(str(fault)): fault for fault in (error, *error.further)}
        readings.append((read, told))
    # A wrong encoding may hide the headings of a table.
    readings = [reading for reading in readings if reading[0]] or readings
    documents, told = readings[0]
    for text, fault in told.items():
        if all(text in others for _, others in readings):
            faults.add(_without_accents(fault))
    for document in documents:
        if isinstance(document, TournamentDocument):
            results = [result for result in document.results if result.player.listed_name.isascii()]
            yield replace(document, results=results, is_partial=True)


def _in_ascii(text: str) -> str:
    """Replace each letter that depends on the encoding by the same mark."""
    return text.encode("ascii", "replace").decode("ascii")


def _without_accents(fault: DocumentError) -> DocumentError:
    """Remove letters that depend on the encoding from a fault."""
    hint = fault.hint if fault.hint.isascii() else ""
    return DocumentError(fault.location, _in_ascii(fault.found), _in_ascii(fault.expected), hint)


def group_inputs(paths: Iterable[Path]) -> list[Path]:
    """Return the documents to read: the named files, and all files in named folders, sorted by name.

    A pair of the format `two-tables` is one document, named by its table of tournaments. Hidden files are skipped, and
    duplicates are read once.

    Raises:
        UserError: for a path that does not exist, or when no file is left.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            inside = (p for p in path.rglob("*") if not any(part.startswith(".") for part in p.relative_to(path).parts))
            files = sorted(p for p in inside if p.is_file())
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


def _read(path: Path, format_name: str | None, context: Context) -> Iterable[Document]:
    """Read a document with the module of its format."""
    if format_name is not None and format_name not in FORMATS:
        raise UserError(f"{format_name}: no such format; expected one of {', '.join(FORMATS)}")
    if format_name == two_tables.FORMAT or (format_name is None and two_tables.is_pair(path)):
        return two_tables.read(path, context)
    content = _content(path)
    if format_name == _XLSX or (format_name is None and content.startswith(_ZIP)):
        from dippouch.importing.formats import standings_xlsx

        return standings_xlsx.read(content, _source(path, content, _XLSX), context)
    _check_size(path, len(content), LARGEST_TEXT, "text")
    decoded, remark, encoding = decode(content, path, context.encoding)
    if not decoded.strip():
        raise DocumentError(Location(path), "an empty file", "a document")
    detected = format_name or next((name for name, (detect, _) in _TEXT_FORMATS.items() if detect(decoded)), None)
    if detected is None:
        first = next(line.strip() for line in decoded.split("\n") if line.strip())
        raise DocumentError(
            Location(path),
            f"text in no known format (it begins with `{shortened(first)}`)",
            "a page of the World Diplomacy Database with its table, a file of the World Diplomacy Reference, or a table"
            " with the headings `placement` and `name` or `last_name`",
            "docs/import_formats.md describes every format.",
        )
    documents = _TEXT_FORMATS[detected][1](decoded, _source(path, content, detected, encoding), context)
    if not remark:
        return documents
    return (replace(document, remarks=(remark, *document.remarks)) for document in documents)


def _check_path(path: Path) -> None:
    """Check that a file name is valid text, which seeds need: on some systems it may be any bytes."""
    if fault := fault_of_text(str(path), len(str(path))) or fault_of_text(path.name, len(path.name)):
        shown = Location(Path(visible_line(str(path))))
        expected = "a file whose name can be shown, and be opened in a spreadsheet"
        raise DocumentError(shown, f"a name with {fault[0]}", expected, "Rename it.")


def _content(path: Path) -> bytes:
    """Return the bytes of a document, if it is small enough."""
    try:
        if not path.is_file():
            raise DocumentError(Location(path), "a folder or device", "a file")
        _check_size(path, path.stat().st_size, LARGEST_DOCUMENT, "document")
        return path.read_bytes()
    except OSError as error:
        raise cannot_be_opened(path, error) from None


def _check_size(path: Path, size: int, most: int, what: str) -> None:
    if size > most:
        raise DocumentError(Location(path), f"{size:,} bytes", f"a {what} of at most {most:,} bytes", _MANY_EVENTS)


def _source(path: Path, content: bytes, format_name: str, encoding: str = "") -> Source:
    return Source(path, hashlib.sha256(content).hexdigest(), format_name, encoding)
