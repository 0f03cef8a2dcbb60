"""The effect of an imagined tournament: the published functions `what_if` and `what_it_takes`, and their answers on the terminal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rich.markup import escape

from dippouch.console import out, plain_table
from dippouch.db import Row, query
from dippouch.errors import UserError


@dataclass(frozen=True)
class Event:
    """An imagined tournament as declared, with the ratings at the end of its last day."""

    players: int
    rounds: int | None
    kind: str | None
    is_world_championship: bool
    ended_on: date

    def arguments(self) -> list[object]:
        """Return the arguments of the functions that describe the tournament."""
        return [self.players, self.rounds, self.is_world_championship, self.ended_on]


def outcomes(database: Path, system: str, player_id: str, event: Event, placement: int | None = None) -> Row:
    """Return how every placement, or a given one, would change a player, if all other ratings stay as they are.

    Raises:
        UserError: when the placement is beyond the field size.
    """
    if placement is not None and placement > event.players:
        raise UserError(
            f"found placement {placement} in a field of {event.players}; expected one from 1 to {event.players}"
        )
    found = query(
        database,
        "from marts.what_if(?, ?, ?, ?, ?, ?) where ? is null or placement = ? order by placement",
        [system, player_id, *event.arguments(), placement, placement],
    )
    shown = ("placement", "percentile_score", "rating_change", "rating_after", "rank_after")
    return {
        "rating_system_id": system,
        "on": event.ended_on.isoformat(),
        "event": {
            "players": event.players,
            "rounds": event.rounds,
            "kind": event.kind,
            "tournament_value": found[0]["tournament_value"],
            "value_rule": found[0]["value_rule"],
        },
        "player_id": player_id,
        "rating_before": found[0]["rating_before"],
        "rank_before": found[0]["rank_before"],
        "placements": [{column: row[column] for column in shown} for row in found],
    }


def crossings(database: Path, system: str, player_id: str, rival_id: str, event: Event) -> Row:
    """Return the placements with which each of two players would pass the other, whether the other plays or not."""
    both = {player_id: rival_id, rival_id: player_id}
    passing = {
        one: query(
            database,
            "select rival_placement, rival_rating, placement_needed from marts.what_it_takes(?, ?, ?, ?, ?, ?, ?)"
            " order by rival_placement nulls first",
            [system, one, other, *event.arguments()],
        )
        for one, other in both.items()
    }
    of_event = outcomes(database, system, player_id, event, 1)
    head = {name: of_event[name] for name in ("rating_system_id", "on", "event", "player_id")}
    return head | {"rival_id": rival_id, "passing": passing}


def print_outcomes(name: str, answer: Row, words: dict[str, str]) -> None:
    """Print a player's rating and rank after each placement."""
    rank = f"rank {answer['rank_before']}" if answer["rank_before"] else "not ranked"
    out.print(f"{escape(name)}: rating {answer['rating_before']:.4f}, {rank}; {_in_words(answer, words)}\n")
    table = plain_table(">placement", ">percentile", ">rating", ">change", ">rank")
    for outcome in answer["placements"]:
        table.add_row(
            str(outcome["placement"]),
            f"{outcome['percentile_score']:.2f}",
            f"{outcome['rating_after']:.4f}",
            f"{outcome['rating_change']:+.4f}",
            str(outcome["rank_after"] or "-"),
        )
    out.print(table)


def print_crossings(name: str, rival: str, answer: Row, words: dict[str, str]) -> None:
    """Print how each of two players would pass the other."""
    out.print(f"{escape(name)} and {escape(rival)}; {_in_words(answer, words)}\n")
    needs = (f">{escape(one)} needs" for one in (name, rival))
    table = plain_table("if the other is", *needs, caption="The worst placement that suffices.")
    for both in zip(*answer["passing"].values(), strict=True):
        where = both[0]["rival_placement"]
        needed = (str(crossing["placement_needed"] or "not even 1") for crossing in both)
        table.add_row("at home" if where is None else str(where), *needed)
    out.print(table)


def _in_words(answer: Row, words: dict[str, str]) -> str:
    event = answer["event"]
    return (
        f"next {escape(words['tournament'])}: {event['players']} {escape(words['players'])} on {answer['on']}, worth {event['tournament_value']:.4f}"
        f" by the rule `{event['value_rule']}` of `{answer['rating_system_id']}`"
    )
