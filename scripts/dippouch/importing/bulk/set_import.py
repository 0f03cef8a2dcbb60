"""One run of the bulk import: two files in, a new collection out, or nothing and every row that stands in the way."""

from __future__ import annotations

import csv
import shlex
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import duckdb

from dippouch.disk import refusal
from dippouch.documents import Source
from dippouch.errors import DocumentError, UserError
from dippouch.importing.bulk.across_rows import (
    RESULTS_TABLE,
    STRAY,
    TOURNAMENTS_TABLE,
    check_across,
    make_events,
    make_listed,
)
from dippouch.importing.bulk.bulk_seeds import make_seeds, seed_files
from dippouch.importing.bulk.bulk_tables import PARQUET, BulkTable, load_table
from dippouch.importing.bulk.meanings import read_meanings, readings_of_results, readings_of_tournaments, with_function
from dippouch.importing.bulk.refused_rows import SAMPLES, RefusedKind, RefusedRows
from dippouch.importing.context import Context, read_context
from dippouch.importing.formats.bulk_csv import (
    COLUMNS_OF_RESULTS,
    FORMAT,
    NEEDED_OF_RESULTS,
    NEEDED_OF_TOURNAMENTS,
    hash_of,
    remarks_on_columns,
)
from dippouch.importing.formats.facts import FACTS
from dippouch.importing.formats.result_rows import is_split_by_order
from dippouch.importing.pipeline import add_kinds
from dippouch.importing.reader import check_path
from dippouch.rating.systems import read_shown_rules
from dippouch.seeds.checks.declared import declared_seeds
from dippouch.seeds.folder import check_is_collection, is_new, locked, write_files
from dippouch.seeds.schema import RAW_TABLES, RESULTS, TOURNAMENT_KINDS, TOURNAMENTS
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT

FORMAT_PARQUET = "bulk-parquet"
# What DuckDB may take; Python and the rules beside it take 0.2 GB more.
MEMORY_LIMIT = "500MB"


@dataclass
class BulkOutcome:
    """What a bulk import found.

    Attributes:
        tournaments: how many tournaments came in, or would.
        results: how many results.
        people: how many people.
        refused: the rows that were refused, by rule.
        faults: how many faults that is, a row with two counted twice.
        left_out: how many tournaments were left out because of them.
        notes: what the rating keeper should know of what was read.
        all_refused: the file with every refused row, where there are more than samples.
        written: whether the collection was made.
    """

    tournaments: int = 0
    results: int = 0
    people: int = 0
    refused: list[RefusedKind] = field(default_factory=list)
    faults: int = 0
    left_out: int = 0
    notes: list[str] = field(default_factory=list)
    all_refused: Path | None = None
    written: bool = False


def import_set(
    tournaments: Path,
    results: Path,
    folder: Path,
    *,
    encoding: str | None = None,
    last_day: date | None = None,
    another_event: bool = False,
    new_kinds: Mapping[str, str] | None = None,
    leave_out: bool = False,
    dry_run: bool = False,
    refused_to: Path | None = None,
    on_step: Callable[[str], None] = lambda step: None,
) -> BulkOutcome:
    """Make a collection of two files, or change nothing.

    Args:
        tournaments: a tournament a row, CSV or Parquet.
        results: a result a row.
        folder: the collection: missing, empty, or one without any results.
        encoding: the encoding of CSV files; found out when None.
        last_day: the last day that a file may speak of; None: any.
        another_event: take events although their results are those of others.
        new_kinds: kinds of tournaments to add to the collection: their names by their codes.
        leave_out: leave out every tournament with a refused row, whole, and take the others.
        dry_run: find what would be imported, write nothing.
        refused_to: where every refused row is written, when there are more than samples; None: beside the collection.
        on_step: called with what is done next, for people.

    Raises:
        UserError: when the files cannot be read as tables, the collection has results already, is in use, or cannot be written.
    """
    check_path(tournaments)
    check_path(results)
    with locked(folder):
        if not is_new(folder):
            check_is_collection(folder)
            _refuse_filled(folder)
        reference = PROJECT / "seeds" if is_new(folder) else folder
        context = read_context(reference, encoding=encoding, last_day=last_day)
        rules = read_shown_rules(reference)
        with Collection.opened(folder) as collection, _temporary_database() as connection:
            add_kinds(collection, new_kinds or {})
            outcome, refused = BulkOutcome(), RefusedRows(connection)
            tables = _load(connection, (tournaments, results), context, refused, on_step)
            if not refused.count():
                on_step("reading every different cell once")
                kinds, declared = list(collection.all(TOURNAMENT_KINDS)), declared_seeds()
                for table, readings in (
                    (tables[0], readings_of_tournaments(tables[0].columns, context, declared[TOURNAMENTS.name], kinds)),
                    (tables[1], readings_of_results(tables[1].columns, context, declared[RESULTS.name])),
                ):
                    read_meanings(connection, table, readings, refused)
                on_step("bringing rows and tournaments together")
                make_events(connection, tables[0], rules, refused)
                make_listed(connection, tables[1], refused)
                on_step("checking what must hold between rows")
                check_across(connection, tables, refused, another_event=another_event)
                outcome.notes = [*_remarks(tables), *_notes(connection, tables[1])]
                form = FORMAT_PARQUET if tournaments.suffix.lower() == PARQUET else FORMAT
                make_seeds(connection, Source(tournaments, hash_of(tournaments, results), form), declared)
                _count(connection, outcome)
            outcome.refused, outcome.faults = refused.kinds(), refused.count()
            if any(kind.rows > SAMPLES for kind in outcome.refused):
                outcome.all_refused = refused_to or folder.resolve().with_name(f"{folder.resolve().name}.refused.csv")
                _write_refused(refused, outcome.all_refused)
            # Rows of nobody knows which tournament could be anybody's: what is left would not be whole.
            homeless = refused.count(f"event is null and what != '{STRAY}' and file = '{RESULTS_TABLE}'")
            stopped = outcome.faults and (not leave_out or homeless or not outcome.results)
            if not dry_run and not stopped:
                on_step("writing the collection")
                files = collection.files() | seed_files(connection, outcome.tournaments, outcome.results)
                write_files(folder, files)
                outcome.written = True
    return outcome


@contextmanager
def _temporary_database() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database on the disk that is gone afterwards, in a folder of its own.

    Raises:
        UserError: when there is no room for it.
    """
    with tempfile.TemporaryDirectory(prefix="dip-pouch-bulk-") as folder:
        try:
            with duckdb.connect(str(Path(folder) / "bulk.duckdb")) as connection:
                connection.execute(f"set memory_limit = '{MEMORY_LIMIT}'")
                connection.execute("set threads = 2")
                yield connection
        except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
            raise UserError(
                f"{folder}: the temporary database could not be kept ({error}); nothing was changed. It takes about as much as the two"
                " files; TMPDIR=FOLDER before the command names another place with more room"
            ) from None


def _refuse_filled(folder: Path) -> None:
    """Refuse a collection that has results: rows are added to one by the small way, which knows what is there."""
    for table in RAW_TABLES:
        path = folder / table.path
        filled = (folder / table.parquet_path).exists()
        if not filled and path.is_file():
            with path.open("rb") as file:
                filled = sum(1 for _ in zip(range(2), file, strict=False)) > 1
        if filled:
            raise UserError(
                f"{folder}: found a collection with rows in {table.path}; expected a new folder, or a collection that nothing was"
                " imported into. This program makes collections; scripts/import_results.py adds to them. For a newer state of the same"
                f" files make a new one with the reference seeds of this one: {_anew(folder)}"
            )


def _anew(folder: Path) -> str:
    """The command that makes a collection of the reference seeds of another, beside it."""
    old, new = shlex.quote(str(folder)), shlex.quote(f"{folder}.new")
    headers = " && ".join(f"head -n 1 {old}/{table.path} > {new}/{table.path}" for table in RAW_TABLES)
    return f"mkdir -p {new}/wdd && cp -R {old}/reference {new}/ && {headers}"


def _load(
    connection: duckdb.DuckDBPyConnection,
    paths: tuple[Path, Path],
    context: Context,
    refused: RefusedRows,
    on_step: Callable[[str], None],
) -> tuple[BulkTable, BulkTable]:
    """Read both files; lines that are no rows are refused."""
    on_step(f"reading {paths[0].name}")
    first = load_table(connection, TOURNAMENTS_TABLE, paths[0], FACTS, NEEDED_OF_TOURNAMENTS, context)
    on_step(f"reading {paths[1].name}")
    second = load_table(connection, RESULTS_TABLE, paths[1], COLUMNS_OF_RESULTS, NEEDED_OF_RESULTS, context)
    for table in (first, second):
        if "wdd_id" in table.columns.index:
            raise DocumentError(
                table.columns.head.location,
                f"the heading `{table.columns.heading('wdd_id')}`",
                "ids of the files themselves (`tournament_id`, `player_id`)",
                "scripts/import_results.py matches by ids of the World Diplomacy Database; without the column they are left aside.",
            )
        refused.about(table)
        if table.path.suffix.lower() != PARQUET:
            refused.add_lines(table)
    return first, second


def _remarks(tables: tuple[BulkTable, BulkTable]) -> Iterator[str]:
    for table in tables:
        for remark in remarks_on_columns(table.columns):
            yield f"{table.path.name}: {remark}"


def _notes(connection: duckdb.DuckDBPyConnection, results: BulkTable) -> Iterator[str]:
    """What the rating keeper should know of the results, each with how many rows it is about and the first of them."""
    for what, rows in _noted(connection, results):
        count, row, name = connection.execute(
            f"select count(*), min(row), coalesce(arg_min(listed_name, row), '') from (select row, name from listed where {rows})"
            " join names on names.number = name"
        ).fetchall()[0]
        if count:
            yield f"{what}: {count:,} (first: `{name}`, {results.location(row).in_file} of {results.path.name})"
    ((spelt,),) = connection.execute(
        "select count(*) from (select person from (select distinct person, name from listed)"
        " join names on names.number = name where person is not null group by person having count(distinct lower(first_name || ' ' || last_name)) > 1)"
    ).fetchall()
    if spelt:
        yield f"people who are spelt in several ways: {spelt:,}; scripts/review_players.py lists them"


def _noted(connection: duckdb.DuckDBPyConnection, results: BulkTable) -> Iterator[tuple[str, str]]:
    """What is noted of results, with the condition that selects their rows."""
    yield (
        "the placement is blank, and they are listed without one",
        f"row in (select row from {RESULTS_TABLE} where placement = '')",
    )
    there = results.columns.index
    if "first_name" in there:
        yield "no first name", "name in (select number from names where first_name = '')"
    if "name" in there:
        with_function(
            connection,
            lambda listed: "yes" if is_split_by_order(listed) else None,
            lambda ask: (
                f"create or replace temp table split as select number from names where {ask}([listed_name]) is not null"
            ),
        )
        yield "the last word of a name is taken for the last name", "name in (from split)"


def _count(connection: duckdb.DuckDBPyConnection, outcome: BulkOutcome) -> None:
    """Count what comes in, and what is left out."""
    ((outcome.tournaments,),) = connection.execute(f"select count(*) from {TOURNAMENTS.name}").fetchall()
    ((outcome.left_out,),) = connection.execute("select count(*) from left_out").fetchall()
    ((outcome.results, outcome.people),) = connection.execute(
        "select count(*), count(distinct person) from listed anti join left_out using (event) where event is not null"
    ).fetchall()


def _write_refused(refused: RefusedRows, path: Path) -> None:
    """Write every refused row as CSV.

    Raises:
        UserError: when the disk refuses.
    """
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("file", "place", "what", "found", "expected", "way_out"))
            for error, what in refused.errors():
                at = error.location
                writer.writerow((at.path.name, at.in_file, what, error.found, error.expected, error.hint))
    except OSError as error:
        raise UserError(
            f"{path}: the refused rows could not be written ({refusal(error)}); nothing was changed"
        ) from None
