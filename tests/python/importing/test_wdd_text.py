"""The text format on its fixtures, and on each way in which a page can be broken."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from dippouch.documents import Document, RankingDocument, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.importing.reader import read_documents
from support.fuzzing import samples

Reader = Callable[..., Document]

PAGE = """\
A sentence that explains the rules.

Small Cup 2010
Played by the sea
Date May 1-2, 2010 Place Nice
Number of players4 Number of rounds2 Number of boards1
Coeff 13.14 Coeff 2- Coeff 3-

RankFirstName LastNameLoc.Nat.Score
1Anna ARCHER87.50
2Ben BAKER62.50
2Cleo COOK62.50
4Dan DYER12.50
"""

RANKING = """\
Some Rating
AuthorJane Doe Last Update2017-08-06

Rank FirstName LastName Nat. Loc. Score
1Anna ARCHER85.29
2Ben BAKER80.00
"""


@pytest.mark.parametrize("path", samples.stored_pages(), ids=lambda path: path.stem)
def test_the_stored_pages_are_read_whole(path: object) -> None:
    for document in read_documents(path):  # type: ignore[arg-type]
        rows = document.ranks if isinstance(document, RankingDocument) else None
        assert rows is None or len(rows) == 47


def test_every_field_of_a_page(read: Reader) -> None:
    document = read(PAGE, "page.txt")
    assert isinstance(document, TournamentDocument)
    assert (document.name, document.subtitle, document.place) == ("Small Cup 2010", "Played by the sea", "Nice")
    assert (document.players, document.rounds, document.boards) == (4, 2, 1)
    assert document.coefficients == (Decimal("3.14"), None, None)
    assert [(r.placement, r.player.last_name, r.published_score, r.player.location.line) for r in document.results] == [
        (1, "ARCHER", Decimal("87.50"), 10),
        (2, "BAKER", Decimal("62.50"), 11),
        (2, "COOK", Decimal("62.50"), 12),
        (4, "DYER", Decimal("12.50"), 13),
    ]
    assert document.locations["players"].line == 6


def test_a_director_is_listed_without_rank_and_score(read: Reader) -> None:
    document = read(PAGE.replace("4Dan DYER12.50", "4Dan DYER12.50\nEva EAST"), "page.txt")
    assert isinstance(document, TournamentDocument)
    assert [r.placement for r in document.results if r.player.last_name == "EAST"] == [None]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("2Ben BAKER62.50", "2Ben BAKER62", 11, "found `2Ben BAKER62`; expected a row such as"),
        ("2Ben BAKER62.50", "Ben BAKER62.50", 11, "found `Ben BAKER62.50`; expected a row such as"),
        ("2Ben BAKER62.50", "2Ben Baker62.50", 11, "no last name in capitals; expected a name such as"),
        ("2Cleo COOK62.50", "2Ben BAKER62.50", 12, "`Ben BAKER` a second time (first: line 11)"),
        ("4Dan DYER12.50", "\n4Dan DYER12.50", 14, "after the end of the table"),
        (
            "4Dan DYER12.50",
            "5Dan DYER12.50",
            13,
            "placement 5; expected a placement from 1 to 4. The document declares",
        ),
        ("4Dan DYER12.50", "3Dan DYER37.50", 13, "placement 3 after 2 players at placement 2; expected placement 4"),
        ("1Anna ARCHER87.50", "0Anna ARCHER87.50", 10, "the rank `0`; expected a whole number from 1"),
        ("1Anna ARCHER87.50", "1Anna ARCHER87.51", 10, "score 87.51; expected 87.50, the percentile score of"),
        ("1Anna ARCHER87.50", "1Anna\u202e ARCHER87.50", 10, "right-to-left override"),
        ("Anna", "A" * 10_000, 10, "characters; expected at most 100"),
        ("May 1-2, 2010", "May 32, 2010", 5, "the date `May 32, 2010` (day is out of range"),
        ("May 1-2, 2010", "February 29, 2010", 5, "out of range"),
        ("May 1-2, 2010", "May 2-1, 2010", 5, "not before the start"),
        ("May 1-2, 2010", "May 1, 1010", 5, "expected a year from 1900 to 2100"),
        ("Date May 1-2, 2010 Place Nice\n", "", None, "expected the header fields `Date ... Place ...`"),
        ("Place Nice", "", 5, "expected the header fields `Date ... Place ...`"),
        ("Number of players4 ", "", None, "expected the header fields `Number of players"),
        ("players4", "players0", 6, "`Number of players` `0`; expected a whole number above 0"),
        (
            "players4",
            "players3",
            10,
            "score 87.50; expected 83.33, the percentile score of placement 1 among 3 players",
        ),
        ("players4", "players10000000", 6, "`Number of players` `10000000`; expected a whole number above 0"),
        ("Coeff 13.14", "Coeff 1x", 7, "expected the header fields `Coeff 1, Coeff 2, Coeff 3`"),
        ("Small Cup 2010\nPlayed by the sea\n", "", 3, "0 lines of title above the date"),
        ("Played by the sea", "one\ntwo", 6, "3 lines of title above the date"),
        ("Small Cup 2010", "=1+1", 3, "a spreadsheet runs as a formula"),
        ("RankFirst", "Rank FirstName LastNameLoc.Nat.Score\nRankFirst", None, "found 2 tables"),
        (PAGE[PAGE.index("1Anna") :], "", 9, "a table without rows"),
    ],
)
def test_a_broken_page_names_the_line(old: str, new: str, line: int | None, message: str, read: Reader) -> None:
    assert old in PAGE
    with pytest.raises(DocumentError) as caught:
        read(PAGE.replace(old, new, 1), "page.txt")
    assert message in str(caught.value)
    assert caught.value.location.line == line
    assert f"page.txt:{line}: " in str(caught.value) if line else "page.txt: " in str(caught.value)


def test_a_line_of_blanks_takes_no_time(read: Reader) -> None:
    blanks = " " * 200_000
    document = read(PAGE.replace("Date May", f"Date{blanks}May").replace("Ben B", f"Ben{blanks}B"), "page.txt")
    assert isinstance(document, TournamentDocument)
    assert document.results[1].player.listed_name == "Ben BAKER"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("2017-08-06", "soon", 2, "`Last Update` `soon`; expected a date"),
        ("2Ben BAKER80.00", "2Ben BAKER86.00", 6, "ratings that do not rise"),
        ("2Ben BAKER80.00", "0Ben BAKER80.00", 6, "the rank `0`"),
        ("1Anna ARCHER85.29", "1Anna ARCHER185.29", 5, "expected a rating from 0 to 100"),
        ("Some Rating\n", "", 1, "expected the name of the ranking"),
    ],
)
def test_a_broken_ranking_names_the_line(old: str, new: str, line: int, message: str, read: Reader) -> None:
    with pytest.raises(DocumentError) as caught:
        read(RANKING.replace(old, new, 1), "ranking.txt")
    assert message in str(caught.value)
    assert caught.value.location.line == line
