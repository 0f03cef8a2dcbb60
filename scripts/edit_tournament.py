#!/usr/bin/env python3
"""Correct or withdraw what a document states of a tournament; the statement and the reason stay on record."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click
from rich.markup import escape

from dippouch.command_line import program, seeds_option
from dippouch.console import out, plain_table
from dippouch.seeds.corrections import WITHDRAWN, Decision, corrections_of, decide
from dippouch.seeds.store import Collection


def _decision(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command what every decision needs: the tournament, perhaps one of its players, the reason, the day."""
    day = click.DateTime(["%Y-%m-%d"])
    for add in (
        seeds_option(),
        click.option("--on", "day", required=True, type=day, help="The day of the decision."),
        click.option("--reason", required=True, help="Why; it stays on record."),
        click.option("--player", default="", metavar="ID", help="One listed player's result, not the tournament."),
        click.argument("tournament_id"),
    ):
        command = add(command)
    return command


@click.group(epilog="Then `make rankings` rates everybody again and says who moved.")
def main() -> None:
    """Correct, withdraw or restore a tournament or one of its results.

    \b
    scripts/edit_tournament.py correct wac-6-2009 players=46 --reason "director's list" --on 2026-03-01
    scripts/edit_tournament.py correct wac-6-2009 placement=4 --player edi-birsan --reason "..." --on 2026-03-01
    scripts/edit_tournament.py withdraw wac-6-2009 --player edi-birsan --reason "did not play" --on 2026-03-01
    scripts/edit_tournament.py withdraw wac-6-2009 --reason "was a league, not an event" --on 2026-03-01
    scripts/edit_tournament.py history wac-6-2009

    What the document states stays in the seeds as it is; a row of reference/ref_corrections.csv goes before it.
    """


@main.command()
@_decision
@click.argument("facts", nargs=-1, required=True, metavar="FIELD=VALUE...")
@program
def correct(tournament_id: str, facts: tuple[str, ...], player: str, reason: str, day: datetime, seeds: Path) -> None:
    """Set FIELD to VALUE, whatever the document states."""
    pairs = [fact.partition("=") for fact in facts]
    if any(not equals for _, equals, _ in pairs):
        raise click.UsageError("a fact without `=`; expected FIELD=VALUE, such as players=46")
    if any(name == WITHDRAWN for name, _, _ in pairs):
        raise click.UsageError("`withdrawn` is no fact to correct; see `withdraw` and `restore`")
    _record(seeds, [Decision(tournament_id, player, name, value, reason, day.date()) for name, _, value in pairs])


@main.command()
@_decision
@program
def withdraw(tournament_id: str, player: str, reason: str, day: datetime, seeds: Path) -> None:
    """Let a tournament, or one result, move no rating."""
    _record(seeds, [Decision(tournament_id, player, WITHDRAWN, "true", reason, day.date())])


@main.command()
@_decision
@program
def restore(tournament_id: str, player: str, reason: str, day: datetime, seeds: Path) -> None:
    """Take a withdrawal back."""
    _record(seeds, [Decision(tournament_id, player, WITHDRAWN, "false", reason, day.date())])


@main.command()
@click.argument("tournament_id")
@seeds_option()
@program
def history(tournament_id: str, seeds: Path) -> None:
    """Print every decision on a tournament, the latest last."""
    table = plain_table("number", "day", "player", "field", "value", "reason")
    with Collection.existing(seeds) as collection:
        for row in corrections_of(collection, tournament_id):
            cells = ("correction_number", "decided_on", "player_id", "field", "value", "reason")
            table.add_row(*(escape(row[cell]) for cell in cells))
    out.print(table if table.row_count else f"No correction of {escape(tournament_id)}.")


def _record(seeds: Path, decisions: list[Decision]) -> None:
    with Collection.existing(seeds) as collection:
        decide(collection, decisions)
        collection.write()
    for decision in decisions:
        about = " ".join(part for part in (decision.tournament_id, decision.player_id) if part)
        out.print(f"{escape(about)}: {decision.field} is {escape(decision.value)} ({escape(decision.reason)})")


if __name__ == "__main__":
    main()
