"""What a query may do: read, within its limits. Whatever else it tries, nothing on the disk changes."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path

import duckdb
import pytest

from dippouch.errors import UserError
from dippouch.query import limits as limits_of_queries
from dippouch.query.limits import Limits
from dippouch.query.render import as_json, as_text
from dippouch.query.run import QueryResult, answering, run_query
from support.programs import Done, run_here
from support.seed_rows import contents


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with one small mart, alone in its folder."""
    path = tmp_path / "warehouse" / "rankings.duckdb"
    path.parent.mkdir()
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema marts")
        connection.execute("create table marts.medals as select 'ann' as player_id, 2 as golds")
    return path


# {own} is the path of the published database itself, which DuckDB lets a query write to unless its files are disabled.
WRITING = [
    "copy (select 1) to '{own}' (format csv, use_tmp_file false)",
    "copy (select 1) to '{own}.wal' (format csv, use_tmp_file false)",
    "copy (pivot marts.medals on golds) to '{own}' (format csv, use_tmp_file false)",
    "explain analyze copy (select 1) to '{own}' (format csv, use_tmp_file false)",
    "explain /* a comment */ analyze copy (select 1) to '{own}' (format csv, use_tmp_file false)",
    "explain (analyze, format json) copy (select 1) to '{own}' (format csv, use_tmp_file false)",
    "with a as (copy (select 1) to '{own}' (format csv, use_tmp_file false)) select * from a",
    "with a as (insert into marts.medals values ('bob', 1) returning *) select * from a",
    "with a as (select 1) insert into marts.medals select 'bob', 1",
    "explain analyze insert into marts.medals values ('bob', 1)",
    "delete from marts.medals",
    "merge into marts.medals using (select 'ann' as player_id) as new using (player_id) when matched then delete",
    "drop table marts.medals",
    "alter table marts.medals add column silver int",
    "comment on table marts.medals is 'none'",
    "create table marts.more as select 1",
    "create temp table more as select 1",
    "create temp table more as pivot marts.medals on golds",
    "attach '{own}' as other",
    "attach '{folder}/new.duckdb'",
    "detach published",
    "export database '{folder}/all'",
    "import database '{folder}/all'",
    "install httpfs",
    "load httpfs",
    "pragma enable_profiling",
    "set lock_configuration = false",
    "reset memory_limit",
    "use memory",
    "call checkpoint('published')",
    "checkpoint published",
    "vacuum",
    "begin",
    "prepare more as select 1",
    "execute more",
    "create secret (type s3)",
    "from enable_profiling(format = 'json', save_location = '{own}')",
    "from enable_logging(storage = 'file', storage_path = '{folder}/log')",
    "from force_checkpoint('published')",
    "from query('copy (select 1) to ''{own}''')",
    "from json_execute_serialized_sql('{{}}')",
    "select 1; copy (select 1) to '{own}'",
]
READING_ELSEWHERE = [
    "from read_csv('{secret}')",
    "from read_text('{secret}')",
    "from read_blob('{secret}')",
    "from '{secret}'",
    "from sniff_csv('{secret}')",
    "from glob('{folder}/*')",
    "from read_text('{own}')",
    "from read_duckdb('{own}')",
    "from 'https://example.org/players.csv'",
    "select getenv('HOME')",
    "from variable_of_python",
]


@pytest.mark.parametrize("sql", [*WRITING, *READING_ELSEWHERE])
def test_a_query_neither_writes_nor_reads_elsewhere(database: Path, tmp_path: Path, sql: str) -> None:
    variable_of_python = {"a": [1]}
    secret = tmp_path / "secret.csv"
    secret.write_text("word\nsesame\n", encoding="utf-8")
    before = contents(tmp_path)
    filled_in = sql.format(own=database, folder=database.parent, secret=secret)
    done = _query(database, filled_in)
    assert contents(tmp_path) == before, variable_of_python
    assert done.returncode == 1, done.stdout
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert "sesame" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "sql",
    [
        "-- who has one?\nselect * from marts.medals",
        "--without a blank\nselect * from marts.medals",
        "from marts.medals",
        "values (1)",
        "with a as (select 1) from a",
        "pivot marts.medals on golds using count(*)",
        "with a as (from marts.medals) pivot a on golds",
        "from (pivot marts.medals on golds)",
        "describe marts.medals",
        "summarize marts.medals",
        "show all tables",
        "explain select 1",
        "explain analyze (select 1)",
        "explain (format json) select 1",
        "from query_table('marts.medals')",
        "select timezone('Europe/Berlin', timestamptz '2013-08-25 12:00:00+00')",
        "\ufeffselect json('{\"a\": 1}')",
    ],
)
def test_whatever_reads_is_answered(database: Path, sql: str) -> None:
    done = _query(database, sql)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("copy (select 1) to 'x'", "COPY"),
        ("explain analyze copy (select 1) to 'x'", "EXPLAIN of COPY"),
        ("set threads = 1", "SET, RESET or USE"),
        ("create temp table more as pivot marts.medals on golds", "CREATE"),
    ],
)
def test_what_does_not_read_is_named_with_what_does(database: Path, sql: str, kind: str) -> None:
    with pytest.raises(UserError, match=f"of the kind {kind}; expected one that only reads: select, from"):
        run_query(database, sql)


def test_rows_are_fetched_as_they_are_read(database: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with answering(database, "from range(1000000000)") as answer:
        assert [next(answer.rows) for _ in range(3)] == [(0,), (1,), (2,)]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 * 1024


def test_a_text_says_how_many_rows_it_does_not_show(database: Path) -> None:
    done = _query(database, "from range(300000000) -- all of them", "--rows", "2")
    last = "(the first 2 rows of 300,000,000; --rows shows more, --as csv has all)"
    assert done.stdout.splitlines() == ["range", "    0", "    1", last]
    assert len(_query(database, "from range(5000)", "--as", "csv").stdout.splitlines()) == 5001
    assert len(json.loads(_query(database, "from range(5000)", "--as", "json").stdout)) == 5000
    assert len(_query(database, "from range(1000)").stdout.splitlines()) == 1001


@pytest.mark.parametrize(
    "sql",
    [
        "select list(range) from range(300000000)",
        "from range(100000000) order by hash(range)",
        "select length(repeat('x', 1000000000))",
        "select range, repeat('y', 100000) as more from range(100000)",
        "with recursive r as (select 'x' as s union all select s || s from r) select max(s) from r",
    ],
)
def test_memory_is_limited(database: Path, sql: str) -> None:
    had = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(UserError, match=r"needs more than 100 MB of memory.*query\.py --memory 200MB"):
        run_query(database, sql, limits=Limits(memory=100 * 10**6))
    assert resource.getrlimit(resource.RLIMIT_DATA) == had
    assert contents(database.parent).keys() == {database.name}


@pytest.mark.parametrize(
    "sql",
    [
        "select count(*) from range(100000) as a, range(100000) as b, range(100000) as c",
        "with recursive r as (select 1 as a union all select a + 1 from r) from r",
        "from range(1000000000000)",
    ],
)
def test_time_is_limited(database: Path, sql: str) -> None:
    with (
        pytest.raises(UserError, match=r"was stopped after .* seconds.*query\.py --seconds"),
        answering(database, sql, limits=Limits(seconds=0.2)) as answer,
    ):
        for _ in answer.rows:
            pass


def test_a_query_that_does_not_notice_its_end_ends_the_program(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    monkeypatch.setattr(limits_of_queries, "_GRACE_SECONDS", 0.05)
    with pytest.raises(UserError, match="was stopped after"):
        run_query(database, "select levenshtein(repeat('a', 30000), repeat('b', 30000))", limits=Limits(seconds=0.05))
    assert codes
    assert set(codes) == {1}
    assert "was stopped after" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--memory", "12XB"), "found '12XB'; expected an amount from 100MB to 1000GB"),
        (("--memory", "1MB"), "expected an amount from 100MB"),
        (("--memory", "9" * 30 + "GB"), "expected an amount from 100MB"),
        (("--seconds", "9" * 30), "is not in the range"),
        (("--rows", "9" * 30), "is not in the range"),
        (("--rows", "0"), "is not in the range"),
        (("--databse", "x"), "No such option '--databse'"),
    ],
)
def test_absurd_options_are_refused(database: Path, options: tuple[str, ...], said: str) -> None:
    done = _query(database, "select 1", *options)
    assert done.returncode == 2
    assert said in done.stderr


def test_limits_are_options(database: Path) -> None:
    assert (
        _query(database, "select length(repeat('x', 1000000))", "--memory", "1.5gb", "--seconds", "5").returncode == 0
    )


@pytest.mark.parametrize("sql", ["select 1\nas \udcff", "-- \udcff"])
def test_a_query_that_is_not_utf8_is_told_with_its_place(database: Path, sql: str) -> None:
    done = _query(database, sql)
    assert done.returncode == 1
    assert "found a byte that is no UTF-8 in line" in done.stderr


def test_an_endless_query_is_refused(database: Path) -> None:
    assert "a query of more than 100,000 characters" in _query(database, "select " + "(" * 200_000).stderr


def test_cells_cannot_drive_the_terminal_and_stay_exact_for_programs(database: Path) -> None:
    sql = "select chr(27) || '[31mred' || chr(10) || 'more' || chr(8238) as cell"
    assert _query(database, sql).stdout.splitlines()[1] == r"\x1b[31mred\nmore\u202e"
    assert _query(database, sql, "--as", "csv").stdout == 'cell\n"\x1b[31mred\nmore\u202e"\n'
    assert json.loads(_query(database, sql, "--as", "json").stdout) == [{"cell": "\x1b[31mred\nmore\u202e"}]


def test_an_explanation_keeps_its_lines() -> None:
    assert as_text(QueryResult(("explain_key", "explain_value"), [("plan", "one\ntwo\n")])) == "one\ntwo"


def test_json_has_every_column_and_any_key() -> None:
    assert json.loads(as_json(QueryResult(("a",), [({1: [{2: "x"}]},)]))) == [{"a": {"1": [{"2": "x"}]}}]
    assert as_json(QueryResult(("a",), [])) == "[]"
    with pytest.raises(UserError, match="two columns called `a`"):
        as_json(QueryResult(("a", "a"), [(1, 2)]))


def _query(database: Path, sql: str, *options: str) -> Done:
    return run_here("query.py", "--database", database, *options, sql)
