"""The settings of a collection, and their defaults, which are defined in one place."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from dippouch.errors import UserError
from dippouch.seeds.checks import check_seeds
from dippouch.seeds.schema import SETTINGS
from dippouch.settings import project_variable
from support.compiled import CompiledProject
from support.seed_rows import reference_rows

DEFAULTS: dict[str, str] = project_variable("default_settings")


def test_the_sql_has_the_defaults(compiled_project: CompiledProject) -> None:
    (row,) = compiled_project.build(reference_rows()).execute("from build.staging.stg_settings").fetchall()
    assert [str(cell) for cell in row] == list(DEFAULTS.values())
    assert row == (
        *("Ratings", "", "", "dptr", "player", "players", "tournament", "tournaments", "World Championship"),
        *(5, "", "", "", ""),
    )


GOOD = (
    "https://example.org/",
    "http://localhost:8000/",
    "https://example.org/a/b/",
    "https://xn--bcher-kva.example/~ada/",
)
BAD = (
    *("example.org/", "ftp://example.org/", "https:///", "https://", "https://[::1/", "https://example.org:x/"),
    *("https://example.org/?a=/", "https://example.org/#/", "https://a b/", 'https://example.org/"/', "https://é.org/"),
    *("https://ada@example.org/", "https://example.org/ratings", "https://example.org", "https://example.org/a//b/"),
)


def test_an_address_is_that_of_a_folder(seeds: Path) -> None:
    with (seeds / SETTINGS.path).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("setting", "value"), *(("address", address) for address in (*GOOD, *BAD))])
    with pytest.raises(UserError) as error:
        check_seeds(seeds)
    refused = {
        found[1]
        for fault in str(error.value).splitlines()
        if (found := re.search("found address `(.*?)`; expected the http", fault))
    }
    assert refused == set(BAD)
