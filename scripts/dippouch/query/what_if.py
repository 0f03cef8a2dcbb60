"""What an imagined event would do: the published functions `what_if` and `what_it_takes`, called and read.

No rule of the rating stands here: the functions hold the same SQL that the ratings were computed with.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dippouch.db import query
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


@dataclass(frozen=True)
class Outcome:
    """One placement in the event, and what it makes of the player's rating and rank (None: not ranked)."""

    placement: int
    percentile_score: float
    value_rule: str
    tournament_value: float
    rating_before: float
    rating_change: float
    rating_after: float
    rank_before: int | None
    rank_after: int | None


@dataclass(frozen=True)
class Crossing:
    """What takes a player past a rival.

    Attributes:
        rival_placement: where the rival finishes; None: stays at home.
        rival_rating: the rival's rating then.
        placement_needed: the worst placement that is enough; None: not even the first is.
    """

    rival_placement: int | None
    rival_rating: float
    placement_needed: int | None


def outcomes(database: Path, system: str, player_id: str, event: Event, placement: int | None = None) -> list[Outcome]:
    """What every placement, or one, in an event would do to a player, everybody else staying where they are.

    Raises:
        UserError: when the placement is beyond the field.
    """
    if placement is not None and placement > event.players:
        raise UserError(
            f"found placement {placement} in a field of {event.players} players; expected one from 1 to {event.players}"
        )
    columns = ", ".join(Outcome.__dataclass_fields__)
    found = query(
        database,
        f"select {columns} from marts.what_if(?, ?, ?, ?, ?, ?) order by placement",
        [system, player_id, *event.arguments()],
    )
    return [Outcome(**row) for row in found if placement in (None, row["placement"])]


def crossings(database: Path, system: str, player_id: str, rival_id: str, event: Event) -> list[Crossing]:
    """What takes a player past a rival in an event, for the rival at home and for each placement of the rival."""
    found = query(
        database,
        "select rival_placement, rival_rating, placement_needed from marts.what_it_takes(?, ?, ?, ?, ?, ?, ?)"
        " order by rival_placement nulls first",
        [system, player_id, rival_id, *event.arguments()],
    )
    return [Crossing(**row) for row in found]
