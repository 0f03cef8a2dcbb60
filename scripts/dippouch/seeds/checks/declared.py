"""What models/ declares about the seeds: columns, types, and the tests of dbt that a program can check before a build.

The YAML files are the one statement of these rules; `meta` of a column has its range and its kind of text. Seeds are declared in models/seeds; what refers to what, in models/staging,
where codes are in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from dippouch.settings import PROJECT

_MODELS = PROJECT / "models"
# Staging writes these in capitals, so that letter case makes no difference.
CODES = frozenset({"nation_code", "location_code", "kind"})


@dataclass(frozen=True)
class Reference:
    """A column whose cells must stand in a column of another seed. An empty cell refers to nothing.

    Attributes:
        column: the column.
        seed: the other seed.
        field: its column.
        in_capitals: whether letter case makes no difference.
    """

    column: str
    seed: str
    field: str
    in_capitals: bool


class Range(NamedTuple):
    """The least and the largest value that a column may hold, as text."""

    low: str
    high: str


@dataclass
class DeclaredSeed:
    """A seed as the YAML files declare it.

    Attributes:
        name: its name in dbt.
        path: its file, relative to a collection.
        types: the SQL type of every column, in the order of the file.
        required: the columns that are never empty.
        keys: the columns of each key.
        accepted: the values that a column may hold.
        references: the columns that refer to another seed.
        ranges: the range of numbers and days.
        texts: what kind of text a column holds: `plain`, `person` (first or last name), `id`, `sha256`.
    """

    name: str
    path: str
    types: dict[str, str]
    required: set[str] = field(default_factory=set)
    keys: list[tuple[str, ...]] = field(default_factory=list)
    accepted: dict[str, list[str]] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    ranges: dict[str, Range] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


def declared_seeds() -> dict[str, DeclaredSeed]:
    """Every seed of the project, by name."""
    seeds = {seed.name: seed for seed in _seeds()}
    staged = {name.partition("_")[2]: name for name in seeds}
    for path in sorted((_MODELS / "staging").rglob("*.yml")):
        for node in _read(path).get("models", []):
            if name := staged.get(node["name"].removeprefix("stg_")):
                _declare_staged(seeds[name], node)
    return seeds


@cache
def declared_keys() -> dict[str, tuple[str, ...]]:
    """The columns of the first key that is declared and tested of every mart, by its name."""
    keys: dict[str, tuple[str, ...]] = {}
    for path in sorted((_MODELS / "marts").rglob("*.yml")):
        for node in _read(path).get("models", []):
            for column, test, arguments in _tests(node):
                if test in {"unique", "unique_key"}:
                    keys.setdefault(node["name"], tuple(arguments.get("columns", [column])))
    return keys


def _seeds() -> Iterator[DeclaredSeed]:
    for path in sorted((_MODELS / "seeds").rglob("*.yml")):
        for node in _read(path).get("seeds", []):
            file = path.relative_to(_MODELS / "seeds").with_name(f"{node['name']}.csv")
            seed = DeclaredSeed(node["name"], file.as_posix(), dict(node["config"]["column_types"]))
            for column, test, arguments in _tests(node):
                _declare(seed, column, test, arguments, staged=False)
            for column, meta in _meta(node):
                if "from" in meta:
                    seed.ranges[column] = Range(str(meta["from"]), str(meta["to"]))
                if "text" in meta:
                    seed.texts[column] = meta["text"]
            yield seed


def _declare_staged(seed: DeclaredSeed, node: dict[str, Any]) -> None:
    """What staging says of the columns that it takes over under their names."""
    for column, test, arguments in _tests(node):
        if column in seed.types and test in {"relationships", "accepted_values"}:
            _declare(seed, column, test, arguments, staged=True)


def _read(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


def _tests(node: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The tests of a seed or model: column (empty: the whole), name and arguments."""
    for column in ({"name": "", "data_tests": node.get("data_tests", [])}, *node.get("columns", [])):
        for test in column.get("data_tests", []):
            if isinstance(test, str):
                yield column["name"], test, {}
            else:
                ((name, body),) = test.items()
                yield column["name"], name, body.get("arguments", {})


def _meta(node: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is declared of columns for the check before a build alone."""
    for column in node.get("columns", []):
        yield column["name"], column.get("config", {}).get("meta", {})


def _declare(seed: DeclaredSeed, column: str, test: str, arguments: dict[str, Any], *, staged: bool) -> None:
    if test == "not_null":
        seed.required.add(column)
    elif test == "never_null":
        seed.required.update(arguments["columns"])
    elif test == "unique":
        seed.keys.append((column,))
    elif test == "unique_key":
        seed.keys.append(tuple(arguments["columns"]))
        seed.required.update(set(arguments["columns"]) - set(arguments.get("may_be_null", [])))
    elif test == "accepted_values":
        seed.accepted[column] = [str(value) for value in arguments["values"]]
    elif test == "relationships":
        target = re.fullmatch(r"ref\('(\w+)'\)", arguments["to"])
        assert target is not None, arguments["to"]
        name = re.sub("^stg_", _prefix_of(target[1]), target[1])
        seed.references.append(Reference(column, name, arguments["field"], staged and arguments["field"] in CODES))


def _prefix_of(model: str) -> str:
    """The prefix of the seed that a model of staging reads."""
    return "raw_" if (_MODELS / "seeds" / "wdd" / f"raw_{model.removeprefix('stg_')}.yml").exists() else "ref_"
