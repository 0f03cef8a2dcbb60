"""The tables of pages: their columns, and their rows for scripts."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dippouch.db import Row


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        heading: its heading; `{player}` becomes the collection's word for a player, `{Players}` for the capitalized plural.
        kind: the format of its cells: a name of `kinds` in `templates/cells.html`.
        key: the column of the row; some kinds read further columns.
        wide: whether phones leave it out.
        first: the order of the first sort by scripts: `asc` or `desc`.
    """

    heading: str
    kind: str
    key: str = ""
    wide: bool = False
    first: str = "asc"


def _names(person: Row) -> list[str]:
    return [person["player_id"], person["first_name"] or "", person["last_name"] or ""]


def _or_empty(row: Row, key: str) -> object:
    return row[key] or ""


def _rounded(row: Row, key: str) -> float | None:
    return None if row[key] is None else round(row[key], 2)


# Values for the tables' scripts, by kind; other kinds use the value of the row.
_SCRIPT_VALUES: dict[str, Callable[[Row, str], object]] = {
    "person": lambda row, _: _names(row),
    "persons": lambda row, key: [_names(one) for one in row[key]],
    "event": lambda row, key: [row["tournament_id"], row[key]],
    "nation": lambda row, _: _or_empty(row, "nation_code"),
    "move": lambda row, key: 0 if row["is_first_ranking"] else row[key],
    "course": lambda row, key: [round(rating, 1) for rating in row[key]],
    "standing": lambda row, key: [_rounded(row, key), row["is_provisional"]],
    "fixed": _rounded,
    "day": _or_empty,
    "ended": lambda row, key: row["stated_period"] or _or_empty(row, key),
    "month": _or_empty,
    "text": _or_empty,
}


def script_rows(columns: Sequence[Column], rows: Iterable[Row]) -> list[list[object]]:
    """Return the rows of a table for its script: one list per row, in the order of the columns."""
    values = [(column.key, _SCRIPT_VALUES.get(column.kind, Row.__getitem__)) for column in columns]
    return [[value(row, key) for key, value in values] for row in rows]
