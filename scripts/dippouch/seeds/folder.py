"""Write a collection: the whole folder changes at one instant, or not at all.

A change is written into a new folder beside the collection, with links to the unchanged files. Once it is on the disk, the two
folders exchange names in one system call. The states before the last changes stay, so that `undo` can take them back:

    .seeds.staged             the folder under construction; after the exchange, the collection before the change
    .seeds.staged.json        the record of the change, complete before the exchange
    .seeds.previous/7         the collection before its seventh change
    .seeds.previous/7.json    the record of that change; without it the change cannot be undone

Undoing a change exchanges its folder with the collection, and has a staged record, too. After a kill, the next program completes the
change (`_finish`): the record shows whether the exchange has happened.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from dippouch.disk import exchange, explained, hashes, link_or_copy, sync, sync_tree
from dippouch.errors import UserError, running_command, say_changed
from dippouch.seeds.files import write_csv
from dippouch.seeds.schema import DEFAULT_REFERENCE, SEEDS
from dippouch.settings import PROJECT

# A function that writes a file to a path; None deletes the file.
Content = Callable[[Path], None] | None

# Number of changes that can be undone.
KEPT_CHANGES = 20
# Endings of the files that dbt reads in a folder of seeds; a YAML file there can run SQL.
_READ_BY_DBT = {".csv", ".yml", ".yaml"}
# Number of files that a message names.
_NAMED_FILES = 5


@dataclass(frozen=True)
class KeptChange:
    """A change that can be undone.

    Attributes:
        made_at: its time, as ISO 8601 with the time zone.
        after: the hash of every file after the change, by path relative to the collection; `before` has those before it.
        is_undo: whether the staged change undoes this one.
    """

    number: int
    command: str
    made_at: str
    after: dict[str, str]
    before: dict[str, str]
    is_undo: bool = False

    def files(self) -> list[str]:
        """Return the files that it changed."""
        return _differing(self.before, self.after)


def is_new(folder: Path) -> bool:
    """Return whether a folder is missing or empty, so that an import creates a collection there.

    Raises:
        UserError: when it cannot be read.
    """
    with explained(f"{folder}: could not be read"):
        return not folder.exists() or not any(folder.iterdir())


def check_is_collection(folder: Path) -> None:
    """Check that a folder holds a collection.

    Raises:
        UserError: when it does not, or cannot be read.
    """
    with explained(f"{folder}: could not be read"):
        foreign = sorted(_foreign_files(folder)) if (folder / "reference").is_dir() else None
    if foreign is None:
        raise UserError(
            f"{folder}: no collection of seeds here; `dptr import --seeds` makes one in a new or empty folder"
        )
    if foreign:
        raise UserError(
            f"{_listed([str(folder / name) for name in foreign])}: found a file that is not a seed; expected only the seeds of a collection (CSV"
            " and Parquet), because dbt would run code in other files. Move it to another folder; delete"
            " ref_fitted_rules.csv of version 1"
        )


def _foreign_files(folder: Path) -> Iterator[str]:
    """Yield the paths below a collection, relative to it, that are no seeds: files, and links to folders.

    Hidden files and README files may stay, unless dbt reads files with their ending.
    """
    known = {path for seed in SEEDS.values() for path in (seed.path, seed.parquet_path)}
    folders_of_seeds = {str(Path(path).parent) for path in known} | known
    # dbt follows links to folders, too.
    for place, folders, files in os.walk(folder, followlinks=True):
        below = Path(place).relative_to(folder)
        for linked in [name for name in folders if Path(place, name).is_symlink()]:
            if str(below / linked) not in folders_of_seeds:
                folders.remove(linked)
                yield str(below / linked)
        for path in (below / name for name in files):
            is_seed = str(path) in known or (str(below) in known and path.suffix == ".parquet")
            is_harmless = path.name.startswith("README") or any(part.startswith(".") for part in path.parts)
            if not is_seed and (not is_harmless or path.suffix.lower() in _READ_BY_DBT):
                yield str(path)


@contextmanager
def locked(folder: Path, *, wait_seconds: float = 0) -> Iterator[None]:
    """Lock a collection: no other import changes it, and no build reads it half changed.

    Args:
        folder: the collection.
        wait_seconds: timeout of the wait for the lock.

    Raises:
        UserError: when another program still holds the lock, or the disk refuses.
    """
    folder = folder.resolve()
    if re.search(r"/\.[^/]+\.(previous/[0-9]+|staged)$", folder.as_posix()):
        raise UserError(
            f"{folder}: found a copy from before a change; expected the collection itself. If this shell is in the"
            " folder of a collection, enter it again: cd ."
        )
    with explained(f"{folder}: could not be locked; expected a writable parent folder"):
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder.parent / f".{folder.name}.lock")
        try:
            lock.acquire(timeout=wait_seconds)
        except Timeout:
            raise UserError(f"{folder}: another program is using this collection; try again when it is done") from None
    try:
        with explained(f"{folder}: the leftovers of a stopped program could not be removed"):
            _finish(folder)
        yield
    finally:
        lock.release()


def write_files(folder: Path, files: Mapping[str, Content]) -> None:
    """Replace files of a collection, all at once. The caller holds the collection's lock.

    The state before the change stays beside it, for `undo`.

    Args:
        folder: the collection; created with the default reference rows if missing or empty.
        files: the new content by path relative to the folder; all other files stay, as links to the same bytes.

    Raises:
        UserError: when the disk refuses.
    """
    folder = folder.resolve()
    staged, record, _ = _beside(folder)
    try:
        with explained(f"{folder}: could not be written; nothing was changed"):
            if is_new(folder):
                _lay_out_new(staged)
            else:
                shutil.copytree(folder, staged, copy_function=link_or_copy)
            for name, content in files.items():
                write_new(staged / name, content)
            sync_tree(staged)
            number = max(_numbers(folder), default=0) + 1
            made_at = datetime.now().astimezone().isoformat(timespec="seconds")
            change = KeptChange(number, running_command(), made_at, hashes(staged), hashes(folder))
            _write_record(record, change)
            folder.mkdir(exist_ok=True)
            exchange(staged, folder, what="the seeds")
            say_changed(f"{folder} was changed")
    except BaseException:
        with suppress(OSError):  # The next program removes it.
            _give_up(folder)
        raise
    with explained(f"{folder}: was changed, but the copy for undo could not be kept"):
        sync(folder.parent)
        _finish(folder)


def kept_changes(folder: Path) -> list[KeptChange]:
    """Return the changes of a collection that can be undone, the last one first.

    Raises:
        UserError: when they cannot be read.
    """
    folder = folder.resolve()
    previous = _beside(folder)[2]
    with explained(f"{folder}: could not be read"):
        records = (_read_record(previous / f"{number}.json") for number in sorted(_numbers(folder), reverse=True))
        return [change for change in records if change]


def undo(folder: Path) -> KeptChange:
    """Undo the last change of a collection as a whole; the one before becomes the last. The caller holds its lock.

    Undoing the first change leaves an empty folder, in which an import creates a new collection.

    Raises:
        UserError: when there is nothing to undo, files were edited since, or the disk refuses.
    """
    folder = folder.resolve()
    _, record, previous = _beside(folder)
    if not (changes := kept_changes(folder)):
        raise UserError(
            f"{folder}: found no change to undo; expected one of the last {KEPT_CHANGES}. docs/import.md says how git brings back"
            " an older state"
        )
    change = changes[0]
    with explained(f"{folder}: could not be read"):
        now, before = hashes(folder), hashes(previous / str(change.number))
    # Untouched files are links to one file in all folders: an edit in place also changes the copies.
    if edited := _differing(change.after, now) or _differing(change.before, before):
        raise UserError(
            f"{folder}: found files that were edited after `{change.command}`: {_listed(edited)}; expected no edits, because undo would"
            " lose them. Put the files back, or let git restore an older state (docs/import.md)"
        )
    with explained(f"{folder}: could not be written; nothing was changed"):
        _write_record(record, replace(change, after=before, before=now, is_undo=True))
        exchange(previous / str(change.number), folder, what="the seeds")
        say_changed(f"the last change of {folder} was taken back")
    with explained(f"{folder}: the last change was taken back, but its leftovers could not be removed"):
        sync(folder.parent)
        _finish(folder)
    return change


def write_new(path: Path, content: Content) -> None:
    """Write a file without changing other links to it."""
    path.unlink(missing_ok=True)
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        content(path)


def _beside(folder: Path) -> tuple[Path, Path, Path]:
    """Return the paths beside a collection: of the staged folder, its record, and the states before the last changes."""
    staged = folder.parent / f".{folder.name}.staged"
    return staged, Path(f"{staged}.json"), folder.parent / f".{folder.name}.previous"


def _numbers(folder: Path) -> list[int]:
    """Return the numbers of the changes that can be undone."""
    return [int(path.stem) for path in _beside(folder)[2].glob("*.json") if path.stem.isdecimal()]


def _finish(folder: Path) -> None:
    """Keep the state from before the last change, if that was made, and remove the rest of a killed change.

    After each step, a repeated call can continue.
    """
    staged, record, previous = _beside(folder)
    change = _read_record(record)
    # Without the exchange the folder is as it was before.
    if change is not None and folder.is_dir() and change.after == hashes(folder):
        previous.mkdir(exist_ok=True)
        kept = sorted(_numbers(folder))
        if change.is_undo:
            _keep(previous, [number for number in kept if number != change.number])
            with suppress(OSError):  # The folder still holds other changes.
                previous.rmdir()
        else:
            if staged.exists():
                _keep(previous, kept[1 - KEPT_CHANGES :])
                staged.rename(previous / str(change.number))
            record.replace(previous / f"{change.number}.json")
            sync(previous)
        sync(folder.parent)
    _give_up(folder)


def _keep(previous: Path, numbers: list[int]) -> None:
    """Remove all states except those before these changes; remove records first, without which no change can be undone."""
    names = {name for number in numbers for name in (str(number), f"{number}.json")}
    for path in sorted((path for path in previous.iterdir() if path.name not in names), key=Path.is_dir):
        if path.is_dir():
            sync(previous)
            shutil.rmtree(path)
        else:
            path.unlink()


def _give_up(folder: Path) -> None:
    """Remove a change that was not made."""
    staged, record, _ = _beside(folder)
    # The record first: without it, the staged folder cannot be mistaken for the earlier collection.
    record.unlink(missing_ok=True)
    if staged.exists():
        shutil.rmtree(staged)


def _write_record(path: Path, change: KeptChange) -> None:
    path.write_text(json.dumps(asdict(change), indent=1), encoding="utf-8")
    sync(path)
    sync(path.parent)


def _read_record(path: Path) -> KeptChange | None:
    """Read a record; None if it is missing, or incomplete because its program was killed."""
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
    """Make a new collection without results: the project's rules and nations, and the headers of all other seeds."""
    for seed in SEEDS.values():
        path = staged / seed.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if seed.path in DEFAULT_REFERENCE:
            shutil.copyfile(PROJECT / "seeds" / seed.path, path)
        else:
            write_csv(seed, (), path)
