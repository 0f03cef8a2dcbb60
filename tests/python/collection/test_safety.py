"""A collection is data, whatever files a stranger adds to it; and a copied environment is made again."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

import verify_ratings
from dippouch.collection.files import iterate_rows, parquet_files, read_rows, write_csv
from dippouch.collection.folder import check_is_collection
from dippouch.collection.memory import Collection, check_seeds
from dippouch.collection.schema import RESULTS, SEEDS
from dippouch.messages import UserError
from dippouch.publishing.build import run_dbt_build
from dippouch.settings import PROJECT
from support.programs import run_dbt, run_program

# A seed whose hook writes a file; dbt reads hidden files, too.
HOOK = """\
seeds:
  - name: stray
    config:
      post_hook: "copy (select 1) to '{out}'"
"""
# Ends with the first file that is no seed.
FOREIGN = ["stray.yml", ".stray.YAML", ".git/stray.yml", "documents/stray.csv", "documents/notes.txt", "stray/x.sql"]


def test_foreign_files_and_links_are_refused_and_hidden_and_readme_files_are_not(seeds: Path, tmp_path: Path) -> None:
    (seeds / ".git").mkdir()
    (seeds / "stray").mkdir()
    for name in (".gitignore", "README.md", ".git/config"):
        (seeds / name).touch()
    for name in FOREIGN:
        (seeds / name).touch()
        with pytest.raises(UserError, match="found a file that is not a seed") as error:
            check_is_collection(seeds)
        assert str(error.value).startswith(f"{seeds / name}: ")
        (seeds / name).unlink()
    check_is_collection(seeds)
    (seeds / "linked").symlink_to(tmp_path)
    with pytest.raises(UserError, match="linked: found a link"):
        check_is_collection(seeds)


def test_a_refresh_and_a_plain_build_run_no_code_of_a_collection(seeds: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    (seeds / "stray.csv").write_text("a\n1\n", encoding="utf-8")
    (seeds / "stray.yml").write_text(HOOK.format(out=out), encoding="utf-8")
    done = run_program("refresh", DPTR_SEEDS=seeds, DPTR_WAREHOUSE=tmp_path / "warehouse")
    assert done.returncode == 1
    assert "found a file that is not a seed" in done.stderr
    with pytest.raises(UserError, match="found a file that is not a seed"):
        run_dbt_build(seeds, tmp_path / "plain", target_path=tmp_path / "dbt", without="", held=())
    assert not out.exists()


def write_parquet(folder: Path, rows: list[dict[str, str]]) -> None:
    """Write results as the importer writes those of a large collection."""
    with closing(Collection(folder)) as collection:
        collection._insert(RESULTS, (list(row.values()) for row in rows))
        collection._write_parquet(RESULTS, folder / RESULTS.parquet_path)


def test_rows_as_csv_and_as_parquet_are_refused(seeds: Path, tmp_path: Path) -> None:
    rows = read_rows(seeds / RESULTS.path)
    write_parquet(seeds, rows[:100])
    for read in (lambda: list(iterate_rows(seeds, RESULTS)), lambda: check_seeds(seeds)):
        with pytest.raises(UserError, match=r"found rows here and in .*raw_results.parquet"):
            read()
    with pytest.raises(UserError, match="found rows as CSV and as Parquet"):
        run_dbt_build(seeds, tmp_path / "plain", target_path=tmp_path / "dbt", without="", held=())


def test_parquet_files_of_different_types_are_refused(seeds: Path) -> None:
    """DuckDB would read all with the types of the first: 1.4 as 1."""
    (seeds / RESULTS.parquet_path).mkdir()
    for name, placement in (("a", "1::integer"), ("b", "1.4::double")):
        cells = (f"{placement if column == 'placement' else 'null::varchar'} as {column}" for column in RESULTS.columns)
        file = seeds / RESULTS.parquet_path / f"{name}.parquet"
        duckdb.sql(f"copy (select {', '.join(cells)}) to '{file}'")
    with pytest.raises(UserError, match=r"b.parquet: found columns of other types"):
        parquet_files(seeds, RESULTS)


def test_cells_paths_and_file_names_are_taken_as_they_are(tmp_path: Path) -> None:
    """No reader guesses quotes and comments, follows a path as a pattern to a neighbour, or reads files that are no seeds."""
    players, (seeds, neighbour) = SEEDS["ref_players"], (tmp_path / name / "seeds" for name in ("club[1]", "club1"))
    shutil.copytree(PROJECT / "seeds", seeds)
    shutil.copytree(PROJECT / "seeds", neighbour)
    (neighbour / players.path).write_text(f"{','.join(players.columns)}\n", encoding="utf-8")
    people = [("ann", "'90s list"), ("ben", "the players'"), ("cas", " # 1 #é"), ("dan", "'90s list")]
    rows = [dict.fromkeys(players.columns, "x") | {"player_id": player, "source": source} for player, source in people]
    write_csv(players, rows, seeds / players.path)
    (seeds / "documents" / "README as select error('code') as x.parquet").touch()
    folders = ("--target-path", tmp_path / "dbt", "--log-path", tmp_path / "logs")
    done = run_dbt("seed", "--select", "ref_players", *folders, DPTR_SEEDS=seeds, DPTR_WAREHOUSE=tmp_path)
    assert done.returncode == 0, done.stdout
    with duckdb.connect(str(tmp_path / "build.duckdb")) as connection:
        assert connection.execute("select player_id, source from seeds.ref_players").fetchall() == people
        verify_ratings.recompute(connection, seeds)
    results = [dict(zip(RESULTS.columns, cells, strict=True)) for _, cells in iterate_rows(seeds, RESULTS)]
    for row, (_, name) in zip(results, people * 56, strict=True):
        row["listed_name"] = name
    for folder, stored in ((neighbour, results[:7]), (seeds, results)):
        write_parquet(folder, stored)
        write_csv(RESULTS, (), folder / RESULTS.path)
    assert sorted(tuple(cells) for _, cells in iterate_rows(seeds, RESULTS)) == sorted(
        map(tuple, map(dict.values, results))
    )
    with duckdb.connect() as connection:
        verify_ratings.read_seeds(connection, seeds)
        assert connection.execute("select count(*) from raw_results").fetchall() == [(len(results),)]


def test_make_forgets_an_environment_that_was_made_in_another_folder(tmp_path: Path) -> None:
    shutil.copy(PROJECT / "Makefile", tmp_path)
    made = tmp_path / ".venv"
    made.mkdir()
    for lock, folder, stays in (("a.lock", tmp_path, True), ("b.lock", tmp_path / "original", False)):
        (made / "made_in").write_text(f"{folder}\n", encoding="utf-8")
        (made / lock).touch()
        subprocess.run([shutil.which("make") or "make", "help"], cwd=tmp_path, check=True, capture_output=True)
        assert (made / lock).exists() is stays
