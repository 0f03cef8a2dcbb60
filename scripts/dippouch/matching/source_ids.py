"""Ids of people and tournaments at their sources, with their owners: only `dptr remove` deletes any."""

from __future__ import annotations

from collections.abc import Iterable

from dippouch.seeds.schema import SOURCE_IDS, Row
from dippouch.seeds.store import Collection

PLAYER, TOURNAMENT = "player", "tournament"


def owner_of(collection: Collection, kind: str, source_id: str) -> str | None:
    """Return our id of the person or tournament (`kind`) with a source's id such as `wdd:1073`; None if it has no owner."""
    source, _, number = source_id.partition(":")
    row = collection.get(SOURCE_IDS, (source, kind, number))
    return row["our_id"] if row else None


def ids_of(collection: Collection, kind: str, our_id: str, source: str) -> set[str]:
    """Return the ids of a person or tournament at a source (`wdd`), as `wdd:1073`."""
    condition = "where kind = ? and our_id = ? and source = ?"
    rows = collection.rows(SOURCE_IDS, condition, (kind, our_id, source))
    return {f"{row['source']}:{row['source_id']}" for row in rows}


def new_rows(collection: Collection, kind: str, our_id: str, source_ids: Iterable[str]) -> list[Row]:
    """Return the rows to add for ids of a person or tournament; an id with any owner already adds none."""
    return [
        {"source": source, "kind": kind, "source_id": number, "our_id": our_id}
        for source_id in source_ids
        if owner_of(collection, kind, source_id) is None
        for source, _, number in [source_id.partition(":")]
    ]


def is_of_another(collection: Collection, kind: str, our_id: str, source_ids: Iterable[str]) -> bool:
    """Return whether the source of one of the ids has other ids for our person or tournament, but not this one."""
    for source_id in source_ids:
        given = ids_of(collection, kind, our_id, source_id.partition(":")[0])
        if given and source_id not in given:
            return True
    return False
