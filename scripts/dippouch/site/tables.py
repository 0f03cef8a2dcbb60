"""The tables of pages: their columns, their parts on several pages, and their rows for scripts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
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


@dataclass(frozen=True)
class Part:
    """One of several pages of a list: its number, the number of its first row from 1, the count of all rows, the addresses of all pages."""

    number: int
    rows: list[Row]
    first: int
    total: int
    links: list[str]

    @property
    def path(self) -> str:
        """Return the address of this page of a list."""
        return self.links[self.number - 1]

    def title(self, name: str) -> str:
        """Return the title of this page of a list."""
        return name if self.number == 1 else f"{name}, page {self.number}"


def in_parts(rows: list[Row], size: int, path: str) -> Iterator[Part]:
    """Divide a list into pages of a size: `ranking.html`, `ranking_2.html` ...; an empty list has one page.

    No id has an underscore: `john-smith-2.html` is another person, `john-smith_2.html` the second page of one.
    """
    starts = range(0, len(rows) or 1, size)
    links = [path, *(path.replace(".html", f"_{number}.html") for number in range(2, len(starts) + 1))]
    for number, start in enumerate(starts, start=1):
        yield Part(number, rows[start : start + size], start + 1, len(rows), links)


def _names(person: Row) -> list[str]:
    return [person["player_id"], person["first_name"] or "", person["last_name"] or ""]


def _day(row: Row, key: str) -> str:
    return row[key].isoformat() if row[key] else ""


def _ended(row: Row, key: str) -> str:
    return row["stated_period"] or _day(row, key)


def _rounded(row: Row, key: str) -> float | None:
    return None if row[key] is None else round(row[key], 2)


# Values for the tables' scripts, by kind; other kinds use the value of the row.
_SCRIPT_VALUES: dict[str, Callable[[Row, str], object]] = {
    "person": lambda row, _: _names(row),
    "persons": lambda row, key: [_names(one) for one in row[key]],
    "event": lambda row, key: [row["tournament_id"], row[key]],
    "nation": lambda row, _: row["nation_code"] or "",
    "move": lambda row, key: 0 if row["is_first_ranking"] else row[key],
    "course": lambda row, key: [round(rating, 1) for rating in row[key]],
    "standing": lambda row, key: [_rounded(row, key), row["is_provisional"]],
    "fixed": _rounded,
    "day": _day,
    "ended": _ended,
    "month": _day,
    "text": lambda row, key: row[key] or "",
}


def script_rows(columns: Sequence[Column], rows: Iterable[Row]) -> list[list[object]]:
    """Return the rows of a table for its script: one list per row, in the order of the columns."""
    values = [(column.key, _SCRIPT_VALUES.get(column.kind, Row.__getitem__)) for column in columns]
    return [[value(row, key) for key, value in values] for row in rows]
