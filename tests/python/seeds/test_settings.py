"""The settings of a collection, and their defaults, which are defined in one place."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from dippouch.rating.systems import read_default_system
from dippouch.seeds.checks import SeedFaultsError, check_seeds
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import SEEDS, SETTINGS
from dippouch.settings import PROJECT, project_variable
from support.compiled import CompiledProject
from support.keeper import Keeper, done
from support.seed_rows import reference_rows

DEFAULTS: dict[str, str] = project_variable("default_settings")


def test_the_defaults_are_those_of_every_setting_that_may_be_stated() -> None:
    assert list(DEFAULTS) == SEEDS["ref_settings"].columns["setting"]["accepted"]


def test_the_sql_has_the_defaults(compiled_project: CompiledProject) -> None:
    (row,) = compiled_project.build(reference_rows()).execute("from build.staging.stg_settings").fetchall()
    assert [str(cell) for cell in row] == list(DEFAULTS.values())
    assert row == (
        *("Ratings", "", "", "dptr", "player", "players", "tournament", "tournaments", "World Championship"),
        *(5, "", "", "", ""),
    )


def test_what_is_stated_goes_before_the_defaults(compiled_project: CompiledProject, tmp_path: Path) -> None:
    (tmp_path / SETTINGS).parent.mkdir()
    (tmp_path / SETTINGS).write_text("setting,value\ntitle, Hills \nrating_system, flat \n", encoding="utf-8")
    stated = [
        {"setting": "title", "value": " Hills "},
        {"setting": "rating_system", "value": " flat "},
        {"setting": "players", "value": ""},
        {"setting": "active_years", "value": "3"},
    ]
    built = compiled_project.build(reference_rows() | {"ref_settings": stated})
    (row,) = built.execute("from build.staging.stg_settings").fetchall()
    expected = DEFAULTS | {"title": "Hills", "rating_system": "flat", "active_years": "3"}
    assert [str(cell) for cell in row] == list(expected.values())
    assert read_default_system(tmp_path) == "flat"
    (tmp_path / SETTINGS).write_text("setting,value\nrating_system, \n", encoding="utf-8")
    assert read_default_system(tmp_path) == DEFAULTS["rating_system"]


def test_a_new_collection_states_nothing_and_is_right(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path)
    done(keeper.event("1,Ada,LOVELACE,\n2,Emmy,NOETHER,\n"))
    assert (keeper.seeds / SETTINGS).read_text(encoding="utf-8") == "setting,value\n"
    check_seeds(keeper.seeds)


def test_the_project_says_what_it_is() -> None:
    settings = {row["setting"]: row["value"] for row in read_rows(PROJECT / "seeds" / SETTINGS)}
    assert (settings["title"], settings["game"]) == ("Dip Pouch Ratings", "Diplomacy")
    assert read_default_system(PROJECT / "seeds") == "dptr"
    assert settings["description"]


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
    with (seeds / SETTINGS).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("setting", "value"), *(("address", address) for address in (*GOOD, *BAD))])
    with pytest.raises(SeedFaultsError) as error:
        check_seeds(seeds)
    refused = {
        found[1]
        for fault in error.value.faults
        if (found := re.search("found address `(.*?)`; expected the http", fault))
    }
    assert refused == set(BAD)
