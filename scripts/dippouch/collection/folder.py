"""Write a collection: the whole folder changes at one instant, or not at all.

A change is written into a new folder beside the collection, with links to the unchanged files. Once it is on the disk, the two
folders exchange names in one system call. The states before the last changes stay, so that `undo` can exchange them back:

    .seeds.staged             the folder under construction; after the exchange, the collection before the change
    .seeds.previous/7.json    the record of the seventh change, complete before the exchange
    .seeds.previous/7         the collection before that change; after its undo, the collection with it

A git repository in the collection, `.git`, is in none of these states: it moves into the folder that takes the collection's name.
After a kill, the next program completes the last change or undo, or removes it (`_finish`): the hashes in the record show whether the
exchange has happened.
"""

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from dippouch.collection.files import Content, read_rows, write_csv
from dippouch.collection.schema import DEFAULT_REFERENCE, RATING_SYSTEMS, RAW_TABLES, SEEDS
from dippouch.disk import exchange, explained, hashes, link_or_copy, refuse_links, remove_folder, sync
from dippouch.messages import UserError, durable_changes
from dippouch.settings import PROJECT, project_variable

# Number of changes that can be undone.
KEPT_CHANGES = 20
_REPOSITORY = ".git"
# Endings of the files that dbt reads in a folder of seeds; a YAML file there can run SQL.
_READ_BY_DBT = {".csv", ".yml", ".yaml"}


@dataclass(frozen=True)
class KeptChange:
    """A change that can be undone.

    Attributes:
        made_at: its time, as ISO 8601 with the time zone.
        after: the hash of every file after the change, by path relative to the collection; `before` has those before it.
    """

    number: int
    command: str
    made_at: str
    after: dict[str, str]
    before: dict[str, str]

    def files(self) -> list[str]:
        """Return the files that it changed."""
        return _differing(self.before, self.after)


def is_new(folder: Path) -> bool:
    """Return whether a folder is missing, empty or only a git repository, so that an import creates a collection there.

    Raises:
        UserError: when it cannot be read.
    """
    with explained(f"{folder}: could not be read"):
        return not folder.exists() or all(path.name == _REPOSITORY for path in folder.iterdir())


def check_is_collection(folder: Path) -> None:
    """Check that a folder holds a collection.

    Raises:
        UserError: when it does not, or cannot be read.
    """
    with explained(f"{folder}: could not be read"):
        foreign = sorted(_foreign_files(folder)) if (folder / "reference").is_dir() else None
    if foreign is None:
        if (folder / "seeds" / "reference").is_dir():
            raise UserError(f"{folder}: no collection of seeds here; expected its folder {folder / 'seeds'}")
        raise UserError(f"{folder}: no collection of seeds here; `dptr new` makes one in a folder of its own")
    if (folder / "wdd").is_dir():
        raise UserError(
            f"{folder / 'wdd'}: found the seeds of an older version; expected statements in {folder / 'documents'}. Make a new"
            " collection with `dptr new FOLDER`, and import the documents again"
        )
    if foreign:
        raise UserError(
            f"{folder / foreign[0]}: found a file that is not a seed ({len(foreign)} in all); expected only the seeds of a collection (CSV and"
            " Parquet), because dbt would run code in other files. Move it to another folder; delete ref_fitted_rules.csv of version 1"
        )
    refuse_links(folder)


def _foreign_files(folder: Path) -> Iterator[str]:
    """Yield the files below a collection, relative to it, that are no seeds.

    Hidden files and README files may stay, unless dbt reads files with their ending.
    """
    known = {*(seed.path for seed in SEEDS.values()), *(table.parquet_path for table in RAW_TABLES)}
    for place, _, files in os.walk(folder):
        below = Path(place).relative_to(folder)
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
            acquired = lock.acquire(timeout=wait_seconds)
        except Timeout:
            raise UserError(f"{folder}: another program is using this collection; try again when it is done") from None
    with acquired:
        with explained(f"{folder}: the leftovers of a stopped program could not be removed"):
            _finish(folder)
        yield


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
    staged, previous = _beside(folder)
    try:
        with explained(f"{folder}: could not be written; nothing was changed"):
            lay_out(folder, staged, files)
            for path in (staged, *staged.rglob("*")):
                sync(path)
            number = max((change.number for change in kept_changes(folder)), default=0) + 1
            made_at = datetime.now().astimezone().isoformat(timespec="seconds")
            previous.mkdir(exist_ok=True)
            command = shlex.join(["dptr", *sys.argv[1:]])
            change = KeptChange(number, command, made_at, hashes(staged), hashes(folder))
            record = previous / f"{number}.json"
            record.write_text(json.dumps(asdict(change), indent=1), encoding="utf-8")
            for path in (record, previous, previous.parent):
                sync(path)
            folder.mkdir(exist_ok=True)
            exchange(staged, folder, what="the seeds")
            durable_changes.append(f"{folder} was changed")
    except BaseException:
        with suppress(OSError, UserError):  # The next program removes the leftovers.
            _finish(folder)
        raise
    with explained(f"{folder}: was changed, but the copy for undo could not be kept"):
        _finish(folder)


def kept_changes(folder: Path) -> list[KeptChange]:
    """Return the changes of a collection that can be undone, the last one first.

    Raises:
        UserError: when they cannot be read.
    """
    changes = []
    with explained(f"{folder}: could not be read"):
        for path in _beside(folder.resolve())[1].glob("*.json"):
            # A record is incomplete if its program was killed.
            with suppress(ValueError, TypeError, AttributeError):
                record = json.loads(path.read_text(encoding="utf-8"))
                record.pop("is_undo", None)  # Version 1 wrote it.
                changes.append(KeptChange(**record))
    return sorted(changes, key=lambda change: change.number, reverse=True)


def undo(folder: Path) -> KeptChange:
    """Undo the last change of a collection as a whole; the one before becomes the last. The caller holds its lock.

    Undoing the first change leaves an empty folder, in which an import creates a new collection.

    Raises:
        UserError: when there is nothing to undo, files were edited since, or the disk refuses.
    """
    folder = folder.resolve()
    if not (changes := kept_changes(folder)):
        raise UserError(
            f"{folder}: found no change to undo; expected one of the last {KEPT_CHANGES}. docs/import.md says how git brings back"
            " an older state"
        )
    change = changes[0]
    kept = _beside(folder)[1] / str(change.number)
    with explained(f"{folder}: could not be read"):
        # Untouched files are links to one file in all folders: an edit in place also changes the copies.
        edited = _differing(change.after, hashes(folder)) or _differing(change.before, hashes(kept))
    if edited:
        raise UserError(
            f"{folder}: found files that were edited after `{change.command}`: {', '.join(edited)}; expected no edits, because undo"
            " would lose them. Put the files back, or let git restore an older state (docs/import.md)"
        )
    with explained(f"{folder}: could not be written; nothing was changed"):
        exchange(kept, folder, what="the seeds")
        durable_changes.append(f"the last change of {folder} was taken back")
    with explained(f"{folder}: the last change was taken back, but its leftovers could not be removed"):
        _finish(folder)
    return change


def first_seeds(rating_system: str) -> dict[str, Content]:
    """Return the seeds of a new collection: the project's kinds and nations with one of its rating systems, and no results.

    A rating system that continues a published ranking brings all of the project's rows: the ranking, its people, their results.

    Raises:
        UserError: when the project has no such rating system.
    """
    systems = {row["rating_system_id"]: row for row in read_rows(PROJECT / "seeds" / RATING_SYSTEMS.path)}
    if rating_system not in systems:
        raise UserError(f"found the rating system `{rating_system}`; expected one of {', '.join(systems)}")
    kept = SEEDS.values() if systems[rating_system]["opening_ranking"] else DEFAULT_REFERENCE
    rows = {seed: read_rows(PROJECT / "seeds" / seed.path) for seed in kept}
    rows[RATING_SYSTEMS] = [systems[rating_system]]
    return {seed.path: partial(write_csv, seed, rows.get(seed, ())) for seed in SEEDS.values()}


def lay_out(folder: Path, staged: Path, files: Mapping[str, Content]) -> None:
    """Write a collection with other files into a new folder, with links to the unchanged ones; a new one begins with `first_seeds`.

    Raises:
        OSError: when the disk refuses.
    """
    if is_new(folder):
        files = first_seeds(project_variable("default_settings")["rating_system"]) | dict(files)
    else:
        ignore = shutil.ignore_patterns(_REPOSITORY)
        shutil.copytree(folder, staged, ignore=ignore, copy_function=link_or_copy)
    for path, content in ((staged / name, content) for name, content in files.items()):
        # Never write through a link.
        path.unlink(missing_ok=True)
        if content is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            content(path)


def _beside(folder: Path) -> tuple[Path, Path]:
    """Return the paths beside a collection: of the staged folder, and of the states before the last changes."""
    return folder.parent / f".{folder.name}.staged", folder.parent / f".{folder.name}.previous"


def _finish(folder: Path) -> None:
    """Complete the last change or undo if its exchange has happened, and remove whatever else a program left.

    After each step, a repeated call can continue.
    """
    staged, previous = _beside(folder)
    # The git repository moves from other states to the current one.
    for repository in filter(Path.exists, (state / _REPOSITORY for state in (staged, *previous.glob("*")))):
        repository.rename(folder / _REPOSITORY)
    if previous.exists():
        sync(folder.parent)
        changes = kept_changes(folder)[:KEPT_CHANGES]
        if changes:
            with explained(f"{folder}: could not be read"):
                last, now = changes[0], hashes(folder)
            kept = previous / str(last.number)
            if last.after == now and staged.exists() and not kept.exists():
                staged.rename(kept)
            sync(previous)
            is_undone = last.before == now and hashes(kept) == last.after
            if is_undone or not kept.exists():
                changes.remove(last)
        names = {name for change in changes for name in (str(change.number), f"{change.number}.json")}
        # Records first: without its record, a state cannot be undone.
        for path in sorted((path for path in previous.iterdir() if path.name not in names), key=Path.is_dir):
            if path.is_dir():
                sync(previous)
                remove_folder(path)
            else:
                path.unlink()
        if not changes:
            previous.rmdir()
    if staged.exists():
        remove_folder(staged)


def _differing(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
