"""Seeds that cannot be read or written: every program ends with a message, and the collection stays as it was."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path

import pytest

from dippouch.collection import memory
from dippouch.collection.checks import check_seeds
from dippouch.errors import UserError
from support.programs import run_here
from support.seed_rows import contents

Break = Callable[[Path], object]


def without_first_column(path: Path) -> None:
    rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("".join(f"{row.partition(',')[2]}\n" for row in rows), encoding="utf-8")


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_cp1252(path: Path) -> None:
    path.write_bytes("city\nMontréal\n".encode("cp1252"))


# Faults of a seed, with the expected message.
BROKEN: dict[str, tuple[Break, str]] = {
    "empty": (lambda path: path.write_bytes(b""), ":1: found the header nothing; expected "),
    "a column short": (without_first_column, ":1: found the header "),
    "a folder": (as_folder, "Is a directory); expected a CSV file in UTF-8"),
    "no UTF-8": (as_cp1252, ":2: found another encoding; expected UTF-8"),
    "gone": (Path.unlink, ": no such file; expected a seed of the collection"),
}
# The seeds that a program reads.
READ = {"import": ("raw_results", "ref_nations"), "edit": ("raw_tournaments", "ref_player_aliases")}
FACTS = ("--name", "Club Cup", "--date", "2010-05-01", "--players", "20", "--rounds", "3")


def check_refused(seeds: Path, program: str, *said: str) -> None:
    """Check that a program changes nothing, and that its message of one line contains these words."""
    table = seeds.with_name("standings.csv")
    table.write_text("placement,first_name,last_name\n1,Ada,LOVELACE\n", encoding="utf-8")
    command: tuple[str | Path, ...] = (table, *FACTS)
    if program == "edit":
        command = ("wac-6-2009", "players=46", "nation_code=FRA", "--reason", "a list")
    before = contents(seeds)
    done = run_here("correct" if program == "edit" else program, *command, "--seeds", seeds)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done
    assert all(words in done.stderr for words in said), done
    assert contents(seeds) == before


@pytest.mark.parametrize("how", BROKEN)
def test_programs_and_the_check_before_a_build_say_which_seeds_are_broken(seeds: Path, how: str) -> None:
    make, message = BROKEN[how]
    whole = seeds.rename(seeds.with_name("whole"))
    for program, read in READ.items():
        for seed in read:
            shutil.rmtree(seeds, ignore_errors=True)
            shutil.copytree(whole, seeds)
            (path,) = seeds.rglob(f"{seed}.csv")
            make(path)
            check_refused(seeds, program, f"error: {path}", message)
    paths = sorted(whole.rglob("*.csv"))
    for path in paths:
        make(path)
    with pytest.raises(UserError) as error:
        check_seeds(whole)
    faults = str(error.value).splitlines()[1:]
    assert len(faults) == len(paths)
    assert all(message in fault for fault in faults), faults


@pytest.mark.parametrize("program", READ)
def test_a_full_temporary_folder_ends_a_program_with_a_message(
    seeds: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(memory, "NamedTemporaryFile", full)
    check_refused(
        seeds, program, "could not be written (No space left on device); nothing was changed. Put TMPDIR=FOLDER before"
    )
