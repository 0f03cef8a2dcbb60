"""An answer as text for people, and as CSV or JSON for programs: the same bytes for the same answer."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from dippouch.query.run import QueryResult

NOTHING = "-"


def as_text(answer: QueryResult) -> str:
    """A plain table: a line of headings, a line a row, columns two spaces apart, numbers to the right, null as `-`."""
    if not answer.rows:
        return "(no rows)"
    cells = [list(answer.columns), *([_cell(value) for value in row] for row in answer.rows)]
    numeric = [all(_is_number(row[i]) for row in answer.rows) for i in range(len(answer.columns))]
    widths = [max(len(line[i]) for line in cells) for i in range(len(answer.columns))]
    lines = (
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        )
        for line in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def as_csv(answer: QueryResult) -> str:
    """Comma-separated values with a line of headings; null is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows(answer.rows)
    return text.getvalue().rstrip("\n")


def as_json(answer: QueryResult) -> str:
    """A list with an object a row; what JSON does not know (dates) is text."""
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    return json.dumps(rows, ensure_ascii=False, indent=2, default=str)


def _is_number(value: Any) -> bool:  # noqa: ANN401 (whatever a database can hold)
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _cell(value: Any) -> str:  # noqa: ANN401 (whatever a database can hold)
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
