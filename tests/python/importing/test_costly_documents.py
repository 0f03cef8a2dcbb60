"""Small files that would take minutes and gigabytes are refused because of their content."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.xml.constants import SHEET_MAIN_NS

from dippouch.errors import DocumentError
from dippouch.importing.reader import LARGEST_TEXT, read_documents
from dippouch.settings import PROJECT
from support import samples

HEAD = "name,Big Cup\ndate,2010-05-01\nplayers,900000\nrounds,2\n\nplacement,name\n"
PAGE = samples.tournament_html(samples.stored_tournaments()[0])
TEXT = (samples.STORED_PAGES / "wac-6-2009.txt").read_text(encoding="utf-8")
MOST_KILOBYTES = 300 * 1024
MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


def workbook(path: Path, part: str, piece: bytes, thousands: int) -> Path:
    """Write a small workbook with a piece repeated before the last tag of one of its parts."""
    book, plain = Workbook(), io.BytesIO()
    for row in csv.reader(f"{HEAD}1,A B\n".splitlines()):
        book.worksheets[0].append(row)
    book.save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        files = {STRINGS: f'<sst xmlns="{SHEET_MAIN_NS}"></sst>'.encode()} | {n: old.read(n) for n in old.namelist()}
        for name, content in files.items():
            above, tag, below = content.rpartition(b"</sheetData>" if name == SHEET else b"</")
            with new.open(name, "w") as file:
                file.write(above)
                for _ in range(thousands if name == part else 0):
                    file.write(piece * 1_000)
                file.write(tag + below)
    return path


def refuse(path: Path, content: str, message: str | None = None) -> None:
    """Check that a text is refused, with a message if one is given."""
    # Python's own limit: dbt raises it in the process of other tests.
    csv.field_size_limit(131_072)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DocumentError, match=message):
        list(read_documents(path))


@pytest.mark.parametrize(
    ("part", "piece", "thousands"),
    [(STRINGS, b"<si><t>nobody</t></si>", 6_000), (SHEET, b"<row><c><v>1</v></c></row>", 190)],
)
def test_what_would_fill_the_memory_is_refused_in_little(
    part: str, piece: bytes, thousands: int, tmp_path: Path
) -> None:
    path = workbook(tmp_path / "x.xlsx", part, piece, thousands)
    # The memory of a process includes that of its parent at the start: a small process starts it, and reports.
    words = ("-m", "dippouch", "import", "--dry-run", "--seeds", str(tmp_path / "seeds"), str(path))
    command = [sys.executable, "-c", MEASURED, sys.executable, *words]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "; expected " in " ".join(done.stderr.split())
    assert int(done.stdout.split()[-1]) < MOST_KILOBYTES


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bytes.csv", HEAD + "#" * LARGEST_TEXT, "bytes; expected a text of at most 5,000,000 bytes"),
        ("rows.csv", HEAD + "1,A B\n" * 20_000, r"rows\.csv:20001: found more than 20,000 rows"),
        ("long.csv", HEAD + '1,"' + "A " * 100_000 + '"\n', r"long\.csv:7: .*field larger than field limit"),
        ("number.json", '{"a": ' + "1" * 1_000_000 + "}", "4300 digits"),
        ("deep.json", '{"a":' * 100_000, "JSON that cannot be read"),
        ("tags.html", PAGE.replace("</body>", "<br>" * 100_000), "tags; expected a page of at most 100,000"),
        # A pattern that tries a score at each of the digits would take hours.
        ("digits.txt", TEXT.replace("\n1", "\n1A" + "9" * 1_000_000 + "\n1", 1), r"digits\.txt:\d+: found `1A9999"),
    ],
)
def test_what_no_event_needs_is_refused(name: str, content: str, message: str, tmp_path: Path) -> None:
    refuse(tmp_path / name, content, message)


@pytest.mark.parametrize(
    ("part", "piece", "thousands", "message"),
    [
        (SHEET, b" " * 1_000, 21, r"\d\d,\d{3},\d{3} bytes when unpacked"),
        (SHEET, b'<row><c r="XFD7"><v>1</v></c></row>', 1, "more than 20,000 rows or 100 columns"),
    ],
)
def test_a_workbook_with_more_than_an_event_needs_is_refused(
    part: str, piece: bytes, thousands: int, message: str, tmp_path: Path
) -> None:
    with pytest.raises(DocumentError, match=message):
        list(read_documents(workbook(tmp_path / "x.xlsx", part, piece, thousands)))


@pytest.mark.parametrize("piece", ["7", " ", "-", "2010-05-01 "])
def test_a_long_cell_takes_as_much_longer_as_it_is(tmp_path: Path, piece: str) -> None:
    facts, row = HEAD.removesuffix("placement,name\n"), "placement,name\n1,Anna ARCHER\n"

    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        started = time.process_time()
        refuse(tmp_path / "x.csv", f'{facts}rank,name\n"{text}x",A ARCHER\n1,"{text}x"\n')
        refuse(tmp_path / "x.csv", facts.replace("2010-05-01", f'"{text}x"').replace("Cup", text) + row)
        refuse(tmp_path / "x.csv", f'{facts}rank,name,"{text}x",nat\n1,A ARCHER,,"{text}x"\n')
        return time.process_time() - started

    # For ten times the length, an algorithm that compares all pairs takes a hundred times as long.
    assert seconds(30_000) < 40 * max(seconds(3_000), 0.002)
