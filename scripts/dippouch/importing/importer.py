"""One run of the importer: documents in, one change of the collection out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from dippouch.collection.reference import PUBLISHED_SYSTEM, read_rating_systems
from dippouch.collection.seeds import Collection, is_new
from dippouch.collection.storage import locked, write_files
from dippouch.errors import DocumentError, KeeperError
from dippouch.importing import wdd_text
from dippouch.importing.changes import Change, apply_change, plan_change
from dippouch.importing.checks import check_document
from dippouch.importing.documents import Document, Source
from dippouch.settings import PROJECT


@dataclass
class Outcome:
    """What a run found: changes by document in the order they were read, and the documents it rejected."""

    changes: list[Change] = field(default_factory=list)
    rejections: list[DocumentError] = field(default_factory=list)

    @property
    def changed_rows(self) -> int:
        """How many seed rows are added, changed or removed."""
        return sum(len(change.differences) for change in self.changes)


def find_documents(paths: Iterable[Path]) -> list[Path]:
    """The files to read: those named, and every file in a named folder, in the order of their names.

    Raises:
        KeeperError: for a path that does not exist, or when nothing is left.
    """
    found = []
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


def read_document(path: Path) -> list[Document]:
    """Read and check one document.

    Raises:
        DocumentError: when it cannot be read, or what it states cannot be.
    """
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
    documents = wdd_text.read(text, source)
    for document in documents:
        check_document(document)
    return documents


def import_documents(
    paths: list[Path],
    folder: Path,
    *,
    dry_run: bool = False,
    on_document: Callable[[Path], None] = lambda path: None,
) -> Outcome:
    """Import documents into a collection: all of them as one change, or, when one is rejected, none.

    Args:
        paths: the documents.
        folder: the collection; a missing or empty one becomes a new collection.
        dry_run: find what would change, write nothing.
        on_document: called with every path before it is read, for progress.

    Raises:
        KeeperError: when the collection cannot be read, is in use, or cannot be written.
    """
    outcome = Outcome()
    with locked(folder):
        rules = read_rating_systems(PROJECT / "seeds" if is_new(folder) else folder).get(PUBLISHED_SYSTEM)
        if rules is None:
            raise KeeperError(
                f"{folder}: found no rating system `{PUBLISHED_SYSTEM}`; expected the published rules among the systems"
            )
        collection = Collection.load(folder)
        for path in paths:
            on_document(path)
            try:
                for document in read_document(path):
                    change = plan_change(collection, document, rules)
                    apply_change(collection, change)
                    outcome.changes.append(change)
            except DocumentError as error:
                outcome.rejections.append(error)
        if not dry_run and not outcome.rejections and (outcome.changed_rows or is_new(folder)):
            write_files(folder, collection.files())
    return outcome
