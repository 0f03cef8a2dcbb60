"""Append the rows that files state to a collection, each with the id of its document.

A document that comes again with the same bytes and the same rows adds nothing. A changed page of an archive replaces the rows of its
earlier state. Any other document is new, even if it contradicts the collection: SQL decides which statement holds.
"""

from collections.abc import Container, Iterable, Sequence
from itertools import count

from dippouch.collection.files import canonical_cells
from dippouch.collection.memory import Collection
from dippouch.collection.schema import DOCUMENTS, PLAYERS, Row, Seed
from dippouch.ids import is_taken, readable_id_or_empty
from dippouch.importing.files import STATEMENTS, ImportedFile
from dippouch.importing.statements import document_row

# The rows of a document: seeds, and cells without the document's id.
_Rows = set[tuple[Seed, tuple[str, ...]]]


def append_files(collection: Collection, files: Sequence[ImportedFile], *, replaces: bool) -> int:
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
    earlier = _earlier_states(known, files)
    rows_before = _rows_of(collection, [row["document_id"] for row in earlier.values()])
    documents, gone, added, changed_rows = list[Row](), list[str](), list[ImportedFile](), 0
    for file in files:
        row = document_row(file.stated[0].document, number, replaces=replaces)
        before = earlier.get(file)
        rows = _rows_of_file(file) if before else set()
        known_rows = rows_before[before["document_id"]] if before else set()
        if before is None or (rows != known_rows and not file.source.address):
            file.document_id = _new_id(file.source.path.stem, known)
            known[file.document_id] = row
            changed_rows += 1 + sum(1 for seed in STATEMENTS for _ in file.rows(seed))
            documents.append({"document_id": file.document_id} | row)
            added.append(file)
            continue
        # The same document: its rows stay, or those of its new state replace them.
        file.document_id = before["document_id"]
        file.is_unchanged = rows == known_rows
        after = before
        if not file.is_unchanged:
            changed_rows += max(len(rows - known_rows), len(known_rows - rows))
            after = before | row | {name: before[name] for name in ("import_number", "replaces")}
            gone.append(file.document_id)
            added.append(file)
        is_last = before["replaces"] == "true" and int(before["import_number"]) == number - 1
        if replaces and not is_last:
            after = after | {"import_number": str(number), "replaces": "true"}
        if after != before:
            changed_rows += 1
            documents.append(after)
    for seed in STATEMENTS:
        collection.delete_of(seed, "document_id", gone)
        collection.append(seed, ({"document_id": file.document_id} | row for file in added for row in file.rows(seed)))
    collection.delete_of(DOCUMENTS, "document_id", [row["document_id"] for row in documents])
    collection.append(DOCUMENTS, documents)
    decisions = [decision for file in files for one in file.newcomers for decision in one.decisions]
    for seed, row in decisions:
        collection.append(seed, [row])
    return changed_rows + len(decisions) + _append_players(collection, files)


def _earlier_states(known: dict[str, Row], files: Iterable[ImportedFile]) -> dict[ImportedFile, Row]:
    """Return for each file the known document with its bytes, or with earlier bytes of its page in an archive."""
    by_hash = {row["source_sha256"]: row for row in reversed(known.values())}
    hashes = {file: (file.source.sha256, *sorted(file.source.earlier)) for file in files}
    found = {file: next((by_hash[one] for one in hashes[file] if one in by_hash), None) for file in files}
    return {file: row for file, row in found.items() if row}


def _rows_of(collection: Collection, document_ids: list[str]) -> dict[str, _Rows]:
    """Return the rows of documents in the collection, by the document's id."""
    found: dict[str, _Rows] = {document_id: set() for document_id in document_ids}
    for seed in STATEMENTS if document_ids else ():
        for row in collection.stated(seed, "document_id in (select unnest($1))", [document_ids]):
            document_id, *cells = row.values()
            found[document_id].add((seed, tuple(cells)))
    return found


def _rows_of_file(file: ImportedFile) -> _Rows:
    """Return the rows of a file as the collection would have them."""
    rows = ((seed, {"document_id": ""} | row) for seed in STATEMENTS for row in file.rows(seed))
    return {(seed, tuple(canonical_cells(seed, (row[name] for name in seed.columns))[1:])) for seed, row in rows}


def _new_id(name: str, taken: Container[str]) -> str:
    """Return a free id for a document by the name of its file."""
    made = readable_id_or_empty(name) or "document"
    numbered = (made if number == 1 else f"{made}-{number}" for number in count(1))
    return next(one for one in numbered if one not in taken and not is_taken(one))


def _append_players(collection: Collection, files: Iterable[ImportedFile]) -> int:
    """Add the nations that players' pages state: a page fills gaps, and replaces what its own earlier state stated.

    Returns:
        The number of changed rows.
    """
    known = {row["player_id"]: row for row in collection.stated(PLAYERS)}
    changed = dict[str, Row]()
    for row in (stated.player for file in files for stated in file.stated if stated.player):
        before = changed.get(row["player_id"]) or known.get(row["player_id"]) or row
        is_own = before["source"] == row["source"]
        after = {name: value if value and (is_own or not before[name]) else before[name] for name, value in row.items()}
        if after != known.get(row["player_id"]):
            changed[row["player_id"]] = after
    collection.delete_of(PLAYERS, "player_id", list(changed))
    collection.append(PLAYERS, changed.values())
    return len(changed)
