"""One run of the importer: documents in, one change of the collection out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from dippouch.errors import DocumentError, UserError
from dippouch.importing.options import TournamentOptions
from dippouch.importing.plan import apply_change, plan_change
from dippouch.importing.reader import read_documents
from dippouch.importing.report import ImportReport
from dippouch.rating.systems import PUBLISHED_SYSTEM, read_rating_systems
from dippouch.seeds.folder import check_is_collection, is_new, locked
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT

STATUSES = ("new", "unchanged", "changed")


@dataclass
class Outcome:
    """What a run found.

    Attributes:
        documents: how many documents are new, unchanged and changed.
        changed_rows: how many seed rows are added or changed.
        rejections: the files that were rejected, and why.
        written: whether the collection was changed.
    """

    documents: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATUSES, 0))
    changed_rows: int = 0
    rejections: list[DocumentError] = field(default_factory=list)
    written: bool = False

    def add(self, changes: Outcome) -> None:
        """Count what one file changed."""
        for status in STATUSES:
            self.documents[status] += changes.documents[status]
        self.changed_rows += changes.changed_rows


def import_documents(
    paths: list[Path],
    folder: Path,
    *,
    report: ImportReport,
    format_name: str | None = None,
    options: TournamentOptions | None = None,
    dry_run: bool = False,
    strict: bool = False,
    on_file: Callable[[Path], None] = lambda path: None,
) -> Outcome:
    """Import documents into a collection, all of them as one change. Of a file that is rejected nothing is imported.

    Args:
        paths: the files, as `group_inputs` gives them.
        folder: the collection; a missing or empty one becomes a new collection.
        report: records what every document changes.
        format_name: the format of the files; detected when None.
        options: facts of the one tournament, for a format that may leave them out.
        dry_run: find what would change, write nothing.
        strict: write nothing at all when a file is rejected.
        on_file: called with every path before it is read, for progress.

    Raises:
        UserError: when the collection cannot be read, is in use, or cannot be written.
    """
    outcome = Outcome()
    with ExitStack() as held:
        held.enter_context(locked(folder))
        if not is_new(folder):
            check_is_collection(folder)
        rules = read_rating_systems(PROJECT / "seeds" if is_new(folder) else folder).get(PUBLISHED_SYSTEM)
        if rules is None:
            raise UserError(
                f"{folder}: found no rating system `{PUBLISHED_SYSTEM}`; expected the published rules among the systems"
            )
        collection = held.enter_context(Collection.opened(folder))
        for path in paths:
            on_file(path)
            of_file = Outcome()
            try:
                with collection.all_or_nothing():
                    for document in read_documents(path, format_name=format_name, options=options):
                        change = plan_change(collection, document, rules)
                        apply_change(collection, change)
                        of_file.documents[change.status] += 1
                        of_file.changed_rows += len(change.differences)
                        report.add(change)
            except DocumentError as error:
                report.forget()
                outcome.rejections.append(error)
            else:
                report.keep()
                outcome.add(of_file)
        refused = outcome.rejections and (strict or not sum(outcome.documents.values()))
        if not dry_run and not refused and (outcome.changed_rows or is_new(folder)):
            collection.write()
            outcome.written = True
    return outcome
