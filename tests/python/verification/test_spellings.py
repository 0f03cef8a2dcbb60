"""Spellings that differ only by accents: the independent implementations in SQL and in the verification agree."""

from __future__ import annotations

import re

import duckdb

from dippouch.verification.collection import PLAIN_LETTERS
from support.compiled import CompiledProject


def test_the_letters_of_the_macro_are_those_of_the_verification(compiled_project: CompiledProject) -> None:
    (model,) = (model for model in compiled_project.models if model["name"] == "int_players")
    translated = re.search(r"translate\(first_name, ('\w+'), ('\w+')\)", model["compiled_code"])
    assert translated
    letters = [chr(code) for code in range(0x20, 0x250)]
    with duckdb.connect() as connection:
        found = connection.execute(
            f"select letter, translate(letter, {translated[1]}, {translated[2]}) from (select unnest($1) as letter)",
            [letters],
        ).fetchall()
    assert dict(found) == {letter: PLAIN_LETTERS.get(letter, letter) for letter in letters}
    assert sum(letter != plain for letter, plain in found) > 200
