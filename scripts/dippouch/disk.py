"""Flush files to the disk, exchange folders, and describe the disk's errors."""

import ctypes
import errno
import hashlib
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from dippouch.messages import UserError, visible_line

_AT_FDCWD = -100
# RENAME_EXCHANGE of Linux, RENAME_SWAP of macOS.
_EXCHANGE = 2


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def exchange(one: Path, other: Path, *, what: str) -> None:
    """Exchange the names of two folders in one step; messages name their content as `what`, such as `the seeds`.

    Raises:
        UserError: when the file system cannot exchange the names; nothing was changed.
        OSError: when the disk refuses.
    """
    # The standard library has no call for this.
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        done = libc.renamex_np(os.fsencode(one), os.fsencode(other), _EXCHANGE)
    else:
        done = libc.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE)
    if done != 0:
        code = ctypes.get_errno()
        if code in (errno.EBUSY, errno.EXDEV, errno.EINVAL, errno.ENOSYS):
            raise UserError(
                f"{other}: cannot be exchanged with another folder in one step ({os.strerror(code)}); expected {what} on a local"
                f" disk, below its mount point, such as {other / other.name}. Nothing was changed"
            )
        raise OSError(code, os.strerror(code), str(other))


def link_or_copy(source: str | Path, target: str | Path) -> None:
    """Give a file or a link a second name; copy it if the file system has no hard links.

    Raises:
        OSError: when both fail.
    """
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def remove_folder(folder: Path) -> None:
    """Remove a folder with everything in it, also with read-only folders in it; links are not followed.

    Raises:
        OSError: when the disk refuses.
    """
    folder.chmod(stat.S_IRWXU)
    for place, folders, _ in os.walk(folder):
        for path in (Path(place, name) for name in folders):
            if not path.is_symlink():
                path.chmod(stat.S_IRWXU)
    shutil.rmtree(folder)


def refuse_links(folder: Path) -> None:
    """Check that a folder has no links, pipes and other special files, except in a git repository; links are not followed.

    Raises:
        UserError: when there is one.
    """
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for path in map(Path(place).joinpath, sorted([*folders, *files])):
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                raise UserError(
                    f"{visible_line(str(path))}: found a link or a special file; expected a file, because a change"
                    " would miss or overwrite the target of a link. Move the target here; the whole folder may be a link"
                )


def hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file in a folder, by relative path, without hidden ones such as `.git` and copies of editors.

    Raises:
        OSError: when a file cannot be read.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not re.search(r"(^|/)\.|~$", name):
            with path.open("rb") as file:
                found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def fingerprint(files: Mapping[str, str]) -> str:
    """Return one SHA-256 over the names and hashes of files, in any order."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(files.items()))
    return hashlib.sha256(lines.encode(errors="surrogateescape")).hexdigest()


@contextmanager
def explained(refused: str) -> Iterator[None]:
    """Turn an error of the disk into a message: the failed action, the path and the reason.

    Raises:
        UserError: the message.
    """
    try:
        yield
    except OSError as error:
        raise UserError(f"{refused} ({refusal(error)})") from error


def refusal(error: OSError) -> str:
    """Describe what the disk refused, for a message: the path, if known, and the reason."""
    if isinstance(error, shutil.Error) and isinstance(error.args[0], list):
        # copytree continues after a file that it cannot copy, and raises a list of (source, target, reason).
        return str(error.args[0][0][2])
    reason = error.strerror or str(error) or type(error).__name__
    path = error.filename2 or error.filename
    return f"{os.fsdecode(path)}: {reason}" if isinstance(path, str | bytes | os.PathLike) else reason
