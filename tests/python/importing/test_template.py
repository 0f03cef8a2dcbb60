"""An empty table of standings to fill in."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import load_workbook

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError, UserError
from dippouch.importing.reader import read_documents
from dippouch.importing.template import write_template

FACTS = {"name": "Cup", "date": "2010-05-01 - 2010-05-02", "players": "6", "rounds": "2"}


def fill_in(path: Path) -> None:
    """Fill in the facts and two players."""
    if path.suffix == ".csv":
        text = path.read_text(encoding="utf-8-sig")
        for fact, value in FACTS.items():
            text = text.replace(f"\n{fact},\n", f"\n{fact},{value}\n")
        path.write_text(text + "1,Ann,SMITH,FRA,\n-,Zed,SMITH,,\n", encoding="utf-8")
        return
    book = load_workbook(path)
    sheet = book.worksheets[0]
    for row, (label,) in enumerate(sheet.iter_rows(max_col=1, values_only=True), start=1):
        if str(label) in FACTS:
            sheet.cell(row, 2).value = FACTS[str(label)]
    for cells in ([1, "Ann", "SMITH", "FRA"], ["-", "Zed", "SMITH"]):
        sheet.append(cells)
    book.save(path)


@pytest.mark.parametrize("name", ["template.csv", "template.xlsx"])
def test_a_template_is_refused_until_it_is_filled_in(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write_template(path)
    with pytest.raises(DocumentError, match="a table without rows"):
        list(read_documents(path))
    with pytest.raises(UserError, match="found a file of that name"):
        write_template(path)
    fill_in(path)
    (document,) = read_documents(path)
    assert isinstance(document, TournamentDocument)
    assert [(r.placement, r.player.name) for r in document.results] == [(1, "Ann SMITH"), (None, "Zed SMITH")]
    assert (document.players, document.rounds, document.ended_on.day) == (6, 2, 2)
