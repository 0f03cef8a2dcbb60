"""The models, macros and rules that dbt builds, rendered for a database in memory.

In: the files of models/ and macros/. Out: DuckDB's SQL, in which `ref('stg_results')` is the table `stg_results`. Of dbt the files may use
only `ref`, `var`, `config` and `target.type`. A seed is a table of its name, whether its rows are in a CSV or in a Parquet file.

    sql, models = prepared("select * from ({{ model_checks() }})")
    models["int_results"]    # create or replace table int_results as ...
"""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from dippouch.collection.schema import SEEDS
from dippouch.settings import PROJECT, project_variable

# The folders of macros that render without a database.
_MACROS = ("checks", "names", "relations", "rules")
# The models that a query may name. Names of other marts, such as `players`, are also names of columns.
_MODELS = ("staging/*/*.sql", "intermediate/*/*.sql", "marts/quality/source_*.sql")
# Divides the rules of `model_checks`.
NEXT_RULE = "-- The next rule"
_ALL_MACROS = str(PROJECT / "macros")


class _CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """A cache of compiled templates in the folder for temporary files; without space there, every run compiles them again."""

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        """Keep a compiled template."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


@cache
def prepared(text: str) -> tuple[str, dict[str, str]]:
    """Render SQL that calls the project's macros and reads its models.

    Returns:
        The SQL, and the statements that create the models it needs, by name, each after those that it reads.
    """
    sql = _environment().from_string(text).render(macros()) if "{{" in text else text
    return sql, _models_in(sql)


def _models_in(sql: str) -> dict[str, str]:
    needed: dict[str, str] = {}
    # A comment may name other models.
    for name in sorted(set(re.findall(r"\w+", re.sub("--.*", "", sql))) & _paths().keys()):
        needed |= _model(name)
    return needed


@cache
def _model(name: str) -> dict[str, str]:
    """Return the statement that creates a model after those of the models that it reads, by name."""
    path = _paths()[name]
    sql = _environment().get_template(str(path)).render(macros())
    # To store staging, too, saves a thirtieth of a small import.
    kind = "table" if path.match("intermediate/*/*.sql") else "view"
    return _models_in(sql) | {name: f"create or replace {kind} {name} as {sql}"}


@cache
def _paths() -> dict[str, Path]:
    return {path.stem: path for pattern in _MODELS for path in (PROJECT / "models").glob(pattern)}


@cache
def macros() -> dict[str, Callable[..., Any]]:
    """Return the project's macros by name; each returns SQL."""
    return vars(_environment().get_template(_ALL_MACROS).module)


@cache
def _environment() -> jinja2.Environment:
    texts = {str(path): path.read_text(encoding="utf-8") for path in _paths().values()}
    # In one template the macros see each other, as in dbt.
    files = sorted(file for folder in _MACROS for file in (PROJECT / "macros" / folder).glob("*.sql"))
    texts[_ALL_MACROS] = "\n".join(file.read_text(encoding="utf-8") for file in files)
    environment = jinja2.Environment(extensions=["jinja2.ext.do"], autoescape=False)  # noqa: S701 (SQL, no HTML)
    environment.loader = jinja2.DictLoader(texts)
    with suppress(OSError, RuntimeError):
        environment.bytecode_cache = _CompiledTemplates()
    # Here DuckDB runs every model, and no model is disabled. A model or a seed is a table of its name.
    environment.globals |= {
        "var": project_variable,
        "ref": str,
        "raw_rows": str,
        "config": lambda **_: "",
        "target": {"type": "duckdb"},
        "declared": {seed.name: {"key": seed.key, "columns": seed.columns} for seed in SEEDS.values()},
        "relations": {name: name for name in SEEDS},
        "next_rule": NEXT_RULE,
    }
    return environment
