"""Two sources of one fact: the better one applies, and what the lesser one states otherwise is kept as a further statement.

A tournament's own table is better than a player's page, and a page of the World Diplomacy Database better than a file of the World
Diplomacy Reference, which states no number of players. Between other tables nothing is better: their contradictions need `--replace`.
"""

from __future__ import annotations

from collections.abc import Iterable

from dippouch.errors import Location
from dippouch.importing.change import Change
from dippouch.importing.rows import BY_PLAYER, source_cells
from dippouch.seeds.schema import FURTHER_STATEMENTS, RESULTS, SOURCE_COLUMNS, TOURNAMENTS, Row, Seed

# The sources that know each other's ids, the lesser one first, as formats begin.
_SOURCES = ("wdr", "wdd")
# The facts that a lesser source may state otherwise.
_FACTS = {TOURNAMENTS: ("kind", "started_on", "ended_on", "players"), RESULTS: ("placement",)}


def order_of(form: str, known_form: str) -> int:
    """Return 1 for a table in a better format than the known one, -1 for a lesser one, and 0 if neither is better."""
    sources = [name.partition("-")[0] for name in (form, known_form)]
    if not set(sources) <= set(_SOURCES):
        return 0
    ours, theirs = map(_SOURCES.index, sources)
    return (ours > theirs) - (ours < theirs)


def settled(
    change: Change, table: Seed, stated: Row, known: Row | None, tournament: Row | None, order: int, place: Location
) -> tuple[Row, tuple[str, ...]]:
    """Return the row that a tournament's table states, and the columns that apply in any case; keep what the lesser source states.

    Args:
        change: the change by the document of the table.
        table: raw_tournaments or raw_results.
        stated: the row as the document states it.
        known: the row of the collection.
        tournament: the row of its tournament in the collection.
        order: the order of the two sources, as of `order_of`.
        place: the place of the row in the document.
    """
    # The page of a player keeps what it states itself.
    if known and known.get("listed_by") == BY_PLAYER:
        return stated, _FACTS[table]
    if known is None or tournament is None or order == 0:
        return stated, ()
    own = source_cells(change.document.source)
    lesser, better, by = (known, stated, tournament) if order > 0 else (stated, known, own)
    if any(lesser[column] and lesser[column] != better[column] for column in _FACTS[table]):
        facts = {column: lesser[column] for column in ("tournament_id", *_FACTS[table])}
        source = {column: by[column] for column in own} | {"player_id": lesser.get("player_id", "")}
        keep(change, facts | source, place, applies=FURTHER_STATEMENTS.columns)
    if order > 0:
        return stated, (*_FACTS[table], *SOURCE_COLUMNS)
    return {column: known[column] or value for column, value in stated.items()}, ()


def keep(change: Change, cells: Row, location: Location, *, applies: Iterable[str] = ()) -> None:
    """Add a further statement to a change; other cells than the given ones state nothing."""
    row = dict.fromkeys(FURTHER_STATEMENTS.columns, "") | cells
    change.state(FURTHER_STATEMENTS, row, location, applies=applies)
