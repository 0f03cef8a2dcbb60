"""Settings: the folders of a collection, its databases and its site."""

from __future__ import annotations

import os
import shlex
import tomllib
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

# The package, and the project that it reads: the checkout around it, or the copy that an installed wheel has beside it.
PACKAGE = Path(__file__).resolve().parent
_INSTALLED = PACKAGE.with_name("dippouch_project")
IS_INSTALLED = _INSTALLED.is_dir()
PROJECT = _INSTALLED if IS_INSTALLED else PACKAGE.parents[1]


def project_variable(name: str) -> Any:  # noqa: ANN401 (text, numbers or a mapping of them)
    """Return a variable of dbt_project.yml, which SQL reads by `var(name)`."""
    return read_yaml(PROJECT / "dbt_project.yml")["vars"][name]


@cache
def read_yaml(path: Path) -> Any:  # noqa: ANN401 (text, numbers, lists and mappings of them)
    """Read one of the project's YAML files, with the parser in C: every program reads some at its start."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def project_version() -> str:
    """Read the version of the project: the metadata of a checkout's package has the version of its installation."""
    return str(tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def _folder(variable: str, default: str) -> Path:
    """Return the folder in a variable, relative to the current folder as in `--seeds`.

    Without one, it is a folder in the current folder if that has a collection, as `dptr new` makes it; else in the checkout.
    """
    if stated := os.environ.get(variable):
        return Path(stated).absolute()
    here = Path.cwd()
    return (here if IS_INSTALLED or (here / "seeds" / "reference").is_dir() else PROJECT) / default


# The folders of the seeds, of the databases build.duckdb and rankings.duckdb, and of the published site.
seeds_folder = partial(_folder, "DPTR_SEEDS", "seeds")
warehouse_folder = partial(_folder, "DPTR_WAREHOUSE", "warehouse")
site_folder = partial(_folder, "DPTR_SITE", "site")


def published_database() -> Path:
    """Return the path of the database that readers open."""
    return warehouse_folder() / "rankings.duckdb"


def suggested_command(*words: str, seeds: Path) -> str:
    """Return a command of `dptr` for a message; it names the collection unless that is the default one."""
    further = [] if seeds.resolve() == seeds_folder().resolve() else ["--seeds", str(seeds)]
    return shlex.join(["dptr", *words, *further])
