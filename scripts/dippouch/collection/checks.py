"""Check a collection: its files in Python, its rows with the rules of macros/checks, as dbt does."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from dippouch.collection.faults import Fault, describe_faults, raise_any
from dippouch.collection.folder import is_new
from dippouch.collection.memory import Collection
from dippouch.collection.schema import CORRECTIONS, SEEDS, TOURNAMENT_KINDS
from dippouch.errors import UserError


def check_seeds(folder: Path) -> None:
    """Check every seed of a collection; check the rows only if all of them can be read.

    Raises:
        UserError: with the number of all faults, and file, line, finding and expectation of the first ones.
    """
    unreadable = []
    with closing(Collection(folder)) as collection:
        for seed in SEEDS.values():
            try:
                collection.load(seed)
            except UserError as error:
                unreadable.append(str(error))
        raise_any(folder, unreadable or describe_faults(folder, collection.faults()))


def added_faults(collection: Collection) -> list[Fault]:
    """Return the faults of a changed collection, without those that its files had before."""
    faults = collection.faults()
    if not faults or is_new(collection.folder):
        return faults
    with Collection.opened(collection.folder) as before:
        known = set(before.faults())
    return [fault for fault in faults if fault not in known]


def refuse_faulty(collection: Collection, *, instead: Mapping[str, str] | None = None) -> None:
    """Refuse decisions that add a fault to a collection.

    Args:
        collection: the collection with the decisions.
        instead: hints by the code of the fault, in place of its own hint.

    Raises:
        UserError: with every fault, if there are any.
    """
    messages = []
    for fault in added_faults(collection):
        correction = collection.get(CORRECTIONS, (fault.row_key,)) if fault.seed == CORRECTIONS.name else None
        place = (correction["tournament_id"], correction["player_id"]) if correction else fault.owner
        found, expected, way_out = fault.explained(collection.folder)
        if fault.column == "kind":
            expected += f": {', '.join(row['kind'] for row in collection.stated(TOURNAMENT_KINDS))}"
        message = f"{', '.join(filter(None, place))}: found {found}; expected {expected}"
        otherwise = "" if correction else "Correct all faults in one call, or withdraw a result"
        way_out = (instead or {}).get(fault.code, way_out or otherwise)
        messages.append(f"{message}. {way_out}" if way_out else message)
    if messages:
        raise UserError("\n".join(dict.fromkeys(messages)))
