"""Writing a collection: the whole folder changes at one instant, or not at all.

An import touches several files. They are written, with links to the files that do not change, into a new folder beside
the old one; when all of it is on the disk, the two folders trade names in one system call. Whoever kills the program,
at any moment, finds the old collection or the new one.
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from dippouch.disk import sync, sync_tree
from dippouch.errors import UserError
from dippouch.seeds.schema import DEFAULT_REFERENCE, HEADER_ONLY_REFERENCE, RAW_TABLES
from dippouch.settings import PROJECT

# What writes a file to a path; None: the file goes.
Content = Callable[[Path], None] | None

# Seeds bore no prefix before, and large tables lay in a folder of their own.
_NAMES_BEFORE = (
    "landing",
    *(
        str(Path(name).with_name(Path(name).name.partition("_")[2]))
        for name in (*(table.path for table in RAW_TABLES), *DEFAULT_REFERENCE, *HEADER_ONLY_REFERENCE)
    ),
)

_AT_FDCWD = -100
_LINUX_RENAME_EXCHANGE = 2
_MACOS_RENAME_SWAP = 2


def is_new(folder: Path) -> bool:
    """Whether a folder is missing or empty, so that an import into it makes a new collection."""
    return not folder.exists() or not any(folder.iterdir())


def check_is_collection(folder: Path) -> None:
    """Check that a folder holds a collection, under the file names of this version.

    Raises:
        UserError: when it does not.
    """
    if older := [name for name in _NAMES_BEFORE if (folder / name).exists()]:
        raise UserError(
            f"{folder}: found {older[0]}, as seeds were named before; expected names such as {DEFAULT_REFERENCE[0]}."
            " docs/import.md says how to rename them"
        )
    if not (folder / "reference").is_dir():
        raise UserError(
            f"{folder}: no collection of seeds here; scripts/import_results.py --seeds makes one in a new or empty folder"
        )


@contextmanager
def locked(folder: Path, *, wait_seconds: float = 0) -> Iterator[None]:
    """Hold a collection for oneself: no other import changes it, and no build reads it half changed.

    Args:
        folder: the collection.
        wait_seconds: how long to wait for whoever holds it.

    Raises:
        UserError: when somebody else still holds it.
    """
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder.parent / f".{folder.name}.lock")
    try:
        lock.acquire(timeout=wait_seconds)
    except Timeout:
        raise UserError(f"{folder}: another program is using this collection; try again when it is done") from None
    try:
        _remove_leftovers(folder)
        yield
    finally:
        lock.release()


def write_files(folder: Path, files: Mapping[str, Content]) -> None:
    """Replace files of a collection, all at once. The caller holds the collection's lock.

    Args:
        folder: the collection; made, with the default reference rows, when it is missing or empty.
        files: the new content by path relative to the folder; every other file stays, as a link to the same bytes.

    Raises:
        UserError: when the disk refuses.
    """
    folder = folder.resolve()
    staged = folder.parent / f".{folder.name}.staged"
    try:
        if is_new(folder):
            _lay_out_new(staged)
        else:
            shutil.copytree(folder, staged, copy_function=os.link)
        for name, content in files.items():
            _write_new(staged / name, content)
        sync_tree(staged)
        if folder.exists():
            _exchange(staged, folder)
        else:
            staged.rename(folder)
        sync(folder.parent)
    except OSError as error:
        raise UserError(f"{folder}: could not be written ({error.strerror}); nothing was changed") from error
    finally:
        _remove_leftovers(folder)


def _lay_out_new(staged: Path) -> None:
    """A new collection without results: the project's rules and nations, and the headers of everything else."""
    (staged / "reference").mkdir(parents=True)
    for name in DEFAULT_REFERENCE:
        shutil.copyfile(PROJECT / "seeds" / name, staged / name)
    for name in HEADER_ONLY_REFERENCE:
        header = (PROJECT / "seeds" / name).read_bytes().splitlines(keepends=True)[0]
        (staged / name).write_bytes(header)


def _write_new(path: Path, content: Content) -> None:
    """Write a file without touching what other names of it (links) show."""
    path.unlink(missing_ok=True)
    if content is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        content(path)


def _exchange(one: Path, other: Path) -> None:
    """Let two folders trade names in one step, which the standard library has no call for."""
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        done = libc.renamex_np(os.fsencode(one), os.fsencode(other), _MACOS_RENAME_SWAP)
    else:
        done = libc.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _LINUX_RENAME_EXCHANGE)
    if done != 0:
        code = ctypes.get_errno()
        if code in (errno.EINVAL, errno.ENOSYS, errno.EXDEV):
            raise UserError(
                f"{other}: this file system cannot exchange two folders in one step; keep the seeds on a local disk"
            )
        raise OSError(code, os.strerror(code), str(other))


def _remove_leftovers(folder: Path) -> None:
    """Remove what an import that was killed left beside the collection."""
    staged = folder.parent / f".{folder.name}.staged"
    if staged.exists():
        shutil.rmtree(staged)
