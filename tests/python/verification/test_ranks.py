"""The ranks of the exact ledger: shared by equal ratings, with the ranks that ratings too close for a double may have."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from dippouch.verification.ledger import ranked
from dippouch.verification.table_types import FixedPoint, fixed_point

ratings_of_players = st.lists(st.fractions(0, 3, max_denominator=2), max_size=12).map(
    lambda ratings: {f"player-{number}": fixed_point(rating) for number, rating in enumerate(ratings)}
)


@given(ratings_of_players)
def test_a_shared_rank_is_one_more_than_the_number_of_better_ratings(ratings: dict[str, FixedPoint]) -> None:
    ranks = ranked(ratings, 0)
    assert {player: rank.exact for player, rank in ranks.items()} == {
        player: 1 + sum(other > rating for other in ratings.values()) for player, rating in ratings.items()
    }


@given(ratings_of_players, st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(2)]))
def test_ratings_within_the_tolerance_may_change_places(ratings: dict[str, FixedPoint], tolerance: Fraction) -> None:
    near = fixed_point(tolerance)
    for player, rank in ranked(ratings, near).items():
        others = [rating for other, rating in ratings.items() if other != player]
        assert rank.best == 1 + sum(other - ratings[player] > near for other in others)
        assert rank.worst == 1 + sum(ratings[player] - other <= near for other in others)
