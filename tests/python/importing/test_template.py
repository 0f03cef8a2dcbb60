"""An empty table of standings to fill in."""

from __future__ import annotations

from pathlib import Path

import pytest

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError, UserError
from dippouch.importing.reader import read_documents
from dippouch.importing.template import write_template

FACTS = {"name": "Cup", "date": "2010-05-01 - 2010-05-02", "players": "6", "rounds": "2"}


@pytest.mark.parametrize("name", ["template.csv", "template.xlsx"])
def test_a_template_is_refused_until_it_is_filled_in(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write_template(path)
    with pytest.raises(DocumentError, match="a table without rows"):
        list(read_documents(path))
    with pytest.raises(UserError, match="found a file of that name"):
        write_template(path)
    if path.suffix == ".xlsx":
        return
    text = path.read_text(encoding="utf-8-sig")
    for fact, value in FACTS.items():
        text = text.replace(f"\n{fact},\n", f"\n{fact},{value}\n")
    path.write_text(text + "1,Ann,SMITH,FRA,\n-,Zed,SMITH,,\n", encoding="utf-8")
    (document,) = read_documents(path)
    assert isinstance(document, TournamentDocument)
    assert [(r.placement, r.player.name) for r in document.results] == [(1, "Ann SMITH"), (None, "Zed SMITH")]
    assert (document.players, document.rounds, document.ended_on.day) == (6, 2, 2)
