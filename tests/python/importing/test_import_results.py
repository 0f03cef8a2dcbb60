"""`dptr import` as a rating keeper runs it; tests/fixtures/collections has the reports."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import IMPORTED_TABLES, RESULTS
from dippouch.settings import PROJECT
from support.programs import run_program
from support.seed_rows import contents

PAGES = PROJECT / "tests" / "fixtures" / "wdd_text"


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A new collection with one small tournament."""
    folder = tmp_path / "seeds"
    page = PAGES / "ier-dimanche-ludik-de-champs-2006.txt"
    assert run_program("import", "--seeds", folder, page).returncode == 0
    return folder


def test_the_projects_own_seeds_are_what_the_pages_state(tmp_path: Path) -> None:
    done = run_program("import", "--seeds", tmp_path / "seeds", PAGES)
    assert (done.returncode, done.stderr) == (0, "suspicious name: Ry4an BRASE (digits, brackets or signs in it)\n")
    assert "5 new, 0 unchanged, 0 changed, 0 rejected" in done.stdout
    for table in IMPORTED_TABLES:
        if table.path.startswith("wdd/"):
            made = (tmp_path / "seeds" / table.path).read_bytes()
            assert made == (PROJECT / "seeds" / table.path).read_bytes(), table.path


def test_a_dry_run_says_what_follows(seeds: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "cup.csv"
    facts = "name: Club Cup\ndate: 2006-05-02\nplayers: 7\nrounds: 1\nkind: CUP\n\n"
    rows = "1;Philippe DUMAY;FRA\n2;Ann LEE;\n3;Arnaud BOIREL;FRA\n"
    sheet.write_text(f"{facts}Platz;Name;Land\n{rows}", encoding="utf-16")
    done = run_program("import", "--dry-run", "--seeds", seeds, sheet)
    assert "CUP, value 3.00 (one round)" in done.stdout
    assert "csv in UTF-16; `Platz` as placement, `Name` as name, `Land` as nation_code" in done.stdout
    assert "2 known people, 1 new" in done.stdout
    assert re.search(r"philippe-dumay +3 -> 1 +44\.7505 -> 46\.1937\narnaud-boirel +1 -> 2 +45\.4758", done.stdout)


def test_a_rejected_file_does_not_stop_the_others_unless_strict(seeds: Path, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "broken.html").write_text("<html><body>502 Bad Gateway</body></html>", encoding="utf-8")
    shutil.copy(PAGES / "wac-6-2009.txt", folder)
    before = contents(seeds)
    strict = run_program("import", "--strict", "--seeds", seeds, folder)
    assert strict.returncode == 1
    assert "Nothing was written" in strict.stdout
    assert contents(seeds) == before

    done = run_program("import", "--seeds", seeds, folder)
    assert done.returncode == 1
    assert "1 new, 0 unchanged, 0 changed, 1 rejected" in done.stdout
    assert re.search("rejected: .*broken.html: found ", done.stderr)
    assert len({row["tournament_id"] for row in read_rows(seeds / RESULTS.path)}) == 2
