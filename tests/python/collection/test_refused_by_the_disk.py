"""Errors of the disk: the message names path and reason, and nothing changes; without hard links files are copied."""

from __future__ import annotations

import ctypes
import errno
import os
from fnmatch import fnmatch
from pathlib import Path

import pytest
from filelock import FileLock

from dippouch.collection import folder as folder_module
from dippouch.collection.folder import locked, undo, write_files
from dippouch.collection.schema import CORRECTIONS
from dippouch.messages import UserError
from support.seed_rows import contents


def write_new(path: Path) -> None:
    path.write_text("new", encoding="utf-8")


def change(folder: Path) -> None:
    with locked(folder):
        write_files(folder, {CORRECTIONS.path: write_new})


def refusing(number: int) -> object:
    """Return a function of the standard library that the disk refuses."""

    def refuse(source: object, target: object = None, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), source, None, target)

    return refuse


def libc_refusing(number: int) -> object:
    """Return a C library that cannot exchange two names."""

    def refuse(*_: object) -> int:
        ctypes.set_errno(number)
        return -1

    class Libc:
        renameat2 = renamex_np = staticmethod(refuse)

    return lambda *_, **__: Libc


@pytest.mark.parametrize("number", [errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK, errno.EXDEV], ids=errno.errorcode.get)
def test_without_hard_links_files_are_copied(seeds: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    before = contents(seeds)
    monkeypatch.setattr(os, "link", refusing(number))
    change(seeds)
    assert (seeds / CORRECTIONS.path).read_text() == "new"
    assert contents(seeds).keys() == before.keys()
    with locked(seeds):
        undo(seeds)
    assert contents(seeds) == before


# The function that fails, the number of the error, and the pattern of the message.
UNWRITTEN = "could not be written; nothing was changed"
REFUSALS = [
    (folder_module, "sync", refusing(errno.EIO), f"{UNWRITTEN} (*.seeds.staged: Input/output error)"),
    (ctypes, "CDLL", libc_refusing(errno.EIO), f"{UNWRITTEN} (*/seeds: Input/output error)"),
    (ctypes, "CDLL", libc_refusing(errno.EBUSY), "cannot be exchanged * (Device or resource busy); * local disk, *"),
    (ctypes, "CDLL", libc_refusing(errno.EXDEV), "cannot be exchanged *, such as */seeds/seeds. Nothing was changed"),
    (FileLock, "_acquire", refusing(errno.EROFS), "could not be locked; * parent folder (Read-only file system)"),
    (Path, "iterdir", refusing(errno.EACCES), "could not be read (*/seeds: Permission denied)"),
]


@pytest.mark.parametrize(("module", "name", "fails", "message"), REFUSALS)
def test_a_refusal_is_a_message_and_changes_nothing(
    seeds: Path, monkeypatch: pytest.MonkeyPatch, module: object, name: str, fails: object, message: str
) -> None:
    before = contents(seeds)
    with monkeypatch.context() as patch:
        patch.setattr(module, name, fails)
        with pytest.raises(UserError) as error:
            change(seeds)
    assert fnmatch(str(error.value), f"{seeds}: {message}"), str(error.value)
    assert contents(seeds) == before
    change(seeds)


def test_a_refusal_after_the_change_does_not_say_that_nothing_was_changed(
    seeds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with locked(seeds):
        monkeypatch.setattr(folder_module, "_finish", refusing(errno.EIO))
        with pytest.raises(UserError, match="was changed, but the copy for undo could not be kept"):
            write_files(seeds, {CORRECTIONS.path: write_new})
    assert (seeds / CORRECTIONS.path).read_text() == "new"
