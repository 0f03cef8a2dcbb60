"""An empty table of standings to fill in, as a workbook or as CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from dippouch.errors import UserError, say_changed

# The rows; the importer ignores those that begin with `#`.
_ROWS: tuple[tuple[str, ...], ...] = (
    ("# The standings of one tournament, for `dptr import`. Lines that begin with # are remarks.",),
    ("# Write each fact beside its name. The first four are required; a line without a value has no effect.",),
    ("name", ""),
    ("# The day, or the first and the last day: 2009-01-23 - 2009-01-25",),
    ("date", ""),
    ("# The declared number of players, including players who are not listed below",),
    ("players", ""),
    ("rounds", ""),
    ("# A short code where the tournament was one of these: WDC, EDC, DIPCON",),
    ("kind", ""),
    ("place", ""),
    ("# Nations are ISO codes such as FRA, or names",),
    ("nation_code", ""),
    (),
    (
        "# Add a row for each player below the headings, like the examples. Tied players share the best placement: 1, 2, 2, 4.",
    ),
    ("# Write - for a player without a placement. nation_code and wdd_id (of the database) may be blank.",),
    ("placement", "first_name", "last_name", "nation_code", "wdd_id"),
    ("# 1", "Adam", "SIGAL", "USA", "1073"),
    ("# 2", "David", "MALETSKY", "", ""),
    ("# -", "Edi", "BIRSAN", "USA", ""),
)


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
    try:
        with path.open("xb") as file:
            file.write(content)
        say_changed(f"{path} was written")
    except FileExistsError:
        raise UserError(f"{path}: found a file of that name; expected a new one. Choose another name.") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror})") from None


def _workbook() -> bytes:
    from openpyxl import Workbook

    workbook = Workbook()
    sheet = workbook.worksheets[0]
    sheet.title = "Standings"
    for row in _ROWS:
        sheet.append([text or None for text in row])
    sheet.column_dimensions["B"].width = 30
    made = io.BytesIO()
    workbook.save(made)
    return made.getvalue()


def _csv() -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(_ROWS)
    # Excel recognises UTF-8 only by its byte order mark.
    return text.getvalue().encode("utf-8-sig")
