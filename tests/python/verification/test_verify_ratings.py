"""The verification of the published database, of tampered ones, and of files that are no databases."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import duckdb
import pytest

from dippouch.errors import UserError
from dippouch.seeds.schema import RATING_SYSTEMS
from dippouch.settings import PROJECT
from dippouch.verification.compare import verify
from support.changed_publications import changed_publication
from support.programs import run_here, run_program


def test_the_published_database_agrees(published: Path) -> None:
    done = run_program("verify", "--database", published)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"All [\d,]+ rows agree with the exact recomputation\.", done.stdout)


# Columns that identify a row, and columns that only dbt's tests check.
KEYS = {
    *("rating_system_id", "player_id", "tournament_id", "circuit_id", "event_number", "ranking_name"),
    *("listed_player_id", "yearly_ranking.year", "published_ranking_comparison.last_update"),
}
NOT_COMPARED = {
    *("tournament_results.source_player_id", "tournament_results.listed_by", "included_circuits.reason"),
    *("published_score_comparison.is_corrected", "published_ranking_comparison.note"),
}
# A different value for a column, by type.
OTHER = {
    "VARCHAR": "coalesce({0}, '') || 'x'",
    "DATE": "coalesce({0}, date '2001-01-01') + 1",
    "BOOLEAN": "not coalesce({0}, true)",
}


def test_every_cell_of_a_row_is_compared(published: Path, tmp_path: Path) -> None:
    """In every table the first row gets other values, in all columns but its key."""
    tables = [report.table for report in verify(published, PROJECT / "seeds")]
    changed: dict[str, dict[str, str]] = {table: {} for table in tables}
    with duckdb.connect(str(published), read_only=True) as connection:
        for table, name, type_ in connection.execute(
            "select table_name, column_name, data_type from duckdb_columns()"
            " where schema_name = 'marts' and list_contains(?, table_name)",
            [tables],
        ).fetchall():
            if not {name, f"{table}.{name}"} & KEYS:
                # A different figure in every table, because some repeat those of others.
                figure = f"cast(coalesce({{0}}, 0) + {1 + tables.index(table)} as {type_})"
                changed[table][name] = OTHER.get(type_, figure).format(name)
    statements = []
    for table, values in changed.items():
        cells = ", ".join(f"if(rowid = 0, {value}, {name}) as {name}" for name, value in values.items())
        statements.append(f"create or replace table {table} as select * replace ({cells}) from {table}")
    reports = verify(tampered(published, tmp_path, ";".join(statements)), PROJECT / "seeds")
    found = {f"{one.table}.{one.column}" for report in reports for one in report.discrepancies}
    assert found == {f"{table}.{name}" for table, values in changed.items() for name in values} - NOT_COMPARED
    assert len(found) > 80


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
        "delete from rating_history where player_id = 'cyrille-sevin'",
        "player cyrille-sevin, event number 1, tournament world-dipcon-xxiii-2013: row is missing, must be there",
    ),
    (
        "insert into international_ranking select * replace ('nobody' as player_id) from international_ranking limit 1",
        "international_ranking: rating system dptr, player nobody: row is there, must be no such row",
    ),
    (
        "update international_ranking set rating = 'nan'::double where rank = 1",
        "player edi-birsan: rating is nan, must be 58.816773448773",
    ),
    (
        "alter table yearly_ranking alter rank drop not null; update yearly_ranking set rank = null where year = 2009 and player_id = 'bjorn-von-knorring'",
        "yearly_ranking: rating system dptr, year 2009, player bjorn-von-knorring: rank is null, must be 2",
    ),
]


@pytest.mark.parametrize(("change", "message"), TAMPERINGS)
def test_a_tampered_table_is_found(published: Path, tmp_path: Path, change: str, message: str) -> None:
    reports = verify(tampered(published, tmp_path, change), PROJECT / "seeds")
    found = [str(discrepancy) for report in reports for discrepancy in report.discrepancies]
    assert any(message in line for line in found), found[:20]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            "drop table circuits",
            "another version of this project published (Catalog Error: Table with name circuits does not exist",
        ),
        ("alter table circuits drop name", "table marts.circuits: found the column name missing; expected VARCHAR"),
        (
            "create or replace table rating_history as select * replace (ended_on || ' 23:59:59' as ended_on) from rating_history",
            "table marts.rating_history: found the column ended_on VARCHAR; expected DATE",
        ),
    ],
)
def test_a_table_that_cannot_be_compared_is_named(published: Path, tmp_path: Path, change: str, message: str) -> None:
    database = tampered(published, tmp_path, change)
    with pytest.raises(UserError, match=re.escape(message)):
        verify(database, PROJECT / "seeds")


def test_a_value_beyond_100_percent_is_refused(published: Path, tmp_path: Path) -> None:
    shutil.copytree(PROJECT / "seeds", tmp_path / "seeds")
    systems = tmp_path / "seeds" / RATING_SYSTEMS
    systems.write_text(systems.read_text(encoding="utf-8").replace(",40,20,", ",40,120,", 1), encoding="utf-8")
    message = (
        "tournament world-dipcon-vi-1996: found the value 120.0 by the rule `world championship`; expected 0 to 100"
    )
    with pytest.raises(UserError, match=re.escape(message)):
        verify(published, tmp_path / "seeds")


def test_a_tampered_database_ends_the_program_with_the_first_differences(published: Path, tmp_path: Path) -> None:
    database = tampered(published, tmp_path, "delete from rating_history")
    done = run_here("verify", "--database", database)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len([line for line in lines if line.startswith("differs: rating_history: rating system ")]) == 20
    assert lines[-2:] == ["... and 10867 more", "10887 figures differ from the exact recomputation of 10,042 rows."]
    report = json.loads(run_here("verify", "--database", database, "--json").stdout)
    assert {table["table"]: len(table["discrepancies"]) for table in report}["rating_history"] == 1120


def test_a_difference_below_a_billionth_is_no_difference(published: Path, tmp_path: Path) -> None:
    database = tampered(published, tmp_path, "update rating_history set rating_before = rating_before + 1e-11")
    assert not any(report.discrepancies for report in verify(database, PROJECT / "seeds"))


def tampered(published: Path, folder: Path, change: str) -> Path:
    """Copy the published database and run statements on its marts."""
    return changed_publication(published, folder / "rankings.duckdb", "use publication.marts", change)
