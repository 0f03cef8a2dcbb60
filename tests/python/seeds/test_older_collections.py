"""A collection from before seeds had a prefix is refused, and the page on importing says how to rename its files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from dippouch.seeds.schema import RESULTS
from dippouch.settings import PROJECT
from support.programs import run_program
from support.seed_rows import contents


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """The project's collection under the names of before, one table as Parquet."""
    folder = tmp_path / "seeds"
    shutil.copytree(PROJECT / "seeds", folder)
    for path in folder.rglob("*.csv"):
        path.rename(path.with_name(re.sub("^(raw|ref)_", "", path.name)))
    (folder / "landing").mkdir()
    (folder / "landing" / "results.parquet").write_bytes(b"rows")
    return folder


@pytest.mark.parametrize(
    "program", [["review_players.py"], ["import_results.py", "tests/fixtures/wdd_text"], ["refresh_rankings.py"]]
)
def test_an_older_collection_is_refused_and_left_as_it_is(older: Path, program: list[str]) -> None:
    before = contents(older)
    done = run_program(*program, DPTR_SEEDS=older, DPTR_WAREHOUSE=older.parent / "warehouse")
    assert done.returncode == 1
    assert "found reference/rating_systems.csv, as seeds were named before" in done.stderr
    assert contents(older) == before


def test_the_page_says_how_to_rename_the_files(older: Path) -> None:
    page = (PROJECT / "docs" / "import.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"## Collections of an older version\n.*?```sh\n(.*?)```", page, re.DOTALL)
    subprocess.run(["/bin/sh", "-ec", block], cwd=older, check=True)
    assert (older / RESULTS.parquet_path).read_bytes() == b"rows"
    names = {path.relative_to(older) for path in older.rglob("*") if path.suffix == ".csv"}
    assert names == {path.relative_to(PROJECT / "seeds") for path in (PROJECT / "seeds").rglob("*.csv")}
    assert not (older / "landing").exists()
