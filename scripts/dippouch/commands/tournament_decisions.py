"""Decisions of the rating keeper about what a document states of a tournament; the statement and the reason stay on record."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, TypedDict, Unpack

import click
from rich.markup import escape

from dippouch.command_line import command, seeds_option
from dippouch.console import out, plain_table
from dippouch.errors import UserError
from dippouch.rating.printed import figure_of_other_facts
from dippouch.rating.systems import read_default_rules
from dippouch.seeds.corrected_values import WITHDRAWN
from dippouch.seeds.corrections import Decision, corrected_tournament, corrections_of, decide
from dippouch.seeds.store import Collection

_AS_STATED = "as stated"
_EPILOG = "The statement stays in the seeds; the decision goes before it. Then `dptr refresh` rates everybody again."


class _About(TypedDict):
    """What every decision has, beside the fields and their values."""

    tournament_id: str
    player: str
    reason: str
    day: datetime
    future: bool
    seeds: Path


def _now() -> datetime:
    """This moment, in the local time zone."""
    return datetime.now().astimezone()


def _decision(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of every decision: the tournament, one of its players, the reason, the day."""
    on = "The day of the decision.  [default: today]"
    for add in (
        seeds_option(),
        click.option("--future", is_flag=True, help="Accept days after today."),
        click.option("--on", "day", default=_now, type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD", help=on),
        click.option("--reason", required=True, help="Why; it stays on record."),
        click.option("--player", default="", metavar="ID", help="One listed player's result, not the tournament."),
        click.argument("tournament_id"),
    ):
        function = add(function)
    return function


@command("correct", _EPILOG)
@_decision
@click.argument("facts", nargs=-1, required=True, metavar="FIELD=VALUE...")
def correct(facts: tuple[str, ...], **about: Unpack[_About]) -> None:
    """Set a fact of a tournament or of one result, whatever the document states.

    \b
    dptr correct wac-6-2009 players=46 --reason "director's list"
    dptr correct wac-6-2009 placement=4 --player edi-birsan --reason "..."

    Facts of a tournament: name, subtitle, kind, started_on, ended_on, place, nation_code, players, rounds, boards. Facts of a result:
    placement, first_name, last_name, nation_code, location_code.
    """
    pairs = [fact.partition("=") for fact in facts]
    if any(not equals for _, equals, _ in pairs):
        raise click.UsageError("a fact without `=`; expected FIELD=VALUE, such as players=46")
    _refuse_withdrawn(name for name, _, _ in pairs)
    _record([(name, value) for name, _, value in pairs], about)


@command("revert", _EPILOG)
@_decision
@click.argument("fields", nargs=-1, required=True, metavar="FIELD...")
def revert(fields: tuple[str, ...], **about: Unpack[_About]) -> None:
    """Take corrections back: the document's statement is in force again.

    \b
    dptr revert wac-6-2009 players --reason "the document is right"
    """
    _refuse_withdrawn(fields)
    _record([(name, None) for name in fields], about)


@command("withdraw", _EPILOG)
@_decision
def withdraw(**about: Unpack[_About]) -> None:
    """Leave a tournament, or one result, out of all ratings.

    \b
    dptr withdraw wac-6-2009 --reason "a league, not a tournament" --on 2026-03-01
    dptr withdraw wac-6-2009 --player edi-birsan --reason "did not play"
    """
    _record([(WITHDRAWN, "true")], about)


@command("restore", _EPILOG)
@_decision
def restore(**about: Unpack[_About]) -> None:
    """Take a withdrawal back.

    \b
    dptr restore wac-6-2009 --player edi-birsan --reason "played after all"
    """
    _record([(WITHDRAWN, "false")], about)


@command("history")
@click.argument("tournament_id")
@seeds_option()
def history(tournament_id: str, seeds: Path) -> None:
    """Print every decision about a tournament, the latest last.

    \b
    dptr history wac-6-2009
    """
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
        rules = read_default_rules(collection.reference)
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
