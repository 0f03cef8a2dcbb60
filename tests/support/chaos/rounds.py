"""Rounds of fault injection: a refresh, a change of the collection, a fault around them, and readers who query."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dippouch.errors import UserError
from dippouch.publishing.refresh import verify
from dippouch.settings import PROJECT
from support.chaos.troubles import NOTHING_WRONG, Around, trouble
from support.chaos.watched import Watched
from support.life_steps import KINDS, Run, Scene, make_step, make_world
from support.programs import command_of, run_here, run_program
from support.promises import demand
from support.reader_load import ask
from support.seed_rows import contents, read_collection

# (refresh, change): one or both at once. A refresh takes half a minute, a change a second.
_AT_ONCE = ((True, False), (True, True), (False, True), (False, True), (False, True))
# Probability that a program is killed, and that its surroundings are faulty.
_KILLED = 0.3
_TROUBLED = 0.6
_LONGEST_SECONDS = 600
# The maximum length of a message that people read.
_LINES = 80

_PAGES = PROJECT / "tests" / "fixtures" / "wdd_text"
_CHANGES = {kind: weight for kind, (weight, _) in KINDS.items()}


@dataclass
class Started:
    """A running program."""

    name: str
    process: subprocess.Popen[bytes]
    kills_at: float | None
    alone: bool

    def end(self) -> tuple[int, str]:
        """Wait for its end, or kill it at its moment, with or without its children; return its exit code and its output."""
        if self.kills_at is not None:
            time.sleep(max(0.0, self.kills_at - time.monotonic()))
            if self.process.poll() is None:
                os.kill(self.process.pid, signal.SIGKILL) if self.alone else os.killpg(self.process.pid, signal.SIGKILL)
        told, _ = self.process.communicate(timeout=_LONGEST_SECONDS)
        return self.process.returncode, told.decode(errors="replace")


@dataclass
class Chaos:
    """A collection that is changed and published under faults, in a folder of its own.

    Attributes:
        counts: the number of times of each outcome.
        published: the answers of every publication so far.
    """

    folder: Path
    seed: int
    readers: Watched
    counts: Counter[str] = field(default_factory=Counter)
    published: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.seeds = self.folder / "keeper" / "seeds"
        self.warehouse = self.folder / "warehouse"
        self.database = self.warehouse / "rankings.duckdb"
        self._world = make_world(Random(self.seed))  # noqa: S311 (not for security)
        self._imported: list[Run] = []
        self._refresh_seconds = 0.0

    def begin(self) -> None:
        """Import and publish for the first time, before readers start."""
        done = run_here("import", "--seeds", self.seeds, _PAGES)
        demand(done.returncode == 0, done.stderr)
        # This import cannot be undone: without a collection, every refresh is refused.
        shutil.rmtree(self.seeds.parent / f".{self.seeds.name}.previous")
        began = time.monotonic()
        self._check_quiet_refresh()
        self._refresh_seconds = time.monotonic() - began

    def round(self, number: int) -> None:
        """Run one or two programs at once, and check the promises afterwards.

        Raises:
            BrokenPromise: when data was lost or mixed, a reader disturbed, or a program ended without a message.
        """
        chance = Random(f"{self.seed}-{number}")  # noqa: S311
        refreshes, changes = chance.choice(_AT_ONCE)
        before = contents(self.seeds)
        old = self._copy_seeds("old")
        step = self._change(chance, number) if changes else None
        expected = self._undisturbed(step) if step else before
        file_before = _file(self.database)
        troubled = chance.random() < _TROUBLED
        around = trouble(chance, self.warehouse, self.readers, refreshes=refreshes)
        with around if troubled else nullcontext(NOTHING_WRONG) as spoiled:
            started = []
            if refreshes:
                started.append(self._start("refresh", ["refresh"], spoiled, chance, self._refresh_seconds))
            if step:
                time.sleep(chance.uniform(0, 2) if refreshes else 0)
                words = step.words(self.folder / "documents", self.seeds)
                started.append(self._start(step.kind, words, spoiled, chance, 3.0))
            ended = {program.name: program.end() for program in started}
        for name, (code, told) in ended.items():
            self._check_told(name, code, told, spoiled)
        if step:
            self._check_change(step, ended[step.kind], before, expected, in_peace=spoiled.borne and not refreshes)
        if refreshes:
            self._check_refresh(ended["refresh"], file_before, old, spoiled)
        else:
            demand(_file(self.database) == file_before, "the publication changed without a refresh")
        self._check_readers()

    def end(self) -> None:
        """Refresh once more without faults: every accepted change is there, and no leftovers remain."""
        self._check_quiet_refresh()
        left = [path.name for path in self.warehouse.iterdir() if "candidate" in path.name or "building" in path.name]
        demand(not left, f"left behind: {left}")
        self._check_readers()

    def _change(self, chance: Random, number: int) -> Run:
        scene = Scene(self._world, read_collection(self.seeds), number, chance, self._imported)
        step = make_step(chance.choices([*_CHANGES], [*_CHANGES.values()])[0], scene)
        if step.files:
            self._imported.append(step)
        return step

    def _undisturbed(self, step: Run) -> dict[str, str]:
        """Return the collection after an undisturbed change."""
        seeds = self._copy_seeds("undisturbed")
        command, *arguments = step.words(self.folder / "documents", seeds)
        run_here(command, *arguments)
        return contents(seeds)

    def _copy_seeds(self, name: str) -> Path:
        """Copy the collection, with the copies for undo beside it."""
        shutil.rmtree(self.folder / name, ignore_errors=True)
        shutil.copytree(self.seeds.parent, self.folder / name)
        return self.folder / name / "seeds"

    def _start(self, name: str, words: list[str], around: Around, chance: Random, seconds: float) -> Started:
        command = around.command([*command_of(words[0]), *words[1:]])
        settings = {"DPTR_SEEDS": str(self.seeds), "DPTR_WAREHOUSE": str(self.warehouse)}
        process = subprocess.Popen(
            command,
            cwd=PROJECT,
            env=os.environ | settings | around.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        killed = chance.random() < _KILLED
        moment = time.monotonic() + chance.uniform(0, 1.1 * seconds) if killed else None
        return Started(name, process, moment, alone=chance.random() < 0.5)

    def _check_told(self, name: str, code: int, told: str, around: Around) -> None:
        """Check that a program succeeds, is killed, or says in a few lines what is wrong."""
        self.counts[f"{name}: {_ENDS.get(code, f'exit code {code}')}"] += 1
        self.counts[f"trouble: {around.name}"] += 1
        shown = f"{name} in {around}:\n{told}"
        demand(code in _ENDS, f"exit code {code}; {shown}")
        demand("Traceback (most recent call last)" not in told, f"a traceback; {shown}")
        # The check cannot read text in another encoding.
        readable = around.variables.get("PYTHONIOENCODING") != "utf-16"
        if code == 1 and readable:
            demand(any(word in told for word in ("error:", "rejected:")), f"no message; {shown}")
            demand(len(told.splitlines()) <= _LINES, f"a message of {len(told.splitlines())} lines; {shown}")

    def _check_change(
        self, step: Run, ended: tuple[int, str], before: dict[str, str], expected: dict[str, str], *, in_peace: bool
    ) -> None:
        """Check that the collection is the old or the new one; after a change that ended by itself, the one that its exit code says."""
        code, told = ended
        after = contents(self.seeds)
        shown = f"{step.kind} {step.arguments}, exit code {code}:\n{told}"
        demand(after in (before, expected), f"neither the old collection nor the new one; {shown}")
        if code == 0:
            demand(after == expected, f"accepted, and not there; {shown}")
        # While a refresh reads the collection, a change is refused.
        if code >= 0 and in_peace:
            demand(after == expected, f"not what it is in peace; {shown}")

    def _check_refresh(self, ended: tuple[int, str], file_before: str, old: Path, around: Around) -> None:
        """Check that the published file is the old one, or a complete and correct state of the collection since then."""
        code, told = ended
        shown = f"in {around}, exit code {code}:\n{told}"
        if code == 1:
            demand(not around.borne, f"refused; {shown}")
            demand(_file(self.database) == file_before, f"refused, and something was published; {shown}")
        if code == 0:
            demand(_file(self.database) != file_before, f"nothing was published; {shown}")
        if _file(self.database) != file_before:
            demand(any(_agrees(self.database, seeds) for seeds in (old, self.seeds)), f"wrong figures; {shown}")
            self.published.add(ask(self.database))

    def _check_quiet_refresh(self) -> None:
        done = run_program("refresh", DPTR_SEEDS=self.seeds, DPTR_WAREHOUSE=self.warehouse)
        demand(done.returncode == 0 and _agrees(self.database, self.seeds), f"a refresh in peace: {done}")
        self.published.add(ask(self.database))

    def _check_readers(self) -> None:
        self.readers.check()
        unknown = self.readers.seen - self.published
        demand(not unknown, f"readers saw what was never published: {unknown}")


_ENDS = {0: "done", 1: "refused", 2: "misused", -signal.SIGKILL: "killed"}


def _file(path: Path) -> str:
    """Identify a file: a replaced or rewritten one has another inode or modification time."""
    found = path.stat()
    return f"{found.st_ino} {found.st_mtime_ns}"


def _agrees(database: Path, seeds: Path) -> bool:
    try:
        return not verify(database, seeds)[1]
    except UserError:
        return False
