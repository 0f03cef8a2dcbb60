"""Names, dates, placements, scores and nations as people write them, and names that are alike; fixtures/importing/texts.csv has the values."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slugify import slugify

from dippouch.collection.memory import Collection
from dippouch.collection.schema import SEEDS
from dippouch.names import readable_id_or_empty, repair_text, split_name, tidy_text
from dippouch.people.index import ListedPerson
from dippouch.people.likeness import KnownPeople
from dippouch.reading.context import ReadingChoices, read_context
from dippouch.reading.values import heading, parse_count, parse_date_span, parse_decimal, parse_placement
from dippouch.settings import PROJECT
from dippouch.tournaments import sounds_like_championship
from support.golden import unescaped

NATIONS = read_context(PROJECT / "seeds", ReadingChoices()).nations
TEXTS = PROJECT / "tests" / "fixtures" / "importing" / "texts.csv"


def refuse_fault(text: str, seed: str = "ref_circuits", column: str = "name", **others: str) -> None:
    """Raise the fault of a text in a cell by the rules of the seeds."""
    with closing(Collection(Path("a new collection"))) as collection:
        row = dict.fromkeys(SEEDS[seed].columns, "") | {"circuit_id": "circuit", "year": "2001"} | others
        collection.append(SEEDS[seed], [row | {column: text}])
        faults = [fault.code for fault in collection.faults() if fault.seed == seed and fault.value == text.strip()]
    if faults:
        raise ValueError(faults[0])


def likeness(text: str) -> str:
    """Return how two names with a bar between them are alike, whichever of them is known."""
    one, other = (ListedPerson(name, *split_name(name), frozenset(), frozenset()) for name in text.split("|"))
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
    "address": partial(refuse_fault, seed="ref_settings", column="value", setting="address"),
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
