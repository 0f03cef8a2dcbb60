"""Archives of pages, players' pages and uploads: what each states, which source is better, and every published rating explained."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from dippouch.importing.context import Choices
from dippouch.importing.pipeline import import_documents
from dippouch.importing.reader import group_inputs
from dippouch.importing.report import Outcome
from dippouch.seeds.files import read_rows
from dippouch.settings import PROJECT
from support.compiled import CompiledProject
from support.programs import run_here
from support.seed_rows import read_collection

DOCUMENTS = PROJECT / "tests" / "fixtures" / "documents"
RATED = (DOCUMENTS / "ranking_player.html").read_text(encoding="utf-8")
CUP = (
    "<html><body><h2>Euro DipCon XXIV 2016</h2><p>Date August 28, 2016 Place Nice</p>"
    "<p>Number of players 30 Number of rounds 3 Number of boards</p><p>Coeff 1 10.57 Coeff 2 - Coeff 3 -</p><table>"
    "<tr><th>Rank</th><th>FirstName LastName</th><th>Score</th></tr>"
    '<tr class="row_even"><td>3</td><td><a href="?id_player=99901">Anna ARCHER</a></td><td>91.67</td></tr>'
    '<tr class="row_odd"><td>7</td><td><a href="?id_player=99902">Ben BAKER</a></td><td>78.33</td></tr></table></body></html>'
)
CUP_ADDRESS = "https://x.org/ranking_tournament.php?id_ranking=3&id_tournament=99802"


def imported(seeds: Path, *paths: Path, **choices: Any) -> Outcome:  # noqa: ANN401 (of Choices)
    """Import documents; nothing may be rejected."""
    outcome = import_documents(group_inputs(paths), seeds, Choices(**choices))
    assert not outcome.rejections
    return outcome


def cells(seeds: Path, seed: str, *columns: str) -> list[tuple[str, ...]]:
    """Return some columns of a seed."""
    return [tuple(row[column] for column in columns) for row in read_rows(seeds / "wdd" / f"{seed}.csv")]


class Archive:
    """An archive as the collector writes it: files, and a line of the index for each answer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self._time = 0
        self._add("address", "file", "time", "status", "sha256", "last_modified", "etag")

    def answer(self, address: str, name: str, text: str) -> None:
        """Store the answer of an address in its file."""
        self._time += 1
        (self.folder / name).write_text(text, encoding="utf-8")
        digest = hashlib.sha256(text.encode()).hexdigest()
        self._add(address, name, f"2026-01-01T00:00:{self._time:02}+00:00", "200", digest, "", "")

    def _add(self, *line: str) -> None:
        with (self.folder / "index.csv").open("a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(line)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    return tmp_path / "seeds"


@pytest.mark.parametrize("name", ["ranking_player.html", "ranking_player.txt", "ranking_player_tabs.txt"])
def test_a_players_page_of_the_rating_states_a_whole_career(name: str, seeds: Path) -> None:
    imported(seeds, DOCUMENTS / name)
    facts = cells(seeds, "raw_tournaments", "tournament_id", "kind", "players", "rounds", "coefficient_1")
    assert facts == [("euro-dipcon-xxiv-2016", "", "28", "", ""), ("world-dipcon-xxix-2019", "WDC", "38", "", "")]
    assert cells(seeds, "raw_results", "placement", "listed_by") == [("4", "player"), ("6", "player")]
    printed = cells(seeds, "raw_further_statements", "placement", "players", "published_value", "published_score")
    assert printed == [("4", "28", "10.00", "87.50"), ("6", "38", "20.00", "85.53")]
    rank = ("2019-10-09", "4", "2", "51.44", "2")
    columns = ("last_update", "published_rank", "published_national_rank", "published_rating", "published_tournaments")
    assert cells(seeds, "raw_published_rankings", *columns) == ([] if "tabs" in name else [rank])


def test_a_printed_value_tells_one_round(seeds: Path, tmp_path: Path) -> None:
    page = tmp_path / "player.html"
    page.write_text(RATED.replace("10.00", "6.00"), encoding="utf-8")
    imported(seeds, page)
    assert cells(seeds, "raw_tournaments", "rounds") == [("1",), ("",)]


def test_a_text_page_needs_the_printed_score_to_separate_its_cells(seeds: Path, tmp_path: Path) -> None:
    page = tmp_path / "player.txt"
    text = (DOCUMENTS / "ranking_player.txt").read_text(encoding="utf-8")
    page.write_text(text.replace("85.53", "84.53"), encoding="utf-8")
    (rejection,) = import_documents([page], seeds).rejections
    assert "20196/3820.0084.53" in str(rejection)


def test_a_page_of_results_declares_the_numbers_of_players(seeds: Path) -> None:
    imported(seeds, DOCUMENTS / "player_fiche5.html")
    assert cells(seeds, "raw_tournaments", "players") == [("28",), ("38",)]


def test_an_uploaded_file_has_codes_of_the_database(seeds: Path, tmp_path: Path) -> None:
    imported(seeds, DOCUMENTS / "upload.csv")
    found = [("1", "ZAF"), ("2", "USA"), ("2", "ZAF"), ("4", "GIN"), ("", "AUT")]
    assert cells(seeds, "raw_results", "placement", "nation_code") == found
    text = (DOCUMENTS / "upload.csv").read_text(encoding="utf-8")
    wrong = tmp_path / "wrong.csv"
    wrong.write_text(text.replace("DNF", "999").replace("4,1,GU", "4,2,GU"), encoding="utf-8")
    (rejection,) = import_documents([wrong], tmp_path / "others").rejections
    assert rejection.location.line == 10
    assert "EXAEQUO `2`" in rejection.found
    boards = tmp_path / "boards.csv"
    boards.write_text(
        "FIRST NAME,NAME,HOMONYME,ROUND,BOARD,COUNTRY,RANK,EXAEQUO\nA,B,1,1,7,0AU,1,1\n", encoding="utf-8"
    )
    (rejection,) = import_documents([boards], seeds).rejections
    assert "file of boards" in rejection.found


def test_namesakes_by_number_are_several_people(seeds: Path, tmp_path: Path) -> None:
    facts = "name: {}\ndate: 2025-03-01\nplayers: 4\nrounds: 3\n\nFIRST NAME,NAME,HOMONYME,RANK,EXAEQUO\n"
    rows = {
        "first": "John,SMITH,1,1,1\n",
        "second": "John,SMITH,2,1,1\n",
        "third": "John,SMITH,1,1,1\nJohn,SMITH,2,2,1\n",
    }
    for name, text in rows.items():
        sheet = tmp_path / f"{name}.csv"
        sheet.write_text(facts.format(f"Cup {name}") + text, encoding="utf-8")
        imported(seeds, sheet)
    people = cells(seeds, "raw_results", "tournament_id", "player_id")
    both = [("cup-third-2025", "john-smith"), ("cup-third-2025", "john-smith-2")]
    assert people == [("cup-first-2025", "john-smith"), ("cup-second-2025", "john-smith-2"), *both]


def test_number_two_of_namesakes_is_not_silently_a_known_person(seeds: Path, tmp_path: Path) -> None:
    facts = "name: {}\ndate: 2025-03-01\nplayers: 4\nrounds: 3\n\n"
    (tmp_path / "a.csv").write_text(
        facts.format("Cup A") + "rank,first name,last name\n1,John,SMITH\n", encoding="utf-8"
    )
    uploaded = "FIRST NAME,NAME,HOMONYME,RANK,EXAEQUO\nJohn,SMITH,2,1,1\n"
    (tmp_path / "b.csv").write_text(facts.format("Cup B") + uploaded, encoding="utf-8")
    imported(seeds, tmp_path / "a.csv")
    assert import_documents([tmp_path / "b.csv"], seeds).rejections


def test_leagues_and_tournaments_without_a_day_are_skipped_and_counted(seeds: Path, tmp_path: Path) -> None:
    base = {"tournament_name": "Cup", "tournament_start_date": "2018-05-01", "tournament_player_rank": "3"}
    played = [
        base | {"tournament_id": 1, "tournament_wdd_id": None, "tournament_kind": "CUP ☆☆☆"},
        base | {"tournament_name": "National", "tournament_kind": "nCIR", "tournament_id": 2},
        base | {"tournament_name": "Circuit", "tournament_kind": "CUP", "tournament_event_type": "Circuit"},
        base | {"tournament_name": "Without", "tournament_start_date": None, "tournament_id": 3},
    ]
    person = {
        "player_id": 2,
        "player_first_name": "Ben",
        "player_last_name": "Baker",
        "player_tournaments_played": played,
    }
    league = {"tournament_kind": "GHOST", "tournament_classifications": []} | base
    for name, data in {"player": person, "league": league}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    done = run_here("import", "--seeds", str(seeds), str(tmp_path / "player.json"), str(tmp_path / "league.json"))
    assert done.returncode == 0
    assert "1 new, 0 unchanged, 0 changed, 1 skipped, 0 rejected" in done.stdout
    assert "skipped (2): `National`, `Circuit`" in done.stderr
    assert "without a day skipped (1)" in done.stderr
    assert cells(seeds, "raw_results", "tournament_id", "placement") == [("cup-2018", "3")]
    assert cells(seeds, "raw_tournaments", "kind") == [("CUP",)]


@pytest.mark.parametrize("player_first", [True, False])
def test_a_tournaments_own_page_goes_before_a_players_page(player_first: bool, seeds: Path, archive: Archive) -> None:
    player, cup = archive.folder / "player.html", archive.folder / "cup.html"
    archive.answer("https://x.org/ranking_player.php?id_player=99901", "player.html", RATED)
    archive.answer(CUP_ADDRESS, "cup.html", CUP)
    for path in (player, cup) if player_first else (cup, player):
        imported(seeds, path)
    assert cells(seeds, "raw_results", "placement", "listed_by")[0] == ("3", "tournament")
    assert cells(seeds, "raw_tournaments", "players", "rounds")[0] == ("30", "3")
    assert len(cells(seeds, "raw_results", "player_id")) == 3


@pytest.mark.parametrize("reference_first", [True, False])
def test_two_sources_of_one_tournament(
    reference_first: bool, seeds: Path, archive: Archive, compiled_project: CompiledProject
) -> None:
    listed = [("Anna Archer", 4), ("Ben Baker", 7)] + ([] if reference_first else [("Cleo Cook", 9)])
    people = [
        {"player_full_name": name, "player_rank": rank, "player_id": i} for i, (name, rank) in enumerate(listed, 1)
    ]
    other = {
        "tournament_id": 7,
        "tournament_wdd_id": 99802,
        "tournament_name": "EDC 2016",
        "tournament_start_date": "2016-08-28",
        "tournament_classifications": people,
    }
    reference = archive.folder.parent / "7.json"
    reference.write_text(json.dumps(other), encoding="utf-8")
    archive.answer(CUP_ADDRESS, "cup.html", CUP)
    for path in (reference, archive.folder) if reference_first else (archive.folder, reference):
        imported(seeds, path)
    assert cells(seeds, "raw_results", "placement", "player_id")[:2] == [("3", "anna-archer"), ("7", "ben-baker")]
    assert cells(seeds, "raw_tournaments", "players", "source_document") == [("30", "cup.html")]
    with compiled_project.build(read_collection(seeds)) as connection:
        columns = "player_id, fact, value, other_value, other_document"
        found = connection.execute(f"select {columns} from marts.source_contradictions").fetchall()
    assert found == [("anna-archer", "placement", "3", "4", "7.json")]


def test_a_changed_page_of_an_archive_replaces_what_it_stated(seeds: Path, archive: Archive, tmp_path: Path) -> None:
    archive.answer(CUP_ADDRESS, "cup.html", CUP)
    archive.answer("https://x.org/ranking_player.php?id_player=99901", "player.html", RATED)
    archive.answer("https://x.org/list.php", "list.html", "<html><body>Included tournaments</body></html>")
    assert len(imported(seeds, archive.folder).skipped) == 1
    corrected = CUP.replace("<td>7</td>", "<td>8</td>").replace("78.33", "75.00")
    (tmp_path / "cup.html").write_text(corrected, encoding="utf-8")
    assert import_documents([tmp_path / "cup.html"], seeds).rejections
    archive.answer(CUP_ADDRESS, "cup.html", corrected)
    rated = RATED.replace("6/38", "7/38").replace("85.53", "82.89")
    archive.answer("https://x.org/ranking_player.php?id_player=99901", "player.html", rated)
    done = run_here("import", "--seeds", str(seeds), str(archive.folder))
    assert done.returncode == 0
    assert "placement: 7 -> 8" in done.stdout
    assert "placement: 6 -> 7" in done.stdout
    assert cells(seeds, "raw_results", "placement") == [("3",), ("8",), ("7",)]
    assert not imported(seeds, archive.folder).written


def test_every_published_rating_is_reproduced_or_explained(
    seeds: Path, archive: Archive, compiled_project: CompiledProject
) -> None:
    """Anna's page states a wrong rating, Ben's the right one; Cleo is only listed, Dora's tournament has another page."""
    rows = RATED[RATED.index("<tr class") : RATED.index("</table>")]
    head = "<html><body><h2>Rating</h2><p>Author Ann Last Update 2019-10-09</p>"
    pages = {"Ben BAKER": ("2", "52.91", rows), "Dora DAY": ("3", "50.00", rows.replace("20.00", "15.00"))}
    archive.answer(
        "https://x.org/?id_player=99901", "anna.html", RATED.replace("Dip Pouch Tournament Rating", "Rating")
    )
    for number, (name, (rank, rating, listed)) in enumerate(pages.items(), 2):
        ranked = f"<h2>{name}</h2><p>International ranking (National ranking) {rank} (1) Score {rating}</p>"
        table = RATED[RATED.index("<table>") :].replace(rows, listed)
        text = f"{head}{ranked}{table}".replace("4/28", f"{number + 3}/28").replace("6/38", f"{number + 5}/38")
        archive.answer(
            f"https://x.org/?id_player=9990{number}", f"{number}.html", text if number > 2 else f"{head}{ranked}{table}"
        )
    ranking = "<table><tr><th>Rank</th><th>FirstName LastName</th><th>Score</th></tr><tr><td>9</td><td>Cleo COOK</td><td>44.00</td></tr>"
    archive.answer("https://x.org/?PAGE=1", "ranking.html", f"{head}{ranking}</table></body></html>")
    imported(seeds, archive.folder, replace=True)
    with compiled_project.build(read_collection(seeds)) as connection:
        columns = "player_id, round(rating, 2), agrees, is_career_complete, reason, note"
        found = {
            row[0]: row[1:]
            for row in connection.execute(f"select {columns} from marts.published_ranking_comparison").fetchall()
        }
    assert found["anna-archer"][:4] == (52.91, False, True, "figure differs")
    assert found["ben-baker"][:4] == (52.91, True, True, "agrees")
    assert found["cleo-cook"][:4] == (40.0, False, None, "tournaments not known")
    assert found["dora-day"][3] == "figure differs"
    assert "the value of world-dipcon" in found["dora-day"][4]
