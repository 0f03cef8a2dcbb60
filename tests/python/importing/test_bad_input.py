"""Documents that no one should import: each is rejected with its file, its place, what was found and what was expected."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from dippouch.documents import Document, TournamentDocument
from dippouch.errors import DocumentError, UserError
from dippouch.importing.options import TournamentOptions
from dippouch.importing.reader import FORMATS, LARGEST_DOCUMENT, group_inputs, read_documents
from support.fuzzing import samples

Reader = Callable[..., Document]

HEAD = "name: Small Cup\ndate: 2010-05-01\nplayers: 4\nrounds: 2\n\nplacement,name,nation\n"
ROWS = "1,Anna ARCHER,FRA\n2,Ben BAKER,\n"


def csv(rows: str = ROWS, head: str = HEAD) -> str:
    return head + rows


def in_row(cell: str) -> str:
    return csv(f"{cell},Anna ARCHER,FRA\n")


def named(name: str) -> str:
    return csv(f'1,"{name}",FRA\n')


def workbook(rows: list[list[Any]], *, sheets: int = 1) -> bytes:
    book = Workbook()
    for number in range(sheets):
        sheet = book.create_sheet(f"Sheet {number}", 0)
        for row in rows:
            sheet.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def archive(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return made.getvalue()


CELLS: list[list[Any]] = [
    ["name", "Small Cup"],
    ["date", "2010-05-01"],
    ["players", 4],
    ["rounds", 2],
    ["placement", "name"],
    [1, "Anna ARCHER"],
]


def changed(row: int, column: int, value: object) -> bytes:
    cells = [list(r) for r in CELLS]
    cells[row - 1][column - 1] = value
    return workbook(cells)


JSON = samples.tournament_json(samples.stored_tournaments()[0])
TABS = samples.tournament_tabs(samples.stored_tournaments()[0])
PAGE = samples.tournament_html(samples.stored_tournaments()[0])

# name of the file, its content, the place that the message names, and what else it says.
BAD = [
    ("empty.csv", "", "empty.csv:", "found an empty file"),
    ("blank.txt", " \n\n", "blank.txt:", "found an empty file"),
    ("noise.bin", bytes(range(256)) * 9, "noise.bin:", "a binary file; expected a document with text"),
    ("report.pdf", b"%PDF-1.7 ...", "report.pdf:", "Copy the table out of it into a CSV file"),
    (
        "letter.txt",
        "Dear rating keeper,\nwe played.\n",
        "letter.txt:",
        "text of no format that is known (it begins with `Dear rating keeper,`)",
    ),
    # pages
    ("404.html", "<html><head><title>404 Not Found</title></head></html>", "404.html:", "its title is `404 Not Found`"),
    ("half.html", PAGE[: len(PAGE) // 2], "half.html:", "breaks off before `</html>`; expected a whole page. Save it"),
    ("flag.html", PAGE.replace("YYY.gif", "QQQ.gif", 1), "row 1 of the table:", "the flag `QQQ`"),
    ("score.html", PAGE.replace("98.08", "98,08", 1), "row 1 of the table:", "the score `98,08`"),
    ("rank.html", PAGE.replace("<td>3<", "<td>third<", 1), "row 3 of the table:", "the rank `third`"),
    ("none.html", PAGE[: PAGE.index("<tr class")] + "</table></html>", "none.html:", "a table without rows"),
    # pages out of the clipboard
    (
        "nobody.txt",
        TABS.replace("Louis Clément AZAIS", ""),
        "nobody.txt:8:",
        "a row of at most 5 cells, a tab between them, with a name",
    ),
    ("six.txt", TABS.replace("94.23", "94.23\tx"), "six.txt:8:", "a row of at most 5 cells"),
    (
        "prose.txt",
        TABS.replace("2\tLouis", "2 Louis").replace("\t\t\t94.23", ""),
        "prose.txt:8:",
        "a row of at most 5 cells",
    ),
    ("gap.txt", TABS.replace("\n9\t", "\n\n9\t"), "gap.txt:16:", "after the end of the table"),
    ("bare.txt", TABS[: TABS.index("1\tArnaud")], "bare.txt:6:", "a table without rows"),
    ("two.txt", TABS + TABS, "two.txt:", "found 2 tables"),
    (
        "undated.txt",
        TABS.replace("Date\t", "When\t"),
        "undated.txt:",
        "expected the header fields `Date ... Place ...`",
    ),
    # placements
    ("0.csv", in_row("0"), "0.csv:7:", "the placement `0`; expected a whole number from 1"),
    ("negative.csv", in_row("-1"), "negative.csv:7:", "the placement `-1`"),
    ("fraction.csv", in_row("2.5"), "fraction.csv:7:", "the placement `2.5`"),
    ("nan.csv", in_row("NaN"), "nan.csv:7:", "the placement `NaN`"),
    (
        "5.csv",
        in_row("5"),
        "5.csv:7:",
        "placement 5; expected a placement from 1 to 4. The document declares 4 players (line 3)",
    ),
    ("dnf.csv", in_row("DNF"), "dnf.csv:6:", "a table without placements"),
    (
        "10000.csv",
        csv("".join(f"{i},Player {i} ARCHER{i},\n" for i in range(1, 10_001)), HEAD.replace("4", "10")),
        "10000.csv:17:",
        "placement 11; expected a placement from 1 to 10",
    ),
    (
        "ties.csv",
        csv("1,Anna ARCHER,\n1,Ben BAKER,\n2,Cleo COOK,\n"),
        "ties.csv:9:",
        "placement 2 after 2 players at placement 1",
    ),
    (
        "twice.csv",
        csv("1,Anna ARCHER,\n2,Ben BAKER,\n3,ARCHER Anna,\n"),
        "twice.csv:9:",
        "a second time (first: line 7)",
    ),
    # dates
    (
        "either.csv",
        csv(head=HEAD.replace("2010-05-01", "03/04/2010")),
        "either.csv:2:",
        "write 2010-04-03 or 2010-03-04",
    ),
    ("feb.csv", csv(head=HEAD.replace("2010-05-01", "2010-02-30")), "feb.csv:2:", "day is out of range for month"),
    ("far.csv", csv(head=HEAD.replace("2010-05-01", "2999-05-01")), "far.csv:2:", "a year from 1900 to 2100"),
    # names and other texts
    ("bell.csv", named("Anna\x07 ARCHER"), "bell.csv:7:", "U+0007 (a control character)"),
    ("rtl.csv", named("Anna\u202e ARCHER"), "rtl.csv:7:", "U+202E (right-to-left override)"),
    ("mark.csv", named("Anna\u200f ARCHER"), "mark.csv:7:", "U+200F (right-to-left mark)"),
    ("long.csv", named("A" * 10_000), "long.csv:7:", "10000 characters; expected at most 100"),
    ("equals.csv", named("=CMD()"), "equals.csv:7:", "a spreadsheet runs as a formula"),
    ("at.csv", named("@Anna"), "at.csv:7:", "a spreadsheet runs as a formula"),
    ("cup.csv", csv(head=HEAD.replace("Small Cup", "=1+1")), "cup.csv:1:", "a spreadsheet runs as a formula"),
    (
        "minus.csv",
        csv(head="place: -2+3+cmd|' /C calc'!A0\n" + HEAD),
        "minus.csv:1:",
        "the place with `-` at its beginning",
    ),
    ("wide.csv", csv(head="place: ＝1+1\n" + HEAD), "wide.csv:1:", "the place with `＝` at its beginning"),
    ("filler.csv", csv(head="place: \u3164\n" + HEAD), "filler.csv:1:", "U+3164 (hangul filler)"),
    ("markup.csv", named("[bold red]Ada[/]"), "markup.csv:7:", "the character `[` (left square bracket)"),
    (
        "mixed.csv",
        named("Edi BIRS\u0410N"),
        "mixed.csv:7:",
        "the character U+0410 (cyrillic capital letter a), which looks like `A`, among Latin letters; expected letters of one",
    ),
    ("nameless.csv", csv("1,,FRA\n"), "nameless.csv:7:", "found no name; expected a name in every row"),
    ("digits.csv", named("???"), "digits.csv:7:", "expected a name with letters"),
    ("nation.csv", csv("1,Anna ARCHER,ALL\n"), "nation.csv:7:", "the World Diplomacy Database's `ALL` is `DEU`"),
    # the table
    (
        "heads.csv",
        csv(head=HEAD.replace("name,nation", "name,Player")),
        "heads.csv:6:",
        "one column for `name`. Remove one.",
    ),
    ("slip.csv", csv(head=HEAD.replace("nation", "nation_cod")), "slip.csv:6:", "`nation_cod`; expected `nation_code`"),
    ("short.csv", csv("1,Anna ARCHER\n"), "short.csv:7:", "2 cells; expected 3"),
    ("wide.csv", csv("1,ARCHER, Anna,FRA\n"), "wide.csv:7:", "4 cells; expected 3"),
    ("quote.csv", csv('1,"Anna,FRA\n'), "quote.csv:7:", "a line that is not CSV"),
    (
        "fact.csv",
        csv(head="plce: Nice\n" + HEAD),
        "fact.csv:1:",
        "`plce: Nice` above the table; expected one of the facts",
    ),
    ("same.csv", csv(head="players: 5\n" + HEAD), "same.csv:4:", "`players` a second time"),
    (
        "few.csv",
        csv(head=HEAD[HEAD.index("placement") :]),
        "few.csv:",
        "no name and no date and no players and no rounds",
    ),
    ("none.csv", csv(""), "none.csv:6:", "a table without rows"),
    ("nameless.csv", csv().replace("Small Cup", "***"), "nameless.csv:1:", "the name `***` with no letter or digit"),
    ("alone/tournaments.csv", "tournament_id,name\nt,Cup\n", "tournaments.csv:", "text of no format that is known"),
    # workbooks
    ("not.xlsx", archive({"readme.txt": "hello"}), "not.xlsx:", "a zip archive that is no workbook"),
    ("cut.xlsx", workbook(CELLS)[:3000], "cut.xlsx:", "found no workbook inside"),
    ("damaged.xlsx", archive({"xl/workbook.xml": "<oops"}), "damaged.xlsx:", "a damaged workbook"),
    ("bomb.xlsx", archive({"xl/workbook.xml": "0" * 200_000_001}), "bomb.xlsx:", "200,000,001 bytes when unpacked"),
    ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old.xls:", "Save it as .xlsx without a password"),
    ("formula.xlsx", changed(6, 1, "=A1+1"), "formula.xlsx, cell A6:", "the formula `=A1+1` without a value"),
    ("error.xlsx", changed(6, 1, "#N/A"), "error.xlsx, cell A6:", "the error `#N/A`"),
    ("half.xlsx", changed(6, 1, 1.5), "half.xlsx, cell A6:", "the placement `1.5`"),
    ("text.xlsx", changed(3, 2, "four"), "text.xlsx, cell B3:", "`players` `four`; expected a whole number above 0"),
    ("sheets.xlsx", workbook(CELLS, sheets=2), "sheets.xlsx:", "tables of results on 2 sheets"),
    ("nothing.xlsx", workbook([]), "nothing.xlsx:", "no headings of a table"),
    # JSON
    ("deep.json", "[" * 10_000 + "]" * 10_000, "deep.json:", "JSON nested too deep"),
    ("deeper.json", '{"a":' * 10_000 + "1" + "}" * 10_000, "deeper.json:", "JSON nested too deep"),
    ("cut.json", JSON[:300], "cut.json:", "JSON that breaks off or is broken"),
    ("other.json", '{"hello": 1}', "other.json:", "JSON of something else; expected an object with `tournament_class"),
    ("nan.json", JSON.replace('"player_rank": 1,', '"player_rank": NaN,', 1), "nan.json:", "the number `NaN`"),
    ("two.json", JSON.replace('"player_score"', '"player_rank"', 1), "two.json:", "the field `player_rank` twice"),
    (
        "rank.json",
        JSON.replace('"player_rank": 1,', '"player_rank": 1.5,', 1),
        "rank.json, tournament_classifications[0].player_rank:",
        "found `1.5`; expected a whole number",
    ),
    (
        "list.json",
        '{"tournament_name": "Cup", "tournament_start_date": "2010-05-01", "tournament_classifications": [1]}',
        "list.json, tournament_classifications:",
        "a list of 1; expected a list of objects",
    ),
    ("unnamed.json", '{"tournament_classifications": []}', "unnamed.json:", "no name and no date of the tournament"),
]


@pytest.mark.parametrize(("name", "content", "place", "message"), BAD, ids=[name for name, *_ in BAD])
def test_bad_input_names_its_place(name: str, content: str | bytes, place: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DocumentError) as caught:
        list(read_documents(path))
    assert f"{path.parent}/" in str(caught.value)
    assert place in str(caught.value)
    assert message in str(caught.value)
    assert "; expected " in str(caught.value)


@pytest.mark.parametrize(
    ("name", "shown", "found"),
    [
        ("cup\n2010.csv", "cup\\n2010.csv", "a name with the character U+000A (a control character)"),
        ("cup\x1b[31m.csv", "cup\\x1b[31m.csv", "a name with the character U+001B (a control character)"),
        ("cup\u202egpj.csv", "cup\\u202egpj.csv", "a name with the character U+202E (right-to-left override)"),
        ("cup\udce9.csv", "cup\\udce9.csv", "a name that is not UTF-8"),
        ("=cmd.csv", "=cmd.csv", "a name with `=` at its beginning, which a spreadsheet runs as a formula"),
        ("evil\r/cup.csv", "evil\\r/cup.csv", "a name with the character U+000D (a control character)"),
    ],
)
def test_the_name_of_a_file_is_fit_for_a_seed_and_a_message(name: str, shown: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(csv())
    with pytest.raises(DocumentError) as caught:
        list(read_documents(path))
    assert str(caught.value).startswith(f"{tmp_path}/{shown}: found {found}; expected a file whose name can be shown")
    assert str(caught.value).endswith(". Rename it.")


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(DocumentError, match=f"200,000,000 bytes; expected a document of at most {LARGEST_DOCUMENT:,}"):
        list(read_documents(path))


def test_a_file_that_is_gone_and_a_folder_are_no_documents(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone.csv", Path("/dev/zero")):
        with pytest.raises(DocumentError, match=r"expected a (readable )?file"):
            list(read_documents(path))


def test_the_placements_that_are_understood(read: Reader) -> None:
    rows = "1st,Anna ARCHER,\n=2,Ben BAKER,\nT2,Cleo COOK,\n4.,Dan DYER,\nDNF,Eva EAST,\n-,Fay FOX,\n,Gil GRAY,\n"
    document = read(csv(rows), "standings.csv")
    assert isinstance(document, TournamentDocument)
    assert [r.placement for r in document.results] == [1, 2, 2, 4, None, None, None]


def test_a_workbook_shows_the_value_that_excel_stored_for_a_formula(read: Reader) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(changed(6, 1, "=0+1"))) as old, zipfile.ZipFile(content, "w") as new:
        for name in old.namelist():
            new.writestr(
                name,
                old.read(name)
                .replace(b"<f>0+1</f><v></v>", b"<f>0+1</f><v>1</v>")
                .replace(b"<f>0+1</f><v />", b"<f>0+1</f><v>1</v>"),
            )
    document = read(content.getvalue(), "book.xlsx")
    assert isinstance(document, TournamentDocument)
    assert [r.placement for r in document.results] == [1]


def test_a_workbook_need_not_store_the_empty_cells_at_the_end_of_a_row(read: Reader) -> None:
    rows = [*CELLS[:4], ["placement", "name", "nation"], [1, "Anna ARCHER"], [2, "Ben BAKER", "FRA"]]
    document = read(workbook(rows), "book.xlsx")
    assert isinstance(document, TournamentDocument)
    assert [r.player.nation_code for r in document.results] == [None, "FRA"]


def test_a_day_in_a_workbook_is_a_day(read: Reader) -> None:
    document = read(changed(2, 2, datetime(2010, 5, 1)), "book.xlsx")  # noqa: DTZ001 (as openpyxl takes it)
    assert isinstance(document, TournamentDocument)
    assert document.started_on == date(2010, 5, 1)


def test_the_command_line_states_what_a_table_leaves_out(read: Reader) -> None:
    day = date(2010, 5, 1)
    for stated in ("1 May 2010", "2010-05-01"):
        options = TournamentOptions(name="Small Cup", date=stated, nation="France", players=4, rounds=2)
        document = read("placement;player\n1;Anna Archer\n", "x.csv", options=options)
        assert isinstance(document, TournamentDocument)
        assert (document.name, document.nation_code, document.players) == ("Small Cup", "FRA", 4)
        assert (document.started_on, document.ended_on) == (day, day)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (csv(), TournamentOptions(players=5), ":3: found players `4`; expected `5`, as `--players` says"),
        (csv(), TournamentOptions(nation="Atlantis"), "option --nation: found the nation `Atlantis`"),
        (PAGE, TournamentOptions(rounds=9), "found rounds `2`; expected `9`, as the option says"),
        (samples.player_json(), TournamentOptions(rounds=9), "Leave the options out"),
    ],
)
def test_the_command_line_cannot_contradict_a_document(
    content: str, options: TournamentOptions, message: str, read: Reader
) -> None:
    with pytest.raises(DocumentError) as caught:
        read(content, "document", options=options)
    assert message in str(caught.value)


def test_a_form_that_does_not_exist_lists_those_that_do(read: Reader) -> None:
    with pytest.raises(UserError, match=", ".join(FORMATS)):
        read(csv(), "x.csv", format_name="xml")


def test_a_form_that_is_named_is_not_found_out(read: Reader) -> None:
    with pytest.raises(DocumentError, match="a page without a table of results"):
        read(csv(), "x.csv", format_name="wdd-html")


def test_two_people_of_one_name_are_told_apart_by_nation_or_id(read: Reader) -> None:
    rows = "1,Chris MARTIN,USA\n2,Chris MARTIN,GBR\n"
    document = read(csv(rows), "x.csv")
    assert isinstance(document, TournamentDocument)
    assert [r.player.nation_code for r in document.results] == ["USA", "GBR"]


def test_inputs_are_files_once_each_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in (
        "b.csv",
        "a.txt",
        ".hidden",
        ".git/config",
        "bulk/tournaments.csv",
        "bulk/results.csv",
        "z/results.csv",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    expected = [tmp_path / name for name in ("a.txt", "b.csv", "bulk/tournaments.csv", "z/results.csv")]
    assert group_inputs([tmp_path]) == expected
    assert group_inputs([tmp_path / "bulk" / ".." / "b.csv", tmp_path / "b.csv"]) == [
        tmp_path / "bulk" / ".." / "b.csv"
    ]
    assert group_inputs([tmp_path / "bulk" / "results.csv"]) == [tmp_path / "bulk" / "tournaments.csv"]
    with pytest.raises(UserError, match="no such file or folder"):
        group_inputs([tmp_path / ".." / "gone"])
