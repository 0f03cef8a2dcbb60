"""One life of a collection: takes steps one after the other, and checks the project's promises after each."""

from __future__ import annotations

import copy
import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from dippouch.errors import UserError
from dippouch.seeds.folder import KEPT_CHANGES
from support.compiled import Warehouse
from support.fuzzing.trial import BrokenPromise
from support.programs import Done, run_here
from support.seed_rows import Rows, contents, read_collection
from support.state_machine.decided import Decisions
from support.state_machine.messages import File

ACCEPTED, PARTLY, REFUSED, MISUSED = "accepted", "partly", "refused", "misused"

# The report of an unexpected error.
_CRASH = re.compile(r"dip-pouch-\S+\.log|Traceback \(most recent call last\)")
# Phrases by which an import says that nothing changed, or would change.
_NOTHING = ("Nothing was written", "0 rows would change", '"changed_rows": 0')
# A message contains at least one of these remedies, or says that nothing is left to do.
_WAYS_OUT = ("expected", "dptr ", "scripts/", "docs/", "already", "did you mean", "the ids are in")


@dataclass(frozen=True)
class Run:
    """A command of `dptr` to run.

    Attributes:
        kind: the name of the step in counts.
        number: the number of the step, which names the folder of its documents.
        arguments: the arguments after `--seeds`; `{documents}` stands for that folder.
        files: the documents.
    """

    kind: str
    number: int
    command: str
    arguments: tuple[str, ...]
    files: tuple[File, ...] = ()

    @property
    def imports_one(self) -> bool:
        """Return whether it imports one document."""
        return bool(self.files) and self.arguments[-1] != "{documents}"

    def words(self, folder: Path, seeds: Path) -> list[str]:
        """Write the documents below a folder; return the command line for a collection."""
        documents = folder / str(self.number)
        for file in self.files:
            path = documents / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
        arguments = (word.replace("{documents}", str(documents)) for word in self.arguments)
        return [self.command, *arguments, "--seeds", str(seeds)]

    def __str__(self) -> str:
        """Format the command with its documents for people."""
        lines = [f"{self.number}. dptr {self.command} {shlex.join(self.arguments)}"]
        for file in self.files:
            text = "(a workbook)" if file.name.endswith(".xlsx") else file.content.decode(errors="replace")
            lines += [f"   {file.name}:", *(f"   | {line}" for line in text.splitlines())]
        return "\n".join(lines)


class BrokenStep(BrokenPromise):
    """A step that broke a promise."""


class Life:
    """A collection in a folder of its own, from its first import on.

    Args:
        warehouse: the warehouse that builds it.
        folder: a folder that does not exist yet.
    """

    def __init__(self, warehouse: Warehouse, folder: Path) -> None:
        self._warehouse = warehouse
        self._folder = folder
        self.seeds = folder / "seeds"
        self._decisions = Decisions()
        # The state before and after each change that can be undone.
        self._changes: list[tuple[dict[str, str], Decisions, dict[str, str]]] = []
        folder.mkdir(parents=True)

    def rows(self) -> Rows:
        """Return the rows of the collection; none before its first import."""
        return read_collection(self.seeds)

    def take(self, step: Run) -> str:
        """Take a step, and check the promises afterwards.

        Returns:
            ACCEPTED, PARTLY, REFUSED or MISUSED.

        Raises:
            BrokenStep: when a promise is broken.
        """
        words = step.words(self._folder / "documents", self.seeds)
        before, decisions = contents(self.seeds), copy.deepcopy(self._decisions)
        done = _done(words)
        after = contents(self.seeds)
        outcome = _outcome(step, done, changed=before != after)
        if leftovers := [path.name for path in self._folder.iterdir() if path.name.endswith(".staged")]:
            raise BrokenStep(f"left behind: {leftovers}")
        if before != after and (outcome in (REFUSED, MISUSED) or "--dry-run" in words):
            raise BrokenStep(f"{outcome}, and the collection changed: {_changed(before, after)}\n{_said(done)}")
        if outcome in (REFUSED, PARTLY):
            _check_message(done)
        if step.command == "undo" and "--list" not in words:
            self._check_undo(done, before, after)
        elif outcome in (ACCEPTED, PARTLY):
            self._decisions.decide(step.command, step.arguments)
            if before != after:
                self._changes = [*self._changes, (before, decisions, after)][-KEPT_CHANGES:]
        if before != after and after:
            self._check_collection()
        # Several files may state one tournament differently: then a second import would start from another state.
        if outcome == ACCEPTED and step.imports_one and "--dry-run" not in words:
            self._check_again(step, words)
        return outcome

    def _check_undo(self, done: Done, before: dict[str, str], after: dict[str, str]) -> None:
        """Check that undo takes back the whole last change, only once, and keeps manual changes since then."""
        if not self._changes or self._changes[-1][2] != before:
            if done.returncode == 0:
                raise BrokenStep(f"undone twice, or what was done by hand\n{_said(done)}")
            return
        contents_before, self._decisions, _ = self._changes.pop()
        if done.returncode != 0:
            raise BrokenStep(f"the last change was not undone\n{_said(done)}")
        if after != contents_before:
            raise BrokenStep(f"not undone whole: {_changed(contents_before, after)}")

    def _check_collection(self) -> None:
        """Check after a change: the refresh passes, decisions stand, and no source's id is forgotten."""
        if fault := self._fault_of_refresh():
            raise BrokenStep(fault)
        rows = self.rows()
        if faults := self._decisions.faults(rows):
            raise BrokenStep(f"a decision does not stand: {faults}")
        if forgotten := self._decisions.learn_owners(rows):
            raise BrokenStep(f"an id of a source was forgotten: {forgotten}")

    def _fault_of_refresh(self) -> str:
        """Return why a refresh would fail; empty if it would pass."""
        try:
            self._warehouse.build(self.seeds)
        except (duckdb.Error, UserError) as error:
            return f"the build failed: {error}"
        if failing := self._warehouse.failing_tests():
            return f"data tests failed: {sorted(failing)}"
        try:
            found = self._warehouse.discrepancies(self.seeds)
        except UserError as error:
            return f"the verification failed: {error}"
        return "\n".join(["the verification found differences", *map(str, found[:20])]) if found else ""

    def _check_again(self, step: Run, words: list[str]) -> None:
        """Check that importing the same document again changes nothing."""
        before = contents(self.seeds)
        again = [*words, *(["--dry-run"] if step.number % 3 == 0 else [])]
        done = _done(again)
        if done.returncode != 0:
            raise BrokenStep(f"refused the second time\n{_said(done)}")
        if not any(said in done.stdout for said in _NOTHING) or contents(self.seeds) != before:
            raise BrokenStep(f"changed something the second time\n{_said(done)}")


def _done(words: Sequence[str]) -> Done:
    """Run a command.

    Raises:
        BrokenStep: when it ended with an unexpected error.
    """
    command, *arguments = words
    done = run_here(command, *arguments)
    if _CRASH.search(done.stderr):
        raise BrokenStep(f"a crash: {done.stderr}")
    return done


def _said(done: Done) -> str:
    return done.stdout + done.stderr


def _outcome(step: Run, done: Done, *, changed: bool) -> str:
    match done.returncode:
        case 0:
            return ACCEPTED
        case 1:
            # Of several files the valid ones are imported.
            several = bool(step.files) and not step.imports_one
            return PARTLY if changed and several and "--strict" not in step.arguments else REFUSED
        case 2 if "Usage:" in done.stderr and "Error:" in done.stderr:
            return MISUSED
    raise BrokenStep(f"exit code {done.returncode}\n{_said(done)}")


def _changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _check_message(done: Done) -> None:
    """Check that the messages of a refusal have a place, the finding, and a remedy.

    Raises:
        BrokenStep: when one of them lacks a part.
    """
    output = _said(done)
    if done.stdout.startswith("{"):
        rejections = json.loads(done.stdout)["rejected"]
        if not rejections or not all(r[key] for r in rejections for key in ("file", "found", "expected")):
            raise BrokenStep(f"a report without rejections, or one that lacks something\n{output}")
        return
    messages = [line.partition(": ")[2] for line in output.splitlines() if line.startswith(("error: ", "rejected: "))]
    if not messages:
        raise BrokenStep(f"a refusal without the word error or rejected\n{output}")
    for message in messages:
        if ": " not in message or not any(word in message for word in _WAYS_OUT):
            raise BrokenStep(f"a message without a place or a way out\n{output}")
