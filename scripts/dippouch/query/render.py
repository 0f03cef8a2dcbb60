"""An answer as text for people, and as CSV or JSON for programs: the same bytes for the same answer."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dippouch.errors import UserError
from dippouch.printable import visible, visible_line
from dippouch.query.run import QueryResult

NOTHING = "-"
# The columns of an explanation, whose one cell is a drawing.
_EXPLANATION = ("explain_key", "explain_value")


def as_text(answer: QueryResult) -> str:
    """A plain table: a line of headings, a line a row, columns two spaces apart, numbers to the right, null as `-`.

    Line breaks and whatever else could drive a terminal are shown escaped. A last line says how many rows there are beyond.
    """
    if not answer.rows:
        return f"(no rows of {_count(answer)})" if answer.further != 0 else "(no rows)"
    if answer.columns == _EXPLANATION:
        return "\n".join(visible(str(plan)).rstrip() for _, plan in answer.rows)
    cells = [[visible_line(name) for name in answer.columns], *([_cell(value) for value in row] for row in answer.rows)]
    numeric = [all(_is_number(row[i]) for row in answer.rows) for i in range(len(answer.columns))]
    widths = [max(len(line[i]) for line in cells) for i in range(len(answer.columns))]
    lines = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in cells
    ]
    if answer.further != 0:
        lines.append(f"(the first {len(answer.rows):,} rows of {_count(answer)}; --rows shows more, --as csv has all)")
    return "\n".join(lines)


def as_csv(answer: QueryResult) -> str:
    """Comma-separated values with a line of headings; null is empty."""
    return "".join(csv_lines(answer.columns, answer.rows)).rstrip("\n")


def as_json(answer: QueryResult) -> str:
    """A list with an object a row; what JSON does not know (dates) is text."""
    return "".join(json_lines(answer.columns, answer.rows)).rstrip("\n")


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The CSV of an answer of any length, row by row."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    yield text.getvalue()
    for row in rows:
        text.seek(0)
        text.truncate()
        writer.writerow(row)
        yield text.getvalue()


def json_lines(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The JSON of an answer of any length, row by row.

    Raises:
        UserError: when two columns have one name, of which an object would keep one.
    """
    if twice := [name for name, times in Counter(columns).items() if times > 1]:
        raise UserError(
            f"found two columns called `{twice[0]}`; expected names of their own for JSON: give one with `as`"
        )
    before = "[\n"
    for row in rows:
        lines = json.dumps(
            [_with_text_keys(dict(zip(columns, row, strict=True)))], ensure_ascii=False, indent=2, default=str
        )
        yield before + lines[2:-2]
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _with_text_keys(value: Any) -> Any:  # noqa: ANN401 (whatever a database can hold)
    """A value whose maps have keys that JSON can write."""
    if isinstance(value, dict):
        return {str(key): _with_text_keys(held) for key, held in value.items()}
    if isinstance(value, list):
        return [_with_text_keys(held) for held in value]
    return value


def _count(answer: QueryResult) -> str:
    """How many rows there are in all."""
    return "more" if answer.further is None else f"{len(answer.rows) + answer.further:,}"


def _is_number(value: Any) -> bool:  # noqa: ANN401 (whatever a database can hold)
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _cell(value: Any) -> str:  # noqa: ANN401 (whatever a database can hold)
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "true" if value else "false"
    return visible_line(str(value))
