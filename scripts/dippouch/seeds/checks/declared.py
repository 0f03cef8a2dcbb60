"""What models/ declares about the seeds: the columns, the key, and what each column may hold (`config.meta`).

The YAML files in models/seeds are the only statement of it; the macros in macros/checks read it, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from dippouch.settings import PROJECT

_MODELS = PROJECT / "models"
# Staging writes these in capitals, so that letter case makes no difference.
CODES = frozenset({"nation_code", "location_code", "kind"})


@dataclass(frozen=True)
class DeclaredSeed:
    """A seed as its YAML file declares it.

    Attributes:
        name: its name in dbt.
        path: its file, relative to a collection.
        key: the columns that identify a row.
        columns: what each column may hold, in the order of the file: `type` with the range `from` and `to`, `required`, `accepted`
            values, `reference` to `seed.column`, the kind of `text`, `longest`, and whether it is `correctable`.
    """

    name: str
    path: str
    key: tuple[str, ...]
    columns: dict[str, dict[str, Any]]


@cache
def declared_seeds() -> dict[str, DeclaredSeed]:
    """Every seed of the project, by name."""
    return {
        node["name"]: DeclaredSeed(
            node["name"],
            path.relative_to(_MODELS / "seeds").with_name(f"{node['name']}.csv").as_posix(),
            tuple(node["config"]["meta"]["key"]),
            {column["name"]: column.get("config", {}).get("meta", {}) for column in node["columns"]},
        )
        for path, node in _nodes("seeds")
    }


@cache
def declared_keys() -> dict[str, tuple[str, ...]]:
    """The columns of the first key that is declared and tested of every mart, by its name."""
    keys: dict[str, tuple[str, ...]] = {}
    for _, node in _nodes("marts"):
        for column in ({"name": "", "data_tests": node.get("data_tests", [])}, *node.get("columns", [])):
            for test in column.get("data_tests", []):
                name, body = (test, {}) if isinstance(test, str) else next(iter(test.items()))
                if name in {"unique", "unique_key"}:
                    columns = body.get("arguments", {}).get("columns", [column["name"]])
                    keys.setdefault(node["name"], tuple(columns))
    return keys


def _nodes(folder: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every seed or model that the YAML files of a folder declare."""
    for path in sorted((_MODELS / folder).rglob("*.yml")):
        loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
        for node in (*loaded.get("seeds", []), *loaded.get("models", [])):
            yield path, node
