"""Build databases with one small mart, for tests of the publication, and programs that write into the published file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

_WRITER = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("create table marts.scribble as select 1 as one")
print("written", flush=True)
sys.stdin.read()
"""


def small_build(path: Path, player_id: str) -> Path:
    """Make a build that publishes one table with one player."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("create schema marts")
        connection.execute(
            "create table marts.players (player_id varchar not null, first_name varchar, last_name varchar)"
        )
        connection.execute("insert into marts.players (player_id) values (?)", [player_id])
    return path


@contextmanager
def writing_into(database: Path) -> Iterator[subprocess.Popen[str]]:
    """Run another program that writes into a database; at the end kill it, which leaves its log behind."""
    command = [sys.executable, "-c", _WRITER, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        try:
            yield process
        finally:
            process.kill()
