"""Compute the answers in the documentation from the published file: blocks ```text directly after blocks ```sql."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from dippouch.db import query
from dippouch.settings import PROJECT, published_database

PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]

_NUMBERS = (int, float, type(None))
_INSIDE = r"(?:(?!```).)*?"
_ANSWERED = re.compile(rf"(```sql\n(?P<sql>{_INSIDE})\n```\n\n```text\n)({_INSIDE})(\n```)", re.DOTALL)


def with_answers(page: str, database: Path) -> str:
    """Return the text of a page with every answer computed again."""
    return _ANSWERED.sub(lambda found: f"{found[1]}{as_text(query(database, found['sql']))}{found[4]}", page)


def as_text(rows: list[dict[str, Any]]) -> str:
    """Return a plain table: columns two spaces apart, numbers aligned to the right, null as `-`."""
    if not rows:
        return "(no rows)"
    lines = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    right = [all(type(row[name]) in _NUMBERS for row in rows) for name in rows[0]]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if to_the_right else cell.ljust(width)
            for cell, width, to_the_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    for path in PAGES:
        path.write_text(with_answers(path.read_text(encoding="utf-8"), published_database()), encoding="utf-8")
