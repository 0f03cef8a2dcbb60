"""The rules of a rating system in exact figures, from what a page or a view shows of them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dippouch.rating.rules import FIGURES, RatingRules


def exact_rules(shown: Mapping[str, Any]) -> RatingRules:
    """The rules as fractions, counting every day.

    Args:
        shown: the figures of the rules by their names, such as a row of `rating_systems`.
    """
    figures: dict[str, Any] = {name: Fraction(str(shown[name])) for name in FIGURES}
    return RatingRules(**figures, first_counted_on=None)
