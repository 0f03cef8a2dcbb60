"""One player, or those whom a name may mean, as people and as scripts read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from rich.markup import escape
from rich.table import Table

from dippouch.console import out, plain_table, write_json
from dippouch.printable import visible_line
from dippouch.query.lookup import full_name
from dippouch.query.player_report import Meant, Part, Played, PlayerReport, Standing

NOTHING = "-"
_METALS = ("gold", "silver", "bronze")


def print_player(report: PlayerReport) -> None:
    """Print where a player stands, every tournament with what it did, and what the rating is made of."""
    standing = report.standing
    for label, text in _facts(standing):
        _print_line(f"{label:12}{text}")
    if report.history:
        out.print()
        out.print(_history_table(report.history))
        reasons = Counter(played.not_counted_because for played in report.history if played.not_counted_because)
        for reason, times in reasons.items():
            _print_line(f"not counted: {times:,}, {reason}")
    out.print()
    out.print(_breakdown_table(report.rating_breakdown, standing.rating))


def print_player_as_json(report: PlayerReport) -> None:
    """Print the same as one JSON object, nothing rounded."""
    parts = asdict(report)
    write_json(parts.pop("standing") | parts)


def print_meant(meant: list[Meant], shown: int) -> None:
    """Print who may be meant, one to a line.

    Args:
        meant: everybody.
        shown: how many of them to print.
    """
    table = plain_table("player", "nation", ">rank", "id")
    for one in meant[:shown]:
        name = full_name(one.first_name, one.last_name)
        table.add_row(_cell(name), one.nation_code or NOTHING, str(one.rank or NOTHING), _cell(one.player_id))
    out.print(table)
    if len(meant) > shown:
        _print_line(f"and {len(meant) - shown:,} more; more of a name finds fewer")


def print_meant_as_json(meant: list[Meant]) -> None:
    """Print the same as JSON: everybody."""
    write_json({"meant": [asdict(one) for one in meant]})


def _facts(standing: Standing) -> Iterator[tuple[str, str]]:
    """What stands above the tables: labels, and what they label."""
    yield "player", standing.name
    yield "id", standing.player_id
    if standing.aliases:
        yield "listed as", ", ".join(standing.aliases)
    nation = standing.nation_name or standing.nation_code
    yield "nation", nation or "not stated"
    if standing.rank is None:
        yield "rank", f"none: no tournament counted, of {standing.ranked_players:,} ranked players"
        yield "rating", f"{standing.rating:.4f}, as at the beginning, rating system `{standing.rating_system_id}`"
    else:
        in_all = f"{standing.rank:,} of {standing.ranked_players:,}"
        at_home = f"{standing.national_rank} of {standing.ranked_players_of_nation:,} from {nation}"
        yield "rank", f"{in_all}, {at_home}" if standing.national_rank else in_all
        yield "rating", f"{standing.rating:.4f}, rating system `{standing.rating_system_id}`"
    if standing.peak_rating is not None:
        yield "peak", f"{standing.peak_rating:.4f} on {standing.peak_on}"
    if standing.best_year_end_rank is not None:
        yield "best year", f"{standing.best_year}, with rank {standing.best_year_end_rank:,} at its end"
    if standing.best_placement is not None:
        medals = (standing.gold_medals, standing.silver_medals, standing.bronze_medals)
        yield "medals", ", ".join(f"{count:,} {metal}" for count, metal in zip(medals, _METALS, strict=True))
        place = _place(standing.best_placement, standing.best_placement_of)
        yield "best place", f"{place}, {standing.best_placement_in}"
    yield "tournaments", _career(standing)


def _career(standing: Standing) -> str:
    if not standing.tournaments_played:
        return "none in this collection"
    counts = f"{standing.tournaments_played:,}, of which {standing.tournaments_counted:,} counted"
    return f"{counts}, from {standing.first_played_on} to {standing.last_played_on}"


def _history_table(history: list[Played]) -> Table:
    table = _table_of_tournaments(
        *("ended on", "tournament", ">place", ">score", ">value", ">before", ">change", ">after"), names=1
    )
    for played in history:
        table.add_row(
            str(played.ended_on),
            _cell(played.tournament),
            _place(played.placement, played.players),
            _figure(played.percentile_score),
            _figure(played.tournament_value),
            _figure(played.rating_before),
            _figure(played.rating_change, "+.2f"),
            _figure(played.rating_after),
        )
    return table


def _breakdown_table(parts: list[Part], rating: float) -> Table:
    table = _table_of_tournaments("made of", ">weight", ">score", ">points", names=0)
    for part in parts:
        table.add_row(
            _cell(part.tournament or "initial rating"),
            f"{part.weight:.4f}",
            _figure(part.percentile_score),
            f"{part.contribution:.4f}",
        )
    table.add_row("rating", "", "", f"{rating:.4f}")
    return table


def _table_of_tournaments(*headings: str, names: int) -> Table:
    """An empty table; where a line is too short, only the names of tournaments are broken, in the column of this number."""
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


def _print_line(text: str) -> None:
    out.print(_cell(text), soft_wrap=True)
