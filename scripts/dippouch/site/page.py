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

    def title(self, name: str) -> str:
        """The title of this page of a list."""
        return name if self.number == 1 else f"{name}, page {self.number}"


def page_of_tables(
    content: Content,
    template: str,
    title: str,
    description: str,
    section: str,
    tables: Mapping[str, tuple[str, Sequence[Column]]],
    *,
    path: str = "",
    **context: object,
) -> Page:
    """A page with tables: the template finds the columns and the rows of each as `tables.NAME`.

    Args:
        content: the published database.
        template: what the page is made with.
        title: its title.
        description: a sentence about it.
        section: the part of the site that it belongs to.
        tables: the query and the columns of each table by name.
        path: where the page stands; empty: as the template is called.
        context: what else the template shows.
    """
    filled = {name: (columns, content.rows(query)) for name, (query, columns) in tables.items()}
    return Page(path or template, template, title, description, {"tables": filled, **context}, section)


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
