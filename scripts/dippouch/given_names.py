"""First names and their short forms, in English from a package and in other languages from short_forms.yml."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from nicknames import NickNamer

from dippouch.settings import read_yaml

_SHORT_FORMS = Path(__file__).with_name("short_forms.yml")
_REMEMBERED = 200_000


@cache
def _names() -> NickNamer:
    forms = NickNamer.default_lookup()
    for name, others in read_yaml(_SHORT_FORMS).items():
        forms[name] = {*forms.get(name, ()), *others}
    return NickNamer(nickname_lookup=forms)


@lru_cache(_REMEMBERED)
def is_given_name(word: str) -> bool:
    """Return whether a word is a first name with short forms, or one of those."""
    return bool(_names().nicknames_of(word) or _names().canonicals_of(word))


def are_short_forms(one: str, other: str) -> bool:
    """Return whether one first name is a short form of the other (`Bob`, `Robert`), or both of a third."""
    names = _names()
    return (
        other in names.nicknames_of(one)
        or one in names.nicknames_of(other)
        or not names.canonicals_of(one).isdisjoint(names.canonicals_of(other))
    )
