"""Seeds that cannot be read or written: every program ends with a message, and the collection stays as it was."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dippouch.errors import UserError
from dippouch.seeds import store
from dippouch.seeds.checks import check_seeds
from support.keeper import Keeper
from support.programs import Done
from support.seed_rows import contents

Break = Callable[[Path], object]
CUP = "1,Ada,LOVELACE,\n2,Emmy,NOETHER,\n"


@pytest.fixture
def keeper(seeds: Path) -> Keeper:
    return Keeper(seeds.parent)


def without_first_column(path: Path) -> None:
    rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("".join(f"{row.partition(',')[2]}\n" for row in rows), encoding="utf-8")


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_utf16(path: Path) -> None:
    path.write_bytes(path.read_text(encoding="utf-8").encode("utf-16"))


# Faults of a seed, with the expected message.
BROKEN: dict[str, tuple[Break, str]] = {
    "empty": (lambda path: path.write_bytes(b""), ":1: found the header nothing; expected "),
    "a column short": (without_first_column, ":1: found the header "),
    "a folder": (as_folder, "Is a directory); expected a CSV file in UTF-8"),
    "no UTF-8": (as_utf16, ": found another encoding; expected UTF-8"),
    "gone": (Path.unlink, ": no such file; expected a seed of the collection"),
}
# The seeds that a program reads.
READ = {"import": ("raw_results", "ref_nations"), "edit": ("raw_tournaments", "ref_player_aliases")}


def attempt(keeper: Keeper, program: str) -> Done:
    if program == "import":
        return keeper.event(CUP)
    return keeper.decides("correct", "wac-6-2009", "players=46", "nation_code=FRA", "--reason", "a list")


@pytest.mark.parametrize("program", READ)
@pytest.mark.parametrize("how", BROKEN)
def test_a_program_says_which_seed_is_broken(keeper: Keeper, program: str, how: str) -> None:
    make, message = BROKEN[how]
    for seed in READ[program]:
        (path,) = keeper.seeds.rglob(f"{seed}.csv")
        good = path.read_bytes()
        make(path)
        before = contents(keeper.seeds)
        done = attempt(keeper, program)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), (seed, done)
        assert f"error: {path}" in done.stderr
        assert message in done.stderr
        assert contents(keeper.seeds) == before
        if path.is_dir():
            path.rmdir()
        path.unlink(missing_ok=True)
        path.write_bytes(good)


@pytest.mark.parametrize("how", BROKEN)
def test_the_check_before_a_build_says_the_same_of_every_seed(keeper: Keeper, how: str) -> None:
    make, message = BROKEN[how]
    paths = sorted(keeper.seeds.rglob("*.csv"))
    for path in paths:
        make(path)
    with pytest.raises(UserError) as error:
        check_seeds(keeper.seeds)
    faults = str(error.value).splitlines()[1:]
    assert len(faults) == len(paths)
    assert all(message in fault for fault in faults), faults


@pytest.mark.parametrize("program", ["import", "edit"])
def test_a_full_temporary_folder_ends_a_program_with_a_message(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(store, "_LOOKUPS", f"{store._LOOKUPS}; pragma max_page_count = 40;")
    many = "".join(f"{i},First{i},LAST{i},\n" for i in range(1, 21))
    keeper.refuses(
        lambda: keeper.event(many) if program == "import" else attempt(keeper, program),
        "could not be written (database or disk is full); nothing was changed. Put TMPDIR=FOLDER before",
    )


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EXDEV], ids=errno.errorcode.get)
def test_seeds_on_a_mount_point_name_the_way_out(keeper: Keeper, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refuse(*_: object) -> int:
        ctypes.set_errno(number)
        return -1

    class Libc:
        renameat2 = renamex_np = staticmethod(refuse)

    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: Libc)
    keeper.refuses(
        lambda: keeper.event(CUP),
        f"{keeper.seeds}: cannot be exchanged with another folder in one step ({os.strerror(number)}); expected the seeds on a"
        f" local disk, below its mount point, such as {keeper.seeds}/seeds. Nothing was changed",
    )
