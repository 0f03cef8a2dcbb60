"""Documents as their readers give them, for tests of what comes after reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from dippouch.documents import Appearance, Document, ListedPlayer, PlayerDocument, Result, Source, TournamentDocument
from dippouch.errors import Location
from dippouch.importing.plan import Change, apply_change, plan_change
from dippouch.importing.refusal import Stated, refuse_faulty_rows, scope_of_change
from dippouch.rating.systems import read_default_rules
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT

SOURCE = Source(Path("page.html"), "0" * 64, "test")


def person(name: str, nation: str | None = None, source_id: str | None = None) -> ListedPlayer:
    """A person listed as `First LAST`."""
    first, _, last = name.rpartition(" ")
    return ListedPlayer(name, first, last, Location(SOURCE.path, 1), nation_code=nation, source_player_id=source_id)


def table(
    *players: ListedPlayer | str,
    name: str = "Club Cup",
    day: str = "2005-05-01",
    declared: int | None = 20,
    placements: Sequence[int | None] | None = None,
    **further: Any,  # noqa: ANN401 (facts of any type)
) -> TournamentDocument:
    """A tournament whose table lists people at placements 1, 2, 3 ..., or at the given ones."""
    listed = [player if isinstance(player, ListedPlayer) else person(player) for player in players]
    results = [
        Result(replace(player, location=Location(SOURCE.path, 10 + number)), placement)
        for number, (player, placement) in enumerate(zip(listed, placements or range(1, len(listed) + 1), strict=True))
    ]
    started_on = date.fromisoformat(day)
    # Every document has bytes of its own.
    source = replace(SOURCE, sha256=sha256(repr((name, day, further)).encode()).hexdigest())
    return TournamentDocument(
        source, name, started_on, started_on + timedelta(days=1), results, players=declared, rounds=3, **further
    )


def page(player: ListedPlayer, *events: tuple[str, str, int | None]) -> PlayerDocument:
    """A player's page with events as (name, first day, placement)."""
    appearances = []
    for number, (name, day, placement) in enumerate(events):
        started_on, location = date.fromisoformat(day), Location(SOURCE.path, 20 + number)
        appearances.append(Appearance(name, started_on, started_on + timedelta(days=1), placement, location))
    return PlayerDocument(SOURCE, player, appearances)


def take(collection: Collection, *documents: Document) -> list[Change]:
    """Import documents into a collection that is open, one after the other."""
    rules = read_default_rules(PROJECT / "seeds")
    changes = []
    for document in documents:
        change = plan_change(collection, document, rules)
        with collection.all_or_nothing():
            apply_change(collection, change)
            stated = Stated(document.source.path)
            stated.add(change, scope_of_change(change))
            refuse_faulty_rows(collection, stated)
        changes.append(change)
    return changes
