"""Tied players share the best placement of the tie, and leave room behind it: 1, 2, 2, 4."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Crowding(NamedTuple):
    """A placement with more players than there is room for before the next one (None: before the end of the field)."""

    placement: int
    players: int
    following: int | None


def crowding(tied: Mapping[int, int], players: int | None) -> Iterable[Crowding]:
    """Where a table of placements leaves no room for the tied: after k players at placement p, the next is p + k or later.

    Args:
        tied: the number of players at each placement.
        players: the size of the field; None when it is not known.
    """
    placements = sorted(tied)
    if not placements:
        return
    for placement, following in zip(placements, [*placements[1:], None], strict=True):
        end = following if following is not None else players + 1 if players is not None else None
        if end is not None and end < placement + tied[placement]:
            yield Crowding(placement, tied[placement], following)
