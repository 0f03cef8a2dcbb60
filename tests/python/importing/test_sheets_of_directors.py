"""What the sheets of ten directors taught: days, placements and nations as they write them, and one event that comes twice."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from dippouch.documents import Document, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.importing.parsing.dates import parse_date_span
from dippouch.importing.parsing.nations import read_nations
from dippouch.importing.parsing.numbers import parse_placement
from dippouch.importing.reader import read_documents
from dippouch.names import in_capitals, split_full_name
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT
from support.made_documents import person, table, take
from support.programs import run_here

FIELD = "Ann ARCHER,Bob BAKER,Cid COOK,Dan DYER,Eve EAST,Fay FORD,Gil GRAY,Hal HALE,Ida IVES,Jon JAMES,Kim KENT,Lea LANE".split(
    ","
)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("3-5/6/2016", "2016-06-03", "2016-06-05"),
        ("23-26/01/2015", "2015-01-23", "2015-01-26"),
        ("26.–28. 4. 2013", "2013-04-26", "2013-04-28"),
        ("11./12. Oktober 2014", "2014-10-11", "2014-10-12"),
        ("17 et 18 novembre 2018", "2018-11-17", "2018-11-18"),
        ("2 y 3 de abril de 2022", "2022-04-02", "2022-04-03"),
        ("Friday June 7 through Sunday June 9, 2024", "2024-06-07", "2024-06-09"),
    ],
)
def test_days_as_directors_write_them(text: str, first: str, last: str) -> None:
    assert parse_date_span(text) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize("text", ["5-3/6/2016", "3-5/13/2016", "11 Okt", "3 or 4 May 2010", "1-2-3/4/2010"])
def test_days_that_nobody_can_tell(text: str) -> None:
    with pytest.raises(ValueError, match=r"day|month"):
        parse_date_span(text)


@pytest.mark.parametrize(
    ("text", "placement"), [("1er", 1), ("2e", 2), ("3e ex æquo", 3), ("1º", 1), ("3.-4.", 3), ("7.–9.", 7), ("3-4", 3)]
)
def test_placements_as_directors_write_them(text: str, placement: int) -> None:
    assert parse_placement(text) == placement


@pytest.mark.parametrize("text", ["4-3", "3-3", "2.5", "1-2-3", "3 wins"])
def test_what_is_no_placement(text: str) -> None:
    with pytest.raises(ValueError, match="whole number"):
        parse_placement(text)


@pytest.mark.parametrize(
    ("text", "code"), [("ENG", "GBR"), ("Eire", "IRL"), ("Niederlande", "NLD"), ("Slovensko", "SVK"), ("Suède", "SWE")]
)
def test_nations_as_directors_write_them(text: str, code: str) -> None:
    assert read_nations(PROJECT / "seeds").of_text(text) == code


def test_what_stands_behind_a_last_name_is_none() -> None:
    assert split_full_name("Thomas Prendergast III") == ("Thomas", "PRENDERGAST III")
    assert split_full_name("Thomas PRENDERGAST Jr.") == ("Thomas", "PRENDERGAST Jr.")
    assert in_capitals("Prendergast III") == "PRENDERGAST III"


def read_text(path: Path, text: str) -> Document:

    path.write_text(f"name: A\ndate: 2010-05-01\nplayers: 9\nrounds: 2\n{text}", encoding="utf-8")
    (document,) = read_documents(path)
    return document


@pytest.mark.parametrize(
    "heading", ["Cognome e nome", "Nachname, Vorname", "Nom et prénom", "Last, First", "Surname & name"]
)
def test_a_heading_says_that_the_last_name_comes_first(tmp_path: Path, heading: str) -> None:
    document = read_text(tmp_path / "x.csv", f"Pos;{heading}\n1;Bressanelli Gianluca\n2;De Luca, Marco\n")
    assert isinstance(document, TournamentDocument)
    assert [r.player.name for r in document.results] == ["Gianluca BRESSANELLI", "Marco DE LUCA"]
    with pytest.raises(DocumentError, match="a comma behind the last name"):
        read_text(tmp_path / "x.csv", f"Pos;{heading}\n1;De Luca Marco\n")


def test_a_last_name_that_is_only_supposed_is_said(tmp_path: Path) -> None:
    document = read_text(tmp_path / "x.csv", "Pos,Name,From\n1,María Núñez Echávarri,Spain\n2,Ann Lee,Nice\n")
    assert isinstance(document, TournamentDocument)
    assert any("`María Núñez | ECHÁVARRI`" in remark for remark in document.remarks)
    assert any("nations in columns that are left aside: `From`" in remark for remark in document.remarks)


@pytest.mark.parametrize("day", ["2024-06-07", "2023-06-07"])
@pytest.mark.parametrize("turned", [False, True])
def test_one_event_told_by_two_people_comes_in_once(tmp_path: Path, day: str, turned: bool) -> None:
    """Another title, a mistyped year, a row lost at the end, two swapped, first names shortened: in either order."""
    told = table(*FIELD, name="Lakeshore Classic", day="2024-06-07")
    others = [name.replace("Dan ", "Danny ").replace("Kim ", "Kimberly ") for name in FIELD[:-1]]
    others[7], others[8] = others[8], others[7]
    again = table(*(person(name) for name in others), name="Great Lakes", day=day)
    documents = (again, told) if turned else (told, again)
    with Collection.opened(tmp_path / "seeds") as collection:
        take(collection, documents[0])
        with pytest.raises(DocumentError, match="there is nothing to import"):
            take(collection, documents[1])


def test_the_programs_help_names_what_is_asked() -> None:
    said = run_here("import_results.py", "--help").stdout
    assert all(
        option in said for option in ("--another-event", "--future", "--add-kind", "--encoding", "--template", "--undo")
    )
