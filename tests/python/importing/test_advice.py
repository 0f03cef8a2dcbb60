"""The program that follows the advice of golden messages, in the tests of these messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import advice
from support.golden import FIXTURES, cases


def test_a_hundred_pieces_of_advice_are_followed() -> None:
    files = [*FIXTURES.glob("collections/*.golden"), *FIXTURES.glob("importing/*.golden")]
    assert sum(len(advice.pieces(line)) for case in cases(*files) for line in case.outcome.splitlines()) > 150


@pytest.mark.parametrize("piece", ["--replace", ": template x.csv", "merge"])
def test_advice_that_leads_back_is_a_circle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(advice, "pieces", lambda _: [piece])
    assert advice.circles(["import", "gone.csv"], ["error: gone.csv: no such file or folder"])
