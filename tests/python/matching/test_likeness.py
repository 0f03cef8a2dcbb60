"""Shares of misspelt names found and of strangers asked about, among the people of the stored pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from random import Random
from string import ascii_lowercase

import pytest
from nicknames import NickNamer

from dippouch.ids import readable_id_or_empty
from dippouch.importing.pipeline import import_documents
from dippouch.importing.reader import group_inputs
from dippouch.matching.candidates import KnownPeople, find_likely_duplicates
from dippouch.matching.likeness import INITIALS, SHORT_FORM, SPELLING
from dippouch.matching.people import ListedPerson, listed_people
from dippouch.names import PARTICLES, split_full_name
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT

_EACH = 300
_SHORT_FORMS = NickNamer()
Name = tuple[str, str]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> list[ListedPerson]:
    """Everybody on the stored pages: no two of them are asked about."""
    folder = tmp_path_factory.mktemp("pages") / "seeds"
    outcome = import_documents(group_inputs([PROJECT / "tests" / "fixtures" / "wdd_text"]), folder)
    assert not outcome.rejections
    with Collection.opened(folder) as collection:
        assert not find_likely_duplicates(collection)
        return listed_people(collection)


def _person(name: Name) -> ListedPerson:
    first, last = map(readable_id_or_empty, name)
    return ListedPerson(f"{first}-{last}".strip("-"), " ".join(name), first, last, frozenset(), frozenset(), 1, "")


def _slip(chance: Random, word: str) -> str:
    word = word if len(word) > 1 else 2 * word
    at, letter = chance.randrange(len(word) - 1), chance.choice(ascii_lowercase)
    slips = (
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[: at + 1] + word[at:],
    )
    return chance.choice(slips)


def _misspelt(chance: Random, first: str, last: str) -> Iterator[Name]:
    """Yield common misspellings of a name."""
    yield from ((_slip(chance, first), last), (first, _slip(chance, last)), (_slip(chance, first), _slip(chance, last)))
    yield from ((_slip(chance, _slip(chance, first)), last), (first, _slip(chance, _slip(chance, last))))
    yield re.sub(r"(.)\1", r"\1", first, flags=re.IGNORECASE), re.sub(r"(.)\1", r"\1", last)
    yield "".join(f"{word[0]}." for word in re.split("[ -]", first)), last
    yield last.capitalize(), first.upper()
    forms = _SHORT_FORMS.nicknames_of(first) | _SHORT_FORMS.canonicals_of(first)
    yield from ((form.capitalize(), last) for form in sorted(forms)[:1])
    if last.split(maxsplit=1)[0].lower() in PARTICLES:
        yield split_full_name(f"{first} {last.title()}")
        yield first, last.replace(" ", "")


@pytest.mark.parametrize(
    ("written", "known", "how"),
    [
        ("Rooijen, R. van", "René VAN ROOIJEN", INITIALS),
        ("Meer, P. van der", "Pieter VAN DER MEER", INITIALS),
        ("P. v.d. Meer", "Pieter VAN DER MEER", INITIALS),
        ("Pieter vd Meer", "Pieter VAN DER MEER", SPELLING),
        ("Ende, M. am", "Moritz AM ENDE", INITIALS),
        ("K Larsson", "Karl LARSSON", INITIALS),
        ("Perrault FX", "François-Xavier PERRAULT", INITIALS),
        ("K. Ng", "Kevin NG", INITIALS),
        ("Bart Claes, Jr.", "Bart CLAES", SPELLING),
        ("Ciryl Sevin", "Cyril SEVIN", SPELLING),
        ("Toni Gruber", "Anton GRUBER", SHORT_FORM),
        ("Clara Rossi", "Carla ROSSI", ""),
    ],
)
def test_a_name_is_like_a_known_one_in_one_way(written: str, known: str, how: str) -> None:
    one, other = _person(split_full_name(written)), _person(split_full_name(known))
    assert [how for _, how in KnownPeople([other]).alike(one)] == [how] * bool(how)


def test_misspelt_names_are_found_and_strangers_hardly_asked_about(people: list[ListedPerson]) -> None:
    """The figures are those of docs/identity.md."""
    chance = Random(1)  # noqa: S311 (not for security)
    known, by_id = KnownPeople(people), {person.player_id for person in people}
    names = {person: split_full_name(person.name) for person in people}
    slips = [(person, slip) for person, name in names.items() for slip in _misspelt(chance, *name)]
    pairs = [(person, _person(slip)) for person, slip in slips if _person(slip).player_id not in by_id]
    firsts, lasts = ({name[part] for name in names.values()} for part in (0, 1))
    strangers = [
        stranger for name in sorted(product(firsts, lasts)) if (stranger := _person(name)).player_id not in by_id
    ]
    found = sum(person in dict(known.alike(slip)) for person, slip in chance.sample(pairs, _EACH))
    asked = sum(any(known.alike(stranger)) for stranger in chance.sample(strangers, _EACH))
    text = (PROJECT / "docs" / "identity.md").read_text(encoding="utf-8")
    assert f"| now | {found} of {_EACH} | {asked} of {_EACH} | 0 |" in text
