"""Run the importer: read files, append their rows to a collection, leave out faulty files, and write everything at once.

A document that comes again with the same bytes and the same rows adds nothing. A changed page of an archive replaces the rows of its
earlier state. Any other document is new, even if it contradicts the collection: SQL decides which statement holds.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from dippouch.collection.faults import raise_faults
from dippouch.collection.files import canonical_cells
from dippouch.collection.folder import check_is_collection, is_new, locked
from dippouch.collection.memory import Collection
from dippouch.collection.schema import DOCUMENTS, SeedRow
from dippouch.importing.ask import Asking
from dippouch.importing.files import STATEMENTS, Choices, ImportedFile, StatedRows
from dippouch.importing.identify import Registry
from dippouch.importing.outcome import Outcome, describe_files, remember_facts
from dippouch.messages import DocumentError, SkippedError
from dippouch.names import free_id, readable_id_or_empty
from dippouch.reading.context import read_context
from dippouch.reading.documents import PlayerDocument, RankingDocument, TournamentDocument
from dippouch.reading.reader import read_documents

# What a document is about: a table of a tournament, the page of a player, a published ranking.
_ABOUT = {TournamentDocument: "tournament", PlayerDocument: "player", RankingDocument: "ranking"}
# The report shows the values of the default rating system, so the collection must have it.
_WITHOUT_SYSTEM = """
    select * from ({{ unfit_settings() }}) as settings where code in ('unknown_system', 'no_default_system')
"""


def import_documents(
    paths: Sequence[Path],
    folder: Path,
    choices: Choices,
    *,
    on_file: Callable[[Path], None],
    on_changed: Callable[[Collection, Collection], None],
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
        # A run without a valid document makes no collection.
        is_empty = not outcome.stated and bool(outcome.rejections or outcome.skipped)
        if is_empty or (choices.strict and outcome.rejections):
            outcome.changed_rows = 0
        elif choices.dry_run:
            # A new collection has nothing to compare.
            if outcome.changed_rows and not is_new(folder):
                on_changed(held.enter_context(Collection.opened(folder)), collection)
        elif outcome.changed_rows or is_new(folder):
            collection.write()
            outcome.written = True
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


def _apply(collection: Collection, files: Sequence[ImportedFile], choices: Choices) -> Outcome:
    """Append the rows of all valid files to the collection, and return the outcome.

    A faulty file is left out as a whole, and the others are checked again, because it may have caused their faults.
    """
    outcome = Outcome(skipped=[file.skipped for file in files if file.skipped])
    raise_faults(collection.folder, collection.find_faults(_WITHOUT_SYSTEM))
    remember_facts(collection)
    while True:
        right = (file for file in files if not file.skipped and not file.faults)
        read = [ImportedFile(file.path, file.documents, file.faults) for file in right]
        registry = Registry(collection, read, choices)
        for file in read:
            registry.state(file)
        valid = [file for file in read if not file.faults]
        unanswered = [file for file in read if file.faults and file.stated]
        # After a fault the run starts again, without the files that are now faulty.
        with suppress(DocumentError), collection.all_or_nothing():
            outcome.changed_rows = _append_files(collection, [*valid, *unanswered], replaces=choices.replace)
            Asking(collection, [*valid, *unanswered], choices, registry).find_faults()
            for file in (*valid, *unanswered):
                file.faults.raise_any()
            describe_files(collection, valid, outcome)
            break
    for file in files:
        try:
            file.faults.raise_any()
        except DocumentError as error:
            outcome.rejections += [error, *error.further]
            outcome.rejected_files += 1
    return outcome


def _append_files(collection: Collection, files: Sequence[ImportedFile], *, replaces: bool) -> int:
    """Append the rows of files, and the decisions on new people.

    Args:
        collection: the collection; it is changed.
        files: the files, in their order; each gets the id of its document.
        replaces: whether they go before documents that do not replace.

    Returns:
        The number of rows of all seeds that are new or differ.
    """
    known = {row["document_id"]: row for row in collection.stated(DOCUMENTS)}
    number = max((int(row["import_number"]) for row in known.values()), default=0) + 1
    earlier = _earlier_states(collection, known, files)
    documents, added, changed_rows, handled = list[SeedRow](), list[ImportedFile](), 0, set[str]()
    for file in files:
        rows = _rows_of_file(file) if earlier[file] else set()
        same = next((one for one, before in earlier[file].items() if before == rows), "")
        # A changed page takes the place of its earlier state.
        replaced = next((one for one in earlier[file] if one not in handled and file.source.address), "")
        file.is_unchanged = bool(same)
        name_id = readable_id_or_empty(file.source.path.stem) or "document"
        file.document_id = same or replaced or free_id(name_id, known.__contains__)
        if file.document_id in handled:
            continue
        handled.add(file.document_id)
        before = known.get(file.document_id)
        after = _document_row(file, number, replaces=replaces)
        if before and same:
            after = before
        elif before:
            after |= {name: before[name] for name in ("import_number", "replaces")}
            file.rows_before = earlier[file][file.document_id]
            changed_rows += max(len(rows - file.rows_before), len(file.rows_before - rows))
        else:
            changed_rows += sum(1 for seed in STATEMENTS for _ in file.rows(seed))
        if not same:
            added.append(file)
        if before and replaces and (before["replaces"] != "true" or int(before["import_number"]) != number - 1):
            after = after | {"import_number": str(number), "replaces": "true"}
        if after != before:
            changed_rows += 1
            documents.append(after)
        known[file.document_id] = after
    gone = [file.document_id for file in added if file.rows_before]
    for seed in STATEMENTS:
        collection.delete_of(seed, "document_id", gone)
        collection.append(seed, ({"document_id": file.document_id} | row for file in added for row in file.rows(seed)))
    collection.delete_of(DOCUMENTS, "document_id", [row["document_id"] for row in documents])
    collection.append(DOCUMENTS, documents)
    decisions = [decision for file in files for one in file.newcomers for decision in one.decisions]
    for seed, row in decisions:
        collection.append(seed, [row])
    return changed_rows + len(decisions)


def _document_row(file: ImportedFile, import_number: int, *, replaces: bool) -> SeedRow:
    """Return the row of raw_documents for a file."""
    document = file.stated[0].document
    last_update = None if isinstance(document, PlayerDocument) else document.last_update
    return {
        "document_id": file.document_id,
        "about": _ABOUT[type(document)],
        "source_document": document.source.path.name,
        "source_sha256": document.source.sha256,
        "source_form": document.source.format,
        "last_update": str(last_update or ""),
        "import_number": str(import_number),
        "replaces": str(replaces).lower(),
    }


def _earlier_states(
    collection: Collection, known: dict[str, SeedRow], files: Iterable[ImportedFile]
) -> dict[ImportedFile, dict[str, StatedRows]]:
    """Return the known documents of the same bytes as each file, and those that the page of an archive had earlier, with their rows."""
    by_hash = defaultdict[str, list[str]](list)
    for document_id, row in known.items():
        by_hash[row["source_sha256"]].append(document_id)
    hashes = {file: (file.source.sha256, *sorted(file.source.earlier)) for file in files}
    rows = defaultdict[str, StatedRows](set)
    earlier = {file: {one: rows[one] for sha256 in hashes[file] for one in by_hash[sha256]} for file in files}
    for seed in STATEMENTS if rows else ():
        for row in collection.stated(seed, "document_id in (select unnest($1))", [list(rows)]):
            document_id, *cells = row.values()
            rows[document_id].add((seed, tuple(cells)))
    return earlier


def _rows_of_file(file: ImportedFile) -> StatedRows:
    """Return the rows of a file as the collection would have them."""
    rows = ((seed, {"document_id": ""} | row) for seed in STATEMENTS for row in file.rows(seed))
    return {(seed, tuple(canonical_cells(seed, (row[name] for name in seed.columns))[1:])) for seed, row in rows}
