"""The rules of macros/checks, run in DuckDB over tables of text that bear the names of the seeds.

The macros are the files that dbt runs as data tests, rendered with the same declarations.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import duckdb
from jinja2 import Template
from jinja2.sandbox import SandboxedEnvironment

from dippouch.ids import readable_id_or_empty
from dippouch.names import fault_of_person, fault_of_text, shortened
from dippouch.seeds.schema import CODES, SEEDS
from dippouch.settings import PROJECT, project_variable
from dippouch.suggestions import did_you_mean, likely

# The rules over several seeds. Each is a macro.
RULES_OF_DOCUMENTS = (
    *("unknown_references", "unknown_kinds", "impossible_days", "crowded_placements", "people_listed_twice"),
    *("disordered_rankings", "listed_nobodies", "unfit_names"),
)
# Each of these is the union of a check per seed: what can be read is checked.
_PER_SEED = frozenset({"unknown_references", "unfit_names"})
RULES = (*RULES_OF_DOCUMENTS, "faulty_corrections", "faulty_aliases", "unfit_settings", "changed_published_rules")
# Of three letters one may be a slip.
_CODE_LENGTH, _ALIKE_CODES = 3, 60
# The faults of one rule that are fetched; all are counted.
FETCHED = 50


class Fault(NamedTuple):
    """A row that breaks a rule; the macro `fault` says what the columns are."""

    seed: str
    row_key: str
    line: int | None
    column: str
    found: str
    expected: str
    way_out: str
    candidates: str

    def shown(self) -> str:
        """What was found, with cells as a message can quote them."""
        return re.sub("`([^`]*)`", lambda cell: f"`{shortened(cell[1])}`", self.found, flags=re.DOTALL)


@contextmanager
def checking() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory for the tables to check, with the functions of Python that the rules call."""
    with duckdb.connect(config={"threads": 2}) as connection:
        connection.execute("set enable_progress_bar = false")
        connection.create_function("text_fault", _text_fault)
        connection.create_function("person_fault", _person_fault)
        yield connection


def find_faults(
    connection: duckdb.DuckDBPyConnection,
    *,
    seeds: Collection[str] = (),
    rules: Collection[str] = RULES,
    without: Collection[str] = (),
    most: int | None = FETCHED,
) -> Iterator[tuple[list[Fault], int]]:
    """Run the checks of every seed by itself, and rules over several.

    Args:
        connection: a database with a table per seed, whose columns are text, and a column `line`.
        seeds: the seeds whose cells, keys and references are checked; all when there are none.
        rules: the rules over several seeds to run.
        without: seeds that could not be read; no rule is run that reads one of them.
        most: how many faults of each check are given; None for all.

    Yields:
        Of each check that finds faults the first ones by line, and how many there are.
    """
    for sql in _checks(tuple(seeds or SEEDS), tuple(rules), frozenset(without)):
        limit = "" if most is None else f" limit {most}"
        rows = connection.execute(
            f"select *, count(*) over () from ({sql}) as faults order by seed, line nulls last, row_key{limit}"
        ).fetchall()
        if rows:
            yield [Fault(*row[:-1]) for row in rows], rows[0][-1]


def meant(connection: duckdb.DuckDBPyConnection, fault: Fault) -> str:
    """What somebody may have meant with the unknown cell of a fault, as the end of a sentence; empty when nothing is alike."""
    quoted = re.search("`([^`]+)`", fault.found)
    if not quoted:
        return ""
    cell = quoted[1].strip()
    if not fault.candidates:
        listed = fault.expected.removeprefix("one of ") if fault.expected.startswith("one of ") else ""
        return did_you_mean(cell, filter(None, listed.split(", ")))
    if fault.candidates.endswith(".nation_code"):
        return _nation_meant(connection, cell)
    column, _, tournament = fault.candidates.partition(" of ")
    seed, field = column.split(".")
    condition = " where tournament_id = $1" if tournament else ""
    sql = f"select distinct trim({field}) from {seed}{condition} order by 1"
    rows = connection.execute(sql, [tournament] if tournament else None).fetchall()
    alike = {"alike": _ALIKE_CODES} if field in CODES else {}
    return did_you_mean(cell, [known for (known,) in rows if known], **alike)


def _nation_meant(connection: duckdb.DuckDBPyConnection, cell: str) -> str:
    """The nation that a text which is no code may mean, by its codes and the names that people write."""
    rows = connection.execute(
        "select upper(trim(name)), upper(trim(nation_code)) from ref_nation_names"
        " union all select upper(trim(unnest([name, iso_alpha2]))), upper(trim(nation_code)) from ref_nations"
    ).fetchall()
    names = {name: code for name, code in rows if name}
    if code := names.get(cell.upper()):
        return f"; did you mean `{code}`?"
    if len(cell) <= _CODE_LENGTH:
        return did_you_mean(cell, sorted(set(names.values())), alike=_ALIKE_CODES)
    alike = likely(cell, sorted(names))
    return f"; did you mean `{names[alike[0]]}` ({alike[0].title()})?" if alike else ""


@cache
def _checks(seeds: tuple[str, ...], rules: tuple[str, ...], without: frozenset[str]) -> list[str]:
    """The queries, as the macros render them."""
    names = {name: name for name in SEEDS}
    declared: dict[str, dict[str, Any]] = {
        seed.name: {
            "key": seed.key,
            "columns": {
                name: {
                    said: value
                    for said, value in column.items()
                    if said != "reference" or value.partition(".")[0] not in without
                }
                for name, column in seed.columns.items()
            },
        }
        for seed in SEEDS.values()
    }
    checked = {name: of_seed for name, of_seed in declared.items() if name in seeds and name not in without}
    macros: Any = _template().module
    queries = [macros.seed_faults(name, name, of_seed) for name, of_seed in checked.items()]
    for rule in rules:
        read = _Read(names)
        sql = getattr(macros, rule)(read, checked if rule in _PER_SEED else declared)
        if not read.asked & without:
            queries.append(sql)
    return queries


class _Read(Mapping[str, str]):
    """The names of the seeds, which remembers the ones that a rule reads."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return self._names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@cache
def _template() -> Template:
    """All macros of the checks in one template, so that they see one another as in dbt."""
    environment = SandboxedEnvironment(extensions=["jinja2.ext.do"])
    environment.globals |= {"var": project_variable, "target": {"type": "duckdb"}, "python_functions": True}
    files = sorted((PROJECT / "macros" / "checks").glob("*.sql"))
    return environment.from_string("\n".join(file.read_text(encoding="utf-8") for file in files))


def _text_fault(text: str, longest: int) -> str:
    fault = fault_of_text(text, longest)
    return f"{fault[1]}, not {fault[0]}" if fault else ""


def _person_fault(first_name: str, last_name: str) -> str:
    if fault := fault_of_person(first_name, last_name):
        return f"{fault[1]}, not {fault[0]}"
    return "" if readable_id_or_empty(f"{first_name} {last_name}") else "a name with a letter"
