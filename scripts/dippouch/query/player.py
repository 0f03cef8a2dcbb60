"""Show one player, or several that match a name, on the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from dippouch.console import out, plain_table, print_line
from dippouch.db import Row, query
from dippouch.printable import visible_line

NOTHING = "-"
_OF_PLAYER = "where rating_system_id = $system and player_id = $player"


def player_report(database: Path, system: str, player_id: str) -> Row:
    """Read the published facts of one player under one rating system.

    Returns:
        The row of `presentation.player_card`, with the results in order as `history`, and the parts of the current rating, which
        add up to it, as `rating_parts`.
    """
    asked = {"system": system, "player": player_id}
    (card,) = query(database, f"from presentation.player_card {_OF_PLAYER}", asked)
    history = query(
        database,
        "select tournament_id, tournament_name, ended_on, placement, players, percentile_score, tournament_value, rating_before,"
        f" rating_change, rating_after, not_counted_because from presentation.result_list {_OF_PLAYER}"
        " order by ended_on, started_on, tournament_id",
        asked,
    )
    parts = query(
        database,
        "select kind, events, tournament_id, tournament_name, weight, score, contribution"
        f" from presentation.rating_part_list {_OF_PLAYER} order by number",
        asked,
    )
    return card | {"history": history, "rating_parts": parts}


def print_player(report: Row, words: dict[str, str]) -> None:
    """Print a player's card, every tournament with its effect, and the parts of the rating, in the words of the collection."""
    facts = list(_facts(report, words))
    width = max(len(label) for label, _ in facts) + 1
    for label, text in facts:
        print_line(f"{label:{width}}{text}")
    if history := report["history"]:
        out.print()
        out.print(_history_table(history, words))
        reasons = Counter(row["not_counted_because"] for row in history if row["not_counted_because"])
        for reason, times in reasons.items():
            print_line(f"not counted: {times:,}, {reason}")
    out.print()
    out.print(_parts_table(report["rating_parts"], report["rating"]))


def print_meant(meant: list[Row], shown: int, words: dict[str, str]) -> None:
    """Print the first matches of `find_players`, one per line."""
    table = plain_table(escape(words["player"]), "nation", ">rank", "id")
    for one in meant[:shown]:
        rank = str(one["rank"] or NOTHING)
        table.add_row(_cell(one["player_name"]), one["nation_code"] or NOTHING, rank, _cell(one["player_id"]))
    out.print(table)
    if len(meant) > shown:
        print_line(f"and {len(meant) - shown:,} more; give more of the name")


def _facts(card: Row, words: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the lines above the tables: labels and texts."""
    yield words["player"], card["player_name"]
    yield "id", card["player_id"]
    if card["aliases"]:
        yield "listed as", ", ".join(card["aliases"])
    yield "nation", card["nation_name"] or "not stated"
    system = f"rating system `{card['rating_system_id']}`"
    if card["rank"] is None:
        yield "rank", f"none: no {words['tournament']} counted, of {card['ranked_players']:,} ranked {words['players']}"
        yield "rating", f"{card['rating']:.4f}, the initial rating, {system}"
    else:
        rank = f"{card['rank']:,} of {card['ranked_players']:,}"
        if card["national_rank"]:
            rank += f", {card['national_rank']} of {card['national_players']:,} from {card['nation_name']}"
        yield "rank", rank
        yield "rating", f"{card['rating']:.4f}, {system}"
    if card["peak_rating"] is not None:
        yield "peak", f"{card['peak_rating']:.4f} on {card['peak_on']}"
    if card["best_year_end_rank"] is not None:
        yield "best year", f"{card['best_year']}, with rank {card['best_year_end_rank']:,} at its end"
    if card["best_placement"] is not None:
        yield "medals", ", ".join(f"{card[f'{metal}_medals']:,} {metal}" for metal in ("gold", "silver", "bronze"))
        place = _place(card["best_placement"], card["best_players"])
        yield "best place", f"{place}, {card['best_tournament_name']}"
    career = f"none counted; {len(card['history']):,} withdrawn" if card["history"] else "none in this collection"
    if card["tournaments_played"]:
        career = (
            f"{card['tournaments_played']:,}, of which {card['tournaments_counted']:,} counted,"
            f" from {card['first_played_on']} to {card['last_played_on']}"
        )
    yield words["tournaments"], career


def _history_table(history: list[Row], words: dict[str, str]) -> Table:
    table = _table_of_tournaments(
        *("ended on", escape(words["tournament"]), ">place", ">score", ">value", ">before", ">change", ">after"),
        names=1,
    )
    for row in history:
        table.add_row(
            str(row["ended_on"]),
            _cell(row["tournament_name"]),
            _place(row["placement"], row["players"]),
            *(_figure(row[name]) for name in ("percentile_score", "tournament_value", "rating_before")),
            _figure(row["rating_change"], "+.2f"),
            _figure(row["rating_after"]),
        )
    return table


def _parts_table(parts: list[Row], rating: float) -> Table:
    table = _table_of_tournaments("made of", ">weight", ">score", ">points", names=0)
    for part in parts:
        name = part["tournament_name"] or part["kind"]
        if part["events"] > 1:
            name = f"{part['events']:,} {name}"
        table.add_row(_cell(name), f"{part['weight']:.4f}", _figure(part["score"]), f"{part['contribution']:.4f}")
    table.add_row("rating", "", "", f"{rating:.4f}")
    return table


def _table_of_tournaments(*headings: str, names: int) -> Table:
    """Return an empty table that wraps only names of tournaments, in the column number `names`."""
    table = plain_table(*headings)
    for number, column in enumerate(table.columns):
        column.no_wrap = number != names
    return table


def _place(placement: int | None, players: int | None) -> str:
    if placement is None:
        return NOTHING
    return f"{placement:,} of {players:,}" if players else f"{placement:,}"


def _figure(value: float | None, form: str = ".2f") -> str:
    return NOTHING if value is None else format(value, form)


def _cell(text: str) -> str:
    return escape(visible_line(text))
