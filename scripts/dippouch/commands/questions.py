"""The subcommands that query the published file."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import click

from dippouch.command_line import command, database_option, json_option, system_option
from dippouch.console import write_json
from dippouch.db import reading
from dippouch.errors import UserError
from dippouch.importing.parsing.nations import asked_nation
from dippouch.query.lookup import check_year, find_day, find_kind, find_player, find_players, find_system, words_of
from dippouch.query.player import player_report, print_meant, print_player
from dippouch.query.ranking_table import print_ranking
from dippouch.query.shell import run_shell
from dippouch.query.what_if import Event, crossings, outcomes, print_crossings, print_outcomes
from dippouch.settings import published_database, seeds_folder
from dippouch.suggestions import suggested_command

# A screen full of namesakes; JSON lists all.
_SHOWN_MEANT = 40


@command("ranking")
@click.option(
    "--top", default=10, show_default=True, type=click.IntRange(1, 1_000_000), help="Number of rows to print."
)
@click.option("--nation", help="The ranking of this nation, a code or a name.")
@click.option("--year", type=click.IntRange(1, 9999), help="The ranking at the end of this year.  [default: today's]")
@system_option()
@database_option()
def ranking(top: int, nation: str | None, year: int | None, system: str | None, database: Path) -> None:
    """Print the top of a published ranking.

    \b
    dptr ranking --top 50
    dptr ranking --nation Sweden
    dptr ranking --nation FRA --year 2009
    """
    rating_system = find_system(database, system)
    if year is not None:
        check_year(database, rating_system, year)
    code = None if nation is None else asked_nation(seeds_folder(), nation)
    print_ranking(database, rating_system, top, nation=code, year=year)


@command("player")
@system_option()
@database_option()
@json_option()
@click.argument("name", nargs=-1, required=True)
def player(name: tuple[str, ...], system: str | None, database: Path, as_json: bool) -> None:
    """Print the rank, the career and the rating of a player. NAME is any part of a name, or an id.

    \b
    dptr player Harris
    dptr player pontavice emm
    dptr player toby-harris --json

    Accents and capitals make no difference. If several players match, they are listed and the exit code is 1.
    """
    asked = " ".join(name)
    rating_system = find_system(database, system)
    meant = find_players(database, rating_system, asked)
    if len(meant) == 1:
        report = player_report(database, rating_system, meant[0]["player_id"])
        if as_json:
            write_json(report)
        else:
            print_player(report, words_of(database))
        return
    if as_json:
        write_json({"meant": meant})
    else:
        print_meant(meant, _SHOWN_MEANT, words_of(database))
    options = ["--system", system] if system else []
    options += [] if database == published_database() else ["--database", str(database)]
    one = suggested_command("player", meant[0]["player_id"], *options)
    raise UserError(f"found {len(meant):,} players for `{asked}`; ask for one by the id, such as `{one}`")


@command("what-if")
@click.option("--players", required=True, type=click.IntRange(1, 10_000), help="Declared number of players.")
@click.option("--rounds", type=click.IntRange(1, 1_000), help="Declared number of rounds.  [default: none]")
@click.option("--kind", help="Its kind, such as WDC for a World Championship.  [default: none]")
@click.option("--placement", type=click.IntRange(min=1), help="Show this placement only.")
@click.option(
    "--rival", metavar="PLAYER", help="Show the placements that would pass this player, and the other way round."
)
@click.option(
    "--on",
    "--date",
    "on_day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Last day of the tournament.  [default: that of the last rated one]",
)
@system_option()
@database_option()
@json_option()
@click.argument("player")
def what_if(
    player: str,
    players: int,
    rounds: int | None,
    kind: str | None,
    placement: int | None,
    rival: str | None,
    on_day: datetime | None,
    system: str | None,
    database: Path,
    as_json: bool,
) -> None:
    """Show how a coming tournament would change the rating of PLAYER, any part of a name or an id.

    \b
    dptr what-if "Toby Harris" --players 65 --rounds 4
    dptr what-if toby-harris --players 75 --kind WDC --placement 3
    dptr what-if toby-harris --players 65 --rounds 4 --rival cyrille-sevin

    All other ratings are assumed to stay as they are.
    """
    if placement and rival:
        raise click.UsageError("--placement and --rival are two questions; ask one at a time.")

    rating_system = find_system(database, system)
    code, is_world_championship = find_kind(database, kind) if kind else (None, False)
    day = find_day(database, rating_system, on_day.date() if on_day else None)
    event = Event(players, rounds, code, is_world_championship, day)
    one = find_player(database, rating_system, player)
    if rival is None:
        answer = outcomes(database, rating_system, one["player_id"], event, placement)
    else:
        other = find_player(database, rating_system, rival)
        if other == one:
            raise UserError(f"found the rival `{rival}`, the same person as `{player}`; expected somebody else")
        answer = crossings(database, rating_system, one["player_id"], other["player_id"], event)
    if as_json:
        write_json(answer)
    elif rival is None:
        print_outcomes(one["player_name"], answer, words_of(database))
    else:
        print_crossings(one["player_name"], other["player_name"], answer, words_of(database))


@command("sql")
@database_option()
@click.option("--csv", "output", flag_value="-csv", help="Print CSV.")
@click.option("--json", "output", flag_value="-json", help="Print JSON.")
@click.option("--markdown", "output", flag_value="-markdown", help="Print Markdown tables.")
@click.argument("sql", required=False)
def sql(sql: str | None, database: Path, output: str | None) -> None:
    """Open DuckDB's own shell on the published file, or run SQL and print the result.

    \b
    dptr sql
    dptr sql "select rank, player_id, rating from international_ranking limit 5"
    dptr sql --csv "from players" > players.csv
    dptr sql < question.sql

    The shell opens the published file only, and read-only. `.tables` lists its tables and views. Views with plain names show the
    default rating system; tables in the schema `marts` have rows of every rating system.
    """
    with reading(database):
        pass  # Fall through to the message that says how to get a published file.
    sys.exit(run_shell(database, *filter(None, [output]), *(["-c", sql] if sql is not None else [])))
