"""Undo takes back whole changes, one after the other; after a kill at any step, later undos are still right."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dippouch.collection import folder as folder_module
from dippouch.collection.files import Content
from dippouch.collection.folder import KEPT_CHANGES, KeptChange, kept_changes, locked, undo, write_files
from dippouch.collection.schema import ALIASES, CORRECTIONS
from dippouch.disk import exchange
from dippouch.messages import UserError
from dippouch.settings import PROJECT
from support.seed_rows import contents

NAME = CORRECTIONS.path


def writing(text: str) -> Content:
    def write_into(path: Path) -> None:
        path.write_text(text, encoding="utf-8")

    return write_into


def write(folder: Path, text: str, name: str = NAME) -> None:
    with locked(folder):
        write_files(folder, {name: writing(text)})


def take_back(folder: Path) -> KeptChange:
    with locked(folder):
        return undo(folder)


def test_the_last_change_is_taken_back_whole(seeds: Path) -> None:
    write(seeds, "first")
    before = contents(seeds)
    with locked(seeds):
        write_files(seeds, {NAME: writing("second"), "documents/raw_new.csv": writing("new"), ALIASES.path: None})
    undone = take_back(seeds)
    assert undone.files() == ["documents/raw_new.csv", NAME, ALIASES.path]
    assert contents(seeds) == before
    take_back(seeds)
    with pytest.raises(UserError, match="found no change to undo; expected one of the last 20"):
        take_back(seeds)
    assert {path.name for path in seeds.parent.iterdir()} == {"seeds", ".seeds.lock"}


def test_the_last_twenty_changes_are_taken_back_one_after_the_other(seeds: Path) -> None:
    states = []
    for number in range(KEPT_CHANGES + 3):
        states.append(contents(seeds))
        write(seeds, f"{number}")
    kept = seeds.parent / ".seeds.previous"
    assert len(list(kept.iterdir())) == 2 * KEPT_CHANGES
    # A file that no change wrote is on the disk once.
    assert (seeds / ALIASES.path).stat().st_nlink == KEPT_CHANGES + 1
    for state in reversed(states[3:]):
        take_back(seeds)
        assert contents(seeds) == state
    assert not kept.exists()


def test_changes_before_an_edit_by_hand_stay(seeds: Path) -> None:
    write(seeds, "first")
    (seeds / ALIASES.path).write_text("by hand")
    edited = contents(seeds)
    write(seeds, "second")
    take_back(seeds)
    assert contents(seeds) == edited
    with pytest.raises(UserError, match=ALIASES.path):
        take_back(seeds)
    with locked(seeds):
        assert len(kept_changes(seeds)) == 1


def changed(folder: Path) -> None:
    (folder / NAME).write_text("by hand")


def changed_in_place(folder: Path) -> None:
    """Write into the file itself, as some editors do: the kept copy shares its bytes on the disk."""
    with (folder / ALIASES.path).open("a") as file:
        file.write("x,,y,by hand\n")


def changed_and_written_again(folder: Path) -> None:
    """Edit a file in place, then restore it as a new file: the kept copy still has the edit."""
    as_it_was = (folder / ALIASES.path).read_bytes()
    changed_in_place(folder)
    (folder / ALIASES.path).unlink()
    (folder / ALIASES.path).write_bytes(as_it_was)


HANDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "changed": (changed, NAME),
    "changed in place": (changed_in_place, ALIASES.path),
    "changed in place, and written again": (changed_and_written_again, ALIASES.path),
    "removed": (lambda folder: (folder / ALIASES.path).unlink(), ALIASES.path),
    "added": (lambda folder: (folder / "notes.txt").touch(), "notes.txt"),
}


@pytest.mark.parametrize("hand", HANDS)
def test_what_was_changed_by_hand_is_not_lost(seeds: Path, hand: str) -> None:
    write(seeds, "first")
    change, name = HANDS[hand]
    change(seeds)
    before = contents(seeds)
    with pytest.raises(UserError) as error:
        take_back(seeds)
    assert f"{name}; expected " in str(error.value)
    assert contents(seeds) == before


class Killed(BaseException):
    """The end of a program at one of its steps."""


STEPS = ("unlink", "rename", "replace", "mkdir", "write_text")


def kill_at(monkeypatch: pytest.MonkeyPatch, step: int, *, before: bool) -> list[str]:
    """End the program at one of the steps that change the disk; skip its cleanup, too."""
    steps: list[str] = []

    def counted(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def run(*args: object, **kwargs: object) -> object:
            if len(steps) > step:
                raise Killed  # A killed program runs no `finally`.
            steps.append(name)
            if before and len(steps) > step:
                raise Killed
            done = real(*args, **kwargs)
            if len(steps) > step:
                raise Killed
            return done

        return run

    for name in STEPS:
        monkeypatch.setattr(Path, name, counted(name, getattr(Path, name)))
    monkeypatch.setattr(shutil, "rmtree", counted("rmtree", shutil.rmtree))
    monkeypatch.setattr(folder_module, "exchange", counted("exchange", exchange))
    return steps


@pytest.mark.skipif(os.name != "posix", reason="exchanges folders")
@pytest.mark.parametrize("before", [True, False], ids=["before the step", "after it"])
@pytest.mark.parametrize("program", ["write", "undo"])
def test_a_kill_at_any_step_undoes_the_last_change_or_nothing(tmp_path: Path, program: str, *, before: bool) -> None:
    zero = contents(PROJECT / "seeds")
    texts = ("first", "second", "third")
    states = [zero, *(zero | {NAME: hashlib.sha256(text.encode()).hexdigest()} for text in texts)]
    for step in range(40):
        seeds = tmp_path / f"{step}" / "seeds"
        shutil.copytree(PROJECT / "seeds", seeds)
        write(seeds, "first")
        write(seeds, "second")
        with pytest.MonkeyPatch.context() as patch:
            steps = kill_at(patch, step, before=before)
            with contextlib.suppress(Killed):
                if program == "write":
                    write(seeds, "third")
                else:
                    take_back(seeds)
        found = states.index(contents(seeds))
        assert found in ((2, 3) if program == "write" else (1, 2)), (step, steps)
        take_back(seeds)
        assert contents(seeds) == states[found - 1], (step, steps)
        # The next program can change the collection, and take that back.
        here = contents(seeds)
        write(seeds, "fourth")
        take_back(seeds)
        assert contents(seeds) == here
        if len(steps) <= step:
            break
    else:
        pytest.fail("the steps have no end")
    assert "exchange" in steps
    assert len(steps) >= 3
