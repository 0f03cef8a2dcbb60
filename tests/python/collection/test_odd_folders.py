"""A collection in a git repository, with links, or with read-only folders; and output that nobody can take."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import Done, command_of, environment, run_here, run_program

FACTS = ("--name", "Cup", "--date", "2026-05-02", "--players", "7", "--rounds", "1")
# As root, without root's right to write into read-only folders.
UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


def import_cup(seeds: Path, table: Path) -> Done:
    return run_here("import", "--seeds", str(seeds), str(table), *FACTS)


def run_unprivileged(name: str, *words: str | Path, **settings: Path) -> Done:
    command = [*UNPRIVILEGED, *command_of(name), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment(settings))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "cup.csv"
    path.write_text("placement,name\n1,Ann Archer\n2,Ben Baker\n", encoding="utf-8")
    return path


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    command = [shutil.which("git") or "git", "-C", str(folder), *identity, *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_a_collection_that_is_a_repository_keeps_its_history(tmp_path: Path, table: Path) -> None:
    club = tmp_path / "club"
    club.mkdir()
    git(club, "init")
    assert import_cup(club, table).returncode == 0
    git(club, "add", ".")
    git(club, "commit", "-m", "The cup")
    undone = run_here("undo", "--seeds", str(club))
    assert undone.returncode == 0, undone.stderr
    assert git(club, "log", "--format=%s") == "The cup\n"
    assert " D documents/raw_results.csv" in git(club, "status", "--short")
    assert import_cup(club, table).returncode == 0
    assert git(club, "status", "--short") == ""


@pytest.mark.parametrize("make", [lambda path: path.symlink_to("elsewhere.csv"), os.mkfifo], ids=["link", "pipe"])
def test_links_and_pipes_are_refused(seeds: Path, table: Path, make: object) -> None:
    seed = seeds / "documents" / "raw_results.csv"
    seed.rename(seed.with_name("elsewhere.csv"))
    shutil.move(seed.with_name("elsewhere.csv"), seeds.parent)
    assert callable(make)
    make(seed)
    done = import_cup(seeds, table)
    assert done.returncode == 1
    assert f"{seed}: found a link or a special file" in done.stderr


def test_a_linked_publication_is_refused(seeds: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "warehouse"
    warehouse.mkdir()
    (warehouse / "rankings.duckdb").symlink_to(tmp_path / "elsewhere" / "rankings.duckdb")
    done = run_program("refresh", DPTR_SEEDS=seeds, DPTR_WAREHOUSE=warehouse)
    assert done.returncode == 1
    assert "rankings.duckdb: found a link; expected a file" in done.stderr


def test_a_read_only_folder_blocks_a_collection_only_as_long_as_it_is_read_only(seeds: Path, table: Path) -> None:
    (seeds / "documents").chmod(0o555)
    refused = run_unprivileged("import", "--seeds", seeds, table, *FACTS)
    assert (refused.returncode, "nothing was changed" in refused.stderr) == (1, True)
    assert "documents" in refused.stderr
    (seeds / "documents").chmod(0o755)
    done = run_unprivileged("import", "--seeds", seeds, table, *FACTS)
    assert done.returncode == 0, done.stderr


def test_commands_that_read_need_no_lock_and_work_in_a_read_only_folder(
    seeds: Path, table: Path, published: Path, tmp_path: Path
) -> None:
    (tmp_path / "warehouse").mkdir()
    shutil.copy(published, tmp_path / "warehouse")
    before = sorted(tmp_path.rglob("*"))
    tmp_path.chmod(0o555)
    dry = ("import", "--dry-run", table, *FACTS)
    new, history = (*dry, "--seeds", tmp_path / "new" / "seeds"), ("history", "wac-6-2009")
    for words in (new, dry, history, ("duplicates",), ("undo", "--list"), ("verify",), ("ranking",)):
        done = run_unprivileged(*words, DPTR_SEEDS=seeds)
        assert done.returncode == 0, (words, done.stderr)
    tmp_path.chmod(0o755)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_read_only_folder_does_not_block_a_site(tmp_path: Path) -> None:
    making = """
import pathlib, sys
from dippouch.site.staged import staged_site
folder = pathlib.Path(sys.argv[1])
for _ in range(3):
    with staged_site(folder, print) as site:
        site.write("players/ann.html", "Ann")
    (folder / "players").chmod(0o555)
"""
    command = [*UNPRIVILEGED, sys.executable, "-c", making, str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [("sql", "from players"), ("ranking",), ("--help",), ("sql", "--help")])
def test_output_that_cannot_be_written_ends_with_1(words: tuple[str, ...], published: Path) -> None:
    name, *further = words
    if further == ["from players"] or name == "ranking":
        further += ["--database", str(published)]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [*command_of(name), *further], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, "error: No space left on device; nothing was changed\n")
