"""The format two-tables: many tournaments in two files, CSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from dippouch.db import literal
from dippouch.documents import Document, TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.importing.context import read_context
from dippouch.importing.pipeline import import_documents
from dippouch.importing.reader import group_inputs, read_documents
from dippouch.settings import PROJECT
from support.fuzzing import samples

TOURNAMENTS, RESULTS = samples.PAIR["tournaments.csv"], samples.PAIR["results.csv"]


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    (tmp_path / "results.csv").write_text(RESULTS)
    (tmp_path / "tournaments.csv").write_text(TOURNAMENTS)
    return tmp_path / "tournaments.csv"


def as_parquet(pair: Path) -> Path:
    """Write the pair as Parquet with types, as a database would export it."""
    for path in (pair, pair.with_name("results.csv")):
        duckdb.execute(f"copy (from read_csv({literal(path)})) to {literal(path.with_suffix('.parquet'))}")
        path.unlink()
    return pair.with_suffix(".parquet")


def tournaments(documents: Iterator[Document]) -> list[TournamentDocument]:
    return [document for document in documents if isinstance(document, TournamentDocument)]


def test_parquet_states_the_same(pair: Path) -> None:
    def stated() -> list[TournamentDocument]:
        """Return every tournament, without its places."""
        return [
            replace(
                t,
                source=replace(t.source, path=pair, sha256=""),
                remarks=(),
                locations={},
                results=[replace(r, player=replace(r.player, location=Location(pair))) for r in t.results],
            )
            for t in tournaments(read_documents(path))
        ]

    (path,) = group_inputs([pair.parent])
    from_csv = stated()
    as_parquet(pair)
    (path,) = group_inputs([pair.parent])
    assert path.name == "tournaments.parquet"
    assert stated() == from_csv


@pytest.mark.parametrize(
    ("rows", "place", "found"),
    [
        ("('cup-2', 1, 'B B'), ('wdc-1', 0, 'B B')", "results.parquet, row 2", "the placement `0`"),
        ("('cup-2', 1, 'B B'), ('wdc-1', 1, null)", "results.parquet, row 2", "no name"),
        (
            "('cup-2', 1, 'B B'), ('wdc-1', 50, 'B B')",
            "results.parquet, row 2",
            "placement `50` in wdc-1; expected one from 1 to 40",
        ),
        ("(null, null, null), ('cup-9', 1, 'B B')", "results.parquet, row 2", "the tournament `cup-9`"),
        ("(null, 1, 'B B')", "results.parquet, row 1", "no tournament_id"),
        ("(['cup-2'], 1, 'B B')", "results.parquet, row 1", "the tournament `[cup-2]`"),
    ],
)
def test_a_fault_of_parquet_names_the_row(rows: str, place: str, found: str, pair: Path) -> None:
    path = as_parquet(pair)
    results = f"from (values {rows}) as results(tournament_id, placement, name)"
    duckdb.execute(f"copy ({results}) to {literal(path.with_name('results.parquet'))}")
    outcome = import_documents([path], pair.parent / "seeds")
    assert str(outcome.rejections[0]).startswith(f"{path.with_name(place)}: found {found}")


def test_parquet_that_is_none_or_has_no_partner_is_refused(pair: Path) -> None:
    path = as_parquet(pair)
    (other := pair.with_name("other.parquet")).write_bytes(path.read_bytes())
    with pytest.raises(DocumentError, match=r"found a Parquet file; .* Put tournaments.parquet and results.parquet"):
        list(read_documents(other))
    path.write_text("tournament_id,name")
    with pytest.raises(DocumentError, match=r"tournaments.parquet: found content that is not Parquet"):
        list(read_documents(path))


@pytest.mark.parametrize(("encoding", "end"), [("utf-8-sig", "\n"), ("utf-16", "\r\n"), ("utf-16-le", "\r")])
def test_encodings_and_line_ends_are_found_out(encoding: str, end: str, pair: Path) -> None:
    results = RESULTS.replace("BAKER", "BÄCKER").replace("\n", end)
    (pair.parent / "results.csv").write_bytes(results.encode(encoding))
    (pair.parent / "tournaments.csv").write_bytes(TOURNAMENTS.replace("\n", end).encode(encoding))
    first, _ = tournaments(read_documents(pair))
    assert first.results[0].player.last_name == "BÄCKER"
    assert first.results[0].player.location.line == 3


def test_an_accent_far_below_tells_that_the_file_is_not_utf_8(pair: Path) -> None:
    (pair.parent / "results.csv").write_bytes(RESULTS.replace("Anna,ARCHER,\n", "Zoë,ZIMMER,\n").encode("cp1252"))
    with pytest.raises(DocumentError, match=r"results.csv:5: found words with accents .* cp1252 `Zoë`"):
        list(read_documents(pair))
    first, second = tournaments(read_documents(pair, context=read_context(PROJECT / "seeds", encoding="cp1252")))
    assert second.results[1].player.first_name == "Zoë"
    assert "read in the encoding cp1252" in first.remarks[0]


def test_the_stored_events_come_out_of_a_pair_as_they_went_in(tmp_path: Path) -> None:
    events = samples.stored_tournaments()
    read = tournaments(read_documents(samples.write_two_tables(tmp_path, events)))
    assert [[(r.placement, r.player.last_name) for r in d.results] for d in read] == [
        [(r.placement, r.player.last_name) for r in d.results] for d in events
    ]


def test_a_pair_may_be_named_in_capitals(pair: Path) -> None:
    for path in (pair, pair.with_name("results.csv")):
        path.rename(path.with_name(path.name.upper()))
    (path,) = group_inputs([pair.parent])
    assert path.name == "TOURNAMENTS.CSV"
    assert len(list(read_documents(path))) == 2
