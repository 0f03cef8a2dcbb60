"""Writing a collection: the whole folder changes at one instant, or not at all.

An import touches several files. They are written, with links to the files that do not change, into a new folder beside
the old one; when all of it is on the disk, the two folders trade names in one system call. Whoever kills the program,
at any moment, finds the old collection or the new one.

What the collection was before each of its last changes stays beside it, so that they can be taken back, the last one first.
Files that a change leaves alone are links to the same bytes, so a change costs the files that it writes. Beside `seeds`:

    .seeds.staged             the folder that is being made; after the exchange what the collection was before
    .seeds.staged.json        the record of the change, complete before the exchange: its number, its command, every file's hash
    .seeds.previous/7         what the collection was before its seventh change
    .seeds.previous/7.json    the record of that change; without it the change cannot be undone

Undoing a change exchanges its folder with the collection, and has a staged record, too. The next program finishes what a killed one
left (`_finish`): the record says whether the exchange has been.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

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

# How many changes can be undone.
KEPT_CHANGES = 20
# How many files a message names.
_NAMED_FILES = 5


@dataclass(frozen=True)
class KeptChange:
    """A change that can be taken back.

    Attributes:
        number: which one; later changes have greater numbers.
        command: the words that made it.
        made_at: when, as ISO 8601 with the time zone.
        after: the hash of every file after the change, by path relative to the collection.
        before: the same before it.
        is_undo: whether the staged change takes this one back.
    """

    number: int
    command: str
    made_at: str
    after: dict[str, str]
    before: dict[str, str]
    is_undo: bool = False

    def files(self) -> list[str]:
        """The files that it changed."""
        return _differing(self.before, self.after)


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
    if re.search(r"/\.[^/]+\.(previous/[0-9]+|staged)$", folder.as_posix()):
        raise UserError(
            f"{folder}: found what a collection was before a change; expected the collection itself. A shell that stands in"
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
                write_new(beside.staged / name, content)
            sync_tree(beside.staged)
            number = max(beside.numbers(), default=0) + 1
            made_at = datetime.now().astimezone().isoformat(timespec="seconds")
            change = KeptChange(number, running_command(), made_at, hashes(beside.staged), hashes(folder))
            _write_record(beside.staged_record, change)
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


def kept_changes(folder: Path) -> list[KeptChange]:
    """The changes of a collection that can be taken back, the last one first. The caller holds its lock.

    Raises:
        UserError: when they cannot be read.
    """
    beside = _Beside(folder.resolve())
    with _explained(f"{folder}: could not be read"):
        return [change for n in sorted(beside.numbers(), reverse=True) if (change := _read_record(beside.record(n)))]


def undo(folder: Path) -> KeptChange:
    """Take the last change of a collection back, whole; then the one before is the last. The caller holds its lock.

    The change that made a collection leaves an empty folder, which an import makes a new collection of.

    Raises:
        UserError: when there is nothing to undo, when files were changed since by hand, or the disk refuses.
    """
    folder = folder.resolve()
    beside = _Beside(folder)
    if not (changes := kept_changes(folder)):
        raise UserError(
            f"{folder}: found no change to undo; expected one of the last {KEPT_CHANGES}. docs/import.md says how git brings back"
            " an older state"
        )
    change = changes[0]
    previous = beside.previous / str(change.number)
    with _explained(f"{folder}: could not be read"):
        now, before = hashes(folder), hashes(previous)
    if by_hand := _differing(change.after, now):
        raise UserError(
            f"{folder}: found files that were changed after `{change.command}`: {_listed(by_hand)};"
            " expected them as it left them, because undoing would lose what was done to them. Put them back, or let git"
            " bring back an older state, as docs/import.md says"
        )
    # Files that no change touched are one file in all folders: whoever edits such a file in place edits what it was before.
    if edited := _differing(change.before, before):
        raise UserError(
            f"{folder}: found that editing the collection changed what is kept of it, too: {_listed(edited)}; expected it as it was"
            f" before `{change.command}`. Let git bring back an older state, as docs/import.md says"
        )
    with _explained(f"{folder}: could not be written; nothing was changed"):
        _write_record(beside.staged_record, replace(change, after=before, before=now, is_undo=True))
        exchange(previous, folder, what="the seeds")
        say_changed(f"the last change of {folder} was taken back")
    with _explained(f"{folder}: the last change was taken back, but could not be cleared away"):
        sync(folder.parent)
        _finish(folder)
    return change


class _Beside:
    """What lies beside a collection: see the top of this file."""

    def __init__(self, folder: Path) -> None:
        self.staged = folder.parent / f".{folder.name}.staged"
        self.staged_record = folder.parent / f".{folder.name}.staged.json"
        self.previous = folder.parent / f".{folder.name}.previous"

    def record(self, number: int) -> Path:
        """Where the record of a change is kept."""
        return self.previous / f"{number}.json"

    def numbers(self) -> list[int]:
        """The numbers of the changes that can be taken back."""
        return [int(path.stem) for path in self.previous.glob("*.json") if path.stem.isdecimal()]


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
    change = _read_record(beside.staged_record)
    # Without the exchange the folder is as it was before.
    if change is not None and folder.is_dir() and change.after == hashes(folder):
        beside.previous.mkdir(exist_ok=True)
        kept = sorted(beside.numbers())
        if change.is_undo:
            _keep(beside, [number for number in kept if number != change.number])
            with suppress(OSError):  # Other changes are kept in it.
                beside.previous.rmdir()
        else:
            if beside.staged.exists():
                _keep(beside, kept[1 - KEPT_CHANGES :])
                beside.staged.rename(beside.previous / str(change.number))
            beside.staged_record.replace(beside.record(change.number))
            sync(beside.previous)
        sync(folder.parent)
    _give_up(beside)


def _keep(beside: _Beside, numbers: list[int]) -> None:
    """Remove what the collection was before other changes than these; records first, without which nothing is undone."""
    paths = {path for number in numbers for path in (beside.previous / str(number), beside.record(number))}
    for path in sorted(set(beside.previous.iterdir()) - paths, key=Path.is_dir):
        if path.is_dir():
            sync(beside.previous)
            shutil.rmtree(path)
        else:
            path.unlink()


def _give_up(beside: _Beside) -> None:
    """Remove a change that was not made."""
    # The record first: without it nobody takes the staged folder for what the collection was.
    beside.staged_record.unlink(missing_ok=True)
    if beside.staged.exists():
        shutil.rmtree(beside.staged)


def _write_record(path: Path, change: KeptChange) -> None:
    path.write_text(json.dumps(asdict(change), indent=1), encoding="utf-8")
    sync(path)
    sync(path.parent)


def _read_record(path: Path) -> KeptChange | None:
    """A record; None when there is none, or a killed program had not written the whole of it."""
    try:
        return KeptChange(**json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


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


def write_new(path: Path, content: Content) -> None:
    """Write a file without touching what other names of it (links) show."""
    path.unlink(missing_ok=True)
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        content(path)
