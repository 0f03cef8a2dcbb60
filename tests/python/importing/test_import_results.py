"""`dptr import` as a rating keeper runs it."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from dippouch.seeds.files import read_rows
from dippouch.seeds.folder import locked
from dippouch.seeds.schema import IMPORTED_TABLES, RESULTS, TOURNAMENTS
from dippouch.settings import PROJECT
from support.programs import run_program
from support.seed_rows import contents

PAGES = PROJECT / "tests" / "fixtures" / "wdd_text"
STANDINGS = "placement,first_name,last_name,nation_code\n1,Ann,LEE,GBR\n2,Bo,LI,\n2,Cy,WU,FRA\n"


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A new collection with one small tournament."""
    folder = tmp_path / "seeds"
    page = PAGES / "ier-dimanche-ludik-de-champs-2006.txt"
    assert run_program("import", "--seeds", folder, page).returncode == 0
    return folder


def test_the_projects_own_seeds_are_what_the_pages_state(tmp_path: Path) -> None:
    done = run_program("import", "--seeds", tmp_path / "seeds", PAGES)
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 new, 0 unchanged, 0 changed, 0 rejected" in done.stdout
    for table in IMPORTED_TABLES:
        if table.path.startswith("wdd/"):
            made = (tmp_path / "seeds" / table.path).read_bytes()
            assert made == (PROJECT / "seeds" / table.path).read_bytes(), table.path


def test_a_terminal_shows_how_many_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr("dippouch.console.err", Console(file=shown, force_terminal=True, width=80))
    assert run_program("import", "--dry-run", "--seeds", tmp_path / "seeds", PAGES).returncode == 0
    assert "Importing" in shown.getvalue()
    assert "100%" in shown.getvalue()


def test_the_same_document_again_changes_nothing(seeds: Path) -> None:
    before = contents(seeds)
    done = run_program("import", "--seeds", seeds, PAGES / "ier-dimanche-ludik-de-champs-2006.txt")
    assert "0 new, 1 unchanged, 0 changed, 0 rejected" in done.stdout
    assert contents(seeds) == before


def test_a_dry_run_shows_every_row_and_writes_nothing(seeds: Path, tmp_path: Path) -> None:
    before = contents(seeds)
    standings = tmp_path / "cup.csv"
    standings.write_text(STANDINGS, encoding="utf-8")
    facts = ("--name", "Club Cup", "--date", "2026-05-02", "--players", "3", "--rounds", "3")
    done = run_program("import", "--dry-run", "--seeds", seeds, standings, *facts)
    assert done.returncode == 0
    assert done.stdout.count("\n  + ") == 4
    assert "+ wdd/raw_results.csv tournament_id=club-cup-2026, placement=2, player_id=cy-wu" in done.stdout
    assert "4 rows would change" in done.stdout
    told = " ".join(done.stdout.split())
    assert "3 results of 3 players; no kind, value 2.86 (several rounds)" in told
    assert "cup.csv read as csv in UTF-8 0 known people, 3 new; 1 without a nation" in told
    assert "0 ratings changed, 3 players new in the ranking, 0 gone" in told
    assert contents(seeds) == before
    # A new collection is not created, either.
    run_program("import", "--dry-run", "--seeds", tmp_path / "other", standings, *facts)
    assert not (tmp_path / "other").exists()


def test_a_dry_run_says_what_follows(seeds: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "cup.csv"
    facts = "name: Club Cup\ndate: 2006-05-02\nplayers: 7\nrounds: 1\nkind: CUP\n\n"
    rows = "1;Philippe DUMAY;FRA\n2;Ann LEE;\n3;Arnaud BOIREL;FRA\n"
    sheet.write_text(f"{facts}Platz;Name;Land\n{rows}", encoding="utf-16")
    done = run_program("import", "--dry-run", "--json", "--seeds", seeds, sheet)
    found = json.loads(done.stdout)
    (document,) = found["documents"]
    assert document["worth"] == {"kind": "CUP", "value": 3.0, "rule": "one round"}
    assert document["read_as"] == "csv in UTF-16; `Platz` as placement, `Name` as name, `Land` as nation_code"
    assert found["people"] == {"known": 2, "new": 1, "without_nation": 1}
    largest = [["Philippe DUMAY", "3 -> 1", "44.7505 -> 46.1937"], ["Arnaud BOIREL", "1 -> 2", "45.4758 -> 46.0401"]]
    assert found["moves"] == {"entered": 1, "left": 0, "changed": 2, "largest": largest}


def test_the_report_counts_an_answered_name_as_known_and_names_the_new_ones(seeds: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "cup.csv"
    rows = "1,Filippe DUMAY,\n2,Philippe DUMAY-LAC,\n3,Rosie BELL,AU\n"
    sheet.write_text(f"placement,name,nation\n{rows}", encoding="utf-8")
    facts = ("--name", "Club Cup", "--date", "2006-05-02", "--players", "7", "--rounds", "1")
    words = ("import", "--dry-run", "--seeds", seeds, sheet, *facts, "--same", "Filippe DUMAY=philippe-dumay")
    done = run_program(*words)
    told = " ".join(done.stdout.split())
    named = "new nation nearest known name Philippe DUMAY-LAC Philippe DUMAY (philippe-dumay) Rosie BELL AUS"
    assert f"1 known person, 2 new; 2 without a nation {named}" in told, done.stderr
    found = json.loads(run_program(*words, "--json").stdout)
    assert found["people"] == {"known": 1, "new": 2, "without_nation": 2}
    assert [one["player_id"] for one in found["new_people"]] == ["philippe-dumay-lac", "rosie-bell"]


def test_one_tournament_from_a_table_and_facts_beside_it(seeds: Path, tmp_path: Path) -> None:
    standings = tmp_path / "cup.csv"
    text = f"{STANDINGS},Di,FOX,\n"
    standings.write_text(text, encoding="utf-8")
    facts = {
        "--name": "Club Cup",
        "--subtitle": "A subtitle",
        "--date": "2026-05-02",
        "--place": "Leeds",
        "--nation": "GBR",
        "--kind": "CUP",
        "--players": "9",
        "--rounds": "1",
        "--boards": "1",
    }
    done = run_program("import", "--seeds", seeds, standings, *(word for pair in facts.items() for word in pair))
    assert done.returncode == 0, done.stderr
    assert "4 results of 9 players: 3 with a placement, 1 without, 5 missing" in done.stdout
    row = next(r for r in read_rows(seeds / TOURNAMENTS.path) if r["tournament_id"] == "club-cup-2026")
    assert list(row.values())[2:12] == [
        "Club Cup", "A subtitle", "CUP", "2026-05-02", "2026-05-02", "Leeds", "GBR", "9", "1", "1",
    ]  # fmt: skip
    assert row["source_document"] == "cup.csv"
    assert row["source_sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_rejected_file_does_not_stop_the_others_unless_strict(seeds: Path, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "broken.html").write_text("<html><body>502 Bad Gateway</body></html>", encoding="utf-8")
    page = PAGES / "wac-6-2009.txt"
    (folder / page.name).write_bytes(page.read_bytes())
    before = contents(seeds)
    strict = run_program("import", "--strict", "--seeds", seeds, folder)
    assert strict.returncode == 1
    assert "broken.html" in strict.stderr
    assert "Nothing was written" in strict.stdout
    assert contents(seeds) == before

    done = run_program("import", "--json", "--seeds", seeds, folder)
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["counts"] == {"new": 1, "unchanged": 0, "changed": 0, "rejected": 1}
    assert report["rejected"][0]["file"].endswith("broken.html")
    assert report["written"] is True
    assert len({row["tournament_id"] for row in read_rows(seeds / RESULTS.path)}) == 2


def test_nothing_of_a_file_with_one_fault_is_imported(seeds: Path, tmp_path: Path) -> None:
    head = "tournament_id,name,kind,started_on,ended_on,place,nation_code,players,rounds,boards\n"
    folder = tmp_path / "pair"
    folder.mkdir()
    (folder / "tournaments.csv").write_text(
        head + "one,One,CUP,2005-05-01,2005-05-02,,,7,3,1\ntwo,Two,CUP,2006-05-01,2006-05-02,,,7,3,1\n",
        encoding="utf-8",
    )
    (folder / "results.csv").write_text(
        "tournament_id,placement,first_name,last_name,nation_code\none,1,Ann,LEE,\ntwo,8,Bo,LI,\n", encoding="utf-8"
    )
    before = contents(seeds)
    done = run_program("import", "--seeds", seeds, folder)
    assert done.returncode == 1
    assert "line 3 of results.csv: found placement `8` in two; expected one from 1 to 7" in done.stderr
    assert contents(seeds) == before


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "Missing argument 'FILE_OR_FOLDER...'"),
        (("nowhere.csv",), 1, "nowhere.csv: no such file or folder"),
        ((PAGES, "--name", "Club Cup"), 2, "name one file"),
        ((PAGES, "--as", "word"), 2, "'word' is not one of"),
        ((PAGES, "--players", "0"), 2, "0 is not in the range"),
    ],
)
def test_wrong_usage_gets_a_message(tmp_path: Path, arguments: tuple[str | Path, ...], code: int, message: str) -> None:
    done = run_program("import", "--seeds", tmp_path / "seeds", *arguments)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "seeds").exists()


def test_a_second_import_stops_with_a_message(seeds: Path) -> None:
    before = contents(seeds)
    with locked(seeds):
        done = run_program("import", "--seeds", seeds, PAGES / "wac-6-2009.txt")
    assert done.returncode == 1
    assert "another program is using this collection" in done.stderr
    assert contents(seeds) == before
