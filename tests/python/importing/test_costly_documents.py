"""Small files that would take minutes and gigabytes are refused because of their content; costly texts are in costly.golden."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.xml.constants import SHEET_MAIN_NS

from dippouch.messages import DocumentError
from dippouch.reading.reader import read_documents
from dippouch.settings import PROJECT
from support.samples import CONTEXT

FACTS = "name,Big Cup\ndate,2010-05-01\nplayers,900000\nrounds,2\n\n"
MOST_KILOBYTES = 300 * 1024
MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""
SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


@pytest.mark.parametrize(
    ("part", "piece", "thousands", "message"),
    [
        (STRINGS, b"<si><t>nobody</t></si>", 6_000, "bytes when unpacked"),
        (SHEET, b" " * 1_000, 21, r"\d\d,\d{3},\d{3} bytes when unpacked"),
        (SHEET, b"<row><c><v>1</v></c></row>", 190, "more than 20,000 rows or 100 columns"),
        (SHEET, b'<row><c r="XFD7"><v>1</v></c></row>', 1, "more than 20,000 rows or 100 columns"),
    ],
)
def test_a_workbook_that_would_fill_the_memory_is_refused_in_little(
    part: str, piece: bytes, thousands: int, message: str, tmp_path: Path
) -> None:
    """A workbook with a piece many thousand times before the last tag of one of its parts."""
    book, plain, path = Workbook(), io.BytesIO(), tmp_path / "x.xlsx"
    for row in csv.reader(f"{FACTS}placement,name\n1,A B\n".splitlines()):
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
    # The memory of a process includes that of its parent at the start: a small process starts it, and reports.
    words = ("-m", "dippouch", "import", "--dry-run", "--seeds", str(tmp_path / "seeds"), str(path))
    command = [sys.executable, "-c", MEASURED, sys.executable, *words]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(f"{message}.*; expected ", " ".join(done.stderr.split())), done.stderr
    assert int(done.stdout.split()[-1]) < MOST_KILOBYTES


@pytest.mark.parametrize("piece", ["7", " ", "-", "2010-05-01 "])
def test_a_long_cell_takes_as_much_longer_as_it_is(tmp_path: Path, piece: str) -> None:
    path = tmp_path / "x.csv"

    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        started = time.process_time()
        for content in (
            f'{FACTS}rank,name\n"{text}x",A ARCHER\n1,"{text}x"\n',
            FACTS.replace("2010-05-01", f'"{text}x"').replace("Cup", text) + "placement,name\n1,Anna ARCHER\n",
            f'{FACTS}rank,name,"{text}x",nat\n1,A ARCHER,,"{text}x"\n',
        ):
            path.write_text(content, encoding="utf-8")
            with pytest.raises(DocumentError):
                list(read_documents(path, CONTEXT))
        return time.process_time() - started

    # For ten times the length, an algorithm that compares all pairs takes a hundred times as long.
    assert seconds(30_000) < 40 * max(seconds(3_000), 0.002)
