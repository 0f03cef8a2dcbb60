"""A page of the site, and the parts that all pages share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dippouch.db import Row
from dippouch.export.reading import Content
from dippouch.site.table_cells import Column


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
    tables: Mapping[str, tuple[str, Sequence[Column]]],
    template: str = "",
    **context: object,
) -> Page:
    """Return a page with tables, given their queries and columns: the template finds columns and rows as `tables.NAME`.

    `context` is further content of the template.
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


def words_of(facts: Row) -> dict[str, str]:
    """Return a collection's words by `player`, `players`, `tournament` and so on, from the row of `presentation.collection_card`."""
    return {name.removesuffix("_word"): word for name, word in facts.items() if name.endswith("_word")}


def first_capital(text: str) -> str:
    """Capitalize the first letter of a text, and keep the rest."""
    return text[:1].upper() + text[1:]
