"""Names, dates, placements, scores and nations as people write them, and names that are alike; fixtures/importing/texts.csv has the values."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slugify import slugify

from dippouch.ids import readable_id_or_empty
from dippouch.importing.kinds import sounds_like_championship
from dippouch.importing.parsing.dates import parse_date_span
from dippouch.importing.parsing.nations import read_nations
from dippouch.importing.parsing.numbers import parse_count, parse_decimal, parse_placement
from dippouch.importing.parsing.words import heading
from dippouch.matching.likeness import KnownPeople
from dippouch.matching.people import ListedPerson
from dippouch.names import repair_text, split_name, tidy_text
from dippouch.seeds.checks import load_macros
from dippouch.settings import PROJECT
from support.golden import unescaped

NATIONS = read_nations(PROJECT / "seeds")
CHECKS = load_macros()
TEXTS = PROJECT / "tests" / "fixtures" / "importing" / "texts.csv"


def refuse_fault(text: str) -> None:
    """Raise the fault of a text by the rule of the seeds."""
    sql = CHECKS.code_of_cell("$1", {"text": "plain"})
    ((fault,),) = duckdb.execute(f"select {sql}", [text]).fetchall()
    if fault:
        raise ValueError(fault)


def likeness(text: str) -> str:
    """Return how two names with a bar between them are alike, whichever of them is known."""
    one, other = (ListedPerson(name, *split_name(name)) for name in text.split("|"))
    both = [KnownPeople([known]).alike(person) for known, person in ((one, other), (other, one))]
    (how,) = {next((how for _, how in found), "") for found in both}
    return how


READERS: dict[str, Callable[[str], object]] = {
    "placement": parse_placement,
    "count": parse_count,
    "score": parse_decimal,
    "days": lambda text: " ".join(map(str, parse_date_span(text))),
    "full name": lambda text: "|".join(split_name(text)),
    "repaired": repair_text,
    "tidy": tidy_text,
    "fault": refuse_fault,
    "title": sounds_like_championship,
    "nation": NATIONS.of_text,
    "flag": NATIONS.of_flag,
    "heading": heading,
    "alike": likeness,
}


def rows() -> list[tuple[str, str, str]]:
    with TEXTS.open(encoding="utf-8", newline="") as file:
        return [(row["what"], row["text"], row["read as"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize(("what", "text", "read_as"), rows())
def test_a_text_is_read_as_the_table_says(what: str, text: str, read_as: str) -> None:
    if read_as.startswith("! "):
        with pytest.raises(ValueError, match=re.escape(read_as.removeprefix("! "))):
            READERS[what](unescaped(text))
    else:
        assert str(READERS[what](unescaped(text))) == unescaped(read_as)


@given(st.text(alphabet=st.characters(exclude_characters="&,"), max_size=30))
def test_an_id_made_word_by_word_is_that_of_the_whole(text: str) -> None:
    whole = slugify(" ".join(text.split()))
    if whole:
        assert readable_id_or_empty(text) == whole
