"""The collection on which `dptr` works, and the folders beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dippouch.settings import PROJECT
from support.programs import run_here

NONE_HERE = f"error: T/empty: found no folder `seeds`; expected a collection (the checkout has one: cd {PROJECT})."
ABOVE = "error: T/club: no collection of seeds here; expected its folder T/club/seeds\n"
CLUB = "error: T/club/warehouse/rankings.duckdb: no such database"
# The current folder, DPTR_SEEDS, a command, and the beginning of its message.
PLACES = [
    ("empty", "", "ranking", NONE_HERE),
    ("empty", "", "import T/one", NONE_HERE),
    ("empty", "", "undo --list", NONE_HERE),
    ("empty", "", "undo --list --seeds T/empty/none/seeds", "error: T/empty/none/seeds: no collection of seeds here"),
    ("empty", "", "undo --seeds T/empty/none/seeds", "error: T/empty/none/seeds: no collection of seeds here"),
    ("club", "", "ranking", CLUB),
    ("club/seeds/documents", "", "ranking", CLUB),
    ("empty", "T/club/seeds", "ranking", CLUB),
    ("club/seeds/documents", "..", "ranking", CLUB),
    ("empty", "", "verify --seeds T/club/seeds", CLUB),
    ("empty", "T/club/seeds", "serve", "error: T/club/site: "),
    ("empty", "T/club", "refresh", ABOVE),
    ("empty", "", "import --seeds T/club T/one", ABOVE),
    ("empty", "T/one", "ranking", "error: T/one: found another collection, T/two; expected a `warehouse` for each. Set "),
    ("club/.seeds.previous/7/documents", "", "ranking", CLUB),
    ("copy", "", "undo", f"error: T/copy: found the command `dptr` of {PROJECT}"),
    ("gone", "", "ranking", "error: T/gone: this folder was deleted; expected one to work in. Enter another: cd FOLDER\n"),
]  # fmt: skip


@pytest.mark.parametrize(("here", "seeds", "command", "said"), PLACES)
def test_a_command_works_on_the_collection_of_its_place_or_says_what_it_expects(
    here: str, seeds: str, command: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for collection in ("club/seeds", "club/.seeds.previous/7", "one", "two"):
        for name in ("documents", "reference"):
            (tmp_path / collection / name).mkdir(parents=True)
        (tmp_path / collection / "reference" / "ref_settings.csv").touch()
    (tmp_path / "copy" / "scripts" / "dippouch").mkdir(parents=True)
    (tmp_path / here).mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path / here)
    if here == "gone":
        (tmp_path / here).rmdir()
    if seeds:
        monkeypatch.setenv("DPTR_SEEDS", seeds.replace("T", str(tmp_path)))
    done = run_here(*(word.replace("T/", f"{tmp_path}/") for word in command.split()))
    assert done.returncode == 1
    assert done.stderr.replace(str(tmp_path), "T").startswith(said), done.stderr
    if here == "empty":
        assert [*Path.cwd().iterdir()] == []
