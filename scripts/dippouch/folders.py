"""Replace a whole folder in one step."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

from dippouch.errors import UserError

_AT_FDCWD = -100
_LINUX_RENAME_EXCHANGE = 2
_MACOS_RENAME_SWAP = 2


def exchange(one: Path, other: Path, *, what: str) -> None:
    """Exchange the names of two folders in one step; the standard library has no call for this.

    Messages name the content of the folders as `what`, such as `the seeds`.

    Raises:
        UserError: when the file system cannot exchange the names; nothing was changed.
        OSError: when the disk refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        done = libc.renamex_np(os.fsencode(one), os.fsencode(other), _MACOS_RENAME_SWAP)
    else:
        done = libc.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _LINUX_RENAME_EXCHANGE)
    if done != 0:
        code = ctypes.get_errno()
        if code in (errno.EBUSY, errno.EXDEV):
            raise UserError(
                f"{other}: found a mount point, which cannot exchange names with another folder; expected {what} in a folder"
                f" below it, such as {other / other.name}. Nothing was changed"
            )
        if code in (errno.EINVAL, errno.ENOSYS):
            raise UserError(
                f"{other}: this file system cannot exchange two folders in one step; keep {what} on a local disk"
            )
        raise OSError(code, os.strerror(code), str(other))
