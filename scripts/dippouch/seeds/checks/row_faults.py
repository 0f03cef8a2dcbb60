"""Run the rules of macros/checks in DuckDB, on tables of text with the names of the seeds.

The macros are the files that dbt runs as data tests, rendered with the same declarations.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

import duckdb
from jinja2.sandbox import SandboxedEnvironment

from dippouch.db import literal
from dippouch.names import shortened
from dippouch.seeds.files import iterate_rows
from dippouch.seeds.schema import CODES, SEEDS, Seed
from dippouch.settings import PROJECT, project_variable
from dippouch.suggestions import did_you_mean, likely

# The rules over several seeds, each a macro, with the seeds whose rows it refuses; without such rows it is skipped.
_REFUSED = {
    "unknown_references": SEEDS,
    "unknown_kinds": ["raw_tournaments"],
    "impossible_days": ["raw_tournaments"],
    "crowded_placements": ["raw_results"],
    "people_listed_twice": ["ref_player_aliases"],
    "disordered_rankings": ["raw_published_rankings"],
    "listed_nobodies": ["raw_results", "raw_published_rankings"],
    "faulty_corrections": ["ref_corrections"],
    "faulty_aliases": ["ref_player_aliases", "ref_player_distinctions"],
    "unfit_settings": [],
    "changed_published_rules": ["ref_rating_systems"],
}
RULES = tuple(_REFUSED)
RULES_OF_DOCUMENTS = RULES[: RULES.index("faulty_corrections")]
# The relations that several rules read, each a macro; the second reads the first.
_DERIVED = ("tidy_corrections", "corrected_names", "tidy_aliases")
# In a code of three letters, one may be a slip.
_CODE_LENGTH, _ALIKE_CODES = 3, 60


class Fault(NamedTuple):
    """A row that breaks a rule; the macro `fault` describes the columns."""

    seed: str
    row_key: str
    line: int | None
    column: str
    found: str
    expected: str
    way_out: str = ""
    candidates: str = ""

    def shown(self) -> str:
        """Return the finding, with cells shortened for a message."""
        return re.sub("`([^`]*)`", lambda cell: f"`{shortened(cell[1])}`", self.found, flags=re.DOTALL)


def new_database() -> duckdb.DuckDBPyConnection:
    """Return a database in memory for the tables to check."""
    connection = duckdb.connect(config={"threads": 2})
    connection.execute("set enable_progress_bar = false")
    return connection


def make_table(connection: duckdb.DuckDBPyConnection, seed: Seed, rows: Iterable[Iterable[str]]) -> None:
    """Make the table of a seed from rows of text, each with its line after the cells (empty for none)."""
    typed = ", ".join(f"{column} varchar" for column in seed.columns)
    connection.execute(f"create table {seed.name} ({typed}, line bigint)")
    # Through a file, because DuckDB is slow to insert single rows.
    with NamedTemporaryFile("w", encoding="utf-8", newline="", suffix=".csv") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
        if file.tell():
            file.flush()
            connection.execute(
                f"copy {seed.name} from {literal(file.name)} (format csv, header false, auto_detect false, delimiter ',',"
                " quote '\"', escape '\"', max_line_size 10000000)"
            )


def find_faults(
    connection: duckdb.DuckDBPyConnection, *, seeds: Collection[str], rules: Collection[str], most: int
) -> tuple[list[Fault], int]:
    """Run the checks of single seeds, and the rules over several.

    Args:
        connection: a database with a table per seed, whose columns are text, and a column `line`.
        seeds: the seeds whose cells, keys and references are checked.
        rules: the rules over several seeds to run.
        most: the maximum number of faults returned per check.

    Returns:
        The first faults of each check by line, and the number of all faults.
    """
    filled = _filled(connection, SEEDS if rules else seeds)
    faults, count = [], 0
    if rules:
        for name in _DERIVED:
            connection.execute(f"create temp table {name} as {getattr(_macros(), name)(_relations())}")
    for sql in _checks(tuple(seeds), tuple(rules), filled):
        rows = connection.execute(
            f"select *, count(*) over () from ({sql}) as faults"
            f" order by seed, line nulls last, row_key, column_name, found limit {most}"
        ).fetchall()
        faults += [Fault(*row[:-1]) for row in rows]
        count += rows[0][-1] if rows else 0
    return faults, count


def find_suspicious_names(reference: Path, names: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the suspicious ones of first and last names as whole names, each with the reason, by the rule of the mart.

    Args:
        reference: the folder of the collection's reference seeds.
        names: the first and last names, such as those of the new people of an import.
    """
    with new_database() as connection:
        for seed in (SEEDS["ref_not_people"], SEEDS["ref_nations"], SEEDS["ref_nation_names"]):
            make_table(connection, seed, ([*row.values(), ""] for row in iterate_rows(reference / seed.path)))
        firsts, lasts = zip(*names, strict=True) if names else ((), ())
        connection.execute(
            "create table names as select unnest($1::varchar[]) as first_name, unnest($2::varchar[]) as last_name",
            [list(firsts), list(lasts)],
        )
        nations = "(select name from ref_nations union all select name from ref_nation_names)"
        sql = _macros().suspicious_names("names", "ref_not_people", nations)
        return connection.execute(f"select distinct name, reason from ({sql}) as names order by all").fetchall()


def meant(connection: duckdb.DuckDBPyConnection, fault: Fault) -> str:
    """Suggest a value for the unknown cell of a fault, as the end of a sentence; empty without a match."""
    quoted = re.search("`([^`]+)`", fault.found)
    if not quoted:
        return ""
    cell = quoted[1].strip()
    if not fault.candidates:
        listed = fault.expected.removeprefix("one of ") if fault.expected.startswith("one of ") else ""
        return did_you_mean(cell, filter(None, listed.split(", ")))
    if fault.candidates.endswith(".nation_code"):
        return _nation_meant(connection, cell.upper())
    column, _, tournament = fault.candidates.partition(" of ")
    seed, field = column.split(".")
    condition = " where tournament_id = $1" if tournament else ""
    sql = f"select distinct trim({field}) from {seed}{condition} order by 1"
    rows = connection.execute(sql, [tournament] if tournament else None).fetchall()
    alike = {"alike": _ALIKE_CODES} if field in CODES else {}
    return did_you_mean(cell, [known for (known,) in rows if known], **alike)


def _nation_meant(connection: duckdb.DuckDBPyConnection, cell: str) -> str:
    """Suggest the codes and names of nations that an invalid code may mean."""
    rows = connection.execute(
        "select upper(trim(name)), upper(trim(nation_code)) from ref_nation_names"
        " union all select upper(trim(unnest([name, iso_alpha2, nation_code]))), upper(trim(nation_code)) from ref_nations"
    ).fetchall()
    names = {name: code for name, code in rows if name}
    if cell in names:
        found = [cell]
    elif len(cell) <= _CODE_LENGTH:
        found = likely(cell, sorted(names), alike=_ALIKE_CODES)
    else:
        found = likely(cell, sorted(names))[:1]
    codes = " or ".join(f"`{code}`" for code in dict.fromkeys(names[name] for name in found))
    return f"; did you mean {codes}?" if codes else ""


def _filled(connection: duckdb.DuckDBPyConnection, seeds: Iterable[str]) -> frozenset[str]:
    """Return the seeds that have rows: planning a check costs more than running it on a few rows."""
    queries = ("select '' where false", *(f"(select '{seed}' from {seed} limit 1)" for seed in seeds))
    return frozenset(seed for (seed,) in connection.execute(" union all ".join(queries)).fetchall())


def _declared(seeds: Iterable[str], filled: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return the declarations of seeds like the macro `declared_seeds`, with whether a seed is empty."""
    return {
        name: {"key": SEEDS[name].key, "columns": SEEDS[name].columns, "is_empty": name not in filled} for name in seeds
    }


def _relations() -> dict[str, str]:
    """Return the names of the relations that the macros read."""
    return {name: name for name in (*SEEDS, *_DERIVED)}


@cache
def _checks(seeds: tuple[str, ...], rules: tuple[str, ...], filled: frozenset[str]) -> list[str]:
    """Render the queries from the macros."""
    declared = _declared(seeds, filled)
    queries = [_macros().seed_faults(name, name, declared[name]) for name in seeds if name in filled]
    needed = [rule for rule in rules if not _REFUSED[rule] or filled.intersection(_REFUSED[rule])]
    return queries + [getattr(_macros(), rule)(_relations(), declared) for rule in needed]


@cache
def _macros() -> Any:  # noqa: ANN401 (the macros of a template are its attributes)
    """Load all macros of the checks and of names into one template, so that they see each other as in dbt."""
    environment = SandboxedEnvironment(extensions=["jinja2.ext.do"])
    environment.globals |= {"var": project_variable, "target": {"type": "duckdb"}}
    files = sorted(file for folder in ("checks", "names") for file in (PROJECT / "macros" / folder).glob("*.sql"))
    return environment.from_string("\n".join(file.read_text(encoding="utf-8") for file in files)).module
