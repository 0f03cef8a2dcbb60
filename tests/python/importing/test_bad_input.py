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
from dippouch.importing.context import TournamentOptions
from dippouch.importing.reader import FORMATS, LARGEST_DOCUMENT, group_inputs, read_documents
from support.fuzzing import samples

Reader = Callable[..., Document]

HEAD = "name: Small Cup\ndate: 2010-05-01\nplayers: 4\nrounds: 2\n\nplacement,name,nation\n"
ROWS = "1,Anna ARCHER,FRA\n2,Ben BAKER,\n"


def csv(rows: str = ROWS, head: str = HEAD) -> str:
    return head + rows


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
    ("noise.bin", bytes(range(256)) * 9, "noise.bin:", "a binary file; expected a document with text"),
    ("report.pdf", b"%PDF-1.7 ...", "report.pdf:", "Copy the table out of it into a CSV file"),
    # pages
    ("half.html", PAGE[: len(PAGE) // 2], "half.html:", "breaks off before `</html>`; expected a whole page. Save it"),
    ("flag.html", PAGE.replace("YYY.gif", "QQQ.gif", 1), "row 1 of the table:", "the flag `QQQ`"),
    ("score.html", PAGE.replace("98.08", "98,08", 1), "row 1 of the table:", "the score `98,08`"),
    ("rank.html", PAGE.replace("<td>3<", "<td>third<", 1), "row 3 of the table:", "the rank `third`"),
    # pages out of the clipboard
    ("two.txt", TABS + TABS, "two.txt:", "found 2 tables"),
    ("long.csv", csv(f"1,{'A' * 10_000},FRA\n"), "long.csv:7:", "10000 characters; expected at most 100"),
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
    ("nan.json", JSON.replace('"player_rank": 1,', '"player_rank": NaN,', 1), "nan.json:", "the number `NaN`"),
    ("two.json", JSON.replace('"player_score"', '"player_rank"', 1), "two.json:", "the field `player_rank` twice"),
    (
        "rank.json",
        JSON.replace('"player_rank": 1,', '"player_rank": 1.5,', 1),
        "rank.json, tournament_classifications[0].player_rank:",
        "found `1.5`; expected a whole number",
    ),
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
