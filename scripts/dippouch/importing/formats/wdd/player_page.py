"""The page of a player (`player_fiche5.php`): the tournaments they played."""

from __future__ import annotations

import re

from dippouch.documents import Appearance, ListedPlayer, PlayerDocument
from dippouch.errors import DocumentError, Faults
from dippouch.importing.formats.cells import Cell
from dippouch.importing.formats.leagues import is_league, left_aside
from dippouch.importing.formats.wdd.columns import Head
from dippouch.importing.formats.wdd.markup import Page, TableRow, linked_id, text_of, title_of
from dippouch.importing.parsing.dates import parse_date_span
from dippouch.importing.parsing.numbers import parse_count, parse_placement
from dippouch.names import shortened, split_listed_name, tidy_text

_RANK_AND_TOTAL = re.compile(r"(?P<rank>[^/]*?)\s*(?:/\s*(?P<players>[0-9]*)\s*(?:players?)?)?", re.IGNORECASE)


def read_player(page: Page) -> PlayerDocument:
    """Read the player of a page with the tournaments they played."""
    name = _name_on(page)
    if name is None:
        raise page.source.fault(
            "no name of a player above the table", "a heading or a title such as `WDD - Edi BIRSAN`"
        )
    first_name, last_name = split_listed_name(name)
    faults = Faults()
    leagues: list[str] = []
    appearances = faults.each(page.rows, lambda row: _appearance(row, page.head, leagues))
    faults.raise_any()
    player = ListedPlayer(
        name,
        first_name,
        last_name,
        page.above_table,
        nation_code=page.nation_above(name),
        source_ids=page.own_ids("id_player", name),
    )
    played = [appearance for appearance in appearances if appearance is not None]
    return PlayerDocument(page.source, player, played, remarks=left_aside(leagues))


def _name_on(page: Page) -> str | None:
    """Return the name of the player: the page's title after `WDD - `, or the first heading that is a name."""
    title = title_of(page.tree)
    candidates = [title.rpartition(" - ")[2]] if title else []
    for name in [*candidates, *(line.text for line in page.lines_above if line.is_heading)]:
        try:
            first_name, _ = split_listed_name(name)
        except ValueError:
            continue
        if first_name:
            return name
    return None


def _appearance(row: TableRow, head: Head, leagues: list[str]) -> Appearance | None:
    """Read one tournament of a player; return None for a row cut off before its name, and for a league, which is noted."""
    texts = [text_of(cell) for cell in row.cells]
    name, kind, stated, rank = (head.text(texts, column) for column in ("tournament", "kind", "date", "rank"))
    if is_league(kind):
        leagues.append(name)
    if not name or is_league(kind):
        return None
    faults = Faults()
    with faults.gathered():
        started_on, ended_on = Cell(stated, row.location).parsed("the date", parse_date_span)
    with faults.gathered():
        ranked = _RANK_AND_TOTAL.fullmatch(rank)
        try:
            placement = parse_placement(ranked["rank"] if ranked else rank)
            players = parse_count(ranked["players"]) if ranked and ranked["players"] else None
        except ValueError as error:
            raise DocumentError(row.location, f"the rank `{shortened(rank)}`", str(error)) from None
    faults.raise_any()
    cell = next(cell for cell, column in zip(row.cells, head.names, strict=False) if column == "tournament")
    tournament_id = linked_id(cell, "id_tournament")
    return Appearance(
        name=tidy_text(name),
        location=row.location,
        kind=kind or None,
        source_ids=(f"wdd:{tournament_id}",) if tournament_id else (),
        started_on=started_on,
        ended_on=ended_on,
        placement=placement,
        players=players,
    )
