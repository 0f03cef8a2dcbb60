"""Workbooks as other people keep them: merged cells, figures without their decimals, styles without end."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from openpyxl import Workbook

from dippouch.documents import Document, TournamentDocument
from dippouch.errors import DocumentError

Reader = Callable[..., Document]

FACTS: list[list[Any]] = [["name", "Small Cup"], ["date", "2010-05-01"], ["players", 4], ["rounds", 2]]
# The head is row 5.
ROWS: list[list[Any]] = [
    ["Rank", "Forename", "Surname", "Nation"],
    [1, "Ann", "ARCHER", "FRA"],
    [2, "Ben", "BAKER", None],
    [None, "Cleo", "COOK", None],
    [4, "Dan", "DYER", "USA"],
]


def workbook(
    rows: list[list[Any]], *, merged: tuple[str, ...] = (), others: dict[str, list[list[Any]]] | None = None
) -> bytes:
    book = Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(row)
    for place in merged:
        sheet.merge_cells(place)
    for title, further in (others or {}).items():
        another = book.create_sheet(title)
        for row in further:
            another.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def tournament(read: Reader, content: bytes) -> TournamentDocument:
    document = read(content, "book.xlsx")
    assert isinstance(document, TournamentDocument)
    return document


def test_a_merged_placement_is_everybodys_in_it(read: Reader) -> None:
    document = tournament(read, workbook(FACTS + ROWS, merged=("A7:A8", "D6:D8")))
    assert [r.placement for r in document.results] == [1, 2, 2, 4]
    assert [r.player.nation_code for r in document.results] == ["FRA", "FRA", "FRA", "USA"]


def test_a_blank_placement_that_is_not_merged_is_refused(read: Reader) -> None:
    with pytest.raises(DocumentError, match=r"book\.xlsx, cell A8: found no placement in cell A8, above placement `4`"):
        read(workbook(FACTS + ROWS), "book.xlsx")


def test_merged_cells_above_the_table_are_facts_and_titles(read: Reader) -> None:
    rows = [["WAC 6 2009 - Final standings"], *FACTS, *ROWS[:3]]
    document = tournament(read, workbook(rows, merged=("A1:D1", "B2:D2", "B3:B3")))
    assert document.name == "Small Cup"
    assert document.remarks == ("lines above the table left aside: `WAC 6 2009 - Final standings` (cell A1)",)


def changed(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """A workbook with one of its parts changed."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return made.getvalue()


def test_merges_without_end_end(read: Reader) -> None:
    wide = b"".join(b'<mergeCell ref="%s" />' % place for place in (b"A7:A1048576", b"C7:XFD9", b"Z5:Z1048576"))
    merged = workbook(FACTS + ROWS[:4], merged=("A7:A8",))
    content = changed(merged, "xl/worksheets/sheet1.xml", lambda xml: xml.replace(b'<mergeCell ref="A7:A8" />', wide))
    assert b"1048576" in zipfile.ZipFile(io.BytesIO(content)).read("xl/worksheets/sheet1.xml")
    document = tournament(read, content)
    assert [(r.placement, r.player.last_name) for r in document.results] == [(1, "ARCHER"), (2, "BAKER"), (2, "COOK")]


def test_a_score_is_stored_without_its_last_zero(read: Reader) -> None:
    rows: list[list[Any]] = [["rank", "name", "percentile"], [1, "Ann ARCHER", 87.5], [2, "Ben BAKER", 62.5]]
    document = tournament(read, workbook(FACTS + rows))
    assert [str(r.published_score) for r in document.results] == ["87.50", "62.50"]
    with pytest.raises(DocumentError, match=r"score 62\.40; expected 62\.50"):
        read(workbook([*FACTS, *rows[:2], [2, "Ben BAKER", 62.4]]), "book.xlsx")


def test_days_have_a_cell_each(read: Reader) -> None:
    facts = [FACTS[0], ["date", "2009-01-23", "-", "2009-01-25"], *FACTS[2:]]
    document = tournament(read, workbook(facts + ROWS[:3]))
    assert f"{document.started_on} {document.ended_on}" == "2009-01-23 2009-01-25"


def test_a_list_of_players_beside_the_standings_is_left_aside(read: Reader) -> None:
    document = tournament(read, workbook(FACTS + ROWS[:3], others={"Players": [["No", "Name"], [1, "Ben BAKER"]]}))
    assert [r.player.last_name for r in document.results] == ["ARCHER", "BAKER"]
    assert document.remarks == ("sheets left aside: `Players`",)


def test_a_note_beside_the_table_is_refused(read: Reader) -> None:
    rows = [*FACTS, *ROWS[:2], [2, "Ben", "BAKER", None, None, "late"]]
    with pytest.raises(DocumentError, match=r"cell F7: found `late` beside the table; .* Empty the cell"):
        read(workbook(rows), "book.xlsx")


def test_a_head_that_is_not_found_is_described(read: Reader) -> None:
    rows: list[list[Any]] = [*FACTS, ["Placment", "Player"], [1, "Ann ARCHER"]]
    with pytest.raises(
        DocumentError, match=r"book\.xlsx:5: found the headings .* did you mean `placement` by `Placment`"
    ):
        read(workbook(rows), "book.xlsx")


def test_everything_that_is_wrong_is_said_at_once(read: Reader) -> None:
    facts: list[list[Any]] = [["name", "Cup"], ["date", "2010-05-01"], ["players", "many"], ["rounds", 2]]
    rows = [*facts, ROWS[0], ["x", "Ann", "ARCHER", "FRA"], [1, "Ben", "BAKER", "Nowhere"]]
    with pytest.raises(DocumentError) as caught:
        read(workbook(rows), "book.xlsx")
    faults = [caught.value, *caught.value.further]
    assert [fault.location.place for fault in faults] == ["cell B3", "cell A6", "cell D7"]
