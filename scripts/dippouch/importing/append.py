"""Append the rows that files state to a collection, each with the id of its document.

A document that comes again with the same bytes and the same rows adds nothing. A page of an archive that changed replaces the rows of its
own earlier state. Any other document is a new one, whatever the collection has: SQL decides which statement holds.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import count

from dippouch.collection.memory import Collection
from dippouch.collection.schema import DOCUMENTS, PLAYERS, PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS, Row, Seed
from dippouch.ids import is_taken, readable_id_or_empty
from dippouch.importing.files import ImportedFile
from dippouch.importing.statements import document_row

_STATEMENTS = (TOURNAMENTS, RESULTS, PUBLISHED_RANKINGS)


def append_files(collection: Collection, files: Sequence[ImportedFile], *, replaces: bool) -> int:
    """Append the rows of files, and the decisions on new people.

    Args:
        collection: the collection; it is changed.
        files: the files, in their order; each gets the id of its document.
        replaces: whether they replace what other documents stated.

    Returns:
        The number of rows of all seeds that are new or differ.
    """
    known = {row["document_id"]: row for row in collection.stated(DOCUMENTS)}
    number = max((int(row["import_number"]) for row in known.values()), default=0) + 1
    taken = set(known)
    for file in files:
        file.document_id = _new_id(file.source.path.stem, taken)
        taken.add(file.document_id)
    for seed in _STATEMENTS:
        collection.append(seed, _rows(files, seed))
    earlier = _earlier(known, files)
    gained = _gained(collection, earlier)
    changed_rows = 0
    documents, same, replaced = list[Row](), list[str](), list[ImportedFile]()
    for file in files:
        before = known.get(earlier.get(file.document_id, ""))
        row = document_row(file.stated[0].document, number, replaces=replaces)
        if before is None or (file.document_id in gained and not file.source.address):
            changed_rows += 1 + sum(1 for seed in _STATEMENTS for _ in file.rows(seed))
            documents.append({"document_id": file.document_id} | row)
            continue
        # The same document: its rows stay, or give way to those of its new state.
        same.append(file.document_id)
        if file.document_id in gained:
            changed_rows += gained[file.document_id]
            replaced.append(file)
            row = before | row | {name: before[name] for name in ("import_number", "replaces")}
        else:
            row, file.is_unchanged = before, True
        file.document_id = before["document_id"]
        is_last = before["replaces"] == "true" and int(before["import_number"]) == number - 1
        if replaces and not is_last:
            row = row | {"import_number": str(number), "replaces": "true"}
        if row != before:
            changed_rows += 1
            documents.append(row)
    for seed in _STATEMENTS:
        collection.delete_of(seed, "document_id", [*same, *(file.document_id for file in replaced)])
        collection.append(seed, _rows(replaced, seed))
    collection.delete_of(DOCUMENTS, "document_id", [row["document_id"] for row in documents])
    collection.append(DOCUMENTS, documents)
    decisions = [decision for file in files for one in file.newcomers for decision in one.decisions]
    for seed, row in decisions:
        collection.append(seed, [row])
    return changed_rows + len(decisions) + _append_players(collection, files)


def _new_id(name: str, taken: Container[str]) -> str:
    """Return a free id for a document by the name of its file."""
    made = readable_id_or_empty(name) or "document"
    numbered = (made if number == 1 else f"{made}-{number}" for number in count(1))
    return next(one for one in numbered if one not in taken and not is_taken(one))


def _rows(files: Iterable[ImportedFile], seed: Seed) -> Iterator[Row]:
    """Yield the rows of files with the ids of their documents."""
    for file in files:
        for row in file.rows(seed):
            yield {"document_id": file.document_id} | row


def _earlier(known: Mapping[str, Row], files: Iterable[ImportedFile]) -> dict[str, str]:
    """Return the ids of known documents with the bytes of files, now or in an earlier state of a page, by the new ids."""
    by_hash = {row["source_sha256"]: document_id for document_id, row in reversed([*known.items()])}
    found = {}
    for file in files:
        hashes = (file.source.sha256, *sorted(file.source.earlier))
        if document_id := next(filter(None, map(by_hash.get, hashes)), None):
            found[file.document_id] = document_id
    return found


def _gained(collection: Collection, earlier: Mapping[str, str]) -> dict[str, int]:
    """Return the number of rows that a document states otherwise than its earlier state, by its new id; only those that differ at all."""
    gained: dict[str, int] = {}
    for seed in _STATEMENTS if earlier else ():
        facts = ", ".join(column for column in seed.columns if column != "document_id")
        found = collection.query(
            f"""
            with pairs as (select unnest($new) as new_id, unnest($known) as known_id),
            ours as (select new_id, {facts} from {seed.name} inner join pairs on document_id = new_id),
            theirs as (select new_id, {facts} from {seed.name} inner join pairs on document_id = known_id),
            differing as (
                select new_id, 1 as ours, 0 as theirs from (select * from ours except select * from theirs)
                union all
                select new_id, 0 as ours, 1 as theirs from (select * from theirs except select * from ours)
            )
            select new_id, greatest(sum(ours), sum(theirs)) from differing group by new_id
            """,
            {"new": list(earlier), "known": list(earlier.values())},
        )
        for new_id, rows in found:
            gained[new_id] = gained.get(new_id, 0) + rows
    return gained


def _append_players(collection: Collection, files: Iterable[ImportedFile]) -> int:
    """Add the nations that players' pages state: a page fills what is missing, and replaces what its own earlier state said.

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
