"""The ids that sources give to people and to events, and whose they are: a table to which rows are only added."""

from __future__ import annotations

from collections.abc import Iterable

from dippouch.seeds.schema import SOURCE_IDS, Row
from dippouch.seeds.store import Collection

PLAYER, TOURNAMENT = "player", "tournament"


def owner_of(collection: Collection, kind: str, source_id: str) -> str | None:
    """Our id of the person or event (`kind`) that has a source's id such as `wdd:1073`; None where nobody has it."""
    source, _, number = source_id.partition(":")
    row = collection.get(SOURCE_IDS, (source, kind, number))
    return row["our_id"] if row else None


def ids_of(collection: Collection, kind: str, our_id: str, source: str) -> set[str]:
    """The ids that a source (`wdd`) has given to a person or event of ours, as `wdd:1073`."""
    condition = "where kind = ? and our_id = ? and source = ?"
    rows = collection.rows(SOURCE_IDS, condition, (kind, our_id, source))
    return {f"{row['source']}:{row['source_id']}" for row in rows}


def new_rows(collection: Collection, kind: str, our_id: str, source_ids: Iterable[str | None]) -> list[Row]:
    """The rows that ids of a person or event add; an id that has an owner already adds none, whoever that is."""
    return [
        {"source": source, "kind": kind, "source_id": number, "our_id": our_id}
        for source_id in source_ids
        if source_id and owner_of(collection, kind, source_id) is None
        for source, _, number in [source_id.partition(":")]
    ]


def is_of_another(collection: Collection, kind: str, our_id: str, source_id: str | None) -> bool:
    """Whether the source of an id gives a person or event of ours other ids, and not this one."""
    if not source_id:
        return False
    given = ids_of(collection, kind, our_id, source_id.partition(":")[0])
    return bool(given) and source_id not in given
