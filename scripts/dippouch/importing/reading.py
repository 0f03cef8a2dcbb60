"""The way in for documents: from a path to checked documents, whatever the form.

Bytes become text (`decoding`), the form is found out, its reader says what the document states (`readers`), and
`check_document` makes sure that it can be.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from dippouch.errors import DocumentError, KeeperError
from dippouch.importing import wdd_text
from dippouch.importing.checks import check_document
from dippouch.importing.decoding import decode
from dippouch.importing.documents import Document, Source
from dippouch.importing.names import shortened
from dippouch.importing.options import TournamentOptions, completed
from dippouch.importing.readers import bulk_csv, standings_csv, standings_xlsx, wdd_html, wdd_tabs, wdr_json

__all__ = ["FORMS", "LARGEST_DOCUMENT", "TournamentOptions", "group_inputs", "read_documents"]

# A page of the largest tournament takes a thousandth of it; the pair of the form `bulk-csv` has no limit.
LARGEST_DOCUMENT = 20_000_000

_TextReader = Callable[[str, Source, TournamentOptions], Iterable[Document]]

# The forms that are text, in the order in which they are recognised: the more particular first.
_TEXT_FORMS: dict[str, tuple[Callable[[str], bool], _TextReader]] = {
    wdr_json.FORM: (wdr_json.recognises, wdr_json.read),
    wdd_html.FORM: (wdd_html.recognises, lambda text, source, options: wdd_html.read(text, source)),
    wdd_text.FORM: (wdd_text.recognises, lambda text, source, options: wdd_text.read(text, source)),
    wdd_tabs.FORM: (wdd_tabs.recognises, lambda text, source, options: wdd_tabs.read(text, source)),
    standings_csv.FORM: (standings_csv.recognises, standings_csv.read),
}

# The names that `--as` takes.
FORMS = (*_TEXT_FORMS, standings_xlsx.FORM, bulk_csv.FORM)


def read_documents(
    path: Path, *, form: str | None = None, options: TournamentOptions | None = None
) -> Iterator[Document]:
    """Read and check the documents that a path holds, one after the other.

    Args:
        path: a file, one of those that `group_inputs` gives.
        form: one of FORMS; found out when None.
        options: facts of the tournament that the document leaves out.

    Raises:
        DocumentError: when it cannot be read, or what it states cannot be.
    """
    options = options or TournamentOptions()
    for stated in _read(path, form, options):
        document = completed(stated, options)
        check_document(document)
        yield document


def group_inputs(paths: Iterable[Path]) -> list[Path]:
    """The documents to read: the files named, and every file in a named folder, in the order of their names.

    A pair of the form `bulk-csv` is one document, named by its tournaments.csv. Hidden files are skipped, and a file that
    is named twice is read once.

    Raises:
        KeeperError: for a path that does not exist, or when nothing is left.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            inside = (p for p in path.rglob("*") if not any(part.startswith(".") for part in p.relative_to(path).parts))
            files = sorted(p for p in inside if p.is_file())
        elif path.exists():
            files = [path]
        else:
            raise KeeperError(f"{path}: no such file or folder")
        for file in files:
            tournaments = file.with_name(bulk_csv.TOURNAMENTS)
            of_pair = file.name == bulk_csv.RESULTS and tournaments.is_file()
            document = tournaments if of_pair else file
            found.setdefault(document.resolve(), document)
    if not found:
        raise KeeperError("no documents found; expected at least one file")
    return list(found.values())


def _read(path: Path, form: str | None, options: TournamentOptions) -> Iterable[Document]:
    """What the reader of a document's form makes of it."""
    if form is not None and form not in FORMS:
        raise KeeperError(f"{form}: no such form; expected one of {', '.join(FORMS)}")
    if form == bulk_csv.FORM or (form is None and bulk_csv.is_bulk(path)):
        return bulk_csv.read(path)
    content = _content(path)
    if form == standings_xlsx.FORM or (form is None and content.startswith(standings_xlsx.MAGIC)):
        source = _source(path, content, standings_xlsx.FORM)
        return standings_xlsx.read(content, source, options)
    text = decode(content, path)
    if not text.strip():
        raise DocumentError(path, None, "an empty file", "a document")
    form = form or next((name for name, (recognises, _) in _TEXT_FORMS.items() if recognises(text)), None)
    if form is None:
        first = next(line for line in text.split("\n") if line.strip())
        raise DocumentError(
            path,
            None,
            f"text of no form that is known (it begins with `{shortened(first.strip())}`)",
            "a page of the World Diplomacy Database with its table, a file of the World Diplomacy Reference, or a table"
            " with the headings `placement` and `name` or `last_name`",
            "docs/import_forms.md describes every form.",
        )
    return _TEXT_FORMS[form][1](text, _source(path, content, form), options)


def _content(path: Path) -> bytes:
    """The bytes of a document that is small enough to be one."""
    try:
        if not path.is_file():
            raise DocumentError(path, None, "a folder or device", "a file")
        size = path.stat().st_size
        if size > LARGEST_DOCUMENT:
            raise DocumentError(
                path,
                None,
                f"{size:,} bytes",
                f"a document of at most {LARGEST_DOCUMENT:,} bytes",
                f"Many tournaments come in as {bulk_csv.TOURNAMENTS} and {bulk_csv.RESULTS}, which have no limit.",
            )
        return path.read_bytes()
    except OSError as error:
        raise DocumentError(path, None, f"a file that cannot be opened ({error.strerror})", "a readable file") from None


def _source(path: Path, content: bytes, form: str) -> Source:
    return Source(path, hashlib.sha256(content).hexdigest(), form)
