"""JSON documents, written piece by piece: one fact or one row a line, so that two publications can be compared by line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

# How many rows a document has at most.
PAGE = 1000

_SCHEMAS = "schemas/v1"


@dataclass(frozen=True)
class Documents:
    """A folder of documents.

    Attributes:
        site: the folder that has the schemas.
        folder: the folder of the documents, relative to it.
    """

    site: Path
    folder: str

    def write(self, name: str, schema: str, facts: Mapping[str, Any], **lists: Iterable[str]) -> None:
        """Write a document.

        Args:
            name: its name in the folder, such as `players/edi-birsan.json`.
            schema: what its schema is called, such as `player`.
            facts: what stands at its top.
            lists: rows of JSON by the name of the list.
        """
        place = f"{self.folder}/{name}".strip("/")
        path = self.site / place
        path.parent.mkdir(parents=True, exist_ok=True)
        head = {"$schema": f"{'../' * place.count('/')}{_SCHEMAS}/{schema}.json", **facts}
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(_pieces(head, lists))

    def write_pages(
        self,
        name: Callable[[int], str],
        schema: str,
        facts: Mapping[str, Any],
        list_name: str,
        total: int,
        texts: Iterable[str],
        size: int = PAGE,
    ) -> None:
        """Write rows as one document or more; without a row there is one that has none.

        Args:
            name: gives the name of a page by its number, from 1.
            schema: what the schema is called.
            facts: what stands at the top of every page.
            list_name: what the list of the rows is called.
            total: how many rows there are.
            texts: the rows, as JSON.
            size: how many a page has.
        """
        left = iter(texts)
        pages = max(1, -(-total // size))
        for page in range(1, pages + 1):
            following = Path(name(page + 1)).name if page < pages else None
            place = {"total": total, "page": page, "pages": pages, "next": following}
            self.write(name(page), schema, {**facts, **place}, **{list_name: islice(left, size)})


def paged(stem: str) -> Callable[[int], str]:
    """The names of the pages of a document that has only one, unless it is large: `2013.json`, `2013-page-2.json`."""
    return lambda page: f"{stem}.json" if page == 1 else f"{stem}-page-{page}.json"


def _pieces(facts: Mapping[str, Any], lists: Mapping[str, Iterable[str]]) -> Iterator[str]:
    opening = "{\n"
    for name, value in facts.items():
        yield f"{opening}  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        opening = ",\n"
    for name, texts in lists.items():
        yield f"{opening}  {json.dumps(name)}: ["
        before = "\n    "
        for text in texts:
            yield before + text
            before = ",\n    "
        yield "]" if before == "\n    " else "\n  ]"
    yield "\n}\n"
