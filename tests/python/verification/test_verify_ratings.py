"""The verification of the published database, of tampered ones, and of files that are no databases."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

from dippouch.errors import UserError
from dippouch.seeds.schema import RATING_SYSTEMS
from dippouch.settings import PROJECT
from dippouch.verification.compare import verify
from support.changed_publications import changed_publication
from support.golden import Case, each_case
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


# The number of discrepancies of each tampering in the golden file.
SHOWN = 5


@each_case("verification/tampered.golden")
def test_a_tampered_table_is_found_and_nothing_else(published: Path, tmp_path: Path, case: Case) -> None:
    database = tampered(published, tmp_path, case.document)
    try:
        reports = verify(database, PROJECT / "seeds")
        found = [str(discrepancy) for report in reports for discrepancy in report.discrepancies]
    except UserError as error:
        found = [str(error).replace(str(database), "DATABASE")]
    more = [f"... and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    case.check("".join(f"{line}\n" for line in found[:SHOWN] + more))


def test_a_value_beyond_100_percent_is_refused(published: Path, seeds: Path) -> None:
    systems = seeds / RATING_SYSTEMS
    systems.write_text(systems.read_text(encoding="utf-8").replace(",40,20,", ",40,120,", 1), encoding="utf-8")
    message = (
        "tournament world-dipcon-vi-1996: found the value 120.0 by the rule `world championship`; expected 0 to 100"
    )
    with pytest.raises(UserError, match=re.escape(message)):
        verify(published, seeds)


def test_a_tampered_database_ends_the_program_with_the_first_differences(published: Path, tmp_path: Path) -> None:
    database = tampered(published, tmp_path, "delete from rating_history")
    done = run_here("verify", "--database", database)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len([line for line in lines if line.startswith("differs: rating_history: rating system ")]) == 20
    assert lines[-2:] == ["... and 10867 more", "10887 figures differ from the exact recomputation of 10,042 rows."]
    report = json.loads(run_here("verify", "--database", database, "--json").stdout)
    assert {table["table"]: len(table["discrepancies"]) for table in report}["rating_history"] == 1120


def tampered(published: Path, folder: Path, change: str) -> Path:
    """Copy the published database and run statements on its marts."""
    return changed_publication(published, folder / "rankings.duckdb", "use publication.marts", change)
