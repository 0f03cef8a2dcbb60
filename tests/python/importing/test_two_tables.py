"""The format two-tables: many tournaments in two files. Golden files have its faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dippouch.documents import Document, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.importing.context import read_context
from dippouch.importing.reader import read_documents
from dippouch.settings import PROJECT
from support.fuzzing import samples

TOURNAMENTS, RESULTS = samples.PAIR["tournaments.csv"], samples.PAIR["results.csv"]


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    (tmp_path / "results.csv").write_text(RESULTS)
    (tmp_path / "tournaments.csv").write_text(TOURNAMENTS)
    return tmp_path / "tournaments.csv"


def tournaments(documents: Iterator[Document]) -> list[TournamentDocument]:
    return [document for document in documents if isinstance(document, TournamentDocument)]


def test_encodings_and_line_ends_are_found_out(pair: Path) -> None:
    (pair.parent / "results.csv").write_bytes(RESULTS.replace("BAKER", "BÄCKER").replace("\n", "\r\n").encode("utf-16"))
    first, _ = tournaments(read_documents(pair))
    assert first.results[0].player.last_name == "BÄCKER"
    assert first.results[0].player.location.line == 3


def test_an_accent_far_below_tells_that_the_file_is_not_utf_8(pair: Path) -> None:
    (pair.parent / "results.csv").write_bytes(RESULTS.replace("Anna,ARCHER,\n", "Zoë,ZIMMER,\n").encode("cp1252"))
    with pytest.raises(DocumentError, match=r"results.csv:5: found bytes that are not UTF-8"):
        list(read_documents(pair))
    _, second = tournaments(read_documents(pair, context=read_context(PROJECT / "seeds", encoding="cp1252")))
    assert second.results[1].player.first_name == "Zoë"


def test_the_stored_events_come_out_of_a_pair_as_they_went_in(tmp_path: Path) -> None:
    events = samples.stored_tournaments()
    read = tournaments(read_documents(samples.write_two_tables(tmp_path, events)))
    assert [[(r.placement, r.player.last_name) for r in d.results] for d in read] == [
        [(r.placement, r.player.last_name) for r in d.results] for d in events
    ]
