"""Pages as text: the stored ones are read whole; small and broken ones are in the golden files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dippouch.documents import Document, RankingDocument, TournamentDocument
from dippouch.importing.reader import read_documents
from support.fuzzing import samples

Reader = Callable[..., Document]


@pytest.mark.parametrize("path", samples.stored_pages(), ids=lambda path: path.stem)
def test_the_stored_pages_are_read_whole(path: object) -> None:
    for document in read_documents(path):  # type: ignore[arg-type]
        rows = document.ranks if isinstance(document, RankingDocument) else None
        assert rows is None or len(rows) == 47


def test_a_line_of_blanks_takes_no_time(read: Reader) -> None:
    (page, *_) = samples.stored_pages()
    text = page.read_text(encoding="utf-8")
    blanks = " " * 200_000
    document = read(text.replace("Date", f"Date{blanks}").replace("Louis Clément", f"Louis{blanks}Clément"), "page.txt")
    assert isinstance(document, TournamentDocument)
    assert document.results[1].player.listed_name == "Louis Clément AZAIS"
