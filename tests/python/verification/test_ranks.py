"""Published ranks against published ratings: a rank is one more than the number of better ratings, in a group or in the whole table."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dippouch.verification import compare
from dippouch.verification.table_types import UNITS, ExpectedTable

# A player: a group, a rating, and what is published as the rank.
Player = tuple[int, int, int]

players_of = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(1, 4)), max_size=8)


@pytest.mark.parametrize("within", [None, "nation", "year"])
@given(players=players_of)
@settings(deadline=None, max_examples=60)
def test_a_rank_is_one_more_than_the_number_of_better_ratings(within: str | None, players: list[Player]) -> None:
    must = [
        1 + sum(rating > own and (within is None or group == of) for group, rating, _ in players)
        for of, own, _ in players
    ]
    wrong = [
        (number, str(rank), str(right))
        for number, ((_, _, rank), right) in enumerate(zip(players, must, strict=True))
        if rank != right
    ]
    assert sorted(misplaced(players, within)) == wrong


def misplaced(players: list[Player], within: str | None) -> list[tuple[int, str, str]]:
    """Which player has another rank than the ratings give, by the verification: the number, the rank, and the right one."""
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as published")
        connection.execute("create schema published.marts")
        connection.execute(
            "create table published.marts.ranking (year integer, number integer, nation integer, rating double, rank integer)"
        )
        # A group of years is in the order of the table, one of nations is not.
        rows = [
            (group if within == "year" else 0, number, group, float(rating), rank)
            for number, (group, rating, rank) in enumerate(players)
        ]
        if rows:
            connection.executemany("insert into published.marts.ranking values (?, ?, ?, ?, ?)", rows)
        table = ExpectedTable(
            "ranking",
            ("year", "number"),
            ("nation", "rating"),
            iter(sorted((year, number, nation, int(rating) * UNITS) for year, number, nation, rating, _ in rows)),
            figures=("rating",),
            rank="rank",
            ranked_within=within,
        )
        count, found = compare._compare(connection, table)
    assert count == len(players)
    return [(int(one.row.rpartition(" ")[2]), one.published, one.expected) for one in found]
