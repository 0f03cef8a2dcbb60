"""Standings as other people keep them: headings of many languages, titles, notes, totals, blanks; nothing is lost silently."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dippouch.documents import Document, TournamentDocument
from dippouch.errors import DocumentError, UserError
from dippouch.importing.formats import standings_csv, two_tables
from dippouch.importing.formats.headings import heading
from dippouch.importing.options import TournamentOptions
from dippouch.importing.parsing.dates import parse_date_span
from dippouch.importing.parsing.numbers import parse_score
from dippouch.importing.reader import read_documents
from dippouch.importing.template import write_template

Reader = Callable[..., Document]

FACTS = "name: Small Cup\ndate: 2010-05-01\nplayers: 6\nrounds: 2\n\n"
TABLE = "placement,name\n1,Anna ARCHER\n2,Ben BAKER\n"


@pytest.fixture
def sheet(read: Reader) -> Callable[..., TournamentDocument]:
    """A function that reads a table, with facts above it unless others are given."""

    def read_table(table: str, facts: str = FACTS, options: TournamentOptions | None = None) -> TournamentDocument:
        document = read(facts + table, "sheet.csv", options=options)
        assert isinstance(document, TournamentDocument)
        return document

    return read_table


Sheet = Callable[..., TournamentDocument]


def names(document: TournamentDocument) -> list[tuple[str, str]]:
    return [(r.player.first_name, r.player.last_name) for r in document.results]


def refusal(read: Callable[[], object]) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        read()
    return caught.value


def all_of(error: DocumentError) -> list[str]:
    return [str(fault) for fault in (error, *error.further)]


@pytest.mark.parametrize(
    "head",
    [
        "Position,Forename,Surname",
        "Pos.,First,Last",
        "Rank,Given Name(s),Family Name",
        "Place,FName,LName",
        "Final Position,Christian name,SURNAME",
        "Standing,Given,Family",
        "Finish,First Names,Last Name".replace("First Names", "Forenames"),
        "Platz,Vorname,Nachname",
        "Rang,Vorname,Name",
        "Classement,Prénom,Nom",
        "Posizione,Nome,Cognome",
        "Posición,Nombre,Apellidos",
        "Puesto,Nombre,Apellido",
        "Plaats,Voornaam,Achternaam",
        "Miejsce,Imię,Nazwisko",
        "Pořadí,Jméno,Příjmení",
        "Placering,Förnamn,Efternamn",
        "#,First Name,Last Name",
        "No.,First Name,Last Name",
        "N°,Prénom,Nom de famille",
        "Nr,Name,Surname",
    ],
)
def test_first_and_last_names_are_found_under_any_usual_heading(head: str, sheet: Sheet) -> None:
    document = sheet(f"{head}\n1,Ann,SMITH\n2,Zed,SMITH\n")
    assert names(document) == [("Ann", "SMITH"), ("Zed", "SMITH")]
    assert [r.placement for r in document.results] == [1, 2]


@pytest.mark.parametrize(
    "head",
    ["Rang,Joueur", "Pos,Nome", "Place,Nom", "Puesto,Nombre", "Rank,Full Name", "Platz,Spieler", "#,Participant"],
)
def test_a_lone_column_of_names_holds_whole_names(head: str, sheet: Sheet) -> None:
    assert names(sheet(f"{head}\n1,Anna ARCHER\n2,Ben BAKER\n")) == [("Anna", "ARCHER"), ("Ben", "BAKER")]


@pytest.mark.parametrize("head", ["Nation", "Pays", "Land", "País", "Kraj", "Nationalité", "Nazione", "Country Code"])
def test_the_nation_has_many_names(head: str, sheet: Sheet) -> None:
    assert sheet(f"rank,name,{head}\n1,Anna ARCHER,FRA\n").results[0].player.nation_code == "FRA"


def test_headings_differ_in_accents_capitals_and_signs_only() -> None:
    assert [heading(text) for text in ("Prénom", " LAST-name ", "N°", "#", "Player #", "x" * 99)] == [
        *("prenom", "last_name", "no", "#", "player_#", "")
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("Rank,Vorname,Name\n1,Ann,Ann SMITH\n", "`Ann SMITH` with `Ann` in it"),
        ("Rank,Name,Surname\n1,Ann Smith,Smith\n", "`Ann Smith` with `Smith` in it"),
        ("Rank,Player,Surname\n1,42,Smith\n", "`42` in `Player`, which is read as `first_name`"),
        ("Rank,Player,First,Second\n1,Ann SMITH,3,0\n", "`3` in `First`, which is read as `first_name`"),
        ("Rank,Player,First,Last\n1,Ann SMITH,3,Anna\n", "`3` in `First`, which is read as `first_name`"),
        ("Rank,Player,Nation\n1,42,FRA\n", "`42` in `Player`, which is read as `name`"),
        ("Rank,Name,,Club\n1,Ann,SMITH,x\n", "`SMITH` in a column without a heading, beside `Name`"),
    ],
)
def test_names_that_are_in_the_wrong_column_are_refused_once(table: str, message: str, sheet: Sheet) -> None:
    faults = all_of(refusal(lambda: sheet(table + table.split("\n")[1].replace("1,", "2,", 1) + "\n")))
    assert len(faults) == 1
    assert ":7: found " in faults[0]
    assert message in faults[0]


def test_somebody_whose_names_are_the_same_is_nobody_else(sheet: Sheet) -> None:
    assert names(sheet("Rank,Vorname,Name\n1,Martin,Martin\n")) == [("Martin", "MARTIN")]


def test_last_names_alone_are_refused(sheet: Sheet) -> None:
    fault = str(refusal(lambda: sheet("Rank,Initial,Surname,Club\n1,A,SMITH,x\n2,Z,SMITH,x\n")))
    assert ":6: found the heading `Surname` and none of the first names; among `Initial`, `Club`?" in fault
    assert "expected a column `first_name` beside it" in fault
    fault = str(refusal(lambda: sheet("Rank,First name\n1,Ann\n")))
    assert "found the heading `First name` and none of the last names" in fault


def test_a_slip_in_another_name_of_a_column_is_refused(sheet: Sheet) -> None:
    fault = str(refusal(lambda: sheet("Rank,Fornames,Surname\n1,Ann,SMITH\n")))
    assert "found the heading `Fornames`; expected `first_name`" in fault


def test_what_is_left_aside_is_said(sheet: Sheet) -> None:
    document = sheet("Rank,Name,Club,Points,Percentage,,Team\n1,Anna ARCHER,x,7,8,9,y\n")
    assert document.remarks == (
        "columns left aside: `Club`, `Points` (no percentile score; such a column is headed `published_score`),"
        " `Percentage` (did you mean `published_score`?), `Team`",
        "left aside for want of a heading: column 6",
    )


def test_a_running_number_beside_the_placement_is_none(sheet: Sheet) -> None:
    document = sheet("No,Rank,Name\n7,1,Anna ARCHER\n8,2,Ben BAKER\n")
    assert [r.placement for r in document.results] == [1, 2]
    assert document.remarks == ("columns left aside: `No`",)
    assert sheet("No,Name\n1,Anna ARCHER\n").remarks == ("`No` is read as the placement",)


def test_whoever_has_no_first_name_is_named(sheet: Sheet) -> None:
    (remark,) = sheet("rank,first_name,last_name\n1,Ann,SMITH\n2,,SMYTHE\n").remarks
    assert remark == "no first name in the row of `SMYTHE` (line 8)"


def test_a_blank_placement_above_another_is_refused(sheet: Sheet) -> None:
    fault = refusal(lambda: sheet("rank,name\n1,A ARCHER\n,B BAKER\n3,C COOK\n,D DYER\n,E EAST\n6,F FOX\n,G GRAY\n"))
    assert all_of(fault) == [str(fault)]
    assert ":8: found no placement in line 8, line 10, line 11, above placement `6`" in str(fault)
    assert "Write the placement of the tied again in each row, or `-`" in str(fault)


def test_blanks_at_the_end_are_said(sheet: Sheet) -> None:
    document = sheet("rank,name\n1,A ARCHER\n1,B BAKER\n-,C COOK\n,D DYER\n,E EAST\n")
    assert [r.placement for r in document.results] == [1, 1, None, None, None]
    assert document.remarks == (
        "the placement is blank, and they are listed without one: `D DYER` (line 10), `E EAST` (line 11);"
        " nobody holds placement 3-6",
    )


def test_what_nobody_holds_takes_no_memory(sheet: Sheet) -> None:
    facts = FACTS.replace("players: 6", "players: 999999")
    rows = "".join(f"{3 * i + 1},P{i} PLAYER{i}\n" for i in range(12))
    (remark,) = sheet(f"rank,name\n{rows},Z ZIMMER\n", facts).remarks
    assert remark.endswith("nobody holds placement 2-3, 5-6, 8-9, 11-12, 14-15, 17-18, 20-21, 23-24 and 4 more")


def test_a_total_is_no_placement_under_a_blank_one(sheet: Sheet) -> None:
    assert [r.placement for r in sheet("rank,name\n1,Anna ARCHER\n,Ben BAKER\n2,Total\n").results] == [1, None]


def test_one_name_counts_as_the_last(sheet: Sheet) -> None:
    fault = str(refusal(lambda: sheet("rank,first,last\n1,Cher,\n2,,SMITH\n")))
    assert ":7: found `Cher` without a last name; expected a last name in every row" in fault


@pytest.mark.parametrize("row", ["Total,,6,x", ",Total,6,x", ",Grand total,6,x", "Summe,6,6,x", "7,Total,6,x"])
def test_totals_are_left_aside(row: str, sheet: Sheet) -> None:
    document = sheet(f"rank,name,points,club\n1,Anna ARCHER,6,y\n{row}\n")
    assert len(document.results) == 1
    assert document.remarks[-1].startswith("rows left aside: the total `")
    assert "(line 8)" in document.remarks[-1]


def test_somebody_called_like_a_total_is_listed(sheet: Sheet) -> None:
    assert names(sheet("rank,first,last\n1,Ann,SUM\n")) == [("Ann", "SUM")]


def test_remarks_under_the_table_are_left_aside(sheet: Sheet) -> None:
    document = sheet(TABLE + "# checked, by the TD\n\n#\n")
    assert len(document.results) == 2
    assert document.remarks == ("rows left aside: the remark `# checked` (line 9), the remark `#` (line 11)",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("Results checked by the TD,", "`Results checked by the TD` alone in a row of the table"),
        ("Results checked by the TD", "`Results checked by the TD` alone in a row of the table"),
        ("\n,Thanks to all", "`Thanks to all` alone under an empty row"),
        ("placement,name", "the headings of a table a second time"),
        ("#3,Cleo COOK", "the placement `#3`"),
        ("#N/A,Cleo COOK", "the placement `#N/A`"),
        ("3,", "`3` alone in a row of the table"),
    ],
)
def test_rows_that_are_no_players_are_refused(row: str, message: str, sheet: Sheet) -> None:
    fault = str(refusal(lambda: sheet(TABLE + row + "\n")))
    assert ":9: found " in fault or ":10: found " in fault
    assert message in fault


def test_a_row_of_units_is_explained(sheet: Sheet) -> None:
    fault = str(refusal(lambda: sheet("rank,name,nation\n(of 6),,(ISO)\n1,Anna ARCHER,FRA\n")))
    assert "found the placement `(of 6)`" in fault
    fault = str(refusal(lambda: sheet("rank,name,nation,club\n,,(ISO),(short)\n1,Anna ARCHER,FRA,x\n")))
    assert "found no name" in fault
    assert "begin it with `#`" in fault


def test_a_title_is_left_aside_and_offered_as_the_name(sheet: Sheet) -> None:
    title = "WAC 6 2009 - Final standings\n"
    assert sheet(TABLE, title + FACTS).remarks == (
        "lines above the table left aside: `WAC 6 2009 - Final standings` (line 1)",
    )
    facts = FACTS.replace("name: Small Cup\n", "").replace("date: ", "")
    fault = str(refusal(lambda: sheet(TABLE, title + facts)))
    assert "--name 'WAC 6 2009 - Final standings' --date 2010-05-01" in fault
    options = TournamentOptions(name="WAC 6 2009", date="2010-05-01")
    assert sheet(TABLE, title + facts, options).name == "WAC 6 2009"


@pytest.mark.parametrize("line", ["Plaayers: 6", "Director: John", "Director,John"])
def test_a_line_of_another_fact_is_refused_with_a_way_out(line: str, sheet: Sheet) -> None:
    fault = str(refusal(lambda: sheet(TABLE, f"{line}\n{FACTS}")))
    assert ":1: found `" in fault
    assert "Delete the row, or begin it with `#`" in fault
    assert ("Did you mean `players`?" in fault) == line.startswith("Pl")


def test_a_fact_without_a_value_states_nothing(sheet: Sheet) -> None:
    assert sheet(TABLE, "boards,\n" + FACTS).remarks == ("no value: `boards` (line 1)",)


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("date,2009-01-23,-,2009-01-25", "2009-01-23 2009-01-25"),
        ("date,2009-01-23,2009-01-25", "2009-01-23 2009-01-25"),
        ("date,January 23-25,2009", "2009-01-23 2009-01-25"),
        ("date: January 23-25, 2009", "2009-01-23 2009-01-25"),
        ("date,23 January 2009,to,25 January 2009", "2009-01-23 2009-01-25"),
        ("date,3rd of May 2010", "2010-05-03 2010-05-03"),
    ],
)
def test_days_may_have_several_cells(line: str, days: str, sheet: Sheet) -> None:
    document = sheet(TABLE, FACTS.replace("date: 2010-05-01", line))
    assert f"{document.started_on} {document.ended_on}" == days


@pytest.mark.parametrize("text", ["0000-05-01", "May 1, 0000", "1 May 20091"])
def test_years_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"year|no month"):
        parse_date_span(text)


def test_everything_that_is_wrong_is_said_at_once(sheet: Sheet) -> None:
    facts = "name: Cup\ndate: 03/04/2010\nplayers: many\nrounds: 0\nplce: Nice\n\n"
    faults = all_of(refusal(lambda: sheet("rank,name,nat\nx,A ARCHER,\n1,B BAKER,Nowhere\n2,C COOK,FRA\n", facts)))
    assert [fault.split("sheet.csv:")[1].split(":")[0] for fault in faults] == [*"53428", "9"]


def test_faults_are_told_up_to_a_number(sheet: Sheet) -> None:
    rows = "".join(f"x{i},P{i} PLAYER\n" for i in range(1000))
    assert len(all_of(refusal(lambda: sheet(f"rank,name\n{rows}")))) == 50


@pytest.mark.parametrize(
    ("table", "hint"),
    [
        ("Placment;Player\n1;A ARCHER\n", "line 1 has the headings `Placment`, `Player`; did you mean `placement` by"),
        ("x\n\nPlayer,Country,Points\nA ARCHER,FRA,1\n", "line 3 has the headings `Player`, `Country`; there is no"),
        ("Rank\tClub\tScore\n", "there is no heading `name` or `last_name`"),
        ("Dear rating keeper,\nwe played, and it was nice.\n", ""),
        ("name,Cup\nplayers,6\n", ""),
    ],
)
def test_a_head_that_is_not_found_is_described(table: str, hint: str) -> None:
    described = standings_csv.described_head(table)
    assert hint in described
    assert bool(hint) == bool(described)


def test_a_table_without_a_head_says_what_comes_nearest(read: Reader) -> None:
    fault = str(refusal(lambda: read(FACTS + "Placment,Player\n1,A\n", "x.csv", format_name="csv")))
    assert "x.csv:6: found the headings `Placment`, `Player`; did you mean `placement` by `Placment`?" in fault


@pytest.mark.parametrize(
    ("text", "score"), [("87.5", "87.50"), ("100", "100.00"), ("98.30", "98.30"), ("87,5", "87.50")]
)
def test_scores_as_sheets_keep_them(text: str, score: str) -> None:
    assert str(parse_score(text)) == score


@pytest.mark.parametrize("text", ["87.555", "1e2", "-1", "87.", "NaN", "1000", "8 7"])
def test_what_is_no_score(text: str) -> None:
    with pytest.raises(ValueError, match=r"such as `98\.30`"):
        parse_score(text)


@pytest.mark.parametrize("piece", ["7", " ", "a ", "-", "é", "1, ", "2010-05-01 "])
def test_a_long_cell_takes_as_much_longer_as_it_is(sheet: Sheet, piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        started = time.process_time()
        for table, facts in (
            (f'rank,name\n"{text}x",A ARCHER\n1,"{text}x"\n', FACTS),
            (TABLE, FACTS.replace("2010-05-01", f'"{text}x"').replace("Cup", text)),
            (f'rank,name,"{text}x",nat\n1,A ARCHER,,"{text}x"\n', FACTS),
        ):
            with pytest.raises(DocumentError):
                sheet(table, facts)
        return time.process_time() - started

    # Ten times the length; what compares every part with every other takes a hundred times.
    assert seconds(30_000) < 40 * max(seconds(3_000), 0.002)


TOURNAMENTS = (
    "tournament_id,name,started_on,players,rounds,organiser\na,Cup A,2010-05-01,4,2,x\nb,Cup B,2010-06-01,4,2,y\n"
)
RESULTS = (
    "tournament_id,rank,forename,surname,points\na,1,Ann,SMITH,3\nb,1,Ann,SMITH,3\nb,,Zed,SMITH,\nb,3,Ben,BAKER,1\n"
)


def pair(folder: Path, tournaments: str = TOURNAMENTS, results: str = RESULTS, *, capitals: bool = False) -> Path:
    for name, content in (("tournaments.csv", tournaments), ("results.csv", results)):
        (folder / (name.upper() if capitals else name)).write_text(content)
    return folder / ("TOURNAMENTS.CSV" if capitals else "tournaments.csv")


def test_a_pair_says_once_what_it_leaves_aside(tmp_path: Path) -> None:
    first, second = (d for d in read_documents(pair(tmp_path)) if isinstance(d, TournamentDocument))
    assert first.remarks == (
        "tournaments.csv: columns left aside: `organiser`",
        "results.csv: columns left aside: `points` (no percentile score; such a column is headed `published_score`)",
    )
    assert names(second) == [("Ann", "SMITH"), ("Zed", "SMITH"), ("Ben", "BAKER")]
    assert second.remarks == (
        "the placement is blank, and they are listed without one: `Zed SMITH` (line 4 of results.csv);"
        " nobody holds placement 2, 4",
    )


def test_everything_that_is_wrong_in_a_pair_is_said_at_once(tmp_path: Path) -> None:
    results = RESULTS.replace("a,1,", "a,x,").replace("b,1,", "b,0,").replace("b,3,", "b,z,")
    path = pair(tmp_path, TOURNAMENTS.replace("Cup B,2010-06-01,4", "Cup B,2010-06-31,many"), results)
    faults = all_of(refusal(lambda: list(read_documents(path))))
    assert [fault.split("/")[-1].split(": found")[0] for fault in faults] == [
        *("results.csv:2", "results.csv:3", "results.csv:5", "tournaments.csv:3", "tournaments.csv:3")
    ]


def test_a_pair_may_be_named_in_capitals(tmp_path: Path) -> None:
    path = pair(tmp_path, capitals=True)
    assert two_tables.is_pair(path)
    assert two_tables.document_of(tmp_path / "RESULTS.CSV") == path
    assert len(list(read_documents(path))) == 2


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".XLSX"])
def test_a_template_is_refused_until_it_is_filled_in(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"template{suffix}"
    write_template(path)
    faults = all_of(refusal(lambda: list(read_documents(path))))
    assert "found no name and no date and no players and no rounds of the tournament" in faults[0]
    assert "a table without rows" in faults[1]
    with pytest.raises(UserError, match="found a file of that name"):
        write_template(path)


def test_a_template_has_the_ending_of_a_table(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"expected \.xlsx or \.csv"):
        write_template(tmp_path / "template.ods")


def test_a_template_that_is_filled_in_is_imported(tmp_path: Path) -> None:
    path = tmp_path / "template.csv"
    write_template(path)
    text = path.read_text(encoding="utf-8-sig")
    for fact, value in (("name", "Cup"), ("date", "2010-05-01"), ("players", "6"), ("rounds", "2")):
        text = text.replace(f"\n{fact},\n", f"\n{fact},{value}\n")
    path.write_text(text + "1,Ann,SMITH,FRA,\n-,Zed,SMITH,,\n", encoding="utf-8")
    (document,) = read_documents(path)
    assert isinstance(document, TournamentDocument)
    assert names(document) == [("Ann", "SMITH"), ("Zed", "SMITH")]
    assert document.players == 6
