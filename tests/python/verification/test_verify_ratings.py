"""The verification of the published database and of tampered ones."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import verify_ratings
from dippouch.db import reading
from dippouch.messages import UserError
from dippouch.publishing.refresh import verify
from dippouch.settings import PROJECT
from support.changed_publications import changed_publication
from support.golden import Case, each_case
from support.programs import run_here

# A different value for a column, by type.
OTHER = {"VARCHAR": "coalesce({0}, '') || 'x'", "DATE": "{0} + 1", "BOOLEAN": "not {0}"}


def tampered(published: Path, folder: Path, change: str) -> Path:
    return changed_publication(published, folder / "rankings.duckdb", "use publication.marts", change)


def test_the_program_alone_verifies_the_published_database(published: Path) -> None:
    program = [sys.executable, "scripts/verify_ratings.py", "--database", str(published)]
    printed = subprocess.check_output(program, cwd=PROJECT, text=True)
    assert re.fullmatch(r"All [\d,]+ rows agree with the exact recomputation\.\n", printed)


def test_every_column_is_compared(published: Path) -> None:
    with reading(published) as connection:
        connection.execute("attach ':memory:' as copy; create schema copy.marts")
        for table in (*verify_ratings.EXPECTED, "players"):
            connection.execute(f"create table copy.marts.{table} as from published.marts.{table}")
        connection.execute("detach published; attach ':memory:' as published; create schema published.marts")
        restore = "create or replace table published.marts.{0} as from copy.marts.{0}"
        for table in (*verify_ratings.EXPECTED, "players"):
            connection.execute(restore.format(table))
        assert verify_ratings.verify(connection, PROJECT / "seeds")[1] == []
        for table, expected in verify_ratings.EXPECTED.items():
            described = connection.execute(f"from (describe copy.marts.{table}) select column_name, column_type")
            types = dict(described.fetchall())
            for name, *_ in connection.execute(f"describe {expected}").fetchall():
                other = OTHER.get(types[name], f"cast(coalesce({{0}}, 0) + 1 as {types[name]})").format(name)
                changed = f"select * replace (if(rowid = 0, {other}, {name}) as {name})"
                connection.execute(f"{restore.format(table)} {changed}")
                assert verify_ratings.compare(connection, table, expected)[1], f"{table}.{name}"


@each_case("verification/tampered.golden")
def test_a_tampered_table_is_found(published: Path, tmp_path: Path, case: Case) -> None:
    database = tampered(published, tmp_path, case.document)
    try:
        found = verify(database, PROJECT / "seeds")[1][1:]
    except UserError as error:
        found = [str(error).replace(str(database), "DATABASE")]
    case.check("".join(f"{line}\n" for line in found[:1]))


def test_a_difference_ends_the_command(published: Path, tmp_path: Path) -> None:
    done = run_here("verify", "--database", tampered(published, tmp_path, "delete from rating_history"))
    heading, *lines = done.stderr.splitlines()
    assert (done.returncode, heading.split()) == (1, "table wrong rows row column found expected".split())
    assert [line.split()[:2] for line in lines[:5]] == [["rating_history", "1,120"]] * 5


def test_seeds_that_changed_since_the_publication_are_one_sentence(published: Path, seeds: Path) -> None:
    decision = ("wac-6-2009", "--seeds", seeds, "--reason", "the list")
    assert run_here("correct", *decision, "players=47").returncode == 0
    done = run_here("verify", "--database", published, "--seeds", seeds)
    newer = f"error: {seeds}: found seeds newer than {published}, or others; expected its own. Run `dptr refresh`\n"
    assert (done.returncode, done.stderr) == (1, newer)
    assert run_here("undo", "--seeds", seeds).returncode == 0
    assert run_here("verify", "--database", published, "--seeds", seeds).returncode == 0
