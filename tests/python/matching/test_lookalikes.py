"""Names that look alike: letters of other scripts are refused where they pass for others, and reported where names are whole."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from dippouch.lookalikes import skeleton
from dippouch.names import fault_of_name
from support.keeper import Keeper, done

# A name, and what is said of it.
REFUSED = [
    ("Edi BIRS\u0410N", "U+0410 (cyrillic capital letter a), which looks like `A`, among Latin letters"),
    ("\u039fmar SHARIF", "U+039F (greek capital letter omicron), which looks like `O`, among Latin letters"),
    ("Ив\u0061н ПЕТРОВ", "U+0061 (latin small letter a) among Cyrillic letters"),
    ("Alloτ", "U+03C4 (greek small letter tau) among Latin letters"),
    ("Anna \u0421\u041e\u0420\u0410", "the word `СОРА` in Cyrillic letters, which looks like `COPA`"),
    ("Ｅｄｉ BIRSAN", "U+FF25 (fullwidth latin capital letter e) for `E`"),
    ("\U0001d404di BIRSAN", "U+1D404 (mathematical bold capital e) for `E`"),
    ("Edi [Ed] BIRSAN", "`[` (left square bracket)"),
    ("Ada\ufe0f LOVELACE", "(variation selector-16)"),
]
NAMES = (
    "Иван ПЕТРОВ|Иван PETROV|Жан-Поль САРТР|Ιωάννης ΠΑΠΑΔΟΠΟΥΛΟΣ|田中 ひろし|タナカひろし田中|김 철수|金철수|דוד כהן|محمد علي|"
    "Jim O’KELLEY|Ry4an BRASE|Mª José|Zoë d’ÎLE|Łukasz ŻÓŁW|Đorđe ŠKRBA|İbrahim ÇELİK|Ədil|Đặng Thị HOÀNG|Jean-Paul (JP) DUPONT"
)


@pytest.mark.parametrize(("name", "found"), REFUSED)
def test_a_name_that_passes_for_another_is_refused(name: str, found: str) -> None:
    fault = fault_of_name(name)
    assert fault is not None
    assert found in fault[0]


@pytest.mark.parametrize("name", NAMES.split("|"))
def test_a_name_in_any_one_script_is_a_name(name: str) -> None:
    assert fault_of_name(name) is None


def test_who_looks_the_same_in_another_script_is_reported(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    done(keeper.event("1,Ope,COPA,\n"))
    told = done(keeper.event("1,Оре,СОРА,\n", "Other Cup", "2011-05-01"))
    assert keeper.people() == {"ope-copa", "ore-sora"}
    assert "looks the same" in told
    assert "looks the same" in done(keeper.reviews())


def test_looks_are_compared_without_accents_and_capitals() -> None:
    assert skeleton("Zoë Birsan") == skeleton("ZOE BIRSAN") == skeleton("ΖΟΕ BIRSАN")
    assert skeleton("B1RSAN 0") == skeleton("BIRSAN O")
    assert skeleton("Anna") != skeleton("Hanna")


@pytest.mark.parametrize("reason", ["=1+1", "-2+3+cmd|", "brothers\u202e", "x" * 501])
def test_the_reason_of_a_decision_is_a_text(tmp_path: Path, reason: str) -> None:
    keeper = Keeper(tmp_path)
    done(keeper.event("1,Ada,LOVELACE,\n2,Emmy,NOETHER,\n"))
    split = ("split", "ada-lovelace", "club-cup-2010", "ada-l")
    for decision in (("distinct", "ada-lovelace", "emmy-noether"), split):
        keeper.refuses(partial(keeper.reviews, *decision, "--reason", reason), "option --reason: found ")
