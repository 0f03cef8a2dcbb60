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
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from dippouch.collection.seeds import DEFAULT_REFERENCE, HEADER_ONLY_REFERENCE, is_new
from dippouch.errors import KeeperError
from dippouch.settings import PROJECT

# New bytes of a file, or who writes them to a path; None: the file goes.
Content = bytes | Callable[[Path], None] | None

_AT_FDCWD = -100
_LINUX_RENAME_EXCHANGE = 2
_MACOS_RENAME_SWAP = 2


@contextmanager
def locked(folder: Path, *, wait_seconds: float = 0) -> Iterator[None]:
    """Hold a collection for oneself: no other import changes it, and no build reads it half changed.

    Args:
        folder: the collection.
        wait_seconds: how long to wait for whoever holds it.

    Raises:
        KeeperError: when somebody else still holds it.
    """
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder.parent / f".{folder.name}.lock")
    try:
        lock.acquire(timeout=wait_seconds)
    except Timeout:
        raise KeeperError(f"{folder}: another program is using this collection; try again when it is done") from None
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
        KeeperError: when the disk refuses.
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
        _sync_tree(staged)
        if folder.exists():
            _exchange(staged, folder)
        else:
            staged.rename(folder)
        _sync(folder.parent)
    except OSError as error:
        raise KeeperError(f"{folder}: could not be written ({error.strerror}); nothing was changed") from error
    finally:
        _remove_leftovers(folder)


def _lay_out_new(staged: Path) -> None:
    """A new collection without results: the project's rules and nations, and the headers of everything else."""
    reference = PROJECT / "seeds" / "reference"
    (staged / "reference").mkdir(parents=True)
    for name in DEFAULT_REFERENCE:
        shutil.copyfile(reference / name, staged / "reference" / name)
    for name in HEADER_ONLY_REFERENCE:
        header = (reference / name).read_bytes().splitlines(keepends=True)[0]
        (staged / "reference" / name).write_bytes(header)


def _write_new(path: Path, content: Content) -> None:
    """Write a file without touching what other names of it (links) show."""
    path.unlink(missing_ok=True)
    if content is None:
        with suppress(OSError):
            path.parent.rmdir()  # Only when nothing is left in it.
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        content(path)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_tree(folder: Path) -> None:
    for parent, _, names in os.walk(folder):
        for name in names:
            _sync(Path(parent, name))
        _sync(Path(parent))


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
            raise KeeperError(
                f"{other}: this file system cannot exchange two folders in one step; keep the seeds on a local disk"
            )
        raise OSError(code, os.strerror(code), str(other))


def _remove_leftovers(folder: Path) -> None:
    """Remove what an import that was killed left beside the collection."""
    staged = folder.parent / f".{folder.name}.staged"
    if staged.exists():
        shutil.rmtree(staged)
