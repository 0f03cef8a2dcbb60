"""Refresh, import and decide under faults, round after round, while readers query, and count the outcomes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from random import Random
from threading import Timer
from typing import NamedTuple

import click
import duckdb
from rich.progress import track

from dippouch.command_line import Command
from dippouch.console import err, out, table_of
from dippouch.db import attach
from dippouch.messages import UserError
from dippouch.publishing.refresh import verify
from dippouch.settings import PROJECT
from support.life_steps import KINDS, Run, Scene, make_step, make_world
from support.programs import command_of, run_here, run_program
from support.promises import BrokenPromise, demand
from support.reader_load import Readers
from support.seed_rows import contents, read_collection
from support.troubles import NOTHING_WRONG, Around, trouble

# (refresh, change): one or both at once. A refresh takes half a minute, a change a second.
_AT_ONCE = ((True, False), (True, True), (False, True), (False, True), (False, True))
# Probability that a program is killed, and that its surroundings are faulty.
_KILLED = 0.3
_TROUBLED = 0.6
_LONGEST_SECONDS = 600
# The maximum length of a message that people read.
_LINES = 80

_PAGES = PROJECT / "tests" / "fixtures" / "wdd_text"
_ENDS = {0: "done", 1: "refused", 2: "misused", -signal.SIGKILL: "killed"}

# A fingerprint of a publication: constant while it is there, and different for any mixture of two.
_WHOLE = """
    select bit_xor(hash(ranked)) || ' ' || (select bit_xor(hash(rated)) from marts.rating_history as rated)
    from marts.international_ranking as ranked
"""


def ask(database: Path) -> str:
    """Return the answer of a published file.

    Raises:
        duckdb.Error: when it cannot be read.
    """
    with duckdb.connect() as connection:
        # In a child process DuckDB acts like a shell, and would show progress.
        connection.execute("set enable_progress_bar = false")
        attach(connection, database, "published")
        return str(connection.execute(f"use published; {_WHOLE}").fetchall())


class Started(NamedTuple):
    """A running program, and the timer that kills it, alone or with its children."""

    process: subprocess.Popen[bytes]
    killer: Timer | None

    def end(self) -> tuple[int, str]:
        """Wait for its end; return its exit code and its output."""
        told, _ = self.process.communicate(timeout=_LONGEST_SECONDS)
        if self.killer:
            self.killer.cancel()
        return self.process.returncode, told.decode(errors="replace")


class Chaos:
    """A collection that is changed and published under faults, in a folder of its own.

    Attributes:
        counts: the number of times of each outcome.
        published: the answers of every publication so far.
        readers: the programs that query meanwhile.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.seeds = self.folder / "keeper" / "seeds"
        self.warehouse = self.folder / "warehouse"
        self.database = self.warehouse / "rankings.duckdb"
        self.counts: Counter[str] = Counter()
        self.published: set[str] = set()
        self.readers = Readers([partial(ask, self.database)] * 2, pause=0.3)
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
            started = {}
            if refreshes:
                started["refresh"] = self._start(["refresh"], spoiled, chance, self._refresh_seconds)
            if step:
                time.sleep(chance.uniform(0, 2) if refreshes else 0)
                words = step.words(self.folder / "documents", self.seeds)
                started[step.kind] = self._start(words, spoiled, chance, 3.0)
            ended = {name: program.end() for name, program in started.items()}
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
        (kind,) = chance.choices([*KINDS], [weight for weight, _ in KINDS.values()])
        step = make_step(kind, Scene(self._world, read_collection(self.seeds), number, chance, self._imported))
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

    def _start(self, words: list[str], around: Around, chance: Random, seconds: float) -> Started:
        settings = {"DPTR_SEEDS": str(self.seeds), "DPTR_WAREHOUSE": str(self.warehouse)}
        process = subprocess.Popen(
            around.command([*command_of(words[0]), *words[1:]]),
            cwd=PROJECT,
            env=os.environ | settings | around.variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        if chance.random() >= _KILLED:
            return Started(process, None)
        kill = chance.choice([os.kill, os.killpg])
        killer = Timer(chance.uniform(0, 1.1 * seconds), kill, (process.pid, signal.SIGKILL))
        killer.start()
        return Started(process, killer)

    def _check_told(self, name: str, code: int, told: str, around: Around) -> None:
        """Check that a program succeeds, is killed, or says in a few lines what is wrong."""
        self.counts[f"{name}: {_ENDS.get(code, f'exit code {code}')}"] += 1
        self.counts[f"trouble: {around.name}"] += 1
        shown = f"{name} in {around}:\n{told}"
        demand(code in _ENDS, f"exit code {code}; {shown}")
        demand("Traceback (most recent call last)" not in told, f"a traceback; {shown}")
        if code == 1:
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
        # While a refresh reads the collection, a change is refused.
        if code == 0 or (code > 0 and in_peace):
            demand(after == expected, f"not what it is in peace; {shown}")

    def _check_refresh(self, ended: tuple[int, str], file_before: str, old: Path, around: Around) -> None:
        """Check that the published file is the old one, or a complete and correct state of the collection since then."""
        code, told = ended
        shown = f"in {around}, exit code {code}:\n{told}"
        is_new = _file(self.database) != file_before
        demand(code != 1 or not around.borne, f"refused; {shown}")
        demand(code < 0 or is_new == (code == 0), f"published though refused, or the other way round; {shown}")
        if is_new:
            demand(any(_agrees(self.database, seeds) for seeds in (old, self.seeds)), f"wrong figures; {shown}")
            self.published.add(ask(self.database))

    def _check_quiet_refresh(self) -> None:
        done = run_program("refresh", DPTR_SEEDS=self.seeds, DPTR_WAREHOUSE=self.warehouse)
        demand(done.returncode == 0 and _agrees(self.database, self.seeds), f"a refresh in peace: {done}")
        self.published.add(ask(self.database))

    def _check_readers(self) -> None:
        """Check the answers since the last call."""
        for one in self.readers.heard():
            demand(not one.fault, f"a reader was disturbed: {one.fault}")
            demand(one.answer in self.published, f"a reader saw what was never published: {one.answer}")
            self.counts["readers: answered"] += 1


def _file(path: Path) -> str:
    """Identify a file: a replaced or rewritten one has another inode or modification time."""
    found = path.stat()
    return f"{found.st_ino} {found.st_mtime_ns}"


def _agrees(database: Path, seeds: Path) -> bool:
    try:
        return not verify(database, seeds)[1]
    except UserError:
        return False


@click.command(cls=Command)
@click.option("--rounds", default=200, show_default=True, type=click.IntRange(1), help="How many rounds.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same rounds.")
def main(rounds: int, seed: int) -> None:
    """Disturb refreshes, imports and decisions in every known way, while readers query.

    Data must never be lost, readers never disturbed, incomplete or wrong data never published, and no program may end without
    a message. The same seed gives the same choices, but not the same timing. The first fault ends the program and keeps its folder.
    """
    folder = Path(tempfile.mkdtemp(prefix="chaos_"))
    chaos = Chaos(folder, seed)
    number = 0
    try:
        chaos.begin()
        with chaos.readers:
            for number in track(range(rounds), "Rounds", console=err, disable=not err.is_terminal):
                chaos.round(number)
            chaos.end()
    except BrokenPromise as broken:
        raise UserError(f"{folder}: round {number}: {broken}") from None
    rows = [{"what": what, "times": times} for what, times in sorted(chaos.counts.items())]
    out.print(table_of(rows, {"what": "what", ">times": "times"}))
    out.print(f"{rounds} rounds of seed {seed}, {len(chaos.published)} publications: every promise was kept.")


if __name__ == "__main__":
    main()
