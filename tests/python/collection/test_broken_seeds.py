"""Seeds that cannot be read or written: an import ends with a message, and the collection stays as it was."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path

import pytest

from dippouch.collection.memory import check_seeds
from dippouch.collection.schema import SEEDS
from dippouch.messages import UserError
from support.changed_publications import rows
from support.programs import Done, run_here, run_program
from support.seed_rows import contents

Break = Callable[[Path], object]


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_cp1252(path: Path) -> None:
    path.write_bytes("city\nMontréal\n".encode("cp1252"))


# Faults of a seed, with the expected message.
BROKEN: dict[str, tuple[Break, str]] = {
    "empty": (lambda path: path.write_bytes(b""), ":1: found the header nothing; expected "),
    "a folder": (as_folder, "Is a directory); expected a CSV file in UTF-8"),
    "no UTF-8": (as_cp1252, ":2: found another encoding; expected UTF-8"),
    "gone": (Path.unlink, ": no such file; expected a seed of the collection"),
}


def import_cup(seeds: Path) -> Done:
    """Import a tournament with one player."""
    table = seeds.with_name("standings.csv")
    table.write_text("placement,first_name,last_name\n1,Ada,LOVELACE\n", encoding="utf-8")
    facts = ("--name", "Club Cup", "--date", "2010-05-01", "--players", "20", "--rounds", "3")
    return run_here("import", table, *facts, "--seeds", seeds)


def check_refused(seeds: Path, *said: str) -> None:
    """Check that an import changes nothing, and that its message of one line contains these words."""
    before = contents(seeds)
    done = import_cup(seeds)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done
    assert all(words in done.stderr for words in said), done
    assert contents(seeds) == before


def test_a_collection_of_an_earlier_version_lacks_optional_seeds(seeds: Path) -> None:
    for path in (seeds / seed.path for seed in SEEDS.values() if seed.is_optional):
        path.unlink()
    before = contents(seeds)
    for done in (import_cup(seeds), run_program("refresh", DPTR_SEEDS=seeds), run_here("undo", "--seeds", seeds)):
        assert done.returncode == 0, done
    assert contents(seeds) == before
    assert rows(seeds.with_name("warehouse") / "rankings.duckdb", "from marts.series_editions") == []


@pytest.mark.parametrize("how", BROKEN)
def test_an_import_and_the_check_before_a_build_say_which_seeds_are_broken(seeds: Path, how: str) -> None:
    make, message = BROKEN[how]
    paths = sorted(seeds / seed.path for seed in SEEDS.values() if how != "gone" or not seed.is_optional)
    make(paths[0])
    check_refused(seeds, f"error: {paths[0]}", message)
    for path in paths[1:]:
        make(path)
    with pytest.raises(UserError) as error:
        check_seeds(seeds)
    faults = str(error.value).splitlines()[1:]
    assert len(faults) == len(paths)
    assert all(message in fault for fault in faults), faults


def test_an_import_needs_no_space_for_temporary_files(seeds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", full)
    assert import_cup(seeds).returncode == 0
