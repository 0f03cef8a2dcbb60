"""What must hold between the rows of a bulk import: rows and their tournaments, everybody once, placements, events that are one.

SQL finds and counts what belongs together; whether it can be is asked of the functions of the small way, once for every different case.
Rows of an event with a fault in its cells are not looked at further: what is wrong with the placements one by one is no tie.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb

from dippouch.db import literal
from dippouch.documents import ListedPlayer, Result, Source, TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.importing.bulk.bulk_tables import BulkTable
from dippouch.importing.bulk.meanings import Read, reading_of_kind, with_function
from dippouch.importing.bulk.refused_rows import RefusedRows, is_fault, parts_of, sound
from dippouch.importing.consistency import is_same_event_of_other_id, likely_duplicate
from dippouch.importing.formats.bulk_csv import A_KNOWN_TOURNAMENT, A_RESULT_OF_IT, EVERY_ID_ONCE, NO_ID
from dippouch.importing.formats.document_limits import MOST_RESULTS, check_number
from dippouch.importing.validation import EVERY_PLAYER_ONCE, check_result, check_room, crowded_fault
from dippouch.rating.rules import RatingRules
from dippouch.ties import crowding

TOURNAMENTS_TABLE, RESULTS_TABLE = "stated_tournaments", "stated_results"

_NOWHERE = Location(Path())
_NO_SOURCE = Source(Path(), "", "")
_SOMEBODY = ListedPlayer("", "", "", _NOWHERE)

# What rows are refused for whose tournament the other file does not have.
STRAY = "tournament of a result"

# How many placements two events must share among the rarest ones of the smaller before they are compared whole.
_COMPARED = 3


def make_events(
    connection: duckdb.DuckDBPyConnection, table: BulkTable, rules: RatingRules, refused: RefusedRows
) -> None:
    """Make `events`, a row for each tournament in the order of its id, and `event_ids`, whose each stated id is.

    What cannot be read of a tournament is null. Ids that two rows state are refused.
    """
    there = table.columns.index.keys()
    joins = " ".join(
        f"left join {table.name}_{name} using ({columns})" for name, columns in _readings(connection, table.name)
    )
    facts = ", ".join(
        f"{sound(f'{table.name}_{column}.meaning')} as {column}"
        if column in there
        else f"cast(null as varchar) as {column}"
        for column in _FACTS
    )
    days = sound(f"{table.name}_days.meaning")
    connection.execute(
        f"""
        create table stated_events as
        select {table.name}.row, {table.name}.tournament_id as stated_id,
            {sound(f"{table.name}_tournament_id.meaning")} as tournament_id,
            split_part({days}, chr(30), 1) as started_on, split_part({days}, chr(30), 2) as ended_on, {facts}
        from {table.name} {joins}
        """
    )
    connection.execute(
        """
        create table events as
        select cast(row_number() over (order by tournament_id) as integer) as number, * from stated_events
        where tournament_id is not null qualify row_number() over (partition by tournament_id order by row) = 1
        """
    )
    connection.execute(
        "create table event_ids as select distinct stated_id, number as event"
        " from stated_events join (select number, tournament_id from events) using (tournament_id)"
    )
    refused.add(
        "tournament_id",
        table.name,
        f"again.row, events.number, printf('the tournament `%s` a second time (first: {_place_word(table)} %d, `%s`)', again.stated_id,"
        f" events.row + {(table.first_line or 1) - 1}, events.stated_id), '{EVERY_ID_ONCE}', ''"
        " from stated_events as again join events using (tournament_id) where again.row != events.row",
    )
    _add_kinds(connection, table, rules, refused)


_FACTS = (
    *("name", "subtitle", "kind", "place", "nation_code", "players", "rounds", "boards"),
    *("coefficient_1", "coefficient_2", "coefficient_3", "last_update"),
)


def _readings(connection: duckdb.DuckDBPyConnection, table: str) -> list[tuple[str, str]]:
    """The readings of a file: their names and the columns that each is of."""
    found = connection.execute(
        "select table_name, string_agg(column_name, ', ' order by column_index) from duckdb_columns()"
        f" where starts_with(table_name, '{table}_') and column_name not in ('number', 'meaning') group by 1 order by 1"
    ).fetchall()
    return [(name.removeprefix(f"{table}_"), columns) for name, columns in found]


def _place_word(table: BulkTable) -> str:
    return "row" if table.first_line is None else "line"


def _add_kinds(
    connection: duckdb.DuckDBPyConnection, table: BulkTable, rules: RatingRules, refused: RefusedRows
) -> None:
    """Find the kind of every event whose facts could be read."""
    told = ", ".join(f"coalesce({column}, '')" for column in ("kind", "ended_on", "players", "rounds", "coefficient_1"))
    with_function(
        connection,
        reading_of_kind(rules),
        lambda ask: (
            f"create table event_kinds as select number, {ask}([name, {told}]) as meaning from events where name is not null and ended_on != ''"
        ),
    )
    refused.add(
        "coefficient_1",
        table.name,
        f"row, number, {parts_of('meaning')} from event_kinds join events using (number) where {is_fault('meaning')}",
    )
    connection.execute(
        f"update events set kind = {sound('meaning')} from event_kinds where event_kinds.number = events.number"
    )


def make_listed(connection: duckdb.DuckDBPyConnection, table: BulkTable, refused: RefusedRows) -> None:
    """Make `listed`, a narrow row for each result, and `people`, whom it names by number; refuse rows of no known tournament.

    What cannot be read of a row is null.
    """
    readings = dict(_readings(connection, table.name))
    by_id = "player_id" in readings
    named, parted = sound(f"{table.name}_name.meaning"), "split_part(meaning, chr(30), {})"
    connection.execute(
        f"create table names as select number, {parted.format(1)} as listed_name, {parted.format(2)} as first_name,"
        f" {parted.format(3)} as last_name, {parted.format(4)} as name_id from {table.name}_name where not {is_fault('meaning')}"
    )
    person = f"select meaning as player_id from {table.name}_player_id where not {is_fault('meaning')}"
    person = person if by_id else "select distinct name_id as player_id from names"
    connection.execute(
        f"create table people as select cast(row_number() over (order by player_id) as integer) as number, player_id from ({person})"
    )
    joins = " ".join(
        f"left join {table.name}_{name} using ({columns})"
        for name, columns in readings.items()
        if name != "tournament_id"
    )

    def cell(column: str, type_: str) -> str:
        there = column in readings
        return (
            f"try_cast({sound(f'{table.name}_{column}.meaning')} as {type_}) as {column}"
            if there
            else f"cast(null as {type_}) as {column}"
        )

    person_of = f"{sound(f'{table.name}_player_id.meaning')}" if by_id else f"split_part({named}, chr(30), 4)"
    connection.execute(
        f"""
        create table listed as
        select {table.name}.row, event_ids.event, people.number as person,
            case when not {is_fault(f"{table.name}_name.meaning")} then {table.name}_name.number end as name,
            {cell("placement", "integer")}, {cell("nation_code", "varchar")}, {cell("location_code", "varchar")},
            {cell("published_score", "decimal(9,2)")}
        from {table.name} left join event_ids on event_ids.stated_id = {table.name}.tournament_id {joins}
        left join people on people.player_id = {person_of}
        """
    )
    no_id = ", ".join(map(literal, NO_ID))
    refused.add("tournament_id", table.name, f"row, null, {no_id}, '' from {table.name} where tournament_id = ''")
    refused.add(
        STRAY,
        table.name,
        f"row, null, printf('the tournament `%s`', tournament_id), '{A_KNOWN_TOURNAMENT}', ''"
        f" from listed join {table.name} using (row) where event is null and tournament_id != ''",
    )
    # What was wrong with cells, now that it is known whose they are.
    connection.execute(
        f"update refused set event = listed.event from listed where refused.file = '{table.name}' and refused.row = listed.row and refused.event is null"
    )
    connection.execute(
        "update refused set event = event_ids.event from stated_events join event_ids using (stated_id)"
        f" where refused.file = '{TOURNAMENTS_TABLE}' and refused.row = stated_events.row and refused.event is null"
    )


def check_across(
    connection: duckdb.DuckDBPyConnection,
    tables: tuple[BulkTable, BulkTable],
    refused: RefusedRows,
    *,
    another_event: bool,
) -> None:
    """Refuse what cannot be of rows beside each other, in events that are sound so far.

    Args:
        connection: the temporary database.
        tables: the tournaments and the results.
        refused: takes the rows.
        another_event: whether events may have the results of others.
    """
    connection.execute("create table spoilt as select distinct event from refused where event is not null")
    connection.execute("create view sound_events as from events anti join spoilt on spoilt.event = events.number")
    connection.execute("create view sound_listed as from listed anti join spoilt using (event) where event is not null")
    _check_sizes(connection, tables[1], refused)
    _check_everybody_once(tables[1], refused)
    if "player_id" not in tables[1].columns.index:
        _check_one_nation(refused)
    _check_placements(connection, refused)
    _check_ties(connection, refused)
    if not another_event:
        _check_likely_duplicates(connection, refused)


def _refuse_cases(
    connection: duckdb.DuckDBPyConnection, refused: RefusedRows, rule: tuple[str, str], cases: str, read: Read
) -> None:
    """Refuse the rows of cases that a check ends with an error; it is asked once for every different case.

    Args:
        connection: the temporary database.
        refused: takes the rows.
        rule: what the rule is about, and the table of the file.
        cases: a query with the columns row and event, and behind them what the check takes.
        read: the check.
    """
    columns = [column for column, *_ in connection.execute(f"describe {cases}").fetchall()][2:]
    taken, texts = ", ".join(columns), ", ".join(f"cast({column} as varchar)" for column in columns)
    with_function(
        connection,
        read,
        lambda ask: (
            f"create or replace temp table verdicts as select {taken}, {ask}([{texts}]) as meaning"
            f" from (select distinct {taken} from ({cases}))"
        ),
    )
    ((faulty,),) = connection.execute(f"select count(*) from verdicts where {is_fault('meaning')}").fetchall()
    if faulty:
        same = " and ".join(f"cases.{column} is not distinct from verdicts.{column}" for column in columns)
        told = f"row, event, {parts_of('meaning')} from ({cases}) as cases join verdicts on {same}"
        refused.add(*rule, f"{told} where {is_fault('meaning')}")


def _check_sizes(connection: duckdb.DuckDBPyConnection, results: BulkTable, refused: RefusedRows) -> None:
    """Every event has a result, and no more than are read."""
    refused.add(
        "tournament without results",
        TOURNAMENTS_TABLE,
        "row, number, printf('the tournament `%s` without results', stated_id),"
        f" {literal(A_RESULT_OF_IT.format(results.path.name))}, '' from sound_events"
        " anti join listed on listed.event = sound_events.number",
    )

    def check(count: str) -> None:
        check_number(int(count), MOST_RESULTS, "results of one tournament", _NOWHERE, "")

    cases = "select min(row) as row, event, count(*) as results from sound_listed group by event"
    _refuse_cases(connection, refused, ("number of results", RESULTS_TABLE), cases, check)


def _check_everybody_once(results: BulkTable, refused: RefusedRows) -> None:
    """Nobody is listed twice in one event."""
    place, before = _place_word(results), (results.first_line or 1) - 1
    refused.add(
        "player twice",
        RESULTS_TABLE,
        f"again.row, again.event, printf('`%s` a second time (first: {place} %d)', listed_name, first_row + {before}),"
        f" {literal(EVERY_PLAYER_ONCE[0])}, {literal(EVERY_PLAYER_ONCE[1])} from sound_listed as again"
        " join (select event, person, min(row) as first_row from sound_listed where person is not null"
        " group by event, person having count(*) > 1) as twice using (event, person)"
        " join names on names.number = again.name where again.row != first_row",
    )


def _check_one_nation(refused: RefusedRows) -> None:
    """Where only names say who is who, a name of several nations may be several people: who is which, nobody can tell."""
    refused.add(
        "one name, several nations",
        RESULTS_TABLE,
        "row, event, printf('`%s` of %s, and elsewhere of another nation (%s)', listed_name, nation_code, nations),"
        " 'one nation for each name, or a column `player_id` that says who is who',"
        " 'Two people of one name need ids; one person of two nations needs one of them, or an id.'"
        " from sound_listed join (select person, string_agg(distinct nation_code, ', ' order by nation_code) as nations"
        " from sound_listed where nation_code is not null group by person having count(distinct nation_code) > 1)"
        " using (person) join names on names.number = sound_listed.name where nation_code is not null",
    )


def _check_placements(connection: duckdb.DuckDBPyConnection, refused: RefusedRows) -> None:
    """Placements lie within the declared field, and printed scores are those of the placements."""

    def check(placement: str, players: str, score: str) -> None:
        declared = TournamentDocument(_NO_SOURCE, "", date.min, date.min, [], players=int(players) if players else None)
        check_result(declared, Result(_SOMEBODY, int(placement), Decimal(score) if score else None))

    def check_all(players: str, placed: str) -> None:
        check_room(int(players), int(placed), _NOWHERE)

    of_event = "from sound_listed join events on events.number = event where placement is not null"
    cases = f"select sound_listed.row, event, placement, players, published_score as score {of_event}"
    _refuse_cases(connection, refused, ("placement", RESULTS_TABLE), cases, check)
    cases = (
        "select min(events.row) as row, event, players, count(*) as placed"
        f" {of_event} and players is not null group by event, players"
    )
    _refuse_cases(connection, refused, ("players", TOURNAMENTS_TABLE), cases, check_all)


def _check_ties(connection: duckdb.DuckDBPyConnection, refused: RefusedRows) -> None:
    """The tied leave room for themselves. Where nobody shares a placement, nobody can be crowded within the declared field."""

    def check(players: str, placements: str) -> None:
        tied = Counter(map(int, placements.split(",")))
        for crowded in crowding(tied, int(players) if players else None):
            found, expected, at = crowded_fault(crowded)
            raise DocumentError(_NOWHERE, found, expected, str(at))

    connection.execute(
        """
        create table tied_events as
        select event, coalesce(players, '') as players, string_agg(cast(placement as varchar), ',') as placements
        from sound_listed join events on events.number = event
        where placement is not null
            and event in (select event from sound_listed where placement is not null group by event, placement having count(*) > 1)
        group by event, players
        """
    )
    with_function(
        connection,
        check,
        lambda ask: f"create table crowded as select event, {ask}([players, placements]) as meaning from tied_events",
    )
    refused.add(
        "room for the tied",
        RESULTS_TABLE,
        f"min(row), event, any_value(found), any_value(expected), '' from sound_listed join"
        f" (select event, json_extract_string(told, '$[0]') as found, json_extract_string(told, '$[1]') as expected,"
        f" cast(json_extract_string(told, '$[2]') as integer) as placement"
        f" from (select event, substr(meaning, 2) as told from crowded where {is_fault('meaning')}))"
        " using (event, placement) group by event",
    )


def _check_likely_duplicates(connection: duckdb.DuckDBPyConnection, refused: RefusedRows) -> None:
    """No two events are likely one; the later one in the file is refused.

    Two events that are compared share at least half of the placements of the smaller, whatever makes them one
    (`is_same_event_of_other_id`), and so some of the rarest of them: only these lead to candidates, which are then counted whole.
    """
    connection.execute(
        """
        create table placed as
        select event, person, placement, sizes.placed as size, cast(count(*) over (partition by person, placement) as integer) as times
        from sound_listed join (
            select event, cast(count(*) as integer) as placed from sound_listed where placement is not null group by event
        ) as sizes using (event)
        where placement is not null and person is not null and sizes.placed > 1
        """
    )
    connection.execute(
        f"""
        create table rarest as
        select * exclude (rarity) from (
            select *, row_number() over (partition by event order by times, person, placement) as rarity from placed
        )
        where times > 1 and rarity <= size // 2 + {_COMPARED}
        """
    )
    connection.execute(
        f"""
        create table candidates as
        select rarest.event as smaller, placed.event as larger
        from rarest join placed using (person, placement)
        where (placed.size, placed.event) > (rarest.size, rarest.event)
        group by all having count(*) >= least({_COMPARED}, any_value(rarest.size))
        """
    )
    connection.execute(
        """
        create table alike as
        select smaller, larger, count(*) as alike, any_value(one.size) as fewer, any_value(other.size) as more
        from candidates join placed as one on one.event = smaller
        join placed as other on other.event = larger and (other.person, other.placement) = (one.person, one.placement)
        group by smaller, larger
        """
    )

    def check(*cells: str) -> None:
        name, ended_on, known_id, known_name, known_ended_on, alike, fewer, more, placed = cells
        apart = abs((date.fromisoformat(ended_on) - date.fromisoformat(known_ended_on)).days)
        same_name = name == known_name
        if is_same_event_of_other_id(int(alike), int(fewer), int(more), apart, same_name=same_name):
            known = (known_id, known_name, known_ended_on)
            raise DocumentError(_NOWHERE, *likely_duplicate((name, ended_on), int(alike), int(placed), known))

    cases = """
        select later.row, later.number as event, later.name, later.ended_on, earlier.tournament_id as known_id,
            earlier.name as known_name, earlier.ended_on as known_ended_on, alike, fewer, more,
            case when later.number = smaller then fewer else more end as placed
        from alike join events as later on later.number in (smaller, larger)
        join events as earlier on earlier.number in (smaller, larger) and earlier.row < later.row
    """
    _refuse_cases(connection, refused, ("event that is likely known", TOURNAMENTS_TABLE), cases, check)
