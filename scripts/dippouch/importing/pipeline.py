"""One run of the importer: reads documents, and makes one change of the collection."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from dippouch.documents import Document, ListedPlayer
from dippouch.errors import DocumentError, Faults, UserError
from dippouch.importing.context import TournamentOptions, read_context
from dippouch.importing.formats import two_tables
from dippouch.importing.plan import apply_change, plan_change, refuse_contradiction
from dippouch.importing.reader import read_documents
from dippouch.importing.refusal import Stated, refuse_faulty_rows, scope_of_change
from dippouch.importing.report import Outcome, ReportedDocument, describe_outcome, reported
from dippouch.matching.newcomers import NO_ANSWERS, Answers, Review, refuse_unused
from dippouch.names import fault_of_text
from dippouch.rating.rules import RatingRules
from dippouch.rating.systems import read_default_rules
from dippouch.seeds.changes import Scope, faults_of_changes, scope_of
from dippouch.seeds.faults import Fault
from dippouch.seeds.folder import check_is_collection, is_new, locked
from dippouch.seeds.schema import TOURNAMENT_KINDS, TOURNAMENTS
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT


def import_documents(
    paths: list[Path],
    folder: Path,
    *,
    format_name: str | None = None,
    options: TournamentOptions | None = None,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    last_first: bool = False,
    last_day: date | None = None,
    another_event: bool = False,
    answers: Answers = NO_ANSWERS,
    new_kinds: Mapping[str, str] | None = None,
    dry_run: bool = False,
    strict: bool = False,
    on_file: Callable[[Path], None] = lambda path: None,
    on_changed: Callable[[Path], None] = lambda folder: None,
) -> Outcome:
    """Import documents into a collection as one change, without any part of rejected files.

    Args:
        paths: the files, as returned by `group_inputs`.
        folder: the collection; a missing or empty one becomes a new collection.
        format_name: the format of the files; detected when None.
        options: facts of the single tournament, for formats that may omit them.
        encoding: the encoding of files that are not UTF-8.
        columns: the columns of tables by further headings.
        last_first: whether names without a comma begin with the last name.
        last_day: the latest allowed day in a document; None for any.
        another_event: whether to accept a new tournament with the results of a known one.
        answers: the rating keeper's answers about new people.
        new_kinds: kinds of tournaments to add to the collection: their names by code.
        dry_run: whether to find the changes without writing them.
        strict: whether to write nothing if any file is rejected.
        on_file: called with every path before it is read, for progress.
        on_changed: called in a dry run with changes, with a copy of the collection that has them.

    Raises:
        UserError: when the collection cannot be read, is in use, or cannot be written.
    """
    with ExitStack() as held:
        held.enter_context(locked(folder))
        if not is_new(folder):
            check_is_collection(folder)
        reference = PROJECT / "seeds" if is_new(folder) else folder
        rules = read_default_rules(reference)
        context = read_context(
            reference, options, encoding=encoding, columns=columns or {}, last_first=last_first, last_day=last_day
        )
        collection = held.enter_context(Collection.opened(folder))
        added_kinds = add_kinds(collection, new_kinds or {})

        def attempt(suspects: Scope) -> Outcome:
            """Apply every file. Check files about suspects individually, and leave out faulty ones."""
            outcome, changed = Outcome(added_kinds=added_kinds), Scope()
            found: list[Fault] = []
            review = Review(collection, answers)
            for path in paths:
                on_file(path)
                file = _File(collection, path, answers)
                try:
                    with collection.all_or_nothing():
                        documents = read_documents(path, format_name=format_name, context=context)
                        file.apply(documents, rules, suspects, another_event=another_event, every_row=dry_run)
                        with file.faults.gathered():
                            newcomers = review.newcomers(
                                file.new_people,
                                file.new_tournaments,
                                file.faults,
                                among_them=not two_tables.is_pair(path),
                            )
                        if file.faults:
                            found += faults_of_changes(collection, file.scope - suspects)
                        file.faults.raise_any()
                except DocumentError as error:
                    outcome.rejections += [error, *error.further]
                    outcome.rejected_files += 1
                else:
                    outcome.documents += file.documents
                    outcome.new_people |= file.new_people.keys()
                    outcome.people |= file.people
                    review.accept(newcomers)
                    changed |= file.scope
            if found := [*found, *faults_of_changes(collection, changed)]:
                raise _FaultyError(found)
            outcome.newcomers = review.accepted
            return outcome

        outcome = _without_faulty_files(collection, attempt)
        # A second import of the same files may repeat the answers.
        refuse_unused(
            collection, answers, outcome.new_people if outcome.rows_of_documents else None, whole=not outcome.rejections
        )
        outcome.changed_rows = len(added_kinds) + len(outcome.decisions()) + outcome.rows_of_documents
        describe_outcome(collection, rules, outcome)
        refused = outcome.rejections and (strict or not outcome.documents)
        if dry_run:
            _show_changed(collection, outcome, on_changed)
        elif not refused and (outcome.changed_rows or is_new(folder)):
            collection.write()
            outcome.written = True
        else:
            outcome.added_kinds, outcome.changed_rows = [], 0
    return outcome


def _show_changed(collection: Collection, outcome: Outcome, on_changed: Callable[[Path], None]) -> None:
    """Call a function with a copy of a collection with its changes, if any; for a new collection there is nothing to compare."""
    if outcome.changed_rows and not is_new(collection.folder):
        with TemporaryDirectory(prefix="dip-pouch-dry-run-") as folder:
            copy = Path(folder, "seeds")
            collection.write_copy(copy)
            on_changed(copy)


class _File:
    """A file whose documents are applied to a collection, with their changes and all faults."""

    def __init__(self, collection: Collection, path: Path, answers: Answers) -> None:
        self.collection = collection
        self.answers = answers
        self.stated = Stated(path)
        self.scope = Scope()
        self.documents: list[ReportedDocument] = []
        self.new_people: dict[str, ListedPlayer] = {}
        self.new_tournaments: set[str] = set()
        self.people: set[str] = set()
        self.faults = Faults()

    def apply(
        self,
        documents: Iterable[Document],
        rules: RatingRules,
        suspects: Scope,
        *,
        another_event: bool,
        every_row: bool,
    ) -> None:
        """Apply documents, check the resulting rows of the suspects, and gather faults."""
        with self.faults.gathered():
            for document in documents:
                with self.faults.gathered():
                    change = plan_change(
                        self.collection, document, rules, self.faults, self.answers, another_event=another_event
                    )
                    apply_change(self.collection, change)
                    scope = scope_of_change(change)
                    self.scope |= scope
                    if scope & suspects:
                        self.stated.add(change)
                    self.new_tournaments |= {
                        d.key[0] for d in change.differences if d.table is TOURNAMENTS and not d.before
                    }
                    refuse_contradiction(self.collection, change, rules)
                    self.documents.append(reported(change, every_row=every_row))
                    self.new_people.update(change.new_people)
                    self.people |= change.people
        with self.faults.gathered():
            refuse_faulty_rows(self.collection, self.scope & suspects, self.stated)


class _FaultyError(Exception):
    """The rows of a run break rules."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__()
        self.faults = faults


def _without_faulty_files(collection: Collection, attempt: Callable[[Scope], Outcome]) -> Outcome:
    """Apply files and check all their changes at once; if there are faults, start again without the faulty files.

    Almost every run is right, and one check of all rows hardly takes longer than that of one document. The second attempt checks files
    about faulty rows one by one, so that the first of two contradicting files is imported.
    """
    suspects = Scope()
    while True:
        try:
            with collection.all_or_nothing():
                return attempt(suspects)
        except _FaultyError as error:
            found = scope_of(collection, error.faults)
            if not found - suspects:
                fault = error.faults[0]
                raise UserError(f"{collection.folder}: found {fault.found}; expected {fault.expected}") from None
            suspects |= found


def add_kinds(collection: Collection, new_kinds: Mapping[str, str]) -> list[str]:
    """Add kinds of tournaments other than World Championships.

    Raises:
        UserError: when a kind exists already, or its code or name is invalid.
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
