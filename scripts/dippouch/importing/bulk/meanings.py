"""What the cells of a bulk import mean: every different one is read once, by what reads it in the small way.

A reading is a function of the importer on the cells of some columns. It gives the cell of the seed, or ends with the error that a
small document would end with. What is declared of the seed's column (`models/seeds/*.yml`) is checked behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
from duckdb.func import FunctionNullHandling

from dippouch.documents import Source, TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.ids import is_taken, readable_id
from dippouch.importing.bulk.bulk_tables import BulkTable
from dippouch.importing.bulk.refused_rows import RefusedRows, is_fault, judged, parts_of
from dippouch.importing.context import Context
from dippouch.importing.formats.bulk_csv import NO_ID
from dippouch.importing.formats.cells import Cell, Record
from dippouch.importing.formats.facts import DAYS, NO_DATE, NO_NAME, parse_days, parse_fact
from dippouch.importing.formats.headings import PEOPLE
from dippouch.importing.formats.result_rows import given_player_id, read_player
from dippouch.importing.formats.table_columns import Columns
from dippouch.importing.kinds import kind_of, known_kind
from dippouch.importing.parsing.numbers import parse_placement, parse_score
from dippouch.importing.rows import plain, whole
from dippouch.importing.validation import check_dates, check_fact, check_person
from dippouch.names import shortened
from dippouch.rating.rules import RatingRules
from dippouch.seeds.checks.check_cells import check_of, fault_of_cell
from dippouch.seeds.checks.declared import DeclaredSeed
from dippouch.seeds.schema import Row

# Between the parts of one meaning: a character that no cell may have.
BETWEEN = "\x1e"

# Cells have no place of their own: a fault is told with the places of its rows.
_NOWHERE = Location(Path())

Read = Callable[..., str | None]

# What the YAML files declare of a column, as a check that ends with an error.
_Declared = Callable[[str], None]


@dataclass(frozen=True)
class Reading:
    """How the cells of some columns are read.

    Attributes:
        name: what it is about; the table of its meanings is `<file>_<name>`, with these columns, `number` and `meaning`.
        columns: the columns of the file.
        read: makes one text of their cells; None for nothing.
    """

    name: str
    columns: tuple[str, ...]
    read: Read


def read_meanings(
    connection: duckdb.DuckDBPyConnection, table: BulkTable, readings: Iterable[Reading], refused: RefusedRows
) -> None:
    """Read every different cell of a file once, and refuse the rows with those that cannot be read.

    Makes a table for each reading. `event` of a refused row is left open, until it is known which events there are.
    """
    for reading in readings:
        made, cells = f"{table.name}_{reading.name}", ", ".join(reading.columns)
        with_function(
            connection,
            reading.read,
            lambda ask, made=made, cells=cells: (  # type: ignore[misc]
                f"create table {made} as select cast(row_number() over () as integer) as number, {cells},"
                f" {ask}([{cells}]) as meaning from (select distinct {cells} from {table.name})"
            ),
        )
        ((faulty,),) = connection.execute(f"select count(*) from {made} where {is_fault('meaning')}").fetchall()
        if faulty:
            refused.add(
                reading.name,
                table.name,
                f"row, null, {parts_of('meaning')} from {table.name} join {made} using ({cells}) where {is_fault('meaning')}",
            )


def with_function(
    connection: duckdb.DuckDBPyConnection, read: Read, query: Callable[[str], str]
) -> list[tuple[Any, ...]]:
    """Run a query that asks a reader; its faults come back behind a mark, as `refused_rows.is_fault` knows them.

    Args:
        connection: the temporary database.
        read: the reader of some cells; null comes as an empty text.
        query: makes the query of the name of a function that takes a list of texts.
    """
    special = FunctionNullHandling.SPECIAL
    connection.create_function("asked", judged(read), ["varchar[]"], "varchar", null_handling=special)
    try:
        return connection.execute(query("asked")).fetchall()
    finally:
        connection.remove_function("asked")


def readings_of_results(columns: Columns, context: Context, seed: DeclaredSeed) -> list[Reading]:
    """How the cells of the results are read; `seed` is what is declared of theirs."""
    there = columns.index.keys()
    nation = context.nations.of_text
    readings = [
        Reading(
            "placement", ("placement",), _cell("the placement", parse_placement, whole, _declared(seed, "placement"))
        ),
        Reading("name", tuple(c for c in there if c in PEOPLE), _person_reader(columns, context)),
    ]
    if "player_id" in there:
        readings.append(Reading("player_id", ("player_id",), lambda text: given_player_id(Cell(text, _NOWHERE))))
    for column, label in (("nation_code", "the nation"), ("location_code", "the location")):
        if column in there:
            readings.append(Reading(column, (column,), _cell(label, nation, str, _declared(seed, column))))
    if "published_score" in there:
        score = _cell("the score", parse_score, plain, _declared(seed, "published_score"))
        readings.append(Reading("published_score", ("published_score",), lambda text: score(text) if text else None))
    return readings


def readings_of_tournaments(
    columns: Columns, context: Context, seed: DeclaredSeed, kinds: Sequence[Row]
) -> list[Reading]:
    """How the cells of the tournaments are read; `seed` is what is declared of theirs, `kinds` are those of the collection."""
    there = columns.index.keys()
    days = tuple(day for day in DAYS if day in there)
    readings = [Reading("days", days, _days_reader(days, context, seed))] if days else []
    for column in there - set(DAYS):
        label = "source_last_update" if column == "last_update" else column
        readings.append(Reading(column, (column,), partial(_fact, column, context, kinds, _declared(seed, label))))
    return sorted(readings, key=lambda reading: reading.name)


def reading_of_kind(rules: RatingRules) -> Read:
    """How the kind of an event is found: of its name, the stated kind, its last day, players, rounds and `Coeff 1`, all as cells."""

    def read(name: str, stated: str, ended_on: str, players: str, rounds: str, coefficient: str) -> str:
        document = TournamentDocument(
            Source(Path(), "", ""),
            name,
            date.fromisoformat(ended_on),
            date.fromisoformat(ended_on),
            [],
            players=int(players) if players else None,
            rounds=int(rounds) if rounds else None,
            coefficients=(Decimal(coefficient) if coefficient else None, None, None),
        )
        return kind_of(document, rules, stated, "")

    return read


def _cell(label: str, parse: Callable[[str], Any], write: Callable[[Any], str], declared: _Declared) -> Read:
    """A reader of one cell: parsed, written as a seed has it, and checked against what is declared; empty is nothing."""

    def read(text: str) -> str | None:
        value = Cell(text, _NOWHERE).parsed(label, parse)
        if value is None:
            return None
        declared(cell := write(value))
        return cell

    return read


def _person_reader(columns: Columns, context: Context) -> Read:
    """A reader of names: as listed, the first and the last name, and the id that they make.

    All that is declared of names, and more, is asked by `check_person`.
    """
    places = [place for column, place in columns.index.items() if column in PEOPLE]
    # Whatever else a row states is read by itself.
    names = replace(columns, index={column: place for column, place in columns.index.items() if column in PEOPLE})

    def read(*cells: str) -> str:
        texts = [""] * columns.width
        for place, text in zip(places, cells, strict=True):
            texts[place] = text
        record = Record(_NOWHERE, texts)
        names.check_names(record)
        player = read_player(record, names, context)
        check_person(player, context)
        made = readable_id(player.name)
        if is_taken(made) and "player_id" not in columns.index:
            raise DocumentError(
                _NOWHERE, f"the name `{player.name}`", f"a player_id beside it, because `{made}` can be nobody's id"
            )
        return BETWEEN.join((player.listed_name, player.first_name, player.last_name, made))

    return read


def _fact(column: str, context: Context, kinds: Sequence[Row], declared: _Declared, text: str) -> str | None:
    """A fact of a tournament as the seed has it."""
    if not text:
        if column in _MISSING:
            raise DocumentError(_NOWHERE, *_MISSING[column])
        return None
    value = parse_fact(column, Cell(text, _NOWHERE), context)
    if value is None:
        return None
    if column == "tournament_id":
        declared(cell := readable_id(value))
        return cell
    if column in _CHECKED:
        check_fact(column, value, _NOWHERE)
    if column == "kind":
        return known_kind(kinds, value, _NOWHERE)
    cell = plain(value) if isinstance(value, Decimal) else str(value)
    declared(cell)
    return cell


_MISSING = {"tournament_id": NO_ID, "name": NO_NAME}
# What the small way checks of a fact by itself.
_CHECKED = frozenset({"name", "subtitle", "place", "kind", "players", "rounds", "boards", "last_update"})


def _days_reader(columns: Sequence[str], context: Context, seed: DeclaredSeed) -> Read:
    """A reader of the first and the last day of an event."""
    declared = [_declared(seed, column) for column in ("started_on", "ended_on")]

    def read(*cells: str) -> str:
        if not any(cells):
            raise DocumentError(_NOWHERE, *NO_DATE)
        days = parse_days({column: Cell(text, _NOWHERE) for column, text in zip(columns, cells, strict=True)})
        check_dates(*days, _NOWHERE, context)
        for day, check in zip(days, declared, strict=True):
            check(str(day))
        return BETWEEN.join(map(str, days))

    return read


def _declared(seed: DeclaredSeed, column: str) -> _Declared:
    """What models/seeds/ declares of a column: its type, its range, what kind of text it holds."""
    of_type = check_of(seed.types[column], seed.ranges.get(column)) if column in seed.types else None
    kind = seed.texts.get(column)

    def check(cell: str) -> None:
        if of_type and (expected := of_type(cell)):
            raise DocumentError(_NOWHERE, f"{column} `{shortened(cell)}`", expected)
        if kind and (fault := fault_of_cell(column, kind, cell)):
            found, _, wanted = fault.partition("; expected ")
            raise DocumentError(_NOWHERE, found.removeprefix("found "), wanted)

    return check
