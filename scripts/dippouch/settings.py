"""Settings: the folders of a collection, its databases and its site."""

from __future__ import annotations

import os
import shlex
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import yaml

PROJECT = Path(__file__).resolve().parents[2]


def project_variable(name: str) -> Any:  # noqa: ANN401 (text, numbers or a mapping of them)
    """Return a variable of dbt_project.yml, which SQL reads by `var(name)`."""
    return read_yaml(PROJECT / "dbt_project.yml")["vars"][name]


@cache
def read_yaml(path: Path) -> Any:  # noqa: ANN401 (text, numbers, lists and mappings of them)
    """Read one of the project's YAML files, with the parser in C: every program reads some at its start."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def project_version() -> str:
    """Read the version of the checkout: an installed package would still state the version of its installation."""
    return str(tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def seeds_folder() -> Path:
    """Return the folder of the collection's seeds: DPTR_SEEDS, or `seeds` in the project."""
    return PROJECT / os.environ.get("DPTR_SEEDS", "seeds")


def warehouse_folder() -> Path:
    """Return the folder of build.duckdb and rankings.duckdb: DPTR_WAREHOUSE, or `warehouse` in the project."""
    return PROJECT / os.environ.get("DPTR_WAREHOUSE", "warehouse")


def published_database() -> Path:
    """Return the path of the database that readers open."""
    return warehouse_folder() / "rankings.duckdb"


def site_folder() -> Path:
    """Return the folder of the published site: DPTR_SITE, or `site` in the project."""
    return PROJECT / os.environ.get("DPTR_SITE", "site")


def suggested_command(*words: str, seeds: Path) -> str:
    """Return a command of `dptr` for a message; it names the collection unless that is the default one."""
    further = [] if seeds.resolve() == seeds_folder().resolve() else ["--seeds", str(seeds)]
    return shlex.join(["dptr", *words, *further])
