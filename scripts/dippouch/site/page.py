"""What a page is, and what every page of a site shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import duckdb

from dippouch.errors import UserError
from dippouch.groups import Groups

# A row of a view, by the names of its columns.
Row = dict[str, Any]
RowGroups = Groups[Row]

_CHUNK = 5000


@dataclass(frozen=True)
class Page:
    """A page of the site.

    Attributes:
        path: where it stands, relative to the site; with `/` and at most one folder.
        template: what it is made with.
        title: its title, and its first heading.
        description: a sentence about it, for search engines and previews.
        context: what the template shows.
        section: the part of the site that it belongs to, which the head of the page marks.
    """

    path: str
    template: str
    title: str
    description: str
    context: Mapping[str, Any] = field(default_factory=dict)
    section: str = ""


@dataclass(frozen=True)
class DataFile:
    """A script that holds rows for the pages' scripts, because pages that are opened from a disk may not fetch.

    Attributes:
        path: where it stands, relative to the site.
        name: the name under which scripts find the value.
        value: what it holds; written as JSON.
    """

    path: str
    name: str
    value: Any


class Content:
    """The published database, as pages read it: rows of the views that a page shows, in the order that it shows."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Take a connection that has the published database attached as `published`."""
        self._connection = connection
        facts = self.rows("from presentation.collection_card")
        if not facts:
            raise UserError("the published database says nothing of its collection; `make rankings` publishes it again")
        self.facts = facts[0]

    def rows(self, query: str, **values: object) -> list[Row]:
        """All rows of a query."""
        return list(self.stream(query, **values))

    def stream(self, query: str, **values: object) -> Iterator[Row]:
        """Stream the rows of a query on a cursor of its own; `$system` in it is the default rating system."""
        if "$system" in query:
            values["system"] = self.facts["rating_system_id"]
        cursor = self._connection.cursor()
        cursor.execute("use published")
        cursor.execute(query, values)
        names = [column[0] for column in cursor.description or ()]
        while chunk := cursor.fetchmany(_CHUNK):
            for row in chunk:
                yield dict(zip(names, row, strict=True))

    def groups(self, query: str, key: str) -> RowGroups:
        """The rows of a query that is ordered by a column, in groups of equal values of it."""
        return grouped(self.stream(query), key)


def grouped(rows: Iterator[Row], key: str) -> RowGroups:
    """Rows in the order of a column, in groups of equal values of it."""
    return Groups(rows, key=itemgetter(key), value=lambda row: row)


@dataclass(frozen=True)
class Part:
    """One page of several that show one list.

    Attributes:
        number: its number, from 1.
        rows: the rows that it shows.
        first: the place of the first row in the whole list, from 1.
        total: how many rows the whole list has.
        links: the addresses of all parts, relative to the site.
    """

    number: int
    rows: list[Row]
    first: int
    total: int
    links: list[str]


def in_parts(rows: list[Row], size: int, path: str) -> Iterator[tuple[str, Part]]:
    """Divide a list into pages: `ranking.html`, `ranking_2.html` ...; an empty list has one page.

    No id has an underscore: `john-smith-2.html` is another person, `john-smith_2.html` the second page of one.

    Args:
        rows: the whole list.
        size: how many rows a page shows.
        path: the address of the first page.
    """
    stem = path.removesuffix(".html")
    pages = max(1, -(-len(rows) // size))
    links = [path, *(f"{stem}_{number}.html" for number in range(2, pages + 1))]
    for i, link in enumerate(links):
        yield link, Part(i + 1, rows[i * size : (i + 1) * size], i * size + 1, len(rows), links)


def first_capital(text: str) -> str:
    """A text that begins a line; the rest of it stays as it is."""
    return text[:1].upper() + text[1:]
