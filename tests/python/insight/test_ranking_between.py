"""The ranking of a day beside an earlier one, against the rankings of both days and the marts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest


def rows(published: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(published), read_only=True) as connection:
        return connection.execute(sql, values).fetchall()


@pytest.mark.parametrize(
    "days", [("2013-08-25", "2013-08-24"), ("2009-12-31", "1990-01-01"), ("2010-01-01", "2010-01-01")]
)
def test_moves_between_two_days_are_the_difference_of_their_rankings(published: Path, days: tuple[str, str]) -> None:
    today, earlier = (
        {
            player: (rank, rating)
            for rank, player, rating in rows(
                published, "select rank, player_id, rating from marts.ranking_on('dptr', ?)", day
            )
        }
        for day in days
    )
    expected = [
        (
            player,
            rank,
            earlier[player][0] - rank if player in earlier else None,
            rating - earlier[player][1] if player in earlier else None,
        )
        for player, (rank, rating) in today.items()
    ]
    got = rows(
        published,
        "select player_id, rank, places_gained, rating_gained from marts.ranking_between('dptr', ?, ?)",
        *days,
    )
    assert sorted(got) == sorted(expected)


def test_ranks_among_the_active_and_in_the_nation_are_those_of_the_marts(published: Path) -> None:
    between = "from marts.ranking_between('dptr', '2013-08-25', '2013-08-24')"
    assert rows(published, f"select player_id, active_rank {between} where is_active order by all") == rows(
        published, "select player_id, rank from active_ranking order by all"
    )
    assert rows(
        published, f"select player_id, national_rank {between} where national_rank is not null order by all"
    ) == rows(published, "select player_id, national_rank from national_ranking order by all")
