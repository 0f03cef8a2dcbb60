"""The bulk import gives the seeds that the small way gives, and refuses what that refuses, with the same words."""

from __future__ import annotations

import csv
import re
import signal
import subprocess
import sys
from datetime import date
from pathlib import Path

import duckdb
import pytest

from dippouch.errors import DocumentError, UserError
from dippouch.importing.bulk import set_import
from dippouch.importing.bulk.set_import import BulkOutcome, import_set
from dippouch.importing.pipeline import import_documents
from dippouch.importing.report import ImportReport
from dippouch.seeds import parquet
from dippouch.seeds.schema import RAW_TABLES, RESULTS, SOURCE_COLUMNS, TOURNAMENTS, Row
from dippouch.settings import PROJECT
from support.fuzzing import samples
from support.programs import environment, run_here
from synthetic.results import Size, write_synthetic

SIZE = Size(tournaments=80, players=400, results=1_600, longest_career=60)
TOURNAMENTS_CSV = """\
tournament_id,name,kind,started_on,ended_on,place,nation_code,players,rounds,boards,coefficient_1
wdc-1,First Cup,WDC,2010-05-01,2010-05-02,Nice,FRA,40,3,5,
cup-2,Second Cup,,2011-05-01,,,,,,,
cup-3,Third Cup,,2012-05-01,,,,3,2,,
"""
RESULTS_CSV = """\
tournament_id,placement,first_name,last_name,nation_code,published_score
cup-2,1,Ben,BAKER,,
wdc-1,2,Ben,BAKER,USA,96.25
wdc-1,1,Anna,ARCHER,FR,
cup-2,DNF,Anna,ARCHER,,
cup-3,=1,Cleo,van Dyck,Germany,
cup-3,T1,Dora,DE LUCA,,
cup-3,3rd,Ben,BAKER,,
"""


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "tournaments.csv").write_text(TOURNAMENTS_CSV)
    (folder / "results.csv").write_text(RESULTS_CSV)
    return folder


def small_way(files: Path, seeds: Path) -> list[DocumentError]:
    outcome = import_documents([files / "tournaments.csv"], seeds, report=ImportReport(every_row=False))
    return outcome.rejections


def bulk_way(files: Path, seeds: Path, **options: bool) -> BulkOutcome:
    return import_set(files / "tournaments.csv", files / "results.csv", seeds, **options)  # type: ignore[arg-type]


def bytes_of(seeds: Path) -> dict[str, bytes]:
    return {path.relative_to(seeds).as_posix(): path.read_bytes() for path in seeds.rglob("*") if path.is_file()}


def rows_of(seeds: Path) -> dict[str, list[Row]]:
    return {table.name: list(parquet.iterate_raw_rows(seeds, table)) for table in RAW_TABLES}


def with_player_ids(files: Path) -> None:
    """Give everybody in results.csv an id: the number of their name, so that names say nothing."""
    path = files / "results.csv"
    with path.open(newline="") as file:
        head, *rows = list(csv.reader(file))
    at = [head.index(name) for name in ("first_name", "last_name")]
    ids: dict[tuple[str, ...], str] = {}
    made = [[*row, ids.setdefault(tuple(row[i] for i in at), f"esp-{len(ids)}")] for row in rows]
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([[*head, "player_id"], *made])


def as_parquet(files: Path) -> None:
    """The pair as Parquet, with types as a database exports them, instead of CSV."""
    for name in ("tournaments", "results"):
        path = files / f"{name}.csv"
        duckdb.execute(f"copy (from read_csv('{path}')) to '{path.with_suffix('.parquet')}' (format parquet)")


@pytest.mark.parametrize("by_id", [False, True])
def test_both_ways_give_the_same_bytes(by_id: bool, tmp_path: Path) -> None:
    files = tmp_path / "files"
    written = write_synthetic(files, SIZE, seed=3)
    if by_id:
        with_player_ids(files)
    assert small_way(files, tmp_path / "small") == []
    outcome = bulk_way(files, tmp_path / "large")
    assert (outcome.tournaments, outcome.results, outcome.refused) == (SIZE.tournaments, written, [])
    assert bytes_of(tmp_path / "large") == bytes_of(tmp_path / "small")


def test_both_ways_give_the_same_rows_of_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "LARGEST_SEED", 50)
    files = tmp_path / "files"
    write_synthetic(files, SIZE, seed=4)
    assert small_way(files, tmp_path / "small") == []
    bulk_way(files, tmp_path / "large")
    assert (tmp_path / "large" / RESULTS.parquet_path).exists()
    assert rows_of(tmp_path / "large") == rows_of(tmp_path / "small")
    types = [
        duckdb.execute(f"describe from read_parquet('{tmp_path / way / RESULTS.parquet_path}')").fetchall()
        for way in ("small", "large")
    ]
    assert types[0] == types[1]


def test_every_way_of_writing_is_read_as_in_the_small_way(pair: Path, tmp_path: Path) -> None:
    assert small_way(pair, tmp_path / "small") == []
    bulk_way(pair, tmp_path / "large")
    assert bytes_of(tmp_path / "large") == bytes_of(tmp_path / "small")
    names = {row["last_name"]: row["nation_code"] for row in rows_of(tmp_path / "large")[RESULTS.name]}
    assert names == {"BAKER": "", "ARCHER": "", "VAN DYCK": "DEU", "DE LUCA": ""} | {"BAKER": "USA", "ARCHER": "FRA"}


def test_the_stored_events_come_in_as_in_the_small_way(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    samples.write_bulk(files, samples.stored_tournaments())
    assert small_way(files, tmp_path / "small") == []
    outcome = bulk_way(files, tmp_path / "large")
    assert outcome.refused == []
    assert bytes_of(tmp_path / "large") == bytes_of(tmp_path / "small")


def test_parquet_files_give_the_same_facts(pair: Path, tmp_path: Path) -> None:
    as_parquet(pair)
    bulk_way(pair, tmp_path / "csv")
    import_set(pair / "tournaments.parquet", pair / "results.parquet", tmp_path / "parquet")

    def facts(seeds: Path) -> dict[str, list[Row]]:
        kept = {name: [dict(row) for row in rows] for name, rows in rows_of(seeds).items()}
        for row in kept[TOURNAMENTS.name]:
            assert row["source_form"] == ("bulk-parquet" if seeds.name == "parquet" else "bulk-csv")
            for column in SOURCE_COLUMNS:
                del row[column]
        return kept

    assert facts(tmp_path / "parquet") == facts(tmp_path / "csv")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_are_found_out(encoding: str, end: str, pair: Path, tmp_path: Path) -> None:
    for name, text in (("tournaments", TOURNAMENTS_CSV), ("results", RESULTS_CSV.replace("BAKER", "BÄCKER"))):
        (pair / f"{name}.csv").write_bytes(text.replace("\n", end).encode(encoding))
    assert small_way(pair, tmp_path / "small") == []
    bulk_way(pair, tmp_path / "large")
    assert bytes_of(tmp_path / "large") == bytes_of(tmp_path / "small")


FAULTS = [
    ("results", "cup-2,DNF", "cup-9,DNF"),
    ("results", "cup-2,DNF", ",DNF"),
    ("results", "wdc-1,2", "wdc-1,x"),
    ("results", "wdc-1,2", "wdc-1,41"),
    ("results", "USA", "ALL"),
    ("results", "96.25", "96.26"),
    ("results", "96.25", "a lot"),
    ("results", "Anna,ARCHER,FR", "Ben,BAKER,USA"),
    ("results", "Anna,ARCHER,FR", "An\x07na,ARCHER,FR"),
    ("results", "Ben,BAKER,USA", "N.,N.,USA"),
    ("results", "Anna,ARCHER,FR", "Anna,ARCHER (GM),FR"),
    ("results", "Ben,BAKER,USA", "Ben,=BAKER,USA"),
    ("results", "Ben,BAKER,USA", "Ben,,USA"),
    ("results", "cup-3,3rd", "cup-3,2"),
    ("tournaments", "cup-2,", "wdc-1,"),
    ("tournaments", "cup-2,Second Cup", "WDC-1,Second Cup"),
    ("tournaments", "2010-05-02", "2010-04-02"),
    ("tournaments", "2010-05-02", "2019-04-02"),
    ("tournaments", "2010-05-02", "2110-04-02"),
    ("tournaments", "40", "many"),
    ("tournaments", "40", "1"),
    ("tournaments", "3,5,", "1000001,5,"),
    ("tournaments", "2011-05-01", ""),
    ("tournaments", "Second Cup", ""),
    ("tournaments", "Second Cup", "@Cup"),
    ("tournaments", "WDC", "XYZ"),
    ("tournaments", "3,5,", "3,5,12.34"),
    ("tournaments", "cup-3", "../3"),
    ("tournaments", "2,,\n", "2,,\nnone-4,Fourth Cup,,2012-05-01,,,,,,,\n"),
    ("results", ",96.25", ""),
    ("results", "Anna,ARCHER,FR", '"Anna,ARCHER,FR'),
    ("results", "placement", "plac"),
    ("results", "placement", "points"),
    ("results", "first_name,last_name", "whose,which"),
    ("results", RESULTS_CSV, ""),
    ("tournaments", "name,", "nme,"),
]


@pytest.mark.parametrize(("file", "old", "new"), FAULTS)
def test_a_fault_is_told_in_the_words_of_the_small_way(
    file: str, old: str, new: str, pair: Path, tmp_path: Path
) -> None:
    path = pair / f"{file}.csv"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    expected = {(error.found, error.expected) for error in small_way(pair, tmp_path / "small")}
    assert expected
    told = faults_of(pair, tmp_path / "large")
    assert comparable(expected) <= comparable(told)
    assert not (tmp_path / "large").exists()


def faults_of(files: Path, seeds: Path) -> set[tuple[str, str]]:
    """What the bulk import found and expected: of rows as its file of them says, or of a file as a whole."""
    try:
        outcome = bulk_way(files, seeds)
    except DocumentError as error:
        return {(error.found, error.expected)}
    assert not outcome.written
    messages = [message for kind in outcome.refused for message in kind.samples]
    return {(found[1], found[2]) for message in messages if (found := re.search("found (.*?); expected (.*)", message))}


def comparable(faults: set[tuple[str, str]]) -> set[str]:
    """Faults without what each way says after its own fashion: the way out, a place, what a CSV reader calls a fault of quotes."""
    found = {
        re.sub(r"\(first: line [0-9]+( of results.csv)?|that is not CSV \(.*?\)", "", found) for found, _ in faults
    }
    return {text.strip(" ,`()") for text in found}


def test_what_stands_in_the_way_is_counted_shown_and_listed(tmp_path: Path) -> None:
    files = tmp_path / "files"
    write_synthetic(files, SIZE, seed=5)
    path = files / "results.csv"
    lines = path.read_text().splitlines()
    wrong = [number for number in range(1, len(lines)) if number % 50 == 0]
    for number in wrong:
        lines[number] = re.sub(",[0-9]*,", ",0,", lines[number], count=1)
    path.write_text("\n".join(lines) + "\n")
    outcome = bulk_way(files, tmp_path / "seeds")
    (kind,) = outcome.refused
    assert (kind.what, kind.rows, outcome.written) == ("placement", len(wrong), False)
    assert kind.samples[0].startswith(f"{path}:{wrong[0] + 1}: found the placement `0`; expected a whole number from 1")
    assert outcome.all_refused == tmp_path / "seeds.refused.csv"
    with outcome.all_refused.open(newline="") as file:
        told = list(csv.DictReader(file))
    assert [row["place"] for row in told] == [f"line {number + 1}" for number in wrong]
    assert {(row["file"], row["found"]) for row in told} == {("results.csv", "the placement `0`")}


def test_tournaments_with_refused_rows_are_left_out_whole_when_asked(pair: Path, tmp_path: Path) -> None:
    path = pair / "results.csv"
    path.write_text(path.read_text().replace("wdc-1,2,Ben", "wdc-1,0,Ben"))
    outcome = bulk_way(pair, tmp_path / "seeds", leave_out=True)
    assert (outcome.tournaments, outcome.results, outcome.left_out, outcome.written) == (2, 5, 1, True)
    left = rows_of(tmp_path / "seeds")
    assert {row["tournament_id"] for rows in (left[RESULTS.name], left[TOURNAMENTS.name]) for row in rows} == {
        "cup-2",
        "cup-3",
    }


@pytest.mark.parametrize(("old", "new"), [("cup-2,DNF", ",DNF"), (",96.25", "")])
def test_rows_of_no_known_tournament_stop_everything(old: str, new: str, pair: Path, tmp_path: Path) -> None:
    path = pair / "results.csv"
    path.write_text(path.read_text().replace(old, new))
    outcome = bulk_way(pair, tmp_path / "seeds", leave_out=True)
    assert outcome.refused
    assert not outcome.written
    assert not (tmp_path / "seeds").exists()


def test_who_is_who_is_never_guessed(pair: Path, tmp_path: Path) -> None:
    path = pair / "results.csv"
    path.write_text(path.read_text().replace("cup-2,1,Ben,BAKER,", "cup-2,1,Ben,BAKER,GBR"))
    (kind,) = bulk_way(pair, tmp_path / "seeds").refused
    assert (kind.what, kind.rows) == ("one name, several nations", 2)
    assert "`Ben BAKER` of GBR, and elsewhere of another nation (GBR, USA)" in kind.samples[0]
    with_player_ids(pair)
    assert small_way(pair, tmp_path / "small") == []
    assert bulk_way(pair, tmp_path / "seeds").refused == []
    assert bytes_of(tmp_path / "seeds") == bytes_of(tmp_path / "small")


@pytest.mark.parametrize("given", ["ESP-1", "esp_1", "esp 1", "", "x" * 101])
def test_an_id_of_another_form_is_refused_by_both_ways(given: str, pair: Path, tmp_path: Path) -> None:
    with_player_ids(pair)
    path = pair / "results.csv"
    path.write_text(path.read_text().replace(",esp-1\n", f",{given}\n"))
    expected = {(error.found, error.expected) for error in small_way(pair, tmp_path / "small")}
    told = faults_of(pair, tmp_path / "large")
    assert comparable(told) == comparable(expected)
    assert all("small letters, digits and single hyphens" in wanted for _, wanted in expected)


def test_an_event_that_comes_twice_is_refused_by_both_ways(tmp_path: Path) -> None:
    files = tmp_path / "files"
    write_synthetic(files, SIZE, seed=6)
    for name in ("tournaments", "results"):
        path = files / f"{name}.csv"
        lines = path.read_text().splitlines()
        again = [re.sub("^synthetic-7,", "again-7,", line) for line in lines if line.startswith("synthetic-7,")]
        path.write_text("\n".join([*lines, *again]) + "\n")
    expected = {(error.found, error.expected) for error in small_way(files, tmp_path / "small")}
    (kind,) = bulk_way(files, tmp_path / "large").refused
    assert (kind.what, kind.rows) == ("event that is likely known", 1)
    assert "placements are those of `synthetic-7`" in kind.samples[0]
    assert [found in kind.samples[0] for found, _ in expected] == [True]
    assert bulk_way(files, tmp_path / "large", another_event=True).written


def test_a_day_to_come_is_refused_unless_it_is_taken(pair: Path, tmp_path: Path) -> None:
    files = (pair / "tournaments.csv", pair / "results.csv")
    (kind,) = import_set(*files, tmp_path / "seeds", last_day=date(2012, 1, 1)).refused
    assert "the date 2012-05-01, which is still to come" in kind.samples[0]
    assert import_set(*files, tmp_path / "seeds").written


def test_a_collection_with_results_is_not_touched(pair: Path, tmp_path: Path) -> None:
    bulk_way(pair, tmp_path / "seeds")
    before = bytes_of(tmp_path / "seeds")
    with pytest.raises(UserError, match=r"rows in wdd/raw_tournaments.csv; expected a new folder") as refused:
        bulk_way(pair, tmp_path / "seeds")
    assert bytes_of(tmp_path / "seeds") == before
    subprocess.run(str(refused.value).rpartition("of this one: ")[2], shell=True, check=True)  # noqa: S602 (as it is printed)
    bulk_way(pair, tmp_path / "seeds.new")
    assert bytes_of(tmp_path / "seeds.new") == before


def test_a_disk_that_refuses_in_the_middle_leaves_nothing(
    pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet, "LARGEST_SEED", 2)
    monkeypatch.setattr(parquet, "_copy_to_parquet", refuse)
    with pytest.raises(UserError, match="could not be written; nothing was changed"):
        bulk_way(pair, tmp_path / "seeds")
    assert [path.name for path in tmp_path.iterdir() if not path.name.endswith(".lock")] == ["files"]


# The program, killed right before the collection changes, or right after.
KILLED = """
import os, signal, sys
from dippouch.seeds import folder
exchange = folder.exchange
def killed(*places, **said):
    {before}
    os.kill(os.getpid(), signal.SIGKILL)
folder.exchange = killed
import import_bulk
import_bulk.main()
"""


@pytest.mark.parametrize(("before", "is_made"), [("pass", False), ("exchange(*places, **said)", True)])
def test_a_kill_leaves_the_old_collection_or_the_new_one(
    before: str, is_made: bool, pair: Path, tmp_path: Path
) -> None:
    bulk_way(pair, tmp_path / "whole")
    words = ["--seeds", str(tmp_path / "seeds"), str(pair / "tournaments.csv"), str(pair / "results.csv")]
    settings = environment({"PYTHONPATH": PROJECT / "scripts", "TMPDIR": tmp_path})
    done = subprocess.run([sys.executable, "-c", KILLED.format(before=before), *words], env=settings, check=False)
    assert done.returncode == -signal.SIGKILL
    if is_made:
        assert bytes_of(tmp_path / "seeds") == bytes_of(tmp_path / "whole")
    else:
        assert not any((tmp_path / "seeds").iterdir())
        assert bulk_way(pair, tmp_path / "seeds").written
        assert bytes_of(tmp_path / "seeds") == bytes_of(tmp_path / "whole")


def test_too_little_memory_is_a_message(pair: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_import, "MEMORY_LIMIT", "1MB")
    with pytest.raises(UserError, match="the temporary database could not be kept"):
        bulk_way(pair, tmp_path / "seeds")
    assert not (tmp_path / "seeds").exists()


def test_the_program_says_what_it_made_and_what_it_refused(pair: Path, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds"
    command = ("import_bulk.py", "--seeds", seeds, pair / "tournaments.csv", pair / "results.csv")
    tried = run_here(*command, "--dry-run")
    assert "3 tournaments, 7 results, 4 people; nothing was written." in tried.stdout
    path = pair / "results.csv"
    good = path.read_text()
    path.write_text(good.replace("wdc-1,2,Ben", "wdc-1,0,Ben"))
    refused = run_here(*command)
    assert refused.returncode == 1
    assert "refused for" in refused.stderr
    assert re.search(r"placement +1 +1\n", refused.stderr)
    assert f"{path}:3: found the placement `0`" in refused.stderr
    assert "--leave-out takes the other tournaments" in refused.stdout
    assert not seeds.exists()
    path.write_text(good)
    made = run_here(*command)
    assert made.returncode == 0, made.stderr
    assert f"{seeds} is made." in made.stdout
