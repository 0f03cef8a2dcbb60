"""The way in for documents: from a path to checked documents, whatever the format.

Bytes become text (`parsing.decoding`), the format is detected, its module says what the document states (`formats`), and
`check_document` makes sure that it can be.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from dippouch.documents import Document, Source
from dippouch.errors import DocumentError, Faults, Location, UserError
from dippouch.importing.context import Context, read_context
from dippouch.importing.formats import standings_csv, standings_xlsx, two_tables, wdr_json
from dippouch.importing.formats.facts import with_left_out_facts
from dippouch.importing.formats.wdd import html, text_pages
from dippouch.importing.parsing.decoding import cannot_be_opened, decode
from dippouch.importing.validation import check_document
from dippouch.names import fault_of_text, shortened
from dippouch.settings import PROJECT

# In bytes: a page of the largest tournament takes a thousandth. The pair of the format `two-tables` has no limit.
LARGEST_DOCUMENT, LARGEST_TEXT = 20_000_000, 5_000_000
_MANY_EVENTS = "Many tournaments come in as tournaments.csv and results.csv (or .parquet), which have no limit."

_TextReader = Callable[[str, Source, Context], Iterable[Document]]

# The formats that are text, in the order in which they are detected: the more particular first.
_TEXT_FORMATS: dict[str, tuple[Callable[[str], bool], _TextReader]] = {
    wdr_json.FORMAT: (wdr_json.detect, wdr_json.read),
    html.FORMAT: (html.detect, html.read),
    text_pages.TEXT_FORMAT: (text_pages.is_text, lambda text, source, context: text_pages.read_text(text, source)),
    text_pages.TABS_FORMAT: (text_pages.is_tabs, lambda text, source, context: text_pages.read_tabs(text, source)),
    standings_csv.FORMAT: (standings_csv.detect, standings_csv.read),
}

# The names that `--as` takes.
FORMATS = (*_TEXT_FORMATS, standings_xlsx.FORMAT, two_tables.FORMAT)


def read_documents(path: Path, *, format_name: str | None = None, context: Context | None = None) -> Iterator[Document]:
    """Read and check the documents that a path holds, one after the other.

    Args:
        path: a file, one of those that `group_inputs` gives.
        format_name: one of FORMATS; detected when None.
        context: what the document is read with; when None, what the project's own seeds give.

    Raises:
        DocumentError: when it cannot be read, or what it states cannot be.
    """
    check_path(path)
    context = context or read_context(PROJECT / "seeds")
    faults = Faults()
    with faults.gathered():
        for stated in _read(path, format_name, context):
            with faults.gathered():
                document = with_left_out_facts(stated, context)
                check_document(document, context)
            # After a fault the others are only checked, so that one run tells all of them.
            if not faults:
                yield document
    faults.raise_any()


def group_inputs(paths: Iterable[Path]) -> list[Path]:
    """The documents to read: the files named, and every file in a named folder, in the order of their names.

    A pair of the format `two-tables` is one document, named by its table of tournaments. Hidden files are skipped, and a file
    that is named twice is read once.

    Raises:
        UserError: for a path that does not exist, or when nothing is left.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            inside = (p for p in path.rglob("*") if not any(part.startswith(".") for part in p.relative_to(path).parts))
            files = sorted(p for p in inside if p.is_file())
        elif path.exists():
            files = [path]
        else:
            raise UserError(f"{_shown(path)}: no such file or folder")
        for file in files:
            document = two_tables.document_of(file)
            found.setdefault(document.resolve(), document)
    if not found:
        raise UserError("no documents found; expected at least one file")
    return list(found.values())


def _read(path: Path, format_name: str | None, context: Context) -> Iterable[Document]:
    """What the module of a document's format makes of it."""
    if format_name is not None and format_name not in FORMATS:
        raise UserError(f"{format_name}: no such format; expected one of {', '.join(FORMATS)}")
    if format_name == two_tables.FORMAT or (format_name is None and two_tables.is_pair(path)):
        return two_tables.read(path, context)
    content = _content(path)
    if format_name == standings_xlsx.FORMAT or (format_name is None and content.startswith(standings_xlsx.MAGIC)):
        return standings_xlsx.read(content, _source(path, content, standings_xlsx.FORMAT), context)
    _check_size(path, len(content), LARGEST_TEXT, "text")
    decoded, remark = decode(content, path, context.encoding)
    if not decoded.strip():
        raise DocumentError(Location(path), "an empty file", "a document")
    detected = format_name or next((name for name, (detect, _) in _TEXT_FORMATS.items() if detect(decoded)), None)
    if detected is None:
        raise _of_no_format(decoded, path)
    documents = _TEXT_FORMATS[detected][1](decoded, _source(path, content, detected), context)
    return (_with_remark(document, remark) for document in documents)


def _with_remark(document: Document, remark: str) -> Document:
    """A document with one more remark on how it was read, if there is one."""
    return replace(document, remarks=(remark, *document.remarks)) if remark else document


def _of_no_format(text: str, path: Path) -> DocumentError:
    """The error of a text that no format takes."""
    first = next(line for line in text.split("\n") if line.strip())
    head = standings_csv.described_head(text)
    near = f"{head[0].upper()}{head[1:]}{'' if head.endswith('?') else '.'}" if head else ""
    return DocumentError(
        Location(path),
        f"text of no format that is known (it begins with `{shortened(first.strip())}`)",
        "a page of the World Diplomacy Database with its table, a file of the World Diplomacy Reference, or a table"
        " with the headings `placement` and `name` or `last_name`",
        " ".join(hint for hint in (near, "docs/import_formats.md describes every format.") if hint),
    )


def check_path(path: Path) -> None:
    """Check that the name of a file can be written down, as seeds do: on some systems a name may be any bytes.

    Raises:
        DocumentError: when it cannot.
    """
    name = str(path)
    if name != name.encode("utf-8", "replace").decode("utf-8"):
        fault: tuple[str, str] | None = ("a name that is not UTF-8", "a file whose name can be shown")
    elif fault := fault_of_text(name, len(name)) or fault_of_text(path.name, len(name)):
        fault = (f"a name with {fault[0]}", "a file whose name can be shown, and be opened in a spreadsheet")
    if fault:
        raise DocumentError(Location(_shown(path)), *fault, "Rename it.")


def _shown(path: Path) -> Path:
    """A path as messages can show it: on one line."""
    return Path("".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in str(path)))


def _content(path: Path) -> bytes:
    """The bytes of a document that is small enough to be one."""
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


def _source(path: Path, content: bytes, format_name: str) -> Source:
    return Source(path, hashlib.sha256(content).hexdigest(), format_name)
