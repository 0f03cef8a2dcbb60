"""Any actions on a collection, in any order: accepted ones refresh, refused ones change nothing.

`make fuzz` takes many more steps.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.compiled import Warehouse
from support.programs import Done
from support.state_machine import collection_life
from support.state_machine.collection_life import ACCEPTED, BrokenStep, Life, Run
from support.state_machine.machine import live
from support.state_machine.messages import File

STEPS = int(os.environ.get("DPTR_STEPS", "75"))
CUP = b"name: Club Cup\ndate: 2005-05-01\nplayers: 20\nrounds: 2\n\nplacement,name\n1,Ada LOVELACE\n2,Alan TURING\n"


def import_of(content: bytes, number: int = 0) -> Run:
    return Run("import csv", number, "import", ("{documents}/cup.csv",), (File("cup.csv", content),))


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, STEPS, 100))
def test_a_collection_keeps_every_promise_whatever_is_done_to_it(warehouse: Warehouse, first: int) -> None:
    steps = min(100, STEPS - first)
    counts = live(warehouse, steps, seed=1 + first)
    assert counts.total() >= steps
    assert steps < 75 or len({kind for kind, _ in counts}) > 12


BROKEN = {
    "refused, and the collection changed": (b"", Done([], 1, "", "error: here: found one; expected another")),
    "the build failed": (b"player_id\n", Done([], 0, "", "")),
    "a crash": (None, Done([], 1, "", "error: KeyError: 1\nWhere it happened is in /tmp/dip-pouch-x.log")),
    "changed something the second time": (None, Done([], 0, "1 row changed", "")),
}


@pytest.mark.parametrize("promise", BROKEN)
def test_a_broken_promise_is_noticed(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, promise: str
) -> None:
    collection = Life(warehouse, tmp_path / "life")
    assert collection.take(import_of(CUP)) == ACCEPTED
    content, done = BROKEN[promise]

    def spoil(*words: str) -> Done:
        del words
        if content is not None:
            (collection.seeds / "reference" / "ref_players.csv").write_bytes(content)
        return done

    monkeypatch.setattr(collection_life, "run_here", spoil)
    with pytest.raises(BrokenStep, match=promise):
        collection.take(import_of(CUP, 1))
