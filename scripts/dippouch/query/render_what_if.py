"""What an imagined event would do, for people and for scripts."""

from __future__ import annotations

from rich.markup import escape

from dippouch.console import out, plain_table, write_json
from dippouch.db import Row
from dippouch.query.lookup import Player
from dippouch.query.what_if import Event


def print_outcomes(player: Player, event: Event, system: str, found: list[Row]) -> None:
    """Print what each placement would make of a player's rating and rank."""
    before = found[0]
    rank = f"rank {before['rank_before']}" if before["rank_before"] else "not ranked"
    out.print(
        f"{escape(player.name)}: rating {before['rating_before']:.4f}, {rank}, {_in_words(event, system, before)}\n"
    )
    table = plain_table(">placement", ">percentile", ">rating", ">change", ">rank")
    for outcome in found:
        table.add_row(
            str(outcome["placement"]),
            f"{outcome['percentile_score']:.2f}",
            f"{outcome['rating_after']:.4f}",
            f"{outcome['rating_change']:+.4f}",
            str(outcome["rank_after"] or "-"),
        )
    out.print(table)


def print_outcomes_as_json(player: Player, event: Event, system: str, found: list[Row]) -> None:
    """Print the same as one JSON object."""
    shown = ("placement", "percentile_score", "rating_change", "rating_after", "rank_after")
    before = {column: found[0][column] for column in ("rating_before", "rank_before")}
    rows = [{column: outcome[column] for column in shown} for outcome in found]
    write_json(_head(player, event, system, found[0]) | before | {"placements": rows})


def print_crossings(
    two: tuple[Player, Player], event: Event, system: str, before: Row, both: tuple[list[Row], ...]
) -> None:
    """Print what takes each of two players past the other; `both` has it for the first and for the second.

    Any outcome of the event serves as `before`: it tells what the event is worth.
    """
    out.print(f"{escape(two[0].name)} and {escape(two[1].name)}, {_in_words(event, system, before)}\n")
    needs = (f">{escape(player.name)} needs" for player in two)
    table = plain_table("if the other is", *needs, caption="The worst placement that is enough.")
    for there, back in zip(*both, strict=True):
        where = "at home" if there["rival_placement"] is None else str(there["rival_placement"])
        table.add_row(where, *(str(crossing["placement_needed"] or "not even 1") for crossing in (there, back)))
    out.print(table)


def print_crossings_as_json(
    two: tuple[Player, Player], event: Event, system: str, before: Row, both: tuple[list[Row], ...]
) -> None:
    """Print the same as one JSON object."""
    passing = {player.player_id: theirs for player, theirs in zip(two, both, strict=True)}
    write_json(_head(two[0], event, system, before) | {"rival_id": two[1].player_id, "passing": passing})


def _head(player: Player, event: Event, system: str, outcome: Row) -> Row:
    return {
        "rating_system_id": system,
        "on": event.ended_on.isoformat(),
        "event": {
            "players": event.players,
            "rounds": event.rounds,
            "kind": event.kind,
            "tournament_value": outcome["tournament_value"],
            "value_rule": outcome["value_rule"],
        },
        "player_id": player.player_id,
    }


def _in_words(event: Event, system: str, outcome: Row) -> str:
    return (
        f"before an event of {event.players} players on {event.ended_on},"
        f" worth {outcome['tournament_value']:.4f} by the rule `{outcome['value_rule']}` of `{system}`"
    )
