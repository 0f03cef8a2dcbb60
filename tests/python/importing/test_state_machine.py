"""Any actions on a collection, in any order: accepted ones refresh, refused ones change nothing. `make fuzz` takes many more."""

from __future__ import annotations

import os

import pytest

from support.compiled import Warehouse
from support.lives import ACCEPTED, live

STEPS = int(os.environ.get("DPTR_STEPS", "75"))


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, STEPS, 100))
def test_a_collection_keeps_every_promise_whatever_is_done_to_it(warehouse: Warehouse, first: int) -> None:
    steps = min(100, STEPS - first)
    counts = live(warehouse, steps, seed=1 + first)
    # Otherwise refusals of every step, which change nothing, would keep every promise.
    assert sum(times for (_, outcome), times in counts.items() if outcome == ACCEPTED) >= steps / 2
    assert steps < 75 or len({kind for kind, _ in counts}) > 8
