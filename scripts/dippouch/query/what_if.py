"""What an imagined event would do: the published functions `what_if` and `what_it_takes`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dippouch.db import Row, query
from dippouch.errors import UserError


@dataclass(frozen=True)
class Event:
    """An imagined event.

    Attributes:
        players: how many it declares.
        rounds: how many it declares; None: it does not.
        kind: the code of its kind; None: none in particular.
        is_world_championship: whether it is one.
        ended_on: its last day; ratings are those of the end of that day.
    """

    players: int
    rounds: int | None
    kind: str | None
    is_world_championship: bool
    ended_on: date

    def arguments(self) -> list[object]:
        """The arguments that stand for the event in the functions."""
        return [self.players, self.rounds, self.is_world_championship, self.ended_on]


def outcomes(database: Path, system: str, player_id: str, event: Event, placement: int | None = None) -> list[Row]:
    """Ask what every placement, or one, in an event would do to a player, everybody else staying where they are.

    Raises:
        UserError: when the placement is beyond the field.
    """
    if placement is not None and placement > event.players:
        raise UserError(
            f"found placement {placement} in a field of {event.players} players; expected one from 1 to {event.players}"
        )
    return query(
        database,
        "from marts.what_if(?, ?, ?, ?, ?, ?) where ? is null or placement = ? order by placement",
        [system, player_id, *event.arguments(), placement, placement],
    )


def crossings(database: Path, system: str, player_id: str, rival_id: str, event: Event) -> list[Row]:
    """Ask what takes a player past a rival in an event, for the rival at home and for each placement of the rival."""
    return query(
        database,
        "select rival_placement, rival_rating, placement_needed from marts.what_it_takes(?, ?, ?, ?, ?, ?, ?)"
        " order by rival_placement nulls first",
        [system, player_id, rival_id, *event.arguments()],
    )
