"""Small files that would take minutes and gigabytes: each is refused for what it holds, and what an event needs is read."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path
from string import ascii_uppercase

import pytest
from openpyxl import Workbook
from openpyxl.xml.constants import SHEET_MAIN_NS

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.importing.formats.document_limits import LARGEST_TEXT, MOST_CELLS, MOST_LINES, MOST_RESULTS, MOST_ROWS
from dippouch.importing.formats.wdd.fields import Line
from dippouch.importing.formats.wdd.markup import parse_page
from dippouch.importing.formats.wdd.text_lines import joined_lines
from dippouch.importing.reader import read_documents
from dippouch.settings import PROJECT
from support.fuzzing import samples

HEAD = "name: Big Cup\ndate: 2010-05-01\nplayers: 900000\nrounds: 2\n\nplacement,name\n"
PAGE = samples.tournament_html(samples.stored_tournaments()[0])
MOST_KILOBYTES = 300 * 1024
MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""

SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


def letters(number: int) -> str:
    """A word for a number, another for each."""
    return "".join(ascii_uppercase[number // 26**place % 26] for place in range(4))


def rows(number: int) -> str:
    return "".join(f"{i},Anna B{letters(i)}\n" for i in range(1, number + 1))


def workbook(path: Path, part: str, piece: bytes, times: int, before: bytes, at: bytes) -> Path:
    """A small workbook with something many times in one of its parts, written piece by piece.

    Args:
        path: where it is written.
        part: the part, new or one that there is.
        piece: what stands in it many times.
        times: how often, in thousands.
        before: a part that is new, up to there.
        at: the tag behind it.
    """
    book = Workbook()
    for row in (
        ["name", "Cup"],
        ["date", "2010-05-01"],
        ["players", 4],
        ["rounds", 2],
        ["placement", "name"],
        [1, "A B"],
    ):
        book.worksheets[0].append(row)
    plain = io.BytesIO()
    book.save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        files = {part: before + at, **{name: old.read(name) for name in old.namelist()}}
        for name, content in files.items():
            above, tag, below = content.partition(at) if name == part else (content, b"", b"")
            with new.open(name, "w") as file:
                file.write(above)
                for _ in range(times // 1_000 if tag else 0):
                    file.write(piece * 1_000)
                file.write(tag + below)
    return path


def with_strings(path: Path, times: int, string: bytes = b"<si><t>nobody</t></si>") -> Path:
    return workbook(path, STRINGS, string, times, f'<sst xmlns="{SHEET_MAIN_NS}">'.encode(), b"</sst>")


def with_cells(path: Path, rows_of_cells: int, cells: int, cell: bytes = b"<c><v>1</v></c>") -> Path:
    return workbook(path, SHEET, b"<row>" + cell * cells + b"</row>", rows_of_cells, b"", b"</sheetData>")


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize("case", ["strings", "results", "cells"])
def test_what_would_fill_the_memory_is_refused_in_little(case: str, tmp_path: Path) -> None:
    if case == "strings":
        path = with_strings(tmp_path / "strings.xlsx", 6_000_000)
    elif case == "results":
        path = written(tmp_path / "results.csv", HEAD + "".join(f"{i},A B\n" for i in range(900_000)))
    else:
        path = with_cells(tmp_path / "cells.xlsx", 19_000, 90)
    assert path.stat().st_size < 20_000_000
    # A process counts the memory of the one that started it as its own: a small one starts it, and tells.
    words = ("scripts/import_results.py", "--dry-run", "--seeds", str(tmp_path / "seeds"), str(path))
    command = [sys.executable, "-c", MEASURED, sys.executable, *words]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "; expected a" in " ".join(done.stderr.split())
    assert int(done.stdout.split()[-1]) < MOST_KILOBYTES


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bytes.csv", HEAD + "#" * LARGEST_TEXT, "bytes; expected a text of at most 5,000,000 bytes"),
        ("lines.csv", HEAD + "\n" * (MOST_LINES + 1), "100,007 lines; expected at most 100,000"),
        ("rows.csv", HEAD + "1,A B\n" + "\n" * MOST_ROWS, r"rows\.csv:20001: found more than 20,000 rows"),
        ("cells.csv", HEAD + "1,A B" + "," * MOST_CELLS, r"cells\.csv:7: found more than 20,000 rows or 200,000 cells"),
        (
            "results.csv",
            HEAD + rows(MOST_RESULTS + 1),
            r"results\.csv:6: found 10,001 results; expected at most 10,000",
        ),
        ("quotes.csv", HEAD + '1,"A B' + '\n","' * 1_001, r"quotes\.csv:7: .*\(a record of more than 1,000 lines"),
        ("long.csv", HEAD + '1,"' + "A " * 20_000 + '"\n', r"long\.csv:7: found a cell of 39,999 characters"),
        (
            "list.json",
            '{"tournament_name":"Cup","tournament_start_date":"2010-05-01","tournament_classifications":['
            + "{}," * MOST_RESULTS
            + "{}]}",
            "tournament_classifications: found 10,001 objects; expected at most 10,000",
        ),
        ("tags.html", PAGE.replace("</body>", "<br>" * 200_000), "tags; expected at most 200,000"),
        (
            "attributes.html",
            PAGE.replace("<body", "<body " + " ".join(f"a{i}" for i in range(40_000))),
            r"attributes\.html:\d+: found tags with tens of thousands of attributes",
        ),
        ("crossed.html", PAGE.replace("</body>", "<div></x>" * 300), "tags nested more than 200 deep"),
        (
            "cells.html",
            PAGE.replace("</body>", "<div><table><td></div></table>" * 300),
            "tags nested more than 200 deep",
        ),
        (
            "rows.txt",
            samples.tournament_tabs(samples.stored_tournaments()[0]) + "1\tA B\t\t\t1.00\n" * MOST_RESULTS,
            r"rows; expected at most 10,000",
        ),
    ],
)
def test_what_no_event_needs_is_refused(name: str, content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=message):
        list(read_documents(written(tmp_path / name, content)))


def test_a_workbook_with_more_than_an_event_needs_is_refused(tmp_path: Path) -> None:
    for made, message in (
        (
            with_strings(tmp_path / "a.xlsx", 199_000, b"<si><r><t>n</t></r><r/></si>"),
            r"more than 1,200,000 cells, texts and their tags \(\d,\d{3},\d{3} of them in xl/sharedStrings.xml\)",
        ),
        (
            with_strings(tmp_path / "c.xlsx", 201_000, b"<si/>"),
            r"more than 200,000 texts that cells share in xl/sharedStrings.xml",
        ),
        (
            workbook(
                tmp_path / "d.xlsx", "xl/workbook.xml", b'<sheet name="S" r:id="rId1"/>', 1_000, b"", b"</sheets>"
            ),
            r"`rId1` as two sheets in xl/workbook.xml",
        ),
        (with_cells(tmp_path / "b.xlsx", 1_000_000, 0), r"1,200,000 cells"),
        (
            workbook(tmp_path / "e.xlsx", SHEET, b"<c/>", 17_000, b"", b"</sheetData>"),
            r"a row of more than 16,384 cells in xl/worksheets/sheet1.xml",
        ),
        (
            workbook(tmp_path / "g.xlsx", SHEET, b"<mergeCell/>", 51_000, b"", b"</worksheet>"),
            r"more than 50,000 merged cells, styles and other things that are no cells in xl/worksheets/sheet1.xml",
        ),
        (
            workbook(tmp_path / "f.xlsx", SHEET, b" " * 1_000, 1_000, b"", b"</sheetData>"),
            r"a tag or text of more than 500,000 bytes in xl/worksheets/sheet1.xml",
        ),
    ):
        with pytest.raises(DocumentError, match=message):
            list(read_documents(made))


def test_an_archive_with_too_many_files_or_another_compression_is_no_workbook(tmp_path: Path) -> None:
    path = with_strings(tmp_path / "files.xlsx", 0)
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(5_001):
            archive.writestr(f"x/{number}", b"")
    with pytest.raises(DocumentError, match="files inside; expected a workbook of at most 5,000 files"):
        list(read_documents(path))
    with zipfile.ZipFile(with_strings(path, 0), "a", zipfile.ZIP_LZMA) as archive:
        archive.writestr("x", b"x")
    with pytest.raises(DocumentError, match="a compression that no workbook has"):
        list(read_documents(path))


def test_one_tournament_of_many_is_as_large_as_one_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "tournaments.csv", "tournament_id,name,date\ncup,Cup,2010-05-01\n")
    results = "".join(f"cup,{row}\n" for row in rows(MOST_RESULTS + 1).splitlines())
    written(tmp_path / "results.csv", f"tournament_id,placement,name\n{results}")
    with pytest.raises(DocumentError, match=r"results\.csv:2: found 10,001 results of one tournament"):
        list(read_documents(path))


def test_the_largest_tournament_is_read(tmp_path: Path) -> None:
    (document,) = read_documents(written(tmp_path / "large.csv", HEAD + rows(MOST_RESULTS)))
    assert isinstance(document, TournamentDocument)
    assert len(document.results) == MOST_RESULTS


def test_what_nobody_closed_is_not_opened_again_in_every_paragraph() -> None:
    bold = "".join(f"<b x={i}>" for i in range(100))
    tree = parse_page(f"<p>{bold}" + "<p>x" * 1_000)
    assert tree.root
    assert sum(1 for _ in tree.root.traverse(include_text=True)) < 3_000


def test_a_label_is_not_joined_with_lines_without_end() -> None:
    lines = joined_lines([Line(Location(Path()), text) for text in ("Date", *["Place"] * 10_000)])
    assert max(len(line.text) for line in lines) < 3_000


def test_a_line_of_digits_takes_no_time(tmp_path: Path) -> None:
    # A pattern that looks for a score from each of them would take hours.
    text = (samples.STORED_PAGES / "wac-6-2009.txt").read_text(encoding="utf-8")
    page = text.replace("\n1", "\n1A" + "9" * 1_000_000 + "\n1", 1)
    with pytest.raises(DocumentError, match=r"page\.txt:\d+: found `1A9999"):
        list(read_documents(written(tmp_path / "page.txt", page)))
