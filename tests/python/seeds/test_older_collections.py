"""A collection from before seeds had a prefix is refused, and the page on importing says how to rename its files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dippouch.errors import UserError
from dippouch.seeds.checks.check import SeedFaultsError, check_seeds
from dippouch.seeds.folder import check_is_collection
from dippouch.seeds.schema import RESULTS
from dippouch.settings import PROJECT
from support.programs import run_program
from support.seed_rows import contents

# Seeds that came later than the prefix.
NEWER = (
    "wdd/raw_source_ids.csv",
    "reference/ref_nation_names.csv",
    "reference/ref_not_people.csv",
    "reference/ref_settings.csv",
)


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """The project's collection under the names of before, one table as Parquet."""
    folder = tmp_path / "seeds"
    shutil.copytree(PROJECT / "seeds", folder)
    for name in NEWER:
        (folder / name).unlink()
    for path in folder.rglob("*.csv"):
        path.rename(path.with_name(re.sub("^(raw|ref)_", "", path.name)))
    (folder / "landing").mkdir()
    (folder / "landing" / "results.parquet").write_bytes(b"rows")
    return folder


PROGRAMS = [["duplicates"], ["history", "wac-6-2009"], ["import", "tests/fixtures/wdd_text"], ["verify"], ["refresh"]]


@pytest.mark.parametrize("program", PROGRAMS, ids=[name for name, *_ in PROGRAMS])
def test_an_older_collection_is_refused_and_left_as_it_is(older: Path, published: Path, program: list[str]) -> None:
    before = contents(older)
    warehouse = published.parent if program == ["verify"] else older.parent / "warehouse"
    done = run_program(*program, DPTR_SEEDS=older, DPTR_WAREHOUSE=warehouse)
    assert done.returncode == 1
    assert "found landing, as seeds were named before" in done.stderr
    assert contents(older) == before


def test_what_an_older_collection_lacks_is_named_and_comes_with_the_next_change(tmp_path: Path) -> None:
    folder = tmp_path / "seeds"
    shutil.copytree(PROJECT / "seeds", folder)
    for name in NEWER:
        (folder / name).unlink()
    with pytest.raises(SeedFaultsError) as error:
        check_seeds(folder)
    assert {fault.partition(": ")[0] for fault in error.value.faults} == {str(folder / name) for name in NEWER}
    because = ("--reason", "a test", "--seeds", folder)
    assert run_program("correct", "wac-6-2009", "players=46", *because).returncode == 0
    check_seeds(folder)


@pytest.mark.parametrize("left", ["wdd/results.csv", "reference/player_aliases.csv", "landing/results.parquet"])
def test_a_collection_that_was_renamed_in_part_is_refused(tmp_path: Path, left: str) -> None:
    folder = tmp_path / "seeds"
    shutil.copytree(PROJECT / "seeds", folder)
    (folder / left).parent.mkdir(exist_ok=True)
    (folder / left).write_bytes(b"rows")
    with pytest.raises(UserError, match="as seeds were named before"):
        check_is_collection(folder)


def test_the_page_says_how_to_rename_the_files(older: Path) -> None:
    page = (PROJECT / "docs" / "import.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"## Collections of an older version\n.*?```sh\n(.*?)```", page, re.DOTALL)
    for _ in range(2):
        subprocess.run(["/bin/sh", "-ec", block], cwd=older, check=True)
        check_is_collection(older)
    assert (older / RESULTS.parquet_path).read_bytes() == b"rows"
    names = {path.relative_to(older).as_posix() for path in older.rglob("*") if path.suffix == ".csv"}
    ours = {path.relative_to(PROJECT / "seeds").as_posix() for path in (PROJECT / "seeds").rglob("*.csv")}
    assert names == ours - set(NEWER)
    assert not (older / "landing").exists()
