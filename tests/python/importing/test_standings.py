"""Standings with facts beside them, of many faults and of long cells; small ones are in the golden files."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from dippouch.documents import Document, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.importing.context import TournamentOptions

Reader = Callable[..., Document]

FACTS = "name: Small Cup\ndate: 2010-05-01\nplayers: 6\nrounds: 2\n\n"
TABLE = "placement,name\n1,Anna ARCHER\n2,Ben BAKER\n"


def test_a_title_is_offered_as_the_name(read: Reader) -> None:
    table = "WAC 6 2009 - Final standings\n2010-05-01\nplayers: 6\nrounds: 2\n\n" + TABLE
    with pytest.raises(DocumentError, match="--name 'WAC 6 2009 - Final standings' --date 2010-05-01"):
        read(table, "sheet.csv")
    document = read(table, "sheet.csv", options=TournamentOptions(name="WAC 6 2009", date="2010-05-01"))
    assert isinstance(document, TournamentDocument)
    assert document.name == "WAC 6 2009"


def test_faults_are_told_up_to_a_number(read: Reader) -> None:
    rows = "".join(f"x{i},P{i} PLAYER\n" for i in range(1000))
    with pytest.raises(DocumentError) as caught:
        read(f"{FACTS}rank,name\n{rows}", "sheet.csv")
    assert len(caught.value.further) == 49


def test_a_table_without_a_head_says_what_comes_nearest(read: Reader) -> None:
    with pytest.raises(DocumentError) as caught:
        read(FACTS + "Placment,Player\n1,A\n", "x.csv", format_name="csv")
    assert caught.value.location.line == 6
    assert caught.value.found.startswith("the headings `Placment`, `Player`; did you mean `placement` by `Placment`?")


@pytest.mark.parametrize("piece", ["7", " ", "a ", "-", "é", "1, ", "2010-05-01 "])
def test_a_long_cell_takes_as_much_longer_as_it_is(read: Reader, piece: str) -> None:
    def seconds(length: int) -> float:
        text = (piece * length)[:length]
        started = time.process_time()
        for document in (
            f'{FACTS}rank,name\n"{text}x",A ARCHER\n1,"{text}x"\n',
            FACTS.replace("2010-05-01", f'"{text}x"').replace("Cup", text) + TABLE,
            f'{FACTS}rank,name,"{text}x",nat\n1,A ARCHER,,"{text}x"\n',
        ):
            with pytest.raises(DocumentError):
                read(document, "sheet.csv")
        return time.process_time() - started

    # Ten times the length; what compares every part with every other takes a hundred times.
    assert seconds(30_000) < 40 * max(seconds(3_000), 0.002)
