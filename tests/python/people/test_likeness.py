"""The search for names that may belong to one person, against a plain oracle; fixtures/importing/texts.csv has examples."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import process

from dippouch.people.index import ListedPerson
from dippouch.people.likeness import KnownPeople, likeness
from synthetic.results import player_name


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
    known, person = (ListedPerson(name, "", name, frozenset(), frozenset()) for name in (one, other))
    most = 2 if min(len(one), len(other)) >= 8 else 1
    assert any(KnownPeople([known]).alike(person)) == (_distance(one, other) <= most)


def test_the_search_compares_few_of_many_people_and_misses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    people = [ListedPerson(f"{number:04}", *player_name(number), frozenset(), frozenset()) for number in range(2_000)]
    known, extract, compared = KnownPeople(people), process.extract, list[int]()

    def counting(name: str, others: dict[int, str], **options: Any) -> Any:  # noqa: ANN401 (as the library takes them)
        compared.append(len(others))
        return extract(name, others, **options)

    monkeypatch.setattr(process, "extract", counting)
    for person in people[::50]:
        alike = [(other, how) for other in people if (how := likeness(person, other))]
        assert sorted(known.alike(person), key=lambda found: found[0].player_id) == alike
    assert sum(compared) < len(people[::50]) * len(people) / 10
