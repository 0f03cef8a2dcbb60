"""What a verification finds: tables, and figures in them that differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Discrepancy:
    """A figure that differs: where, what is published, and what the seeds give, or the table that it repeats."""

    table: str
    row: str
    column: str
    published: str
    expected: str

    def __str__(self) -> str:
        return f"{self.table}: {self.row}: {self.column} is {self.published}, must be {self.expected}"


@dataclass
class TableReport:
    """How one table fared: rows compared, and every difference."""

    table: str
    rows: int = 0
    discrepancies: list[Discrepancy] = field(default_factory=list)


def row_label(key: Mapping[str, object]) -> str:
    """Names a row for people: player, tournament, and the rest of what tells it from others."""
    return ", ".join(f"{name.removesuffix('_id').replace('_', ' ')} {cell_text(cell)}" for name, cell in key.items())


def cell_text(value: object) -> str:
    """A cell as people read it."""
    if isinstance(value, float):
        return f"{value:.12f}"
    return "null" if value is None else str(value)
