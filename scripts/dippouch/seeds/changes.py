"""Apply the rules of macros/checks to the changes of a run, before anything is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from dippouch.seeds.checks import find_faults, make_table, new_database
from dippouch.seeds.faults import Fault
from dippouch.seeds.files import iterate_rows
from dippouch.seeds.schema import (
    ALIASES,
    CORRECTIONS,
    NATION_NAMES,
    NATIONS,
    NOT_PEOPLE,
    PLAYERS,
    PUBLISHED_RANKINGS,
    RESULTS,
    SEEDS,
    TOURNAMENT_KINDS,
    TOURNAMENTS,
    Seed,
)
from dippouch.seeds.store import Collection, Key

# The changed tournaments, published rankings with their last update, and people of `ref_players`, each by seed and id.
Scope = set[tuple[Seed, str]]

# Seeds whose rows belong to a tournament, ranking or person: the seed of that owner, and the owner's id in a row.
_SCOPED = {
    TOURNAMENTS: (TOURNAMENTS, "tournament_id"),
    RESULTS: (TOURNAMENTS, "tournament_id"),
    CORRECTIONS: (TOURNAMENTS, "tournament_id"),
    PUBLISHED_RANKINGS: (PUBLISHED_RANKINGS, "ranking_name || ' ' || last_update"),
    PLAYERS: (PLAYERS, "player_id"),
}
# More faults than this are one fault repeated.
MOST = 1_000


def scope_of_row(table: Seed, key: Key) -> Scope:
    """Return the owner of a row; nothing for tables whose rows are not checked individually."""
    if table in (TOURNAMENTS, RESULTS):
        return {(TOURNAMENTS, key[0])}
    if table is PUBLISHED_RANKINGS:
        return {(table, " ".join(key[:2]))}
    return {(table, key[0])} if table is PLAYERS else set()


def faults_of_changes(collection: Collection, scope: Scope, *, decisions: bool = False) -> list[Fault]:
    """Return the faults of a scope, together with everything that it refers to; at most `MOST`.

    Args:
        collection: the collection with the changes.
        scope: the changed tournaments, rankings and people.
        decisions: whether to check corrections, too.
    """
    if not scope:
        return []
    with new_database() as connection:
        for seed in SEEDS.values():
            make_table(connection, seed, _rows(collection, scope, seed))
        seeds = [table.name for table in _SCOPED if decisions or table is not CORRECTIONS]
        scope_of_rules = "decisions" if decisions else "documents"
        faults, _ = find_faults(connection, seeds=seeds, scope=scope_of_rules, most=MOST)
        return faults


def scope_of(collection: Collection, faults: Iterable[Fault]) -> Scope:
    """Return the tournaments, rankings and people that faults are about."""
    scope: Scope = set()
    for fault in faults:
        seed, key = SEEDS[fault.seed], fault.row_key
        if seed is CORRECTIONS:
            rows = collection.rows(CORRECTIONS, "where correction_number = ?", [key])
            scope |= {(TOURNAMENTS, row["tournament_id"]) for row in rows}
        elif seed is PUBLISHED_RANKINGS:
            scope.add((seed, key.rpartition(" ")[0]))
        else:
            scope |= scope_of_row(seed, tuple(key.split(" ")))
    return scope


def _rows(collection: Collection, scope: Scope, seed: Seed) -> Iterator[Iterable[str]]:
    """Yield the rows of a seed that the rules need, without line numbers."""
    columns = ", ".join((*seed.columns, "''"))
    if seed in _SCOPED:
        of, own_id = _SCOPED[seed]
        wanted = json.dumps(sorted(wanted for kind, wanted in scope if kind is of))
        sql = f"select {columns} from {seed.name} where {own_id} in (select value from json_each(?))"
        yield from collection.query(sql, [wanted])
    elif seed in (ALIASES, TOURNAMENT_KINDS):
        yield from collection.query(f"select {columns} from {seed.name}")
    elif seed.path in (NATIONS, NATION_NAMES, NOT_PEOPLE):
        yield from ([*row.values(), ""] for row in iterate_rows(collection.reference / seed.path))
