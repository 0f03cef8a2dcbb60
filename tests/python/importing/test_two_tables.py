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

TOURNAMENTS = """\
tournament_id;name;kind;started_on;ended_on;place;nation_code;players;rounds;boards
wdc-1;First Cup;WDC;2010-05-01;2010-05-02;Nice;FRA;40;3;5
cup-2;Second Cup;;2011-05-01;;;;;;
"""
RESULTS = """\
tournament_id,placement,first_name,last_name,nation_code
cup-2,1,Ben,BAKER,
wdc-1,2,Ben,BAKER,USA
wdc-1,1,Anna,ARCHER,FR
cup-2,DNF,Anna,ARCHER,
"""


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    (tmp_path / "results.csv").write_text(RESULTS)
    (tmp_path / "tournaments.csv").write_text(TOURNAMENTS)
    return tmp_path / "tournaments.csv"


def as_parquet(pair: Path) -> Path:
    """The pair as a database exports it, with types, instead of as CSV."""
    for path in (pair, pair.with_name("results.csv")):
        duckdb.execute(f"copy (from read_csv({literal(path)})) to {literal(path.with_suffix('.parquet'))}")
        path.unlink()
    return pair.with_suffix(".parquet")


def tournaments(documents: Iterator[Document]) -> list[TournamentDocument]:
    return [document for document in documents if isinstance(document, TournamentDocument)]


def test_every_tournament_has_its_results_in_the_order_of_the_file(pair: Path) -> None:
    first, second = tournaments(read_documents(pair))
    assert (first.tournament_id, first.name, first.kind, first.nation_code) == ("wdc-1", "First Cup", "WDC", "FRA")
    assert (first.players, first.rounds, first.boards) == (40, 3, 5)
    assert [(r.placement, r.player.last_name, r.player.nation_code, r.player.location.line) for r in first.results] == [
        (2, "BAKER", "USA", 3),
        (1, "ARCHER", "FRA", 4),
    ]
    assert (second.players, second.rounds, second.place) == (None, None, None)
    assert second.started_on == second.ended_on
    assert [r.placement for r in second.results] == [1, None]


def test_parquet_states_the_same(pair: Path) -> None:
    def stated() -> list[TournamentDocument]:
        """Every tournament, without where it stands."""
        return [
            replace(
                t,
                source=replace(t.source, path=pair, sha256=""),
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
            "tournaments.parquet, row 2 of results.parquet",
            "placement `50` in wdc-1; expected one from 1 to 40",
        ),
        ("(null, null, null), ('cup-9', 1, 'B B')", "results.parquet, row 2", "the tournament `cup-9`"),
        ("(null, 1, 'B B')", "results.parquet, row 1", "no tournament_id"),
        ("(['cup-2'], 1, 'B B')", "results.parquet", "the column `tournament_id` of the type VARCHAR[]"),
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
    with pytest.raises(DocumentError, match=r"tournaments.parquet: found what cannot be read as Parquet"):
        list(read_documents(path))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_are_found_out(encoding: str, end: str, pair: Path) -> None:
    results = RESULTS.replace("BAKER", "BÄCKER").replace("\n", end)
    (pair.parent / "results.csv").write_bytes(results.encode(encoding))
    (pair.parent / "tournaments.csv").write_bytes(TOURNAMENTS.replace("\n", end).encode(encoding))
    first, _ = tournaments(read_documents(pair))
    assert first.results[0].player.last_name == "BÄCKER"
    assert first.results[0].player.location.line == 3


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "message"),
    [
        (
            "results",
            "cup-2,DNF",
            "cup-3,DNF",
            "results.csv:5:",
            "the tournament `cup-3`; expected one that tournaments.csv",
        ),
        ("results", "cup-2,DNF", ",DNF", "results.csv:5:", "no tournament_id"),
        ("results", "wdc-1,2", "wdc-1,x", "results.csv:3:", "the placement `x`"),
        (
            "results",
            "wdc-1,2",
            "wdc-1,41",
            "line 3 of results.csv:",
            "placement `41` in wdc-1; expected one from 1 to 40",
        ),
        ("results", "USA", "ALL", "results.csv:3:", "`ALL` is `DEU`"),
        ("results", ",USA", "", "results.csv:3:", "4 cells; expected 5"),
        ("results", "placement", "plac", "results.csv:1:", "the heading `plac`; expected `placement`"),
        ("results", "placement", "points", "results.csv:1:", "`placement` among them"),
        ("results", "first_name,last_name", "whose,which", "results.csv:1:", "no column of names"),
        ("results", "Anna,ARCHER,FR", "Ben,BAKER,USA", "line 4 of results.csv:", "a second time (first: line 3 of"),
        ("results", RESULTS, "", "results.csv:", "an empty file"),
        ("results", "Anna", "An\x1fna", "line 4 of results.csv:", "the character U+001F"),
        (
            "tournaments",
            "cup-2;",
            "wdc-1;",
            "tournaments.csv:3:",
            "the tournament `wdc-1` a second time (first: line 2, `wdc-1`)",
        ),
        ("tournaments", "2010-05-02", "2010-04-02", "tournaments.csv:2:", "the end 2010-04-02 before the start"),
        ("tournaments", "40", "many", "tournaments.csv:2:", "`players` `many`"),
        ("tournaments", "2011-05-01", "", "tournaments.csv:3:", "no date"),
        ("tournaments", "Second Cup", "", "tournaments.csv:3:", "no name"),
        ("tournaments", "name;", "nme;", "tournaments.csv:1:", "the heading `nme`; expected `name`"),
    ],
)
def test_a_fault_names_the_file_and_the_line(
    file: str, old: str, new: str, place: str, message: str, pair: Path
) -> None:
    path = pair.parent / f"{file}.csv"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    outcome = import_documents([pair], pair.parent / "seeds")
    assert place in str(outcome.rejections[0])
    assert message in str(outcome.rejections[0])


def test_an_id_is_no_path(pair: Path) -> None:
    for path in pair.parent.iterdir():
        path.write_text(path.read_text().replace("cup-2", "../2"))
    with pytest.raises(DocumentError, match=r"tournaments.csv:3: found `tournament_id` `../2`; expected letters"):
        list(read_documents(pair))


def test_an_accent_far_below_tells_that_the_file_is_not_utf_8(pair: Path) -> None:
    (pair.parent / "results.csv").write_bytes(RESULTS.replace("Anna,ARCHER,\n", "Zoë,ZIMMER,\n").encode("cp1252"))
    with pytest.raises(DocumentError, match=r"results.csv:5: found words with accents .* cp1252 `Zoë`"):
        list(read_documents(pair))
    first, second = tournaments(read_documents(pair, context=read_context(PROJECT / "seeds", encoding="cp1252")))
    assert second.results[1].player.first_name == "Zoë"
    assert "read in the encoding cp1252" in first.remarks[0]


def test_a_tournament_without_results_is_refused(pair: Path) -> None:
    with pair.open("a") as file:
        file.write("none-3;Third Cup;;2012-05-01;;;;;;\n")
    with pytest.raises(DocumentError, match=r"tournaments.csv:4: found the tournament `none-3` without results"):
        list(read_documents(pair))


def test_the_stored_events_come_out_of_a_pair_as_they_went_in(tmp_path: Path) -> None:
    events = samples.stored_tournaments()
    read = tournaments(read_documents(samples.write_two_tables(tmp_path, events)))
    assert [[(r.placement, r.player.last_name) for r in d.results] for d in read] == [
        [(r.placement, r.player.last_name) for r in d.results] for d in events
    ]


TWO_CUPS = (
    "tournament_id,name,started_on,players,rounds,organiser\na,Cup A,2010-05-01,4,2,x\nb,Cup B,2010-06-01,4,2,y\n"
)
THREE_PEOPLE = (
    "tournament_id,rank,forename,surname,points\na,1,Ann,SMITH,3\nb,1,Ann,SMITH,3\nb,,Zed,SMITH,\nb,3,Ben,BAKER,1\n"
)


def written(folder: Path, cups: str = TWO_CUPS, people: str = THREE_PEOPLE) -> Path:
    (folder / "tournaments.csv").write_text(cups)
    (folder / "results.csv").write_text(people)
    return folder / "tournaments.csv"


def test_a_pair_says_once_what_it_leaves_aside(tmp_path: Path) -> None:
    first, second = tournaments(read_documents(written(tmp_path)))
    assert first.remarks == (
        "tournaments.csv: columns left aside: `organiser`",
        "results.csv: columns left aside: `points` (no percentile score; such a column is headed `published_score`)",
    )
    assert second.remarks == (
        "the placement is blank, and they are listed without one: `Zed SMITH` (line 4 of results.csv);"
        " nobody holds placement 2, 4",
    )


def test_everything_that_is_wrong_in_a_pair_is_said_at_once(tmp_path: Path) -> None:
    people = THREE_PEOPLE.replace("a,1,", "a,x,").replace("b,1,", "b,0,").replace("b,3,", "b,z,")
    path = written(tmp_path, TWO_CUPS.replace("Cup B,2010-06-01,4", "Cup B,2010-06-31,many"), people)
    with pytest.raises(DocumentError) as caught:
        list(read_documents(path))
    faults = [str(error) for error in (caught.value, *caught.value.further)]
    assert [fault.split("/")[-1].split(": found")[0] for fault in faults] == [
        *("results.csv:2", "results.csv:3", "results.csv:5", "tournaments.csv:3", "tournaments.csv:3")
    ]


def test_a_pair_may_be_named_in_capitals(pair: Path) -> None:
    for path in (pair, pair.with_name("results.csv")):
        path.rename(path.with_name(path.name.upper()))
    (path,) = group_inputs([pair.parent])
    assert path.name == "TOURNAMENTS.CSV"
    assert len(list(read_documents(path))) == 2
