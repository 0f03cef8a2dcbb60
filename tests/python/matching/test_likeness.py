"""The rule of names that may belong to one person, on examples, against a plain oracle, and on the people of the stored pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dippouch.importing.pipeline import import_documents
from dippouch.importing.reader import group_inputs
from dippouch.matching.likeness import FIRST_NAME, SAME_NAME, SPELLING, KnownPeople, find_likely_duplicates
from dippouch.matching.people import ListedPerson
from dippouch.names import split_name
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT


def _person(name: str) -> ListedPerson:
    return ListedPerson(name, *split_name(name))


def _alike(one: str, other: str) -> str:
    return next((how for _, how in KnownPeople([_person(other)]).alike(_person(one))), "")


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Edi Birsan", "Edi BIRSAN", SAME_NAME),
        ("Bjorn Knorring", "Björn VON KNÖRRING", SAME_NAME),
        ("Bart Claes Jr.", "Bart CLAES", SAME_NAME),
        ("Wei LI", "Li WEI", SAME_NAME),
        ("Ana GOMEZ-LOPEZ", "Ana LOPEZ GOMEZ", SAME_NAME),
        ("P. v.d. Meer", "Pieter VAN DER MEER", FIRST_NAME),
        ("Birsan E.", "Edi BIRSAN", FIRST_NAME),
        ("JP Dupont", "Jean-Paul DUPONT", FIRST_NAME),
        ("Jean Dupont", "Jean-Paul DUPONT", FIRST_NAME),
        ("Bob Zahn", "Robert ZAHN", FIRST_NAME),
        ("Jamie Mc QUINN", "Jamie MCQUINN", SPELLING),
        ("Bo LI", "Bo LIN", SPELLING),
        ("Bo LI", "Bo LINN", ""),
        ("Jo BERG", "Jon BERGE", ""),
        ("Eddie Birsan", "Edi BIRSAN", SPELLING),
        ("Eddie Birssan", "Edi BIRSAN", ""),
        ("SMITH", "John SMITH", ""),
        ("Paul Dupont", "Jean-Paul DUPONT", ""),
    ],
)
def test_a_name_is_like_another_by_the_rule(one: str, other: str, how: str) -> None:
    assert (_alike(one, other), _alike(other, one)) == (how, how)


def _distance(one: str, other: str) -> int:
    """Return the number of letters to add, drop or change, by the plain recursion."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, theirs in enumerate(other, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (letter != theirs))
    return row[-1]


@given(st.text("ab", min_size=1, max_size=12), st.text("ab", min_size=1, max_size=12))
def test_the_search_finds_every_name_at_most_so_many_letters_apart(one: str, other: str) -> None:
    known, person = (ListedPerson(name, "", name) for name in (one, other))
    most = 2 if min(len(one), len(other)) >= 8 else 1
    assert any(KnownPeople([known]).alike(person)) == (_distance(one, other) <= most)


def test_nobody_on_the_stored_pages_is_like_another(tmp_path: Path) -> None:
    outcome = import_documents(group_inputs([PROJECT / "tests" / "fixtures" / "wdd_text"]), tmp_path / "seeds")
    assert not outcome.rejections
    with Collection.opened(tmp_path / "seeds") as collection:
        assert not find_likely_duplicates(collection)
