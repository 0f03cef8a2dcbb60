"""Rankings on the terminal: of all players or a nation's, of today or the end of a year."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from dippouch.commands import database
from dippouch.settings import PROJECT
from support.keeper import done
from support.programs import Done, run_here


def rankings(database: Path, *words: str) -> Done:
    return run_here("ranking", *words, "--database", database)


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def names(printed: str) -> list[str]:
    return [re.split(r" {2,}", line.strip())[1] for line in printed.splitlines()[1:-1]]


def test_ten_or_as_many_as_asked(published: Path) -> None:
    assert len(names(done(rankings(published)))) == 10
    printed = done(rankings(published, "--top", "500"))
    assert len(names(printed)) == 213
    assert lines(printed)[-1] == "213 players ranked by 4 counted tournaments, rating system `dptr`"


@pytest.mark.parametrize("nation", ["SWE", "swe", "se", "Sweden", "sverige", " SWEDEN "])
def test_a_nation_is_asked_for_by_code_or_name(published: Path, nation: str) -> None:
    assert lines(done(rankings(published, "--nation", nation))) == [
        "rank  player              overall   rating  tournaments  last played",
        "   1  Leif BERGMAN              4  51.6591            1  1996-06-01",
        "   2  Björn VON KNORRING        6  51.4318            1  1996-06-01",
        "2 players from Sweden ranked by 4 counted tournaments, rating system `dptr`",
    ]


def test_the_end_of_a_year_is_the_ranking_of_that_day(published: Path) -> None:
    # As `marts.ranking_on('dptr', '2009-12-31')` on the page of questions.
    printed = done(rankings(published, "--year", "2009", "--top", "2"))
    assert lines(printed) == [
        "rank  player              nation   rating",
        "   1  Leif BERGMAN        SWE     51.6591",
        "   2  Björn VON KNORRING  SWE     51.4318",
        "151 players ranked at the end of 2009, rating system `dptr`",
    ]
    of_france = done(rankings(published, "--year", "2009", "--nation", "France"))
    assert [line.split()[0] for line in lines(of_france)[1:-1]] == ["1", "2", "3", "4", "5"]
    assert names(of_france)[0] == "Pascal MONTAGNA"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--nation", "Swedn"], "found the nation `Swedn`; expected an ISO code such as `FRA` or a name of"),
        (["--nation", "Swedn"], "did you mean `Sweden`?"),
        (["--nation", " "], "found an empty nation; expected an ISO code"),
        (["--year", "1999"], "found no ranking of the year 1999; expected one from 2001 to 2013"),
        (["--system", "dptt"], "found no rating system `dptt`; expected one of dptr, "),
    ],
)
def test_a_ranking_that_is_not_there_is_a_message(published: Path, words: list[str], message: str) -> None:
    end = rankings(published, *words)
    assert (end.returncode, end.stdout) == (1, "")
    assert message in end.stderr


def test_a_refresh_prints_what_was_asked_and_refuses_an_unknown_nation_before_it_builds(
    published: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "refresh_rankings", lambda *_, **__: None)
    monkeypatch.setenv("DPTR_WAREHOUSE", str(published.parent))
    printed = done(run_here("refresh", "--nation", "france", "--top", "3"))
    assert printed.split("\n\n", 1)[1] == done(rankings(published, "--nation", "FRA", "--top", "3"))
    monkeypatch.setattr(database, "refresh_rankings", lambda *_, **__: pytest.fail("it was built"))
    end = run_here("refresh", "--nation", "Atlantis")
    assert end.stderr.startswith("error: found the nation `Atlantis`; expected an ISO code")


@pytest.mark.parametrize(
    ("settings", "words"),
    [([], ""), (["TOP=50"], "[--top][50]"), (["NATION=Côte d'Ivoire", "TOP=3"], "[--top][3][--nation][Côte d'Ivoire]")],
)
def test_make_hands_on_what_to_print(settings: list[str], words: str, tmp_path: Path) -> None:
    shown = tmp_path / "dptr"
    shown.write_text('#!/bin/sh\nprintf "[%s]" "$@"\n', encoding="utf-8")
    shown.chmod(0o755)
    command = ["make", "--no-print-directory", "-o", ".venv/requirements.lock", f"BIN={tmp_path}", "rankings"]
    printed = subprocess.run([*command, *settings], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    assert printed == f"[refresh]{words}"
