"""The way in for documents: from a path to checked documents, whatever the form.

What is written by hand or copied somewhere comes in many forms; each has one reader, and all go through `check_document`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dippouch.errors import DocumentError, KeeperError
from dippouch.importing import wdd_text
from dippouch.importing.checks import check_document
from dippouch.importing.documents import Document, Source

# The names that `--as` takes.
FORMS = ("wdd-text",)


@dataclass(frozen=True)
class TournamentOptions:
    """Facts of a tournament that the keeper states beside a table of placements; what is None stands in the document."""

    name: str | None = None
    subtitle: str | None = None
    kind: str | None = None
    date: tuple[date, date] | None = None
    place: str | None = None
    nation: str | None = None
    players: int | None = None
    rounds: int | None = None
    boards: int | None = None


def read_documents(
    path: Path, *, form: str | None = None, options: TournamentOptions | None = None
) -> Iterator[Document]:
    """Read and check the documents that a path holds, one after the other.

    Args:
        path: a file, one of those that `group_inputs` gives.
        form: one of FORMS; found out when None.
        options: facts of the tournament, for a form that may leave them out.

    Raises:
        DocumentError: when it cannot be read, or what it states cannot be.
    """
    del form, options
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DocumentError(path, None, f"a file that cannot be opened ({error.strerror})", "a readable file") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(
            path, content[: error.start].count(b"\n") + 1, "bytes that are not UTF-8", "text in UTF-8"
        ) from None
    if not wdd_text.recognises(text):
        raise DocumentError(
            path, None, "no line `RankFirstName LastName...Score`", "a page of the World Diplomacy Database as text"
        )
    source = Source(path, hashlib.sha256(content).hexdigest(), wdd_text.FORM)
    for document in wdd_text.read(text, source):
        check_document(document)
        yield document


def group_inputs(paths: Iterable[Path]) -> list[Path]:
    """The documents to read: the files named, and every file in a named folder, in the order of their names.

    Raises:
        KeeperError: for a path that does not exist, or when nothing is left.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
        elif path.exists():
            found.append(path)
        else:
            raise KeeperError(f"{path}: no such file or folder")
    if not found:
        raise KeeperError("no documents found; expected at least one file")
    return found
