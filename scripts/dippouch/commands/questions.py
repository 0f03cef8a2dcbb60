"""The subcommands that query the published file."""

import shutil
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import IO, Any

import click

from dippouch.collection.schema import NONE
from dippouch.command_line import Command, database_option
from dippouch.db import reading
from dippouch.query import find_player, find_row, find_system, print_outcomes, print_player, print_ranking

_system_option = click.option("--system", metavar="ID", help="The rating system.  [default: the collection's default]")

# Run before anything else. Safe mode alone lets `copy ... to` overwrite the open database, so the shell loses its file system, too.
# The shell's own option `-safe` does not work in this version.
_SAFE = (
    "set enable_external_access = false",
    "set disabled_filesystems = 'LocalFileSystem'",
    "set lock_configuration = true",
    ".safe_mode",
)
# The last of these commands prints this message, because it repeats earlier settings.
_REPEATED = b'Failed to execute query "SET '


@click.command("ranking", cls=Command)
@click.option(
    "--top", default=10, show_default=True, type=click.IntRange(1, 1_000_000), help="Number of rows to print."
)
@click.option("--nation", help="The ranking of this nation, a three-letter ISO code or an English name.")
@click.option("--year", type=click.IntRange(1, 9999), help="The ranking at the end of a year.  [default: the latest]")
@_system_option
@database_option()
def ranking(top: int, nation: str | None, year: int | None, system: str | None, database: Path) -> None:
    """Print the top of a published ranking.

    \b
    dptr ranking --top 50
    dptr ranking --nation Sweden
    dptr ranking --nation FRA --year 2009
    """
    rating_system = find_system(database, system)["rating_system_id"]
    names = ("nation_name", "nation_code")
    asked = None if nation is None else find_row(database, "nation", "nations", names, nation)
    print_ranking(database, rating_system, top, asked, year)


@click.command("player", cls=Command)
@_system_option
@database_option()
@click.argument("name", nargs=-1, required=True)
def player(name: tuple[str, ...], system: str | None, database: Path) -> None:
    """Print the rank, the career and the rating of a player. NAME is an id, or the beginnings of words of a name.

    \b
    dptr player Harris
    dptr player pontavice emm
    dptr player toby-harris

    Accents and capitals make no difference. If several players match, the message lists them.
    """
    rating_system = find_system(database, system)["rating_system_id"]
    found = find_player(database, rating_system, " ".join(name))
    print_player(database, rating_system, found["player_id"])


@click.command("what-if", cls=Command)
@click.option("--players", required=True, type=click.IntRange(1, 10_000), help="Declared number of players.")
@click.option("--rounds", type=click.IntRange(1, 1_000), help="Declared number of rounds.  [default: several]")
@click.option("--kind", help="Its kind, such as WDC for a World Championship.  [default: none]")
@click.option("--on", type=click.DateTime(["%Y-%m-%d"]), help="Its last day.  [default: after all others]")
@_system_option
@database_option()
@click.argument("player")
def what_if(player: str, system: str | None, database: Path, **event: Any) -> None:  # noqa: ANN401 (the options of a tournament)
    """Show how a coming tournament would change the rating of PLAYER, a name or an id.

    \b
    dptr what-if "Toby Harris" --players 65 --rounds 4
    dptr what-if toby-harris --players 75 --kind WDC

    All other ratings are assumed to stay as they are.
    """
    rating_system = find_system(database, system)["rating_system_id"]
    event["is_world_championship"] = False
    if event["kind"] and event["kind"].casefold() != NONE:
        event |= find_row(database, "kind of tournament", "tournament_kinds", ("kind",), event["kind"])
    print_outcomes(database, rating_system, find_player(database, rating_system, player), event)


@click.command("sql", cls=Command)
@database_option()
@click.option("--csv", "output", flag_value="-csv", help="Print CSV.")
@click.option("--json", "output", flag_value="-json", help="Print JSON.")
@click.option("--markdown", "output", flag_value="-markdown", help="Print Markdown tables.")
@click.argument("sql", required=False)
def sql(sql: str | None, database: Path, output: str | None) -> None:
    """Open DuckDB's own shell on the published file, or run SQL and print the result.

    \b
    dptr sql
    dptr sql "select rank, player_id from international_ranking order by rank limit 5"
    dptr sql --csv "from players" > players.csv
    dptr sql < question.sql

    The shell opens the published file only, and read-only. `.tables` lists its tables and views. Views with plain names show the
    default rating system; tables in the schema `marts` have rows of every rating system.
    """
    with reading(database):
        pass  # Fall through to the message that says how to get a published file.
    # In CSV an empty cell is null, as in the files of the site.
    form = ["-csv", "-nullvalue", ""] if output == "-csv" else [output] if output else []
    sys.exit(_run_shell(database, *form, *(["-c", sql] if sql is not None else [])))


def _run_shell(database: Path, *words: str) -> int:
    """Run the shell on a published database, with further options, until it ends; return its exit code.

    Raises:
        OSError: when the output cannot be written; the shell itself would not tell.
    """
    shell = str(files("duckdb_cli") / "duckdb")
    is_terminal = sys.stdout.isatty()
    plain = () if is_terminal else (".highlight off",)
    commands = [word for command in (*plain, *_SAFE) for word in ("-cmd", command)]
    with subprocess.Popen(
        [shell, "-no-init", "-readonly", *commands, *words, str(database.absolute())],
        stdout=None if is_terminal else subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr
        # Ctrl-C stops a query; the shell itself decides whether to end.
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        messages = Thread(target=_copy_messages, args=(process.stderr,))
        messages.start()
        try:
            if process.stdout:
                shutil.copyfileobj(process.stdout, sys.stdout.buffer)
        except OSError:
            process.kill()
            raise
        finally:
            messages.join()
    return process.returncode


def _copy_messages(source: IO[bytes]) -> None:
    """Copy the shell's messages to standard error, without those about its own settings."""
    for line in source:
        if not line.startswith(_REPEATED):
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()
