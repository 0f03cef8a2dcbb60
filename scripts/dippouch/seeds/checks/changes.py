"""The rules of macros/checks on what a run changes in a collection, before anything is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from dippouch.seeds.checks.check import make_table
from dippouch.seeds.checks.row_faults import RULES_OF_DOCUMENTS, Fault, checking, find_faults, meant
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

# The rows that a run may change, and the condition that selects those of a scope.
_OF_TOURNAMENT = "where tournament_id in (select value from json_each(?))"
_SCOPED = {
    TOURNAMENTS: _OF_TOURNAMENT,
    RESULTS: _OF_TOURNAMENT,
    CORRECTIONS: _OF_TOURNAMENT,
    PUBLISHED_RANKINGS: "where ranking_name || ' ' || last_update in (select value from json_each(?))",
    PLAYERS: "where player_id in (select value from json_each(?))",
}
# Small tables that the rules need whole.
_WHOLE = (ALIASES, TOURNAMENT_KINDS)


# Who makes more faults has made one a thousand times.
MOST = 1_000


@dataclass
class Scope:
    """What a run changes: the ids of tournaments, the rankings with their last update, and the ids of people of `ref_players`."""

    tournaments: set[str] = field(default_factory=set)
    rankings: set[str] = field(default_factory=set)
    players: set[str] = field(default_factory=set)

    def add(self, table: Seed, key: Key) -> None:
        """Take in the row of a key."""
        if table in (TOURNAMENTS, RESULTS):
            self.tournaments.add(key[0])
        elif table is PUBLISHED_RANKINGS:
            self.rankings.add(" ".join(key[:2]))
        elif table is PLAYERS:
            self.players.add(key[0])

    def of(self, table: Seed) -> set[str]:
        """What is in the scope of the rows of a table."""
        if table is PUBLISHED_RANKINGS:
            return self.rankings
        return self.players if table is PLAYERS else self.tournaments

    def __and__(self, other: Scope) -> Scope:
        return Scope(self.tournaments & other.tournaments, self.rankings & other.rankings, self.players & other.players)

    def __or__(self, other: Scope) -> Scope:
        return Scope(self.tournaments | other.tournaments, self.rankings | other.rankings, self.players | other.players)

    def __sub__(self, other: Scope) -> Scope:
        return Scope(self.tournaments - other.tournaments, self.rankings - other.rankings, self.players - other.players)

    def __bool__(self) -> bool:
        return bool(self.tournaments or self.rankings or self.players)


def faults_of_changes(collection: Collection, scope: Scope, *, decisions: bool = False) -> list[Fault]:
    """The faults of what is in a scope, together with everything that it refers to; of each rule at most `MOST`.

    Args:
        collection: with the changes.
        scope: what was changed.
        decisions: whether corrections are checked, too.
    """
    if not scope:
        return []
    with checking() as connection, TemporaryDirectory() as temporary:
        for seed in SEEDS.values():
            make_table(connection, seed, _rows(collection, scope, seed), Path(temporary))
        seeds = [table.name for table in _SCOPED if decisions or table is not CORRECTIONS]
        rules = (*RULES_OF_DOCUMENTS, "faulty_corrections") if decisions else RULES_OF_DOCUMENTS
        found = find_faults(connection, seeds=seeds, rules=rules, most=MOST)
        return [
            fault._replace(expected=fault.expected + meant(connection, fault))
            for faults, _ in found
            for fault in faults
        ]


def scope_of(collection: Collection, faults: Iterable[Fault]) -> Scope:
    """The tournaments, rankings and people that faults are about."""
    scope = Scope()
    for fault in faults:
        if fault.seed in (TOURNAMENTS.name, RESULTS.name):
            scope.tournaments.add(fault.row_key.split(" ")[0])
        elif fault.seed == CORRECTIONS.name:
            number = "where correction_number = ?"
            scope.tournaments.update(
                row["tournament_id"] for row in collection.rows(CORRECTIONS, number, [fault.row_key])
            )
        elif fault.seed == PUBLISHED_RANKINGS.name:
            scope.rankings.add(fault.row_key.rpartition(" ")[0])
        else:
            scope.players.add(fault.row_key)
    return scope


def _rows(collection: Collection, scope: Scope, seed: Seed) -> Iterator[Iterable[str]]:
    """The rows of a seed that the rules need. They have no lines."""
    columns = ", ".join((*seed.columns, "''"))
    for table, condition in _SCOPED.items():
        if table.name == seed.name:
            wanted = json.dumps(sorted(scope.of(table)))
            yield from collection.query(f"select {columns} from {table.name} {condition}", [wanted])
    for table in _WHOLE:
        if table.name == seed.name:
            yield from collection.query(f"select {columns} from {table.name}")
    if seed.path in (NATIONS, NATION_NAMES, NOT_PEOPLE):
        yield from ([*row.values(), ""] for row in iterate_rows(collection.reference / seed.path))
