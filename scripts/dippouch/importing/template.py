"""An empty table of standings to fill in, as a workbook or as CSV; `template.csv` has its rows."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from dippouch.disk import explained
from dippouch.errors import UserError, durable_changes

_ROWS = Path(__file__).with_suffix(".csv")


def write_template(path: Path) -> None:
    """Write an empty table of standings, with its explanations.

    Args:
        path: a new file that ends in `.xlsx` or `.csv`.

    Raises:
        UserError: for another suffix, an existing file, or a folder that cannot be written.
    """
    contents = {".xlsx": _workbook, ".csv": _csv}
    make = contents.get(path.suffix.lower())
    if make is None:
        raise UserError(f"{path}: found the ending `{path.suffix}`; expected .xlsx or .csv")
    content = make()
    with explained(f"{path}: cannot be written as a new file"):
        with path.open("xb") as file:
            file.write(content)
        durable_changes.append(f"{path} was written")


def _workbook() -> bytes:
    from openpyxl import Workbook

    workbook = Workbook()
    sheet = workbook.worksheets[0]
    sheet.title = "Standings"
    with _ROWS.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            sheet.append([text or None for text in row])
    sheet.column_dimensions["B"].width = 30
    made = io.BytesIO()
    workbook.save(made)
    return made.getvalue()


def _csv() -> bytes:
    # Excel recognises UTF-8 only by its byte order mark.
    return _ROWS.read_text(encoding="utf-8").replace("\n", "\r\n").encode("utf-8-sig")
