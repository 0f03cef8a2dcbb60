"""Check a collection: its files here, its rows by the rules of macros/checks in DuckDB, as dbt does.

Before a build, `check_seeds` reports all faults of the seeds at once, each with file, line and remedy. Before a change is written,
`faults_of_changes` finds the faults of the rows that it is about.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

import duckdb
import jinja2

from dippouch.db import read_literal
from dippouch.errors import Location, UserError
from dippouch.printable import counted
from dippouch.seeds.faults import Fault
from dippouch.seeds.files import numbered_rows, parquet_files
from dippouch.seeds.schema import (
    ALIASES,
    CORRECTIONS,
    FURTHER_STATEMENTS,
    NATION_NAMES,
    NATIONS,
    NOT_PEOPLE,
    PLAYERS,
    PUBLISHED_RANKINGS,
    RESULTS,
    SEEDS,
    TOURNAMENT_KINDS,
    TOURNAMENTS,
    Seed,
)
from dippouch.settings import PROJECT, project_variable

if TYPE_CHECKING:
    from dippouch.seeds.store import Collection

# The changed tournaments, published rankings with their last update, and people of `ref_players`, each by seed and id.
Scope = set[tuple[Seed, str]]

# Seeds whose rows belong to a tournament, ranking or person: the seed of that owner, and the owner's id in a row.
_SCOPED = {
    TOURNAMENTS: (TOURNAMENTS, "tournament_id"),
    RESULTS: (TOURNAMENTS, "tournament_id"),
    FURTHER_STATEMENTS: (TOURNAMENTS, "tournament_id"),
    CORRECTIONS: (TOURNAMENTS, "tournament_id"),
    PUBLISHED_RANKINGS: (PUBLISHED_RANKINGS, "ranking_name || ' ' || last_update"),
    PLAYERS: (PLAYERS, "player_id"),
}
# Number of faults in a message about a collection, and of those about changes: more are one fault repeated.
SHOWN, _MOST = 50, 1_000


def check_seeds(folder: Path) -> None:
    """Check every seed of a collection; check the rows only if all of them can be read.

    Raises:
        UserError: with the number of all faults, and file, line, finding and expectation of the first ones.
    """
    messages = []
    with _new_database() as connection:
        for seed in SEEDS.values():
            try:
                _load(connection, folder, seed)
            except UserError as error:
                messages.append(str(error))
        count = len(messages)
        if not messages:
            faults, count = _find_faults(connection, "collection", SHOWN)
            messages = [_message(folder, fault) for fault in faults]
    if count:
        shown = f", of which {len(messages)} follow" if count > len(messages) else ""
        found = f"{folder}: found {counted(count, 'fault', 'faults')} in the seeds{shown}"
        raise UserError("\n".join([found, *messages]))


def scope_of_row(table: Seed, key: Sequence[str]) -> Scope:
    """Return the owner of a row by the words of its key; nothing for tables whose rows are not checked individually."""
    if table is FURTHER_STATEMENTS:
        return {(TOURNAMENTS, key[0])}
    if table in (RESULTS, PUBLISHED_RANKINGS):
        # The last word is the player's id.
        return {(_SCOPED[table][0], " ".join(key[:-1]))}
    return {(table, " ".join(key))} if table in (TOURNAMENTS, PLAYERS) else set()


def scope_of(collection: Collection, faults: Iterable[Fault]) -> Scope:
    """Return the tournaments, rankings and people that faults are about."""
    scope: Scope = set()
    for fault in faults:
        correction = collection.get(CORRECTIONS, (fault.row_key,)) if fault.seed == CORRECTIONS.name else None
        if correction:
            scope.add((TOURNAMENTS, correction["tournament_id"]))
        scope |= scope_of_row(SEEDS[fault.seed], fault.row_key.split(" "))
    return scope


def faults_of_changes(collection: Collection, scope: Scope) -> list[Fault]:
    """Return the faults of changed tournaments, rankings and people, together with everything that they refer to."""
    if not scope:
        return []
    with _new_database() as connection:
        for seed in SEEDS.values():
            _make_table(connection, seed, _rows_of_scope(collection, scope, seed))
        return _find_faults(connection, "changes", _MOST)[0]


def find_suspicious_names(reference: Path, names: Sequence[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Return each reason for suspicious ones of first and last names, with these whole names, by the rule of the mart.

    Args:
        reference: the folder of the collection's reference seeds.
        names: the first and last names, such as those of the new people of an import.
    """
    if not names:
        return []
    with _new_database() as connection:
        for seed in (NOT_PEOPLE, NATIONS, NATION_NAMES):
            _load(connection, reference, seed)
        listings = "(select unnest($1::varchar[]) as first_name, unnest($2::varchar[]) as last_name)"
        names_of = "select unnest([name, nation_code]) as name from ref_nations"
        nations = f"({names_of} union all select name from ref_nation_names)"
        sql = load_macros().suspicious_names(listings, "ref_not_people", nations)
        both = [[first for first, _ in names], [last for _, last in names]]
        by_reason = f"select reason, list_sort(list_distinct(list(name))) from ({sql}) group by reason order by reason"
        return connection.execute(by_reason, both).fetchall()


def _new_database() -> duckdb.DuckDBPyConnection:
    """Return a database in memory for the tables to check."""
    connection = duckdb.connect(config={"threads": 2})
    connection.execute("set enable_progress_bar = false")
    return connection


def _make_table(connection: duckdb.DuckDBPyConnection, seed: Seed, rows: Iterable[Iterable[str]]) -> None:
    """Make the table of a seed from rows of text, each with its line after the cells (empty for none)."""
    typed = ", ".join(f"{column} varchar" for column in seed.columns)
    connection.execute(f"create table {seed.name} ({typed}, line bigint)")
    # Through a file, because DuckDB is slow to insert single rows.
    with NamedTemporaryFile("w", encoding="utf-8", newline="", suffix=".csv") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
        if file.tell():
            file.flush()
            connection.execute(
                f"copy {seed.name} from {read_literal(Path(file.name))} (format csv, header false, auto_detect false, delimiter ',',"
                " quote '\"', escape '\"', new_line '\\n', max_line_size 10000000)"
            )


def _rows_of_scope(collection: Collection, scope: Scope, seed: Seed) -> Iterator[Sequence[str]]:
    """Yield the rows of a seed that the rules need, without line numbers."""
    columns = ", ".join((*seed.columns, "''"))
    if seed in _SCOPED:
        owner, own_id = _SCOPED[seed]
        wanted = json.dumps(sorted(wanted for kind, wanted in scope if kind is owner))
        sql = f"select {columns} from {seed.name} where {own_id} in (select value from json_each(?))"
        yield from collection.query(sql, [wanted])
    elif seed in (ALIASES, TOURNAMENT_KINDS):
        yield from collection.query(f"select {columns} from {seed.name}")
    elif seed in (NATIONS, NOT_PEOPLE):
        yield from ([*cells, ""] for _, cells in numbered_rows(collection.reference / seed.path))


def _find_faults(connection: duckdb.DuckDBPyConnection, scope: str, most: int) -> tuple[list[Fault], int]:
    """Run the rules of macros/checks.

    Args:
        connection: a database with a table per seed, whose columns are text, and a column `line`.
        scope: the rules across seeds, as the macro `collection_faults` names them; for `changes`, only seeds with an owner are checked.
        most: the maximum number of faults returned.

    Returns:
        The first faults by seed and line, and the number of all faults.
    """
    seeds = [seed.name for seed in (SEEDS.values() if scope == "collection" else _SCOPED)]
    # Planning a check of an empty seed costs more than running it.
    filled = [seed for seed in seeds if connection.execute(f"select 1 from {seed} limit 1").fetchone()]
    rows = connection.execute(
        f"select *, count(*) over () from ({_rules(tuple(filled), scope)}) as faults"
        f" order by seed, line nulls last, row_key, column_name, code limit {most}"
    ).fetchall()
    return [Fault(*row[:-1]) for row in rows], rows[0][-1] if rows else 0


@cache
def _rules(seeds: Sequence[str], scope: str) -> str:
    """Render the query of macros/checks."""
    declared = {seed.name: {"key": seed.key, "columns": seed.columns} for seed in SEEDS.values()}
    return str(load_macros().collection_faults(declared, seeds, scope))


@cache
def load_macros() -> Any:  # noqa: ANN401 (the macros of a template are its attributes)
    """Load the macros of checks, names and rules into one template, so that they see each other as in dbt."""
    environment = jinja2.Environment(extensions=["jinja2.ext.do"], autoescape=False)  # noqa: S701 (SQL, no HTML)
    environment.globals["var"] = project_variable
    folders = [PROJECT / "macros" / folder for folder in ("checks", "names", "rules")]
    files = sorted(file for folder in folders for file in folder.glob("*.sql"))
    return environment.from_string("\n".join(file.read_text(encoding="utf-8") for file in files)).module


def _load(connection: duckdb.DuckDBPyConnection, folder: Path, seed: Seed) -> None:
    """Load a seed into a table of text with the line of every row; of Parquet, its number.

    Raises:
        UserError: when the file cannot be read, or its header or the length of a row is wrong.
    """
    _make_table(connection, seed, ([*cells, str(line)] for line, cells in numbered_rows(folder / seed.path)))
    if files := parquet_files(folder, seed):
        # Read the files like staging does.
        cells = ", ".join(f"cast({column} as varchar) as {column}" for column in seed.columns)
        connection.execute(f"drop table {seed.name}")
        connection.execute(
            f"create view {seed.name} as select {cells}, file_row_number + 1 as line from"
            f" read_parquet([{', '.join(map(read_literal, files))}], file_row_number = true)"
        )


def _message(folder: Path, fault: Fault) -> str:
    seed = SEEDS[fault.seed]
    parquet = folder / seed.parquet_path
    at = Location(parquet, None, f"row {fault.line}") if parquet.exists() else Location(folder / seed.path, fault.line)
    found, *ways_out = fault.explained(folder)
    return f"{at}: found {found}; expected {'. '.join(filter(None, ways_out))}"
