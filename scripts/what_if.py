#!/usr/bin/env python3
"""What would move me: rating and rank after each placement in an imagined event, or what it takes to pass a rival."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from datetime import datetime
from pathlib import Path

import click

from dippouch.command_line import Command, database_option, json_option, program
from dippouch.errors import UserError
from dippouch.query.lookup import find_day, find_kind, find_player, find_system
from dippouch.query.render_what_if import (
    print_crossings,
    print_crossings_as_json,
    print_outcomes,
    print_outcomes_as_json,
)
from dippouch.query.what_if import Event, crossings, outcomes
from dippouch.rating.systems import published_shown_system


@click.command(cls=Command)
@click.option("--players", required=True, type=click.IntRange(1, 10_000), help="How many players the event declares.")
@click.option("--rounds", type=click.IntRange(1, 1_000), help="How many rounds it has.  [default: not declared]")
@click.option("--kind", help="Its kind, such as WDC for a World Championship.  [default: none in particular]")
@click.option("--placement", type=click.IntRange(min=1), help="Show this placement only.")
@click.option("--rival", metavar="PLAYER", help="Show what it takes to pass this player, and the other way round.")
@click.option(
    "--on",
    "--date",
    "on_day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Ask on an earlier day.  [default: the last rated]",
)
@click.option("--system", help="The rating system.  [default: the one that the collection shows first]")
@database_option()
@json_option("the answer")
@click.argument("player")
@program
def main(
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
    """Say what an event would do to PLAYER, any part of a name or an id.

    \b
    scripts/what_if.py "Toby Harris" --players 65 --rounds 4
    scripts/what_if.py toby-harris --players 75 --kind WDC --placement 3
    scripts/what_if.py toby-harris --players 65 --rounds 4 --rival cyrille-sevin

    Everybody else is taken to stay where they are.
    """
    if placement and rival:
        raise click.UsageError("--placement and --rival are two questions; ask one at a time.")

    rating_system = find_system(database, system or published_shown_system(database))
    code, is_world_championship = find_kind(database, kind) if kind else (None, False)
    day = find_day(database, rating_system, on_day.date() if on_day else None)
    event = Event(players, rounds, code, is_world_championship, day)
    one = find_player(database, player)
    found = outcomes(database, rating_system, one.player_id, event, placement)
    if rival is None:
        show = print_outcomes_as_json if as_json else print_outcomes
        show(one, event, rating_system, found)
        return
    other = find_player(database, rival)
    if other == one:
        raise UserError(f"found the rival `{rival}`, the same person as `{player}`; expected somebody else")
    both = (
        crossings(database, rating_system, one.player_id, other.player_id, event),
        crossings(database, rating_system, other.player_id, one.player_id, event),
    )
    show_both = print_crossings_as_json if as_json else print_crossings
    show_both((one, other), event, rating_system, found[0], both)


if __name__ == "__main__":
    main()
