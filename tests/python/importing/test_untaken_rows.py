"""What looks like a result on a page and is not among the rows of its table: it is named, and nothing is lost in silence."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from dippouch.documents import Appearance, Document, PlayerDocument, TournamentDocument
from dippouch.errors import DocumentError, Location
from support.fuzzing import samples

Reader = Callable[..., Document]

EVENT = samples.stored_tournaments()[-1]
PAGE = samples.tournament_html(EVENT, well_formed=True)
ROW = "<td>2</td><td><a href='#'>Toby HARRIS</a></td>"
PLAYED = [
    Appearance(name, date(2013, 8, 25), date(2013, 8, 25), placement, Location(Path()), "WDC", f"wdd:{placement}")
    for placement, name in enumerate(("First Cup", "Second Cup", "Third Cup"), start=1)
]
PLAYER = samples.player_html("Cyrille SEVIN", 1073, "FRA", PLAYED)


def nested(row: str) -> str:
    return f"<td><table>{row}</table></td>"


def test_the_page_as_it_is_has_all_its_results(read: Reader) -> None:
    document = read(PAGE, "page.html")
    assert isinstance(document, TournamentDocument)
    assert len(document.results) == len(EVENT.results)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (f"<tr class='row_odd'>{ROW}", f"<tr>{ROW}", "2 Toby HARRIS 98.00"),
        (f"<tr class='row_odd'>{ROW}", f"<tr class='ligne'>{ROW}", "2 Toby HARRIS 98.00"),
        (
            "</table>\n</body>",
            "</table><table><tr><td>76</td><td>Anna ARCHER</td></tr></table></body>",
            "76 Anna ARCHER",
        ),
        (
            "</table>\n</body>",
            "</table><tr class='row_odd'><td>76</td><td>Anna ARCHER</td><td>0.00</td></tr></body>",
            "76 Anna ARCHER 0.00",
        ),
        ("<td>98.00</td>", "<td>98.00</td>" + nested("<tr class='row_odd'><td>9<td>Anna ARCHER"), "9 Anna ARCHER"),
        ("<td>98.00</td>", nested("<tr><td>9<td><a href='x.php?id_player=7'>Anna</a>") + "<td>98.00</td>", "9 Anna"),
        ("<tr><th>Rank", "<tr class='row_odd'><td>9<td>Anna ARCHER</tr><tr><th>Rank", "9 Anna ARCHER"),
        ("<h2>", "<table><tr class='row_odd'><td>9<td>Anna ARCHER</table><h2>", "9 Anna ARCHER"),
        (
            "</table>\n</body>",
            "<tr><td></td><td><a href='x.php?id_player=7'>Jane DIRECTOR</a></table></body>",
            "Jane DIRECTOR",
        ),
    ],
)
def test_what_looks_like_a_result_and_is_not_taken_is_named(old: str, new: str, named: str, read: Reader) -> None:
    assert old in PAGE
    page = PAGE.replace(old, new, 1)
    with pytest.raises(DocumentError) as caught:
        read(page, "page.html")
    error = caught.value
    assert not error.further
    assert error.found == f"`{named}` beside the rows of the table"
    # The name stands on one line of the page.
    name = named.strip("0123456789. ")
    assert error.location.line == page[: page.index(name)].count("\n") + 1
    assert '`class="row_odd"`' in str(error)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</table>\n</body>", "<tr><td colspan='5'>71 players listed</td></tr></table></body>"),
        ("</table>\n</body>", "<tr><td>Total</td><td>71</td></tr></table></body>"),
        ("</table>\n</body>", "</table><table><tr><td>1</td><td>Next page</td></tr></table></body>"),
        ("</table>\n</body>", "</table><p>See <a href='x.php?id_player=7'>Anna ARCHER</a> (2013)</p></body>"),
        ("<td>98.00</td>", "<td>98.00" + "<table><tr><td>3</td><td>draws</td></tr></table></td>"),
        ("<h2>", "<table><tr><td>Winner 2012</td><td>Anna ARCHER</td></tr></table><h2>"),
    ],
)
def test_what_looks_like_no_result_is_nothing(old: str, new: str, read: Reader) -> None:
    assert old in PAGE
    document = read(PAGE.replace(old, new, 1), "page.html")
    assert isinstance(document, TournamentDocument)
    assert document.results == read(PAGE, "page.html").results  # type: ignore[union-attr]


def test_rows_of_a_page_that_marks_none_are_taken(read: Reader) -> None:
    plain = PAGE.replace("<tr class='row_odd'>", "<tr>").replace("<tr class='row_even'>", "<tr>")
    document = read(plain, "page.html")
    assert isinstance(document, TournamentDocument)
    assert len(document.results) == len(EVENT.results)


def test_a_tournament_of_a_player_that_is_not_taken_is_named(read: Reader) -> None:
    document = read(PLAYER, "player.html")
    assert isinstance(document, PlayerDocument)
    assert len(document.appearances) == 3
    with pytest.raises(DocumentError, match=r"`2013-08-25 Second Cup WDC 2 / players A circuit` beside the rows"):
        read(PLAYER.replace("<tr class='row_odd'>", "<tr>"), "player.html")


def test_a_row_that_is_cut_before_its_name_is_told(read: Reader) -> None:
    document = read(PAGE.replace("<a href='#'>Toby HARRIS</a>", "", 1), "page.html")
    assert isinstance(document, TournamentDocument)
    assert document.remarks == ("rows without a name left aside: `2` (row 2 of the table)",)
