"""Any actions on a collection, in any order: accepted ones refresh, refused ones change nothing. `make fuzz` takes many more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support import lives
from support.compiled import Warehouse
from support.life_steps import Run
from support.lives import ACCEPTED, Life, live
from support.programs import Done
from support.promises import BrokenPromise

STEPS = int(os.environ.get("DPTR_STEPS", "75"))


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, STEPS, 100))
def test_a_collection_keeps_every_promise_whatever_is_done_to_it(warehouse: Warehouse, first: int) -> None:
    steps = min(100, STEPS - first)
    counts = live(warehouse, steps, seed=1 + first)
    # Otherwise refusals of every step, which change nothing, would keep every promise.
    assert sum(times for (_, outcome), times in counts.items() if outcome == ACCEPTED) >= steps / 2
    assert steps < 75 or len({kind for kind, _ in counts}) > 8


CUP = "name: Club Cup\ndate: 2005-05-01\nplayers: 20\nrounds: 2\n\nplacement,name\n1,Ada LOVELACE\n2,Alan TURING\n"


@pytest.mark.long
def test_a_refusal_that_changes_the_collection_is_noticed(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    collection = Life(warehouse, tmp_path / "life")
    cup = Run("import csv", 0, "import", ("{documents}/cup.csv",), {"cup.csv": CUP})
    assert collection.take(cup) == ACCEPTED

    def refuse(*words: str) -> Done:
        (collection.seeds / "reference" / "ref_players.csv").write_text("", encoding="utf-8")
        return Done(words, 1, "", "error: one")

    monkeypatch.setattr(lives, "run_here", refuse)
    with pytest.raises(BrokenPromise, match="refused, and the collection changed"):
        collection.take(cup)
