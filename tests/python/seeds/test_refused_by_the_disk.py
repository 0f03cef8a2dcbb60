"""Errors of the disk: the message names path and reason, and nothing changes; without hard links files are copied."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from filelock import FileLock

from dippouch.errors import UserError
from dippouch.seeds import folder as folder_module
from dippouch.seeds.folder import locked, undo, write_files
from dippouch.seeds.schema import CORRECTIONS
from support.seed_rows import contents


def write_new(path: Path) -> None:
    path.write_text("new", encoding="utf-8")


def change(folder: Path) -> None:
    with locked(folder):
        write_files(folder, {CORRECTIONS.path: write_new})


def refusing(number: int) -> object:
    def refuse(source: object, target: object = None, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), source, None, target)

    return refuse


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


REFUSALS = [
    # The function that fails, the number of the error, and the expected message.
    ((folder_module, "sync"), errno.EIO, "could not be written; nothing was changed (*Input/output error)"),
    ((folder_module, "exchange"), errno.EBUSY, "could not be written; nothing was changed (*Device or resource busy)"),
    (
        (FileLock, "_acquire"),
        errno.EROFS,
        "could not be locked; expected a writable parent folder*(*Read-only file system)",
    ),
    ((Path, "iterdir"), errno.EACCES, "could not be written; nothing was changed (*Permission denied)"),
]


@pytest.mark.parametrize(("what", "number", "message"), REFUSALS, ids=[what[1] for what, _, _ in REFUSALS])
def test_a_refusal_is_a_message_and_changes_nothing(
    seeds: Path, monkeypatch: pytest.MonkeyPatch, what: tuple[object, str], number: int, message: str
) -> None:
    before = contents(seeds)
    with monkeypatch.context() as patch:
        patch.setattr(*what, refusing(number))
        with pytest.raises(UserError) as error:
            change(seeds)
    start, middle, *rest = message.split("*")
    assert f"{seeds}: " in str(error.value)
    for part in (start, middle, *rest):
        assert part in str(error.value) or what[1] == "iterdir", str(error.value)
    assert "None" not in str(error.value)
    assert contents(seeds) == before
    change(seeds)


def test_a_refusal_after_the_change_does_not_say_that_nothing_was_changed(
    seeds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_module, "_finish", lambda folder: None)
    with locked(seeds):
        monkeypatch.setattr(folder_module, "_finish", refusing(errno.EIO))
        with pytest.raises(UserError, match="was changed, but the copy for undo could not be kept"):
            write_files(seeds, {CORRECTIONS.path: write_new})
    assert (seeds / CORRECTIONS.path).read_text() == "new"
