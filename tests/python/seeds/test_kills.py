"""An import killed or stopped at any moment leaves the complete old or the complete new collection.

`make test-long` runs twenty kills, `make kill-test` two hundred.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from dippouch.errors import UserError
from dippouch.seeds.folder import kept_changes, locked, undo
from dippouch.settings import PROJECT
from support.programs import run_program, start_program
from support.seed_rows import contents

KILLS = int(os.environ.get("DPTR_KILLS", "20"))
PAGES = PROJECT / "tests" / "fixtures" / "wdd_text"
NEW_PAGE = PAGES / "world-dipcon-vi-1996.txt"


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="kills a process outright")
def test_a_kill_leaves_the_old_collection_or_the_new_one(tmp_path: Path) -> None:
    # In a shell's background, programs would inherit that SIGINT is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    random = Random(20170806)  # noqa: S311 (not for security)
    old, seeds = tmp_path / "old" / "seeds", tmp_path / "work" / "seeds"
    run_program("import", "--seeds", old, PAGES / "wac-6-2009.txt")
    new = tmp_path / "new" / "seeds"
    shutil.copytree(old, new)
    started = time.monotonic()
    program = start_program("import", "--seeds", new, NEW_PAGE)
    _wait_for_writing(new, program)
    writing = time.monotonic()
    program.communicate()
    ended = time.monotonic()
    states = {tuple(sorted(contents(old).items())): "old", tuple(sorted(contents(new).items())): "new"}

    found: Counter[str] = Counter()
    for kill in range(KILLS):
        shutil.rmtree(seeds.parent, ignore_errors=True)
        shutil.copytree(old, seeds)
        program = start_program("import", "--seeds", seeds, NEW_PAGE)
        if kill % 2:
            time.sleep(random.uniform(0, (ended - started) * 1.1))
        else:
            # The critical moments are short: they begin when the new folder appears beside the old one.
            _wait_for_writing(seeds, program)
            time.sleep(random.uniform(0, ended - writing))
        # Ctrl-C reaches the whole process group.
        is_stopped = kill % 4 == 0
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGINT if is_stopped else signal.SIGKILL)
        said = _without_warnings(program.communicate()[1])
        state = states.get(tuple(sorted(contents(seeds).items())))
        assert state, f"kill {kill}: neither the old collection nor the new one"
        finished = {(0, "")} if state == "new" else set()
        assert not is_stopped or (program.returncode, said.partition(";")[0]) in {(130, "stopped"), *finished}, said
        found[state] += 1
        # Undo takes back exactly the change that was made; a killed `undo` takes back one change or none.
        if state == "new":
            program = start_program("undo", "--seeds", seeds)
            if kill % 3 == 0:
                time.sleep(random.uniform(0, ended - started))
                program.kill()
            program.communicate()
            with locked(seeds):
                if kept := kept_changes(seeds):
                    undo(seeds)
            assert len(kept) <= 1
            assert states[tuple(sorted(contents(seeds).items()))] == "old"
        else:
            with locked(seeds), pytest.raises(UserError, match="found no change to undo"):
                undo(seeds)
    assert set(found) == {"old", "new"}, "every kill came too early, or too late"
    # The next import removes everything that a killed one left beside the collection.
    assert run_program("import", "--seeds", seeds, NEW_PAGE).returncode == 0
    assert states[tuple(sorted(contents(seeds).items()))] == "new"
    assert {path.name for path in seeds.parent.iterdir() if path.is_dir()} == {"seeds", ".seeds.previous"}
    print(f"{KILLS} kills: {found['old']} left the old collection, {found['new']} the new one")  # noqa: T201 (the counts are the result)


def _without_warnings(said: str) -> str:
    return "".join(line for line in said.splitlines(keepends=True) if not line.startswith("suspicious: "))


def _wait_for_writing(seeds: Path, program: subprocess.Popen[str]) -> None:
    staged = seeds.parent / f".{seeds.name}.staged"
    while program.poll() is None:
        with contextlib.suppress(OSError):
            if staged.exists():
                return
        time.sleep(0.0002)
