"""The models, macros and rules that dbt builds, rendered for a database in memory.

In: the files of models/ and macros/. Out: statements of DuckDB's SQL in which `ref('stg_results')` is the table `stg_results`. They need
no more of dbt than `ref` and `var`. A seed is a table of its name, whether its rows are in a CSV or in a Parquet file.

    model("int_results").statement    # create or replace table int_results as ...
    rendered("select * from ({{ model_checks() }})")
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from dippouch.settings import PROJECT, project_variable

# The macros that need no database while they render.
_MACROS = ("checks", "names", "relations", "rules")
# The layers that an import asks: which statement holds, of which tournament, of whom; and the ratings that follow.
_MODELS = (
    "staging/*/*.sql",
    "intermediate/identity/*.sql",
    "intermediate/results/*.sql",
    "intermediate/ratings/*.sql",
    "intermediate/rankings/int_current_ratings.sql",
    "marts/quality/source_*.sql",
)
_REMEMBERED = 1_000


class Model(NamedTuple):
    """The statement that makes a model, and the models that it reads."""

    statement: str
    reads: frozenset[str]


class _References:
    """The `ref` of dbt: the name of a model or a seed, which it notes as read."""

    def __init__(self) -> None:
        self.read: set[str] = set()

    def __call__(self, name: str) -> str:
        self.read.add(name)
        return name


@cache
def model(name: str) -> Model:
    """Render a model."""
    path = _paths()[name]
    references: _References = _environment().globals["ref"]  # type: ignore[assignment]  # It is set below.
    references.read = set()
    # What decisions and settings state, and a mart, is asked too seldom to be stored.
    kind = "table" if path.match("intermediate/*/*.sql") or path.match("staging/documents/*.sql") else "view"
    statement = f"create or replace {kind} {name} as {rendered(path.read_text(encoding='utf-8'))}"
    return Model(statement, frozenset(references.read & _paths().keys()))


@lru_cache(_REMEMBERED)
def models_in(sql: str) -> tuple[str, ...]:
    """Return the models that a query needs, each behind those that it reads."""
    needed: dict[str, None] = {}

    def add(name: str) -> None:
        for read in sorted(model(name).reads - needed.keys()):
            add(read)
        needed[name] = None

    for name in sorted(set(re.findall(r"\w+", sql)) & _paths().keys()):
        if name not in needed:
            add(name)
    return tuple(needed)


@cache
def _paths() -> dict[str, Path]:
    return {path.stem: path for pattern in _MODELS for path in (PROJECT / "models").glob(pattern)}


def rendered(text: str, **names: object) -> str:
    """Render SQL that calls the project's macros and reads its models by `ref`; `names` are further names in it."""
    return _environment().from_string(text).render(**macros(), **names)


@cache
def macros() -> dict[str, Callable[..., Any]]:
    """Return the project's macros by name; each returns SQL."""
    files = sorted(file for folder in _MACROS for file in (PROJECT / "macros" / folder).glob("*.sql"))
    # One template, so that they see each other as in dbt.
    module = _environment().from_string("\n".join(file.read_text(encoding="utf-8") for file in files)).module
    return {name: macro for name, macro in vars(module).items() if not name.startswith("_")}


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(extensions=["jinja2.ext.do"], autoescape=False)  # noqa: S701 (SQL, no HTML)
    environment.globals |= {"var": project_variable, "ref": _References(), "raw_rows": str}
    # Here DuckDB runs every model, and no model is disabled.
    environment.globals |= {"config": lambda **_: "", "target": {"type": "duckdb"}}
    return environment
