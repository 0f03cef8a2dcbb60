"""What is published of one player: rows of the presentation views."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dippouch.db import Row, query
from dippouch.query.lookup import Player

_OF_PLAYER = "where rating_system_id = $system and player_id = $player"


@dataclass(frozen=True)
class PlayerReport:
    """One player under one rating system.

    Attributes:
        card: the row of `presentation.player_card`.
        history: the results, in order, with their effect on the rating.
        rating_parts: the parts of today's rating, which add up to it.
    """

    card: Row
    history: list[Row]
    rating_parts: list[Row]


def player_report(database: Path, system: str, player: Player) -> PlayerReport:
    """Read what is published of one player, by one rating system."""
    asked = {"system": system, "player": player.player_id}
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
    return PlayerReport(card, history, parts)


def meant_players(database: Path, system: str, players: list[Player]) -> list[Row]:
    """Read who several players are, the best of them first."""
    return query(
        database,
        "select player_id, player_name, nation_code, rank from presentation.player_card"
        " where rating_system_id = $system and player_id in (select unnest($players)) order by rank nulls last, player_id",
        {"system": system, "players": [player.player_id for player in players]},
    )
