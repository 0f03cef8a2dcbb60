"""Append the rows that files state to a collection, each with the id of its document.

A document that comes again with the same bytes and the same rows adds nothing. A changed page of an archive replaces the rows of its
earlier state. Any other document is new, even if it contradicts the collection: SQL decides which statement holds.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from dippouch.collection.files import canonical_cells
from dippouch.collection.memory import Collection
from dippouch.collection.schema import DOCUMENTS, PLAYERS, Row
from dippouch.ids import free_id, readable_id_or_empty
from dippouch.importing.files import STATEMENTS, ImportedFile, SeedRows
from dippouch.importing.statements import document_row


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
    rows_before = _rows_of(collection, {one for found in earlier.values() for one in found})
    documents, added, changed_rows, handled = list[Row](), list[ImportedFile](), 0, set[str]()
    for file in files:
        row = document_row(file.stated[0].document, number, replaces=replaces)
        rows = _rows_of_file(file) if earlier[file] else set()
        same = next((one for one in earlier[file] if rows_before[one] == rows), "")
        # A changed page takes the place of its earlier state.
        replaced = next((one for one in earlier[file] if one not in handled and file.source.address), "")
        file.is_unchanged = bool(same)
        name_id = readable_id_or_empty(file.source.path.stem) or "document"
        file.document_id = same or replaced or free_id(name_id, known.__contains__)
        if file.document_id in handled:
            continue
        handled.add(file.document_id)
        before = known.get(file.document_id)
        after = {"document_id": file.document_id} | row
        if before and same:
            after = before
        elif before:
            after |= {name: before[name] for name in ("import_number", "replaces")}
            file.rows_before = rows_before[file.document_id]
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
    return changed_rows + len(decisions) + _append_players(collection, files)


def _earlier_states(known: dict[str, Row], files: Iterable[ImportedFile]) -> dict[ImportedFile, list[str]]:
    """Return the known documents of the same bytes as each file, and those that the page of an archive had earlier."""
    by_hash = defaultdict[str, list[str]](list)
    for document_id, row in known.items():
        by_hash[row["source_sha256"]].append(document_id)
    hashes = {file: (file.source.sha256, *sorted(file.source.earlier)) for file in files}
    return {file: [one for sha256 in hashes[file] for one in by_hash.get(sha256, ())] for file in files}


def _rows_of(collection: Collection, document_ids: set[str]) -> dict[str, SeedRows]:
    """Return the rows of documents in the collection, by the document's id."""
    found: dict[str, SeedRows] = {document_id: set() for document_id in document_ids}
    for seed in STATEMENTS if document_ids else ():
        for row in collection.stated(seed, "document_id in (select unnest($1))", [list(document_ids)]):
            document_id, *cells = row.values()
            found[document_id].add((seed, tuple(cells)))
    return found


def _rows_of_file(file: ImportedFile) -> SeedRows:
    """Return the rows of a file as the collection would have them."""
    rows = ((seed, {"document_id": ""} | row) for seed in STATEMENTS for row in file.rows(seed))
    return {(seed, tuple(canonical_cells(seed, (row[name] for name in seed.columns))[1:])) for seed, row in rows}


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
