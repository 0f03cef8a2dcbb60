"""A new collection in a folder of its own, which can move."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

from dippouch.collection.files import read_rows
from dippouch.collection.memory import check_seeds
from dippouch.collection.schema import RATING_SYSTEMS, RESULTS
from support.programs import run_here

CUP = "name: Club Cup\ndate: 2026-05-02\nplayers: 21\nrounds: 3\n\nplacement,name\n1,Ada LOVELACE\n"


def test_it_has_the_rating_system_that_it_asks_for_and_a_moved_one_goes_on(tmp_path: Path) -> None:
    club, moved, cup = tmp_path / "club", tmp_path / "elsewhere" / "moved", tmp_path / "cup.csv"
    cup.write_text(CUP, encoding="utf-8")
    refused = run_here("new", club, "--rating-system", "dptr-falt")
    assert "found the rating system `dptr-falt`; expected one of dptr, dptr-1997" in refused.stderr
    club.mkdir()
    with chdir(club):
        assert run_here("new", ".", "--rating-system", "dptr-flat").stdout.startswith(f"Made {club}. Its README.md")
    assert [row["rating_system_id"] for row in read_rows(club / "seeds" / RATING_SYSTEMS.path)] == ["dptr-flat"]
    assert "found `.github`; expected a new or empty folder" in run_here("new", club).stderr
    assert run_here("undo", "--list", "--seeds", club / "seeds").stdout == "No change to undo.\n"
    assert run_here("import", "--seeds", club / "seeds", cup).returncode == 0

    moved.parent.mkdir()
    club.rename(moved)
    check_seeds(moved / "seeds")
    assert "1 unchanged" in run_here("import", "--seeds", moved / "seeds", cup).stdout
    assert run_here("undo", "--seeds", moved / "seeds").returncode == 0
    assert read_rows(moved / "seeds" / RESULTS.path) == []
