"""Run the importer: read files, append their rows to a collection, leave out faulty files, and write everything at once."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from dippouch.collection.folder import check_is_collection, is_new, locked
from dippouch.collection.memory import Collection
from dippouch.collection.schema import RATING_SYSTEMS, SETTINGS
from dippouch.errors import DocumentError, SkippedError, UserError
from dippouch.importing.append import append_files
from dippouch.importing.ask import Asking
from dippouch.importing.files import Choices, ImportedFile
from dippouch.importing.identify import Registry
from dippouch.importing.outcome import Outcome, describe_files, remember_facts
from dippouch.reading.context import read_context
from dippouch.reading.reader import read_documents


def import_documents(
    paths: Sequence[Path],
    folder: Path,
    choices: Choices,
    *,
    on_file: Callable[[Path], None] = lambda path: None,
    on_changed: Callable[[Collection, Collection], None] = lambda before, after: None,
) -> Outcome:
    """Import documents into a collection as one change, without any part of rejected files.

    Args:
        paths: the files, as returned by `group_inputs`.
        folder: the collection; a missing or empty one becomes a new collection.
        choices: the rating keeper's choices.
        on_file: called with every path before it is read, for progress.
        on_changed: called in a dry run with changes, with the collection before and after them.

    Raises:
        UserError: when the collection cannot be read, is in use, or cannot be written, or no document lists the name in an answer.
    """
    with ExitStack() as held:
        if not choices.dry_run:
            held.enter_context(locked(folder))
        if not is_new(folder):
            check_is_collection(folder)
        collection = held.enter_context(Collection.opened(folder))
        outcome = _apply(collection, _read(paths, collection, choices, on_file), choices)
        # A rejected file may list the other names.
        if not outcome.rejections:
            choices.answers.check_used()
        is_refused = choices.strict and bool(outcome.rejections)
        if is_refused:
            outcome.changed_rows = 0
        if choices.dry_run:
            # A new collection has nothing to compare.
            if outcome.changed_rows and not is_new(folder):
                on_changed(held.enter_context(Collection.opened(folder)), collection)
        elif (
            not is_refused
            and (outcome.stated or not (outcome.rejections or outcome.skipped))
            and (outcome.changed_rows or is_new(folder))
        ):
            collection.write()
            outcome.written = True
        else:
            outcome.changed_rows = 0
    return outcome


def _read(
    paths: Sequence[Path], collection: Collection, choices: Choices, on_file: Callable[[Path], None]
) -> list[ImportedFile]:
    """Read every file once."""
    context = read_context(collection.reference, choices)
    files = []
    for path in paths:
        on_file(path)
        file = ImportedFile(path)
        try:
            file.documents.extend(read_documents(path, context))
        except SkippedError as remark:
            file.skipped = remark
        except DocumentError as error:
            file.add_fault(error)
        files.append(file)
    return files


class _AgainError(Exception):
    """The run must start again, without the files that are now faulty."""


def _apply(collection: Collection, files: Sequence[ImportedFile], choices: Choices) -> Outcome:
    """Append the rows of all valid files to the collection, and return the outcome.

    A faulty file is left out as a whole, and the others are checked again, because it may have caused their faults.
    """
    outcome = Outcome(skipped=[file.skipped for file in files if file.skipped])
    _check_system(collection)
    remember_facts(collection)
    while True:
        read = [file for file in files if not file.skipped and not file.faults]
        registry = Registry(collection, read, choices)
        for file in read:
            registry.state(file)
        valid = [file for file in read if not file.faults]
        doubtful = [file for file in read if file.faults and file.stated]
        with suppress(_AgainError), collection.all_or_nothing():
            outcome.changed_rows = append_files(collection, [*valid, *doubtful], replaces=choices.replace)
            Asking(collection, [*valid, *doubtful], choices, registry).find_faults(doubtful or valid)
            if doubtful or any(file.faults for file in valid):
                raise _AgainError
            describe_files(collection, valid, outcome)
            break
    for file in files:
        try:
            file.faults.raise_any()
        except DocumentError as error:
            outcome.rejections += [error, *error.further]
            outcome.rejected_files += 1
    return outcome


def _check_system(collection: Collection) -> None:
    """Check that the collection has its default rating system, whose values the report shows.

    Raises:
        UserError: otherwise.
    """
    ((system, is_known),) = collection.query(
        "select rating_system, rating_system in (select rating_system_id from stg_rating_systems) from stg_settings"
    )
    if not is_known:
        folder = collection.reference
        raise UserError(
            f"{folder / RATING_SYSTEMS.path}: found no rating system `{system}`, the default one; expected its rules among the systems,"
            f" or in {folder / SETTINGS.path} a row `rating_system,ID` with the id of another one"
        )
