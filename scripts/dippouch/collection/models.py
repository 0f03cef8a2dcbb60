"""The models, macros and rules that dbt builds, rendered for a database in memory.

In: the files of models/ and macros/. Out: DuckDB's SQL, in which `ref('stg_results')` is the table `stg_results`. Of dbt the files may use
only `ref`, `var`, `config` and `target.type`. A seed is a table of its name, whether its rows are in a CSV or in a Parquet file.

    model("int_results").statement    # create or replace table int_results as ...
    rendered("select * from ({{ model_checks() }})")
"""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from dippouch.settings import PROJECT, project_variable

# The folders of macros that render without a database.
_MACROS = ("checks", "names", "relations", "rules")
# The models that an import queries: statements, people, facts, ratings and contradictions.
_MODELS = (
    "staging/*/*.sql",
    "intermediate/identity/*.sql",
    "intermediate/results/*.sql",
    "intermediate/ratings/*.sql",
    "intermediate/rankings/int_current_ratings.sql",
    "marts/quality/source_*.sql",
)
_ALL_MACROS = "macros"
_REMEMBERED = 1_000
# The models and seeds that the template being rendered reads.
_REFERENCES: set[str] = set()


class Model(NamedTuple):
    """The SQL statement that creates a model, and the models that it reads."""

    statement: str
    reads: frozenset[str]


class _CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """A cache of compiled templates in the folder for temporary files; without space there, every run compiles them again."""

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """Keep a compiled template."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


@cache
def model(name: str) -> Model:
    """Render a model."""
    path = _paths()[name]
    _REFERENCES.clear()
    sql = _environment().get_template(name).render(macros())
    # Decisions, settings and the marts are read too rarely to be worth storing.
    kind = "table" if path.match("intermediate/*/*.sql") else "view"
    return Model(f"create or replace {kind} {name} as {sql}", frozenset(_REFERENCES & _paths().keys()))


@lru_cache(_REMEMBERED)
def models_in(sql: str) -> tuple[str, ...]:
    """Return the models that a query needs, each after those that it reads."""
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
    return _environment().from_string(text).render(macros(), **names)


@cache
def macros() -> dict[str, Callable[..., Any]]:
    """Return the project's macros by name; each returns SQL."""
    module = _environment().get_template(_ALL_MACROS).module
    return {name: macro for name, macro in vars(module).items() if not name.startswith("_")}


def _source(name: str) -> tuple[str, str, Callable[[], bool]]:
    """Return the text of a model, or of all macros together, so that they see each other as in dbt."""
    if name == _ALL_MACROS:
        files = sorted(file for folder in _MACROS for file in (PROJECT / "macros" / folder).glob("*.sql"))
    else:
        files = [_paths()[name]]
    return "\n".join(file.read_text(encoding="utf-8") for file in files), str(files[0]), lambda: True


def _ref(name: str) -> str:
    """Return the table of a model or a seed, as dbt's `ref` does."""
    _REFERENCES.add(name)
    return name


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(extensions=["jinja2.ext.do"], autoescape=False)  # noqa: S701 (SQL, no HTML)
    environment.loader = jinja2.FunctionLoader(_source)
    with suppress(OSError, RuntimeError):
        environment.bytecode_cache = _CompiledTemplates()
    # Here DuckDB runs every model, and no model is disabled.
    environment.globals |= {
        "var": project_variable,
        "ref": _ref,
        "raw_rows": str,
        "config": lambda **_: "",
        "target": {"type": "duckdb"},
    }
    return environment
