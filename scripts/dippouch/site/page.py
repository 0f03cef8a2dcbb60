"""A page of the site, files beside it, and what its tables are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dippouch.db import Row
from dippouch.export.reading import Content


@dataclass(frozen=True)
class Page:
    """A page of the site: its path below the site, the content of its template, and its section in the navigation.

    `description` is a sentence for search engines and previews. By default the template has the name of the path.
    """

    path: str
    title: str
    description: str
    context: Mapping[str, Any] = field(default_factory=dict)
    section: str = ""
    template: str = ""


@dataclass(frozen=True)
class DataFile:
    """A script that assigns a value to a name, because pages opened from a disk may not fetch."""

    path: str
    name: str
    value: Any


@dataclass(frozen=True)
class Csv:
    """The rows of a list as CSV, in the order of its page: its columns, and the rows."""

    path: str
    columns: str
    rows: Sequence[Row]


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

    def title(self, name: str) -> str:
        """Return the title of this page of a list."""
        return name if self.number == 1 else f"{name}, page {self.number}"


def page_of_tables(
    content: Content,
    path: str,
    title: str,
    description: str,
    section: str,
    queries: Mapping[str, str],
    template: str = "",
    **context: object,
) -> Page:
    """Return a page with tables, given their queries: the template finds the rows as `tables.NAME`; `context` is further content."""
    tables = {name: content.rows(query) for name, query in queries.items()}
    return Page(path, title, description, {"tables": tables, **context}, section, template)


def in_parts(rows: list[Row], size: int, path: str) -> Iterator[tuple[str, Part]]:
    """Divide a list into pages of a size: `ranking.html`, `ranking_2.html` ...; an empty list has one page.

    No id has an underscore: `john-smith-2.html` is another person, `john-smith_2.html` the second page of one.
    """
    stem = path.removesuffix(".html")
    pages = max(1, -(-len(rows) // size))
    links = [path, *(f"{stem}_{number}.html" for number in range(2, pages + 1))]
    for i, link in enumerate(links):
        yield link, Part(i + 1, rows[i * size : (i + 1) * size], i * size + 1, len(rows), links)


def _names(person: Row) -> list[str]:
    return [person["player_id"], person["first_name"] or "", person["last_name"] or ""]


def _day(row: Row, key: str) -> str:
    return row[key].isoformat() if row[key] else ""


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
    "month": _day,
    "text": lambda row, key: row[key] or "",
}


def script_rows(columns: Sequence[Column], rows: Iterable[Row]) -> list[list[object]]:
    """Return the rows of a table for its script: one list per row, in the order of the columns."""
    values = [(column.key, _SCRIPT_VALUES.get(column.kind, Row.__getitem__)) for column in columns]
    return [[value(row, key) for key, value in values] for row in rows]
