"""Manual errors in the seeds: each message has file, line, finding, expectation and a remedy."""

from __future__ import annotations

import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from dippouch.collection import memory
from dippouch.collection.files import read_rows
from dippouch.collection.folder import locked
from dippouch.collection.memory import Collection, check_seeds
from dippouch.collection.schema import RESULTS, TOURNAMENTS
from dippouch.messages import MOST_FAULTS, UserError
from dippouch.settings import PROJECT
from support.advice import circles
from support.golden import Case, cases, each_case, edit_files
from support.programs import run_program

SLIPS = {case.name: case for case in cases("seeds/rows.golden", "seeds/files.golden")}


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    shutil.copytree(PROJECT / "seeds", tmp_path / "it's here")
    return tmp_path / "it's here"


def faults(folder: Path) -> list[str]:
    """Return the faults of a collection; none if it is let through."""
    try:
        check_seeds(folder)
    except UserError as error:
        return [fault.removeprefix(f"{folder}/") for fault in str(error).splitlines()[1:]]
    return []


@each_case("seeds/rows.golden", "seeds/files.golden")
def test_a_slip_is_told_with_file_and_line(seeds: Path, case: Case) -> None:
    folder = seeds.rename(seeds.with_name("seeds"))
    edit_files(folder, case.document)
    told = "".join(f"{fault}\n" for fault in faults(folder)).replace(f"{folder}/", "").replace(str(folder), "seeds")
    with chdir(folder.parent):
        assert not circles(["tournaments"], told.splitlines())
    case.check(told.replace(f"{PROJECT}/", "PROJECT/"))


def test_of_many_faults_the_first_are_shown_and_all_are_counted(seeds: Path) -> None:
    (path,) = seeds.rglob("raw_results.csv")
    path.write_text(path.read_text(encoding="utf-8").replace(",\n", ",=1+1\n"), encoding="utf-8")
    with pytest.raises(UserError, match=f"found 224 faults in the seeds, of which {MOST_FAULTS} follow") as error:
        check_seeds(seeds)
    assert len(str(error.value).splitlines()) == MOST_FAULTS + 1


def test_seeds_saved_by_excel_begin_with_a_byte_order_mark(seeds: Path) -> None:
    rows = {path: read_rows(path) for path in seeds.rglob("*.csv")}
    for path in rows:
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    check_seeds(seeds)
    assert {path: read_rows(path) for path in rows} == rows


def test_rows_as_parquet_are_held_to_the_same(seeds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "LARGEST_SEED", 3)
    wrong = {
        TOURNAMENTS: {"rounds": "0", "ended_on": "9999-01-01", "place": "=1+1"},
        RESULTS: {"published_score": "-3", "first_name": "\u3164"},
    }
    with locked(seeds), Collection.opened(seeds) as collection:
        for table, cells in wrong.items():
            row = collection.stated(table)[0]
            collection.remove(table, [row[column] for column in table.key])
            collection.append(table, [row | cells])
        collection.write()
    assert sorted(fault.partition(": ")[2].partition(";")[0] for fault in faults(seeds)) == [
        "found ended_on `9999-01-01`",
        "found first_name `\\u3164`",
        "found place `=1+1`",
        "found published_score `-3.00`",
        "found rounds `0`",
    ]


def test_a_refresh_tells_the_faults_and_builds_nothing(seeds: Path, tmp_path: Path) -> None:
    for slip in ("an unknown nation", "yes"):
        edit_files(seeds, SLIPS[slip].document)
    done = run_program("refresh", DPTR_SEEDS=seeds, DPTR_WAREHOUSE=tmp_path / "warehouse")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0] == f"error: {seeds}: found 2 faults in the seeds"
    assert [line.partition(": ")[0] for line in lines[1:3]] == [
        f"{seeds}/reference/ref_players.csv:2",
        f"{seeds}/reference/ref_tournament_kinds.csv:12",
    ]
    assert lines[3:] == ["Nothing was built; the last publication is untouched"]
    assert not (tmp_path / "warehouse" / "failed_build.duckdb").exists()
