"""Faults in the cells of a workbook; changed bytes would only damage the archive."""

from __future__ import annotations

import io
import warnings
from contextlib import suppress
from random import Random

from openpyxl import load_workbook
from openpyxl.cell.cell import MergedCell
from openpyxl.utils.exceptions import IllegalCharacterError

_VALUES = (
    None,
    "",
    "=A1+1",
    "#N/A",
    0,
    -1,
    2.5,
    1e308,
    True,
    "DNF",
    "=3",
    "3rd",
    "Z\u202eY",
    "x" * 10_000,
    "name",
    "rank",
)


def mutate_workbook(content: bytes, rng: Random) -> bytes:
    """Change or merge one to four cells of a workbook, insert or delete rows, or add a second sheet."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        workbook = load_workbook(io.BytesIO(content))
    sheet = workbook.worksheets[0]
    for _ in range(rng.randrange(1, 5)):
        row = rng.randrange(1, sheet.max_row + 2)
        fault = rng.randrange(7)
        if fault == 0:
            sheet.insert_rows(row, rng.randrange(1, 3))
        elif fault == 1:
            sheet.delete_rows(row, rng.randrange(1, 3))
        elif fault == 2 and len(workbook.worksheets) == 1:
            workbook.copy_worksheet(sheet)
        elif fault == 3:
            column = rng.randrange(1, 7)
            sheet.merge_cells(None, row, column, row + rng.randrange(3), column + rng.randrange(2))
        else:
            cell, value = sheet.cell(row, rng.randrange(1, 7)), rng.choice(_VALUES)
            with suppress(IllegalCharacterError):
                # A merged cell other than the first has no value.
                if not isinstance(cell, MergedCell):
                    cell.value = value
    made = io.BytesIO()
    workbook.save(made)
    return made.getvalue()
