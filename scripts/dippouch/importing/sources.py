"""Two sources of one fact: the better one applies, and what the lesser one states otherwise is kept as a further statement.

A tournament's own table is better than a player's page, and a page of the World Diplomacy Database better than a file of the World
Diplomacy Reference, which states no number of players. Between other tables nothing is better: their contradictions need `--replace`.
"""

from __future__ import annotations

from collections.abc import Iterable

from dippouch.errors import Location
from dippouch.importing.change import Change
from dippouch.importing.rows import BY_PLAYER, contradiction_row, source_cells
from dippouch.seeds.schema import FURTHER_STATEMENTS, RESULTS, SOURCE_COLUMNS, TOURNAMENTS, Row, Seed

# The sources that know each other's ids, the lesser one first, as formats begin.
_SOURCES = ("wdr", "wdd")
_FACTS = {TOURNAMENTS: ("kind", "started_on", "ended_on", "players"), RESULTS: ("placement",)}


def order_of(form: str, known_form: str) -> int:
    """Return 1 for a table in a better format than the known one, -1 for a lesser one, and 0 if neither is better."""
    sources = [name.partition("-")[0] for name in (form, known_form)]
    if not set(sources) <= set(_SOURCES):
        return 0
    ours, theirs = map(_SOURCES.index, sources)
    return (ours > theirs) - (ours < theirs)


def settled(
    change: Change, table: Seed, stated: Row, known: Row | None, tournament: Row | None, location: Location
) -> tuple[Row, tuple[str, ...]]:
    """Return the row that a tournament's table states, and the columns that apply in any case; keep what the lesser source states.

    Args:
        change: the change by the document of the table.
        table: raw_tournaments or raw_results.
        stated: the row as the document states it.
        known: the row of the collection.
        tournament: the row of its tournament in the collection.
        location: the place of the row in the document.
    """
    if known is None or tournament is None:
        return stated, ()
    # The page of the player keeps what it states itself.
    if known.get("listed_by") == BY_PLAYER:
        return stated, _FACTS[table]
    order = order_of(stated_by(change)["source_form"], tournament["source_form"])
    if order == 0:
        return stated, ()
    known_by = {column: tournament[column] for column in stated_by(change)}
    lesser = (known, stated, known_by) if order > 0 else (stated, known, stated_by(change))
    if row := contradiction_row(*lesser, _FACTS[table]):
        keep(change, row, location, applies=FURTHER_STATEMENTS.columns)
    if order > 0:
        return stated, (*_FACTS[table], *SOURCE_COLUMNS)
    return {column: known[column] or value for column, value in stated.items()}, ()


def stated_by(change: Change) -> Row:
    """Return the cells that identify the document of a change."""
    return source_cells(change.document.source)


def keep(change: Change, row: Row, location: Location, *, applies: Iterable[str] = ()) -> None:
    """Add a further statement to a change."""
    key = tuple(row[column] for column in FURTHER_STATEMENTS.key)
    change.state(
        FURTHER_STATEMENTS, row, change.collection.get(FURTHER_STATEMENTS, key), location, applies=tuple(applies)
    )
