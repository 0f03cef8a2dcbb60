"""One life of a collection: steps are taken one after the other, and after each the promises of the project are checked."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from dippouch.errors import UserError
from dippouch.publishing.publication import publish
from support.compiled import Warehouse
from support.fuzzing.trial import BrokenPromise
from support.seed_rows import Rows, contents, read_collection
from support.state_machine.decided import Decisions
from support.state_machine.running import Done, run_apart, run_here
from support.state_machine.told import File

ACCEPTED, PARTLY, REFUSED, MISUSED = "accepted", "partly", "refused", "misused"
OUTCOMES = (ACCEPTED, PARTLY, REFUSED, MISUSED)

IMPORT, REVIEW, EDIT = "import_results", "review_players", "edit_tournament"

# The build of a life that is published on the disk.
_PUBLISHED = 9

# How an import says that it changed nothing, and that it would not.
_NOTHING = ("Nothing was written", "0 rows would change", '"changed_rows": 0')

# What a message has that says more than what is wrong; where something holds already, there is nothing to do.
_WAYS_OUT = ("expected", "scripts/", "docs/", "already", "did you mean", "the ids are in", "nothing was changed")


@dataclass(frozen=True)
class Run:
    """A program to run.

    Attributes:
        kind: what the step is called in stories and counts.
        number: the number of the step, which names the folder of its documents.
        arguments: `{seeds}` stands for the collection, `{documents}` for that folder.
        files: the documents.
        apart: whether it runs in a process of its own, as a person runs it.
    """

    kind: str
    number: int
    program: str
    arguments: tuple[str, ...]
    files: tuple[File, ...] = ()
    apart: bool = False

    @property
    def tells_once(self) -> bool:
        """Whether it imports one document."""
        return bool(self.files) and self.arguments[-1] != "{documents}"


@dataclass(frozen=True)
class HandEdit:
    """A change of a seed by hand: a text of it becomes another; an empty one: a line is added.

    Attributes:
        legal: whether a refresh must take it. One that is not is taken back after it was found.
    """

    kind: str
    number: int
    path: str
    find: str
    put: str
    legal: bool


Step = Run | HandEdit


class BrokenStep(BrokenPromise):
    """A step after which something is that must never be.

    Attributes:
        promise: which promise, the same for the same fault.
    """

    def __init__(self, promise: str, details: str) -> None:
        super().__init__(f"{promise}\n{details}")
        self.promise = promise


class Life:
    """A collection in a folder of its own, from its first import on.

    Args:
        warehouse: where it is built.
        folder: a folder that does not exist yet.
    """

    def __init__(self, warehouse: Warehouse, folder: Path) -> None:
        self._warehouse = warehouse
        self._folder = folder
        self.seeds = folder / "seeds"
        self._decisions = Decisions()
        # What the collection was before its last change, which can be undone.
        self._before: tuple[dict[str, str], Decisions] | None = None
        self._builds = 0
        folder.mkdir(parents=True)

    def rows(self) -> Rows:
        """The rows of the collection; none before its first import."""
        return read_collection(self.seeds)

    def end(self) -> None:
        """Remove it from the disk."""
        shutil.rmtree(self._folder)

    def take(self, step: Step, *, checked: bool = True) -> str:
        """Take a step.

        Args:
            step: what to do.
            checked: whether to check what must hold afterwards; stories are replayed to their last step without.

        Returns:
            One of OUTCOMES.

        Raises:
            BrokenStep: when something is as it must never be.
        """
        if isinstance(step, HandEdit):
            return self._edit(step, checked=checked)
        arguments = with_documents(step, self._folder / "documents", self.seeds)
        before, decisions = contents(self.seeds), copy.deepcopy(self._decisions)
        done = (run_apart if step.apart else run_here)(step.program, arguments)
        after = contents(self.seeds)
        if done.crash:
            raise BrokenStep(f"a traceback: {_last_word(done)}", done.crash)
        outcome = _outcome(step, done, changed=before != after)
        if checked:
            self._check_step(step, done, before, after, outcome)
        if "--undo" in step.arguments:
            self._check_undo(done, after)
        elif outcome in (ACCEPTED, PARTLY):
            self._decisions.decide(step.arguments)
            if before != after:
                self._before = (before, decisions)
        if before != after and after and checked:
            self._check_collection()
        # Several files may tell one event in different ways: then the second time begins where the first one ended.
        if outcome == ACCEPTED and checked and step.tells_once and "--dry-run" not in step.arguments:
            self._check_again(step, arguments)
        return outcome

    def _check_step(self, step: Run, done: Done, before: dict[str, str], after: dict[str, str], outcome: str) -> None:
        if leftovers := [path.name for path in self._folder.iterdir() if path.name.endswith(".staged")]:
            raise BrokenStep("left behind", f"{leftovers}")
        if outcome in (REFUSED, MISUSED) and before != after:
            raise BrokenStep("refused, and the collection changed", f"{_changed(before, after)}\n{done.output}")
        if "--dry-run" in step.arguments and before != after:
            raise BrokenStep("a dry run changed the collection", f"{_changed(before, after)}\n{done.output}")
        if outcome in (REFUSED, PARTLY) and (fault := _fault_of_message(done.output)):
            raise BrokenStep(f"a message without {fault}", done.output)

    def _check_undo(self, done: Done, after: dict[str, str]) -> None:
        """The last change is taken back whole, and only once; what was done by hand since is not lost."""
        if self._before is None:
            if done.exit_code == 0:
                raise BrokenStep("undone twice, or what was done by hand", done.output)
            return
        contents_before, self._decisions = self._before
        self._before = None
        if done.exit_code != 0:
            raise BrokenStep("the last change was not undone", done.output)
        if after != contents_before:
            raise BrokenStep("not undone whole", f"{_changed(contents_before, after)}")

    def _check_collection(self) -> None:
        """After a change: the refresh passes, decisions stand, and no id of a source is forgotten."""
        self._check_refresh()
        rows = self.rows()
        if faults := self._decisions.faults(rows):
            raise BrokenStep("a decision does not stand", "\n".join(faults))
        if forgotten := self._decisions.learn_owners(rows):
            raise BrokenStep("an id of a source was forgotten", "\n".join(forgotten))

    def _check_refresh(self) -> None:
        if fault := self._fault_of_refresh():
            raise BrokenStep(*fault)
        self._builds += 1
        if self._builds == _PUBLISHED:
            build = self._folder / "build.duckdb"
            self._warehouse.save(build)
            publish(build, self._folder / "rankings.duckdb")
            build.unlink()

    def _fault_of_refresh(self) -> tuple[str, str] | None:
        """What a refresh would end with: nothing, or why it fails."""
        try:
            self._warehouse.build(self.seeds)
        except (duckdb.Error, UserError) as error:
            return "the build failed", str(error)
        if failing := self._warehouse.failing_tests():
            return f"data tests failed: {', '.join(sorted(failing))}", ""
        try:
            found = self._warehouse.discrepancies(self.seeds)
        except UserError as error:
            return "the verification failed", str(error)
        if found:
            tables = ", ".join(sorted({discrepancy.table for discrepancy in found}))
            return f"the verification found differences in {tables}", "\n".join(map(str, found[:20]))
        return None

    def _check_again(self, step: Run, arguments: Sequence[str]) -> None:
        """Importing the same document again changes nothing."""
        before = contents(self.seeds)
        again = [*arguments, *(["--dry-run"] if step.number % 3 == 0 else [])]
        if "--add-kind" in again:  # Known by now.
            at = again.index("--add-kind")
            del again[at : at + 2]
        done = run_here(step.program, again)
        if done.exit_code != 0:
            raise BrokenStep("refused the second time", done.crash or done.output)
        if not any(said in done.output for said in _NOTHING):
            raise BrokenStep("changed something the second time", done.output)
        if contents(self.seeds) != before:
            raise BrokenStep("changed a byte the second time", f"{_changed(before, contents(self.seeds))}")

    def _edit(self, step: HandEdit, *, checked: bool) -> str:
        path = self.seeds / step.path
        if not path.exists() or step.find not in (text := path.read_text(encoding="utf-8")):
            return MISUSED
        path.write_text(text.replace(step.find, step.put, 1) if step.find else text + step.put, encoding="utf-8")
        if step.legal:
            self._before = None
            if checked:
                self._check_collection()
            return ACCEPTED
        try:
            if checked and self._fault_of_refresh() is None:
                raise BrokenStep("an illegal edit was not found", f"{step.path}: {step.find!r} -> {step.put!r}")
            if checked:
                self._check_programs_bear_it()
        finally:
            path.write_text(text, encoding="utf-8")
        return REFUSED

    def _check_programs_bear_it(self) -> None:
        """Programs on a collection with a fault in it: they do their work or say what is wrong."""
        before = contents(self.seeds)
        page = self._folder / "any.csv"
        page.write_text("name: Any\ndate: 2011-01-01\nplayers: 9\nrounds: 1\nplacement,name\n1,Ada LOVELACE\n")
        seeds = ["--seeds", str(self.seeds)]
        for program, arguments in ((REVIEW, seeds), (IMPORT, ["--dry-run", *seeds, str(page)])):
            done = run_here(program, arguments)
            if done.crash:
                raise BrokenStep(f"a traceback on a faulty seed: {_last_word(done)}", done.crash)
            if done.exit_code and (fault := _fault_of_message(done.output)):
                raise BrokenStep(f"a message without {fault}", done.output)
        if contents(self.seeds) != before:
            raise BrokenStep("a program that only reads changed the collection", "")


def with_documents(step: Run, folder: Path, seeds: Path) -> list[str]:
    """Write the documents of a step below a folder, and give the words of its command."""
    documents = folder / str(step.number)
    for file in step.files:
        path = documents / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    return [word.replace("{seeds}", str(seeds)).replace("{documents}", str(documents)) for word in step.arguments]


def _outcome(step: Run, done: Done, *, changed: bool) -> str:
    if done.exit_code == 0:
        return ACCEPTED
    if done.exit_code == 2:
        if "Usage:" not in done.output or "Error:" not in done.output:
            raise BrokenStep("wrong usage without a word", done.output)
        return MISUSED
    if done.exit_code != 1:
        raise BrokenStep(f"exit code {done.exit_code}", done.output)
    # Of several files those that are right are imported.
    several = bool(step.files) and not step.tells_once
    return PARTLY if changed and several and "--strict" not in step.arguments else REFUSED


def _changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def _last_word(done: Done) -> str:
    """The name of the error that ended a program."""
    return done.crash.strip().splitlines()[-1].partition(":")[0]


def _fault_of_message(output: str) -> str:
    """What the messages of a refusal lack: a place, what was found, or what to do; empty when nothing."""
    if output.startswith("{"):
        rejections = json.loads(output)["rejected"]
        lacking = [key for rejection in rejections for key in ("file", "found", "expected") if not rejection[key]]
        return "rejections" if not rejections else " and ".join(lacking)
    messages = [line for line in output.splitlines() if line.startswith(("error: ", "rejected: "))]
    if not messages:
        return "the word error or rejected"
    for message in messages:
        _, _, said = message.partition(": ")
        if ": " not in said:
            return "a place"
        if not any(word in said for word in _WAYS_OUT):
            return "a way out"
    return ""
