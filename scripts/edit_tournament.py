#!/usr/bin/env python3
"""Correct or withdraw what a document states of a tournament; the statement and the reason stay on record."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import TypedDict, Unpack

import click
from rich.markup import escape

from dippouch.command_line import Group, program, seeds_option
from dippouch.console import out, plain_table
from dippouch.errors import UserError
from dippouch.rating.printed import figure_of_other_facts
from dippouch.rating.systems import read_shown_rules
from dippouch.seeds.corrected_values import WITHDRAWN
from dippouch.seeds.corrections import Decision, corrected_tournament, corrections_of, decide
from dippouch.seeds.store import Collection

# What stands in the place of a value when what the document states holds.
_AS_STATED = "as stated"


class _About(TypedDict):
    """What every decision has, beside the fields and their values."""

    tournament_id: str
    player: str
    reason: str
    day: datetime
    future: bool
    seeds: Path


def _now() -> datetime:
    """This moment where the program runs."""
    return datetime.now().astimezone()


def _decision(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command what every decision needs: the tournament, perhaps one of its players, the reason, the day."""
    day = click.DateTime(["%Y-%m-%d"])
    on = "The day of the decision.  [default: today]"
    for add in (
        seeds_option(),
        click.option("--future", is_flag=True, help="Accept days after today."),
        click.option("--on", "day", default=_now, type=day, metavar="YYYY-MM-DD", help=on),
        click.option("--reason", required=True, help="Why; it stays on record."),
        click.option("--player", default="", metavar="ID", help="One listed player's result, not the tournament."),
        click.argument("tournament_id"),
    ):
        command = add(command)
    return command


@click.group(cls=Group, epilog="Then `make rankings` rates everybody again and says who moved.")
def main() -> None:
    """Correct, withdraw or restore a tournament or one of its results.

    \b
    scripts/edit_tournament.py correct wac-6-2009 players=46 --reason "director's list"
    scripts/edit_tournament.py correct wac-6-2009 placement=4 --player edi-birsan --reason "..."
    scripts/edit_tournament.py withdraw wac-6-2009 --player edi-birsan --reason "did not play"
    scripts/edit_tournament.py withdraw wac-6-2009 --reason "was a league, not an event" --on 2026-03-01
    scripts/edit_tournament.py revert wac-6-2009 players --reason "the document is right"
    scripts/edit_tournament.py history wac-6-2009

    What the document states stays in the seeds as it is; a row of reference/ref_corrections.csv goes before it. A result's
    placement, first_name, last_name, nation_code and location_code can be corrected; a tournament's name, subtitle, kind,
    started_on, ended_on, place, nation_code, players, rounds and boards.
    """


@main.command()
@_decision
@click.argument("facts", nargs=-1, required=True, metavar="FIELD=VALUE...")
@program
def correct(facts: tuple[str, ...], **about: Unpack[_About]) -> None:
    """Set FIELD to VALUE, whatever the document states."""
    pairs = [fact.partition("=") for fact in facts]
    if any(not equals for _, equals, _ in pairs):
        raise click.UsageError("a fact without `=`; expected FIELD=VALUE, such as players=46")
    _refuse_withdrawn(name for name, _, _ in pairs)
    _record([(name, value) for name, _, value in pairs], about)


@main.command()
@_decision
@click.argument("fields", nargs=-1, required=True, metavar="FIELD...")
@program
def revert(fields: tuple[str, ...], **about: Unpack[_About]) -> None:
    """Let FIELD be again as the document states it."""
    _refuse_withdrawn(fields)
    _record([(name, None) for name in fields], about)


@main.command()
@_decision
@program
def withdraw(**about: Unpack[_About]) -> None:
    """Let a tournament, or one result, move no rating."""
    _record([(WITHDRAWN, "true")], about)


@main.command()
@_decision
@program
def restore(**about: Unpack[_About]) -> None:
    """Take a withdrawal back."""
    _record([(WITHDRAWN, "false")], about)


@main.command()
@click.argument("tournament_id")
@seeds_option()
@program
def history(tournament_id: str, seeds: Path) -> None:
    """Print every decision on a tournament, the latest last."""
    table = plain_table("number", "day", "player", "field", "value", "reason")
    with Collection.existing(seeds) as collection:
        corrected_tournament(collection, tournament_id)
        for row in corrections_of(collection, tournament_id):
            cells = ("correction_number", "decided_on", "player_id", "field", "value", "reason")
            table.add_row(*(escape(row[cell] or (_AS_STATED if cell == "value" else "")) for cell in cells))
    out.print(table if table.row_count else f"No correction of {escape(tournament_id)}.")


def _refuse_withdrawn(names: Iterable[str]) -> None:
    if WITHDRAWN in names:
        raise click.UsageError("`withdrawn` is no fact to correct; see `withdraw` and `restore`")


def _record(values: list[tuple[str, str | None]], about: _About) -> None:
    seeds, future = about["seeds"], about["future"]
    decisions = [
        Decision(about["tournament_id"], about["player"], name, value, about["reason"], about["day"].date())
        for name, value in values
    ]
    with Collection.existing(seeds) as collection:
        recorded = decide(collection, decisions, latest=None if future else _now().date())
        rules = read_shown_rules(collection.reference)
        if figure := figure_of_other_facts(collection, rules, about["tournament_id"]):
            raise UserError(
                f"{about['tournament_id']}: found {figure}, printed in a document, which does not belong to the facts that would hold;"
                " expected facts to which it belongs, or a correction of them that stays"
            )
        collection.write()
    for decision in recorded:
        what = " ".join(part for part in (decision.tournament_id, decision.player_id) if part)
        value = _AS_STATED if decision.value is None else decision.value
        out.print(f"{escape(what)}: {decision.field} is {escape(value)} ({escape(decision.reason)})")


if __name__ == "__main__":
    main()
