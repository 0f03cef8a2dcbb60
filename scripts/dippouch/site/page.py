"""What a page is, and what every page of a site shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dippouch.db import Row
from dippouch.export.reading import Content
from dippouch.site.table_cells import Column


@dataclass(frozen=True)
class Page:
    """A page of the site: its path below the site, what its template shows, and the section that its head marks.

    Search engines and previews show its description, a sentence. Without a template the path is its name.
    """

    path: str
    title: str
    description: str
    context: Mapping[str, Any] = field(default_factory=dict)
    section: str = ""
    template: str = ""


@dataclass(frozen=True)
class DataFile:
    """A script that gives a value a name for the pages' scripts, because pages that are opened from a disk may not fetch."""

    path: str
    name: str
    value: Any


@dataclass(frozen=True)
class Csv:
    """The rows of a list as CSV, in the order of its page: the columns that it has, and the rows."""

    path: str
    columns: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Part:
    """One page of several that show one list: its number and that of its first row from 1, all rows, the addresses of all pages."""

    number: int
    rows: list[Row]
    first: int
    total: int
    links: list[str]

    def title(self, name: str) -> str:
        """The title of this page of a list."""
        return name if self.number == 1 else f"{name}, page {self.number}"


def page_of_tables(
    content: Content,
    path: str,
    title: str,
    description: str,
    section: str,
    tables: Mapping[str, tuple[str, Sequence[Column]]],
    template: str = "",
    **context: object,
) -> Page:
    """A page with tables, given by their queries and columns: the template finds columns and rows as `tables.NAME`.

    The template shows the further context, too.
    """
    filled = {name: (columns, content.rows(query)) for name, (query, columns) in tables.items()}
    return Page(path, title, description, {"tables": filled, **context}, section, template)


def in_parts(rows: list[Row], size: int, path: str) -> Iterator[tuple[str, Part]]:
    """Divide a list into pages of a size: `ranking.html`, `ranking_2.html` ...; an empty list has one page.

    No id has an underscore: `john-smith-2.html` is another person, `john-smith_2.html` the second page of one.
    """
    stem = path.removesuffix(".html")
    pages = max(1, -(-len(rows) // size))
    links = [path, *(f"{stem}_{number}.html" for number in range(2, pages + 1))]
    for i, link in enumerate(links):
        yield link, Part(i + 1, rows[i * size : (i + 1) * size], i * size + 1, len(rows), links)


def first_capital(text: str) -> str:
    """A text that begins a line; the rest of it stays as it is."""
    return text[:1].upper() + text[1:]
