"""Writing a collection: the whole folder changes at one instant, or not at all.

An import touches several files. They are written, with links to the files that do not change, into a new folder beside
the old one; when all of it is on the disk, the two folders trade names in one system call. Whoever kills the program,
at any moment, finds the old collection or the new one.

What the collection was before its last change stays beside it, so that the change can be taken back. Beside `seeds`:

    .seeds.staged           the folder that is being made; after the exchange what the collection was before
    .seeds.staged.json      the record of the change, complete before the exchange: which program, every file's hash after it
    .seeds.previous         what the collection was before its last change
    .seeds.previous.json    the record of that change; without it there is nothing to undo

Whoever comes next finishes what a killed program left (`_finish`): the record says whether the exchange has been.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from dippouch.disk import hashes, link_or_copy, refusal, sync, sync_tree
from dippouch.errors import UserError
from dippouch.folders import exchange
from dippouch.run_changes import running_command, say_changed
from dippouch.seeds.files import write_csv
from dippouch.seeds.schema import DEFAULT_REFERENCE, SEEDS
from dippouch.settings import PROJECT

# What writes a file to a path; None: the file goes.
Content = Callable[[Path], None] | None

# How many files a message names.
_NAMED_FILES = 5


@dataclass(frozen=True)
class Undone:
    """A change that was taken back.

    Attributes:
        program: the program that had made it.
        files: the files that are as they were before, relative to the collection.
    """

    program: str
    files: tuple[str, ...]


def is_new(folder: Path) -> bool:
    """Whether a folder is missing or empty, so that an import into it makes a new collection.

    Raises:
        UserError: when it cannot be read.
    """
    with _explained(f"{folder}: could not be read"):
        return not folder.exists() or not any(folder.iterdir())


def check_is_collection(folder: Path) -> None:
    """Check that a folder holds a collection.

    Raises:
        UserError: when it does not, or cannot be read.
    """
    with _explained(f"{folder}: could not be read"):
        has_reference = (folder / "reference").is_dir()
    if not has_reference:
        raise UserError(
            f"{folder}: no collection of seeds here; `dptr import --seeds` makes one in a new or empty folder"
        )


@contextmanager
def locked(folder: Path, *, wait_seconds: float = 0) -> Iterator[None]:
    """Hold a collection for oneself: no other import changes it, and no build reads it half changed.

    Args:
        folder: the collection.
        wait_seconds: how long to wait for whoever holds it.

    Raises:
        UserError: when somebody else still holds it, or the disk refuses.
    """
    folder = folder.resolve()
    if re.fullmatch(r"\..+\.(previous|staged)", folder.name):
        raise UserError(
            f"{folder}: found what a collection was before its last change; expected the collection itself. A shell that stands in"
            " the folder of a collection must enter it again after a change: cd ."
        )
    refused = f"{folder}: could not be locked; expected a folder beside which this program may write"
    with _explained(refused):
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder.parent / f".{folder.name}.lock")
        try:
            lock.acquire(timeout=wait_seconds)
        except Timeout:
            raise UserError(f"{folder}: another program is using this collection; try again when it is done") from None
    try:
        with _explained(f"{folder}: what a program that was stopped left beside it could not be cleared away"):
            _finish(folder)
        yield
    finally:
        lock.release()


def write_files(folder: Path, files: Mapping[str, Content]) -> None:
    """Replace files of a collection, all at once. The caller holds the collection's lock.

    What it was before stays beside it, for `undo`.

    Args:
        folder: the collection; made, with the default reference rows, when it is missing or empty.
        files: the new content by path relative to the folder; every other file stays, as a link to the same bytes.

    Raises:
        UserError: when the disk refuses.
    """
    folder = folder.resolve()
    beside = _Beside(folder)
    try:
        with _explained(f"{folder}: could not be written; nothing was changed"):
            if is_new(folder):
                _lay_out_new(beside.staged)
            else:
                shutil.copytree(folder, beside.staged, copy_function=link_or_copy)
            for name, content in files.items():
                _write_new(beside.staged / name, content)
            sync_tree(beside.staged)
            _write_record(beside.staged_record, hashes(beside.staged), hashes(folder))
            folder.mkdir(exist_ok=True)
            exchange(beside.staged, folder, what="the seeds")
            say_changed(f"{folder} was changed")
    except BaseException:
        with suppress(OSError):  # Whoever comes next removes it.
            _give_up(beside)
        raise
    with _explained(f"{folder}: was changed, but what it was before could not be kept"):
        sync(folder.parent)
        _finish(folder)


def undo(folder: Path) -> Undone:
    """Take the last change of a collection back, whole; there is nothing further to undo then. The caller holds its lock.

    The change that made a collection leaves an empty folder, which an import makes a new collection of.

    Raises:
        UserError: when there is nothing to undo, when files were changed since by hand, or the disk refuses.
    """
    folder = folder.resolve()
    beside = _Beside(folder)
    nothing = f"{folder}: found no change to undo; only the last one can be taken back, and only once"
    with _explained(f"{folder}: could not be read"):
        record = _read_record(beside.previous_record)
        if record is None or not beside.previous.is_dir():
            raise UserError(f"{nothing}. docs/import.md says how git brings back an older state")
        left, now, before = record["files"], hashes(folder), hashes(beside.previous)
    if now != left and before == left:
        # It was taken back already, by a program that was stopped before it had cleared away.
        with _explained(f"{folder}: what a program that was stopped left beside it could not be cleared away"):
            _forget_previous(beside)
        raise UserError(f"{nothing}. docs/import.md says how git brings back an older state")
    if by_hand := _differing(left, now):
        raise UserError(
            f"{folder}: found files that were changed after the last change of {record['program']}: {_listed(by_hand)};"
            " expected them as it left them, because undoing would lose what was done to them. Put them back, or let git"
            " bring back an older state, as docs/import.md says"
        )
    # Files that no change touched are one file in both folders: whoever edits such a file in place edits what it was before.
    if edited := _differing(record["before"], before):
        raise UserError(
            f"{folder}: found that editing the collection changed what is kept of it, too: {_listed(edited)}; expected it as it was"
            " before the last change. Let git bring back an older state, as docs/import.md says"
        )
    with _explained(f"{folder}: could not be written; nothing was changed"):
        exchange(beside.previous, folder, what="the seeds")
        say_changed(f"the last change of {folder} was taken back")
    with _explained(f"{folder}: the last change was taken back, but could not be cleared away"):
        sync(folder.parent)
        _forget_previous(beside)
    return Undone(record["program"], tuple(_differing(left, before)))


class _Beside:
    """What lies beside a collection: see the top of this file."""

    def __init__(self, folder: Path) -> None:
        self.staged = folder.parent / f".{folder.name}.staged"
        self.staged_record = folder.parent / f".{folder.name}.staged.json"
        self.previous = folder.parent / f".{folder.name}.previous"
        self.previous_record = folder.parent / f".{folder.name}.previous.json"


@contextmanager
def _explained(what: str) -> Iterator[None]:
    """Make a refusal of the disk a message: what could not be done, and the path and the reason."""
    try:
        yield
    except (OSError, NotImplementedError) as error:
        # The lock's library says NotImplementedError where a file system cannot lock.
        reason = refusal(error) if isinstance(error, OSError) else str(error)
        raise UserError(f"{what} ({reason})") from error


def _finish(folder: Path) -> None:
    """Keep what a collection was before its last change, when that was made, and remove what a killed change left.

    Each step leaves a state from which the next call goes on.
    """
    beside = _Beside(folder)
    record = _read_record(beside.staged_record)
    if record is not None and folder.is_dir() and record["files"] == hashes(folder):
        # The exchange has been: the staged folder is what the collection was.
        if beside.staged.exists():
            _forget_previous(beside)
            beside.staged.rename(beside.previous)
        beside.staged_record.replace(beside.previous_record)
        sync(folder.parent)
    _give_up(beside)


def _give_up(beside: _Beside) -> None:
    """Remove a change that was not made."""
    # The record first: without it nobody takes the staged folder for what the collection was.
    beside.staged_record.unlink(missing_ok=True)
    if beside.staged.exists():
        shutil.rmtree(beside.staged)


def _forget_previous(beside: _Beside) -> None:
    """Remove what the collection was before its last change; the record first, without which nothing is undone."""
    beside.previous_record.unlink(missing_ok=True)
    if beside.previous.exists():
        sync(beside.previous.parent)
        shutil.rmtree(beside.previous)


def _write_record(path: Path, files: Mapping[str, str], before: Mapping[str, str]) -> None:
    record = {"program": running_command(), "files": dict(files), "before": dict(before)}
    path.write_text(json.dumps(record, indent=1), encoding="utf-8")
    sync(path)
    sync(path.parent)


def _read_record(path: Path) -> dict[str, Any] | None:
    """A record; None when there is none, or a killed program had not written the whole of it."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    return record if isinstance(record, dict) and {"program", "files", "before"} <= record.keys() else None


def _differing(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def _listed(names: list[str]) -> str:
    further = f" and {len(names) - _NAMED_FILES} more" if len(names) > _NAMED_FILES else ""
    return ", ".join(names[:_NAMED_FILES]) + further


def _lay_out_new(staged: Path) -> None:
    """A new collection without results: the project's rules and nations, and the headers of everything else."""
    for seed in SEEDS.values():
        path = staged / seed.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if seed.path in DEFAULT_REFERENCE:
            shutil.copyfile(PROJECT / "seeds" / seed.path, path)
        else:
            write_csv(seed, (), path)


def _write_new(path: Path, content: Content) -> None:
    """Write a file without touching what other names of it (links) show."""
    path.unlink(missing_ok=True)
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        content(path)
