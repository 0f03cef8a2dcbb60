#!/usr/bin/env python3
"""One player: rank, every tournament with what it did to the rating, and what the rating is made of."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click

from dippouch.command_line import Command, database_option, json_option, program
from dippouch.errors import UserError
from dippouch.query.lookup import find_players, find_system
from dippouch.query.player_report import meant_players, player_report
from dippouch.query.render_player import print_meant, print_meant_as_json, print_player, print_player_as_json
from dippouch.rating.systems import published_shown_system
from dippouch.settings import published_database
from dippouch.suggested import suggested_command

# As many of those who may be meant as a screen has lines; JSON has all.
SHOWN_MEANT = 40


@click.command(cls=Command)
@click.option("--system", help="The rating system.  [default: the one that the collection shows first]")
@database_option()
@json_option("the answer")
@click.argument("name", nargs=-1, required=True)
@program
def main(name: tuple[str, ...], system: str | None, database: Path, as_json: bool) -> None:
    """Print all that is published of the player NAME, any part of a name or an id.

    \b
    scripts/player.py Harris
    scripts/player.py pontavice emm
    scripts/player.py toby-harris --json

    Accents and capitals make no difference. Where several players may be meant they are listed, with exit code 1.
    """
    asked = " ".join(name)
    rating_system = find_system(database, system or published_shown_system(database))
    players = find_players(database, asked)
    if len(players) == 1:
        show = print_player_as_json if as_json else print_player
        show(player_report(database, rating_system, players[0]))
        return
    meant = meant_players(database, rating_system, players)
    if as_json:
        print_meant_as_json(meant)
    else:
        print_meant(meant, SHOWN_MEANT)
    options = ["--system", system] if system else []
    options += [] if database == published_database() else ["--database", str(database)]
    command = suggested_command("player.py", meant[0]["player_id"], *options)
    raise UserError(f"found {len(meant):,} players for `{asked}`; ask for one by the id, such as `{command}`")


if __name__ == "__main__":
    main()
