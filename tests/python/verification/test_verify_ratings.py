"""The verification of the published database, of tampered ones, and of files that are no database."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import duckdb
import pytest

from dippouch.errors import UserError
from dippouch.settings import PROJECT
from dippouch.verification.compare import verify
from support.programs import run_here, run_program


def test_the_published_database_agrees(published: Path) -> None:
    done = run_program("verify", "--database", published)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"All [\d,]+ rows agree with the exact recomputation\.", done.stdout)


def test_the_report_as_json(published: Path, tmp_path: Path) -> None:
    database = tampered(published, tmp_path, "update circuits set name = 'Cup'")
    done = run_here("verify", "--database", database, "--json")
    assert done.returncode == 1
    tables = {table["table"]: table for table in json.loads(done.stdout)}
    assert tables["published_score_comparison"] == {
        "table": "published_score_comparison",
        "rows": 224,
        "discrepancies": [],
    }
    assert [one["published"] for one in tables["circuits"]["discrepancies"]] == ["Cup"]


TAMPERINGS = [
    (
        "create or replace table rating_history as"
        " select * replace (nullif(player_id, 'cyrille-sevin') as player_id) from rating_history",
        "rating_history: rating system dptr, player null, event number 1, tournament world-dipcon-xxiii-2013: row is there",
    ),
    (
        "update rating_history set rating_after = rating_after + 1e-8 where player_id = 'edi-birsan' and event_number = 2",
        "rating_history: rating system dptr, player edi-birsan, event number 2, tournament wac-6-2009: "
        "rating_after is 50.354300154300, must be 50.354300144300",
    ),
    (
        "update rating_history set placement = 2 where player_id = 'cyrille-sevin'",
        "player cyrille-sevin, event number 1, tournament world-dipcon-xxiii-2013: placement is 2, must be 1",
    ),
    (
        "delete from rating_history where player_id = 'cyrille-sevin'",
        "player cyrille-sevin, event number 1, tournament world-dipcon-xxiii-2013: row is missing, must be there",
    ),
    (
        "insert into international_ranking select * replace ('nobody' as player_id) from international_ranking limit 1",
        "international_ranking: rating system dptr, player nobody: row is there, must be no such row",
    ),
    (
        "update international_ranking set rank = 2 where rank = 1",
        "international_ranking: rating system dptr, player edi-birsan: rank is 2, must be 1",
    ),
    (
        "create or replace table rating_history as select * replace (case when player_id = 'cyrille-sevin' then"
        " upper(rating_system_id) else rating_system_id end collate nocase as rating_system_id) from rating_history",
        "rating_history: rating system DPTR: rows is 1, must be none: no such system",
    ),
    (
        "create or replace table yearly_ranking as select * replace (lower(nation_code) collate nocase as nation_code)"
        " from yearly_ranking",
        "yearly_ranking: rating system dptr, year 2001, player bjorn-von-knorring: nation_code is swe, must be SWE",
    ),
    (
        "create or replace table yearly_ranking as select * replace (encode(nation_code) as nation_code) from yearly_ranking",
        "yearly_ranking: rating system dptr, year 2001, player bjorn-von-knorring: nation_code is b'SWE', must be SWE",
    ),
    (
        "create or replace table rating_history as select * replace (ended_on || ' 23:59:59' as ended_on) from rating_history",
        "ended_on is 2013-08-25 23:59:59, must be 2013-08-25",
    ),
    (
        "create or replace table yearly_ranking as select * replace ([rating] as rating) from yearly_ranking",
        "rating is [51.43181818181818], must be 51.431818181818",
    ),
    (
        "alter table players alter international_rank type decimal(9, 1);"
        " update players set international_rank = international_rank + 0.5 where international_rank = 186",
        "international_rank is 186.5, must be 186",
    ),
    (
        "update international_ranking set rating = 'nan'::double where rank = 1",
        "player edi-birsan: rating is nan, must be 58.816773448773",
    ),
    (
        "update national_ranking set national_rank = 4 where player_id = 'gwen-maggi'",
        "national_ranking: rating system dptr, player gwen-maggi: national_rank is 4, must be 3",
    ),
    (
        "update national_ranking set international_rank = 1 where player_id = 'gwen-maggi'",
        "national_ranking: rating system dptr, player gwen-maggi: international_rank is 1, must be ",
    ),
    (
        "update players set international_rank = 999 where player_id = 'edi-birsan'",
        "players: player edi-birsan: international_rank is 999, must be 1",
    ),
    (
        "update rating_history set tournament_value = 15 where player_id = 'cyrille-sevin'",
        "rating_history: rating system dptr, player cyrille-sevin, event number 1, tournament world-dipcon-xxiii-2013: tournament_value is 15.000000000000, must be 20.",
    ),
    (
        "update rating_history set ended_on = '2013-08-26' where player_id = 'cyrille-sevin'",
        "player cyrille-sevin, event number 1, tournament world-dipcon-xxiii-2013: ended_on is 2013-08-26, must be 2013-08-25",
    ),
    (
        "update included_tournaments set name = 'WAC' where tournament_id = 'wac-6-2009'",
        "included_tournaments: rating system dptr, tournament wac-6-2009: name is WAC, must be WAC 6 2009",
    ),
    (
        "update tournament_results set nation_code = null where player_id = 'cyrille-sevin'",
        "tournament_results: tournament world-dipcon-xxiii-2013, player cyrille-sevin: nation_code is null, must be FRA",
    ),
    (
        "update yearly_ranking set nation_code = 'USA' where year = 2006 and player_id = 'leif-bergman'",
        "yearly_ranking: rating system dptr, year 2006, player leif-bergman: nation_code is USA, must be ",
    ),
    (
        "update included_circuits set year = 2007",
        "circuit campionato-italo-san-marinese-2006: year is 2007, must be 2006",
    ),
    (
        "update rating_systems set counted_from = '2000-01-01' where rating_system_id = 'dptr'",
        "rating_systems: rating system dptr: counted_from is 2000-01-01, must be ",
    ),
    (
        "update published_ranking_comparison set source_form = 'csv' where player_id = 'dan-lester'",
        "player dan-lester: source_form is csv, must be ",
    ),
    (
        "update yearly_ranking set rank = 2 where year = 2006 and player_id = 'leif-bergman'",
        "yearly_ranking: rating system dptr, year 2006, player leif-bergman: rank is 2, must be 1",
    ),
    (
        "alter table yearly_ranking alter rank drop not null; update yearly_ranking set rank = null where year = 2009 and player_id = 'bjorn-von-knorring'",
        "yearly_ranking: rating system dptr, year 2009, player bjorn-von-knorring: rank is null, must be 2",
    ),
    (
        "update yearly_ranking set rating = 41 where year = 2006 and player_id = 'arnaud-boirel'",
        "yearly_ranking: rating system dptr, year 2006, player arnaud-boirel: rating is 41.000000000000, must be",
    ),
    (
        "update included_tournaments set tournament_value = 14.86 where tournament_id = 'wac-6-2009'",
        "included_tournaments: rating system dptr, tournament wac-6-2009: tournament_value is 14.860000000000, "
        "must be 14.857142857143",
    ),
    (
        "update players set nation_code = null where player_id = 'edi-birsan'",
        "players: player edi-birsan: nation_code is null, must be USA",
    ),
    (
        "update international_ranking set last_name = 'BIRSEN' where player_id = 'edi-birsan' and rating_system_id = 'dptr'",
        "international_ranking: rating system dptr, player edi-birsan: last_name is BIRSEN, must be BIRSAN",
    ),
    (
        "update tournaments set results_missing = 0 where tournament_id = 'wac-6-2009'",
        "tournaments: tournament wac-6-2009: results_missing is 0, must be 2",
    ),
    (
        "update included_tournaments set value_rule = 'one round' where tournament_id = 'wac-6-2009'",
        "tournament wac-6-2009: value_rule is one round, must be several rounds",
    ),
    (
        "update rating_systems set maximum_value = 16 where rating_system_id = 'dptr'",
        "rating_systems: rating system dptr: maximum_value is 16.000000000000, must be 15.000000000000",
    ),
    (
        "update published_score_comparison set agrees = false where player_id = 'cyrille-sevin'",
        "player cyrille-sevin: agrees is False, must be True",
    ),
    (
        "update published_ranking_comparison set published_rank = 1 where player_id = 'dan-lester'",
        "player dan-lester: published_rank is 1, must be 2",
    ),
    ("delete from circuits", "circuits: circuit campionato-italo-san-marinese-2006: row is missing, must be there"),
]


@pytest.mark.parametrize(("change", "message"), TAMPERINGS)
def test_a_tampered_table_is_found(published: Path, tmp_path: Path, change: str, message: str) -> None:
    reports = verify(tampered(published, tmp_path, change), PROJECT / "seeds")
    found = [str(discrepancy) for report in reports for discrepancy in report.discrepancies]
    assert any(message in line for line in found), found[:20]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("drop table circuits", "table marts.circuits: Catalog Error: Table with name circuits does not exist"),
        ("alter table circuits drop name", "table marts.circuits: Binder Error: "),
        (
            "create or replace table yearly_ranking as select * replace ([year] as year) from yearly_ranking",
            "table marts.yearly_ranking: found values of other types than its contract says (",
        ),
        (
            "create or replace table yearly_ranking as select * replace ([rating_system_id] as rating_system_id) from yearly_ranking",
            "table marts.yearly_ranking: Binder Error",
        ),
    ],
)
def test_a_table_that_cannot_be_compared_is_named(published: Path, tmp_path: Path, change: str, message: str) -> None:
    database = tampered(published, tmp_path, change)
    with pytest.raises(UserError, match=re.escape(message)):
        verify(database, PROJECT / "seeds")


def test_a_tampered_database_ends_the_program_with_the_first_differences(published: Path, tmp_path: Path) -> None:
    done = run_here("verify", "--database", tampered(published, tmp_path, "delete from rating_history"))
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len([line for line in lines if line.startswith("differs: rating_history: rating system ")]) == 20
    assert lines[-2:] == ["... and 1100 more", "1120 figures differ from the exact recomputation of 10,042 rows."]


def test_a_difference_below_a_billionth_is_no_difference(published: Path, tmp_path: Path) -> None:
    database = tampered(published, tmp_path, "update rating_history set rating_before = rating_before + 1e-11")
    assert not any(report.discrepancies for report in verify(database, PROJECT / "seeds"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "no such database; `make rankings` publishes it"),
        (b"no database" * 999, "cannot be read as a DuckDB database"),
    ],
)
def test_a_file_that_is_no_database_gets_a_message(tmp_path: Path, content: bytes | None, message: str) -> None:
    database = tmp_path / "rankings.duckdb"
    if content:
        database.write_bytes(content)
    done = run_here("verify", "--database", database)
    assert done.returncode == 1
    assert message in done.stderr


def tampered(published: Path, folder: Path, change: str) -> Path:
    """A copy of the published database with one statement run on its marts."""
    database = folder / "rankings.duckdb"
    shutil.copyfile(published, database)
    with duckdb.connect(str(database)) as connection:
        connection.execute("use marts")
        connection.execute(change)
    return database
