"""One run of the importer: documents in, one change of the collection out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from dippouch.errors import DocumentError, UserError
from dippouch.importing.context import read_context
from dippouch.importing.options import TournamentOptions
from dippouch.importing.plan import apply_change, plan_change, refuse_contradiction
from dippouch.importing.reader import read_documents
from dippouch.importing.refusal import Stated, refuse_faulty_rows, scope_of_change
from dippouch.importing.report import ImportReport
from dippouch.matching.candidates import LikelyDuplicate, find_likely_duplicates
from dippouch.names import fault_of_text
from dippouch.rating.systems import read_default_rules
from dippouch.seeds.checks.changes import Scope, faults_of_changes, scope_of
from dippouch.seeds.checks.row_faults import Fault
from dippouch.seeds.folder import check_is_collection, is_new, locked
from dippouch.seeds.schema import TOURNAMENT_KINDS
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT

STATUSES = ("new", "unchanged", "changed")

# Who imports more people at once reviews them afterwards.
_MOST_NEW_PEOPLE = 1_000


@dataclass
class Outcome:
    """What a run found.

    Attributes:
        documents: how many documents are new, unchanged and changed.
        changed_rows: how many seed rows are added or changed.
        rejections: what is wrong with the files that were rejected, one or more of each.
        rejected_files: how many files that are.
        likely_duplicates: people who came in new and may be somebody who is known; None when too many came in to look.
        added_kinds: the kinds of tournaments that were added.
        written: whether the collection was changed.
    """

    documents: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATUSES, 0))
    changed_rows: int = 0
    rejections: list[DocumentError] = field(default_factory=list)
    rejected_files: int = 0
    likely_duplicates: list[LikelyDuplicate] | None = field(default_factory=list)
    added_kinds: list[str] = field(default_factory=list)
    written: bool = False


def import_documents(
    paths: list[Path],
    folder: Path,
    *,
    report: ImportReport,
    format_name: str | None = None,
    options: TournamentOptions | None = None,
    encoding: str | None = None,
    last_day: date | None = None,
    another_event: bool = False,
    new_kinds: Mapping[str, str] | None = None,
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
        encoding: the encoding of the files; found out when None.
        last_day: the last day that a document may speak of; None: any.
        another_event: import a new event although its results are those of a known one.
        new_kinds: kinds of tournaments to add to the collection: their names by their codes.
        dry_run: find what would change, write nothing.
        strict: write nothing at all when a file is rejected.
        on_file: called with every path before it is read, for progress.

    Raises:
        UserError: when the collection cannot be read, is in use, or cannot be written.
    """
    with ExitStack() as held:
        held.enter_context(locked(folder))
        if not is_new(folder):
            check_is_collection(folder)
        reference = PROJECT / "seeds" if is_new(folder) else folder
        rules = read_default_rules(reference)
        context = read_context(reference, options, encoding=encoding, last_day=last_day)
        collection = held.enter_context(Collection.opened(folder))
        added_kinds = add_kinds(collection, new_kinds or {})

        def attempt(suspects: Scope) -> tuple[Outcome, Scope]:
            """Apply every file. One that is about a suspect is checked by itself, and left out when it is faulty."""
            found, changed = Outcome(added_kinds=added_kinds, changed_rows=len(added_kinds)), Scope()
            for path in paths:
                on_file(path)
                stated, scope = Stated(path), Scope()
                try:
                    with collection.all_or_nothing():
                        for document in read_documents(path, format_name=format_name, context=context):
                            change = plan_change(collection, document, rules, another_event=another_event)
                            apply_change(collection, change)
                            refuse_contradiction(collection, change, rules)
                            report.add(change)
                            scope |= scope_of_change(change)
                            stated.add(change, suspects)
                        refuse_faulty_rows(collection, stated)
                except DocumentError as error:
                    report.forget()
                    found.rejections += [error, *error.further]
                    found.rejected_files += 1
                else:
                    report.keep()
                    changed |= scope
            return found, changed

        outcome = _without_faulty_files(collection, report, attempt)
        for reported in report.documents():
            outcome.documents[reported.status] += 1
            outcome.changed_rows += reported.changed_rows
        new_people = set(report.new_people())
        outcome.likely_duplicates = (
            find_likely_duplicates(collection, new_people) if len(new_people) <= _MOST_NEW_PEOPLE else None
        )
        refused = outcome.rejections and (strict or not sum(outcome.documents.values()))
        if not dry_run and not refused and (outcome.changed_rows or is_new(folder)):
            collection.write()
            outcome.written = True
        elif not dry_run:
            outcome.added_kinds, outcome.changed_rows = [], 0
    return outcome


class _FaultyError(Exception):
    """The rows that a run leaves break rules."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__()
        self.faults = faults


def _check_all(collection: Collection, changed: Scope) -> None:
    if faults := faults_of_changes(collection, changed):
        raise _FaultyError(faults)


def _without_faulty_files(
    collection: Collection, report: ImportReport, attempt: Callable[[Scope], tuple[Outcome, Scope]]
) -> Outcome:
    """Apply files, check what they changed all at once, and begin again without the faulty ones where any are.

    Almost every run is right, and one check of all rows takes hardly longer than that of one document. A further attempt checks the
    files about what was found faulty one by one, so that the first of two that contradict each other is imported.
    """
    suspects = Scope()
    while True:
        report.clear()
        try:
            with collection.all_or_nothing():
                outcome, changed = attempt(suspects)
                _check_all(collection, changed)
        except _FaultyError as error:
            found = scope_of(collection, error.faults)
            if not found - suspects:
                fault = error.faults[0]
                raise UserError(f"{collection.folder}: found {fault.shown()}; expected {fault.expected}") from None
            suspects |= found
        else:
            return outcome


def add_kinds(collection: Collection, new_kinds: Mapping[str, str]) -> list[str]:
    """Add kinds of tournaments that are no World Championships.

    Raises:
        UserError: when a kind is there already, or its code or name cannot be.
    """
    for kind, name in new_kinds.items():
        if not re.fullmatch(r"[A-Z0-9][A-Z0-9_-]{0,19}", kind) or not name or fault_of_text(name):
            raise UserError(
                f'option --add-kind: found `{kind}={name}`; expected a code and a name, such as GP="Grand Prix"'
            )
        if collection.get(TOURNAMENT_KINDS, (kind,)):
            raise UserError(
                f"option --add-kind: found `{kind}`, which {TOURNAMENT_KINDS.path} has already; expected a new kind"
            )
        collection.upsert(TOURNAMENT_KINDS, {"kind": kind, "name": name, "is_world_championship": "false"})
    return list(new_kinds)
