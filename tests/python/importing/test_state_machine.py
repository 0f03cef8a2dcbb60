"""Whatever is done to a collection, in any order: what is accepted refreshes, what is refused changes nothing.

`make fuzz` does much more of it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from support.compiled import CompiledProject, Warehouse
from support.state_machine import life
from support.state_machine.life import ACCEPTED, IMPORT, BrokenStep, Life, Run, Step
from support.state_machine.living import Living, live_through
from support.state_machine.running import Done, run_here
from support.state_machine.steps import available
from support.state_machine.stories import shortest, told
from support.state_machine.told import File
from support.state_machine.world import make_world

NUMBERS = st.integers(0, 2**32 - 1)
CUP = b"name: Club Cup\ndate: 2005-05-01\nplayers: 20\nrounds: 2\n\nplacement,name\n1,Ada LOVELACE\n2,Alan TURING\n"


@pytest.fixture(scope="module")
def warehouse(compiled_project: CompiledProject) -> Warehouse:
    return Warehouse(compiled_project)


def chance_of(number: int) -> Random:
    return Random(number)  # noqa: S311 (chance, not secrecy)


def import_of(content: bytes, number: int = 0) -> Run:
    arguments = ("--seeds", "{seeds}", "{documents}/cup.csv")
    return Run("import csv", number, IMPORT, arguments, (File("cup.csv", content),))


@pytest.mark.long
def test_a_collection_keeps_every_promise_whatever_is_done_to_it(
    compiled_project: CompiledProject, warehouse: Warehouse
) -> None:
    class Collections(RuleBasedStateMachine):
        @initialize(number=NUMBERS)
        def begin(self, number: int) -> None:
            self.folder = tempfile.TemporaryDirectory(prefix="life_")
            begun = Life(warehouse, Path(self.folder.name) / "life")
            self.living = Living(compiled_project, begun, make_world(chance_of(number)))
            # Decisions need somebody to decide on.
            for kind in ("import csv", "import html", "import player"):
                self.living.live(kind, chance_of(number))

        @rule(kind=st.sampled_from(sorted(available())), number=NUMBERS)
        def step(self, kind: str, number: int) -> None:
            self.living.live(kind, chance_of(number))

        def teardown(self) -> None:
            self.folder.cleanup()

    run_state_machine_as_test(
        Collections,
        settings=settings(
            max_examples=4,
            stateful_step_count=11,
            derandomize=True,
            database=None,
            deadline=None,
            # A story that breaks a promise is made short by leaving out steps: faster than trying other numbers.
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.long
def test_the_same_seed_gives_the_same_life(compiled_project: CompiledProject, warehouse: Warehouse) -> None:
    one, other = (live_through(compiled_project, warehouse, "1-0", 4) for _ in range(2))
    assert one == other
    assert one.total() == 4


@pytest.mark.parametrize(
    ("content", "exit_code", "promise"),
    [(b"", 1, "refused, and the collection changed"), (b"", 3, "exit code 3"), (b"player_id\n", 0, "the build failed")],
)
def test_a_broken_promise_is_noticed(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, exit_code: int, promise: str
) -> None:
    collection = Life(warehouse, tmp_path / "life")
    assert collection.take(import_of(CUP)) == ACCEPTED

    def spoil(name: str, arguments: list[str]) -> Done:
        del name, arguments
        (collection.seeds / "reference" / "ref_players.csv").write_bytes(content)
        return Done(exit_code, "error: here: found one; expected another")

    monkeypatch.setattr(life, "run_here", spoil)
    with pytest.raises(BrokenStep, match=promise):
        collection.take(import_of(CUP, 1))


def test_a_story_is_told_by_the_steps_that_it_needs(
    compiled_project: CompiledProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[Step] = [import_of(CUP.replace(b"Club", b"Open"), 0), import_of(CUP, 1), import_of(CUP, 2)]

    def fail_on_what_is_known(name: str, arguments: list[str]) -> Done:
        done = run_here(name, arguments)
        return Done(1, "", "Traceback\nKeyError: 1") if "1 unchanged" in done.output else done

    monkeypatch.setattr(life, "run_here", fail_on_what_is_known)
    story = shortest(compiled_project, steps, "a traceback: KeyError")
    assert [step.number for step in story] == [1, 2]
    assert "   | 1,Ada LOVELACE" in told(story)
