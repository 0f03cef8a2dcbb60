"""Decisions of the rating keeper about tournaments and players; what documents state and the reasons stay on record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from dippouch.command_line import command, json_option, seeds_option
from dippouch.console import out, plain_table
from dippouch.errors import UserError
from dippouch.matching.candidates import find_likely_duplicates
from dippouch.matching.decisions import forget_non_match, record_match, record_non_match, record_split
from dippouch.matching.render_duplicates import print_duplicates, print_duplicates_as_json
from dippouch.rating.printed import figure_of_other_facts
from dippouch.rating.systems import read_default_rules
from dippouch.seeds.corrections import WITHDRAWN, Decision, corrected_tournament, corrections_of, decide
from dippouch.seeds.store import Collection

_AS_STATED = "as stated"
_OF_TOURNAMENTS = (
    "The statement stays in the seeds; the decision goes before it. Then `dptr refresh` rates everybody again."
)
_OF_PLAYERS = "Then `dptr refresh` rates everybody again and says who moved."

_REASON = click.option("--reason", required=True, help="Why; it stays on record.")


def _now() -> datetime:
    """This moment, in the local time zone."""
    return datetime.now().astimezone()


def _of_tournament(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add what every decision about a tournament has: its id, one of its players, the reason, the day."""
    on = "The day of the decision.  [default: today]"
    for add in (
        seeds_option(),
        click.option("--future", is_flag=True, help="Accept days after today."),
        click.option("--on", "day", default=_now, type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD", help=on),
        _REASON,
        click.option("--player", default="", metavar="ID", help="One listed player's result, not the tournament."),
        click.argument("tournament_id"),
    ):
        function = add(function)
    return function


@command("correct", _OF_TOURNAMENTS)
@_of_tournament
@click.argument("facts", nargs=-1, required=True, metavar="FIELD=VALUE...")
def correct(facts: tuple[str, ...], **about: Any) -> None:  # noqa: ANN401 (passed on)
    """Set a fact of a tournament or of one result, whatever the document states.

    \b
    dptr correct wac-6-2009 players=46 --reason "director's list"
    dptr correct wac-6-2009 placement=4 --player edi-birsan --reason "..."

    Facts of a tournament: name, subtitle, kind, started_on, ended_on, place, nation_code, players, rounds, boards. Facts of a result:
    placement, first_name, last_name, nation_code, location_code.
    """
    if any("=" not in fact for fact in facts):
        raise click.UsageError("a fact without `=`; expected FIELD=VALUE, such as players=46")
    pairs = [fact.partition("=") for fact in facts]
    _correct([(name, value) for name, _, value in pairs], **about)


@command("revert", _OF_TOURNAMENTS)
@_of_tournament
@click.argument("fields", nargs=-1, required=True, metavar="FIELD...")
def revert(fields: tuple[str, ...], **about: Any) -> None:  # noqa: ANN401 (passed on)
    """Take corrections back: the document's statement is in force again.

    \b
    dptr revert wac-6-2009 players --reason "the document is right"
    """
    _correct([(name, None) for name in fields], **about)


@command("withdraw", _OF_TOURNAMENTS)
@_of_tournament
def withdraw(**about: Any) -> None:  # noqa: ANN401 (passed on)
    """Leave a tournament, or one result, out of all ratings.

    \b
    dptr withdraw wac-6-2009 --reason "a league, not a tournament" --on 2026-03-01
    dptr withdraw wac-6-2009 --player edi-birsan --reason "did not play"
    """
    _decide([(WITHDRAWN, "true")], **about)


@command("restore", _OF_TOURNAMENTS)
@_of_tournament
def restore(**about: Any) -> None:  # noqa: ANN401 (passed on)
    """Take a withdrawal back.

    \b
    dptr restore wac-6-2009 --player edi-birsan --reason "played after all"
    """
    _decide([(WITHDRAWN, "false")], **about)


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


def _correct(values: Sequence[tuple[str, str | None]], **about: Any) -> None:  # noqa: ANN401 (passed on)
    if WITHDRAWN in dict(values):
        raise click.UsageError("`withdrawn` is no fact to correct; see `withdraw` and `restore`")
    _decide(values, **about)


def _decide(
    values: Sequence[tuple[str, str | None]],
    tournament_id: str,
    player: str,
    reason: str,
    day: datetime,
    future: bool,
    seeds: Path,
) -> None:
    decisions = [Decision(tournament_id, player, name, value, reason, day.date()) for name, value in values]
    with Collection.existing(seeds) as collection:
        recorded = decide(collection, decisions, latest=None if future else _now().date())
        rules = read_default_rules(collection.reference)
        if figure := figure_of_other_facts(collection, rules, tournament_id):
            raise UserError(
                f"{tournament_id}: found {figure}, printed in a document, which does not belong to the facts that would hold;"
                " expected facts to which it belongs, or a correction of them that stays"
            )
        collection.write()
    for decision in recorded:
        what = " ".join(part for part in (decision.tournament_id, decision.player_id) if part)
        value = _AS_STATED if decision.value is None else decision.value
        out.print(f"{escape(what)}: {decision.field} is {escape(value)} ({escape(decision.reason)})")


@command("duplicates")
@seeds_option()
@click.option("--limit", default=50, show_default=True, type=click.IntRange(min=0), help="How many pairs to list.")
@json_option("all pairs")
def duplicates(seeds: Path, limit: int, as_json: bool) -> None:
    """List players who may be one person, the likeliest first.

    \b
    dptr duplicates --limit 20

    Their names differ by accents, initials, the order of their parts or a letter or two, or one name has two ids. Players who met in a
    tournament are never listed. Nothing is merged without a decision: `dptr merge` or `dptr distinct`.
    """
    with Collection.existing(seeds) as collection:
        found = find_likely_duplicates(collection)
        if as_json:
            print_duplicates_as_json(found)
        else:
            print_duplicates(found, limit)


@command("merge", _OF_PLAYERS)
@click.argument("listed")
@click.argument("player")
@seeds_option()
@_REASON
def merge(listed: str, player: str, reason: str, seeds: Path) -> None:
    """Record that LISTED, an id in documents, is PLAYER, whose id remains.

    \b
    dptr merge j-smith john-smith --reason "same club, same years"
    """
    _record(seeds, record_match, "{} is {}", listed, player, reason)


@command("distinct", _OF_PLAYERS)
@click.argument("one")
@click.argument("other")
@seeds_option()
@_REASON
def distinct(one: str, other: str, reason: str, seeds: Path) -> None:
    """Record that ONE and OTHER are two people, who are not listed as duplicates again.

    \b
    dptr distinct jon-smith john-smith --reason "brothers"
    """
    _record(seeds, record_non_match, "{} and {} are two people", one, other, reason)


@command("split", _OF_PLAYERS)
@click.argument("listed")
@click.argument("tournament")
@click.argument("player")
@seeds_option()
@_REASON
def split(listed: str, tournament: str, player: str, reason: str, seeds: Path) -> None:
    """Record that in TOURNAMENT the id LISTED is PLAYER, a known or a new one.

    \b
    dptr split john-smith wac-6-2009 john-smith-2 --reason "the one from Perth"

    With LISTED itself as PLAYER it takes a split back.
    """
    _record(seeds, record_split, "{} in {} is {}", listed, tournament, player, reason)


@command("forget", _OF_PLAYERS)
@click.argument("one")
@click.argument("other")
@seeds_option()
def forget(one: str, other: str, seeds: Path) -> None:
    """Take back that ONE and OTHER are two people.

    \b
    dptr forget jon-smith john-smith
    """
    with Collection.existing(seeds) as collection:
        forget_non_match(collection, one, other)
        collection.write()
    out.print(f"Taken back: {escape(one)} and {escape(other)} may be one person.")


def _record(seeds: Path, record: Callable[..., None], decision: str, *ids_and_reason: str) -> None:
    with Collection.existing(seeds) as collection:
        record(collection, *ids_and_reason)
        collection.write()
    *ids, reason = ids_and_reason
    out.print(
        f"Recorded: {escape(decision.format(*ids))} ({escape(reason.strip())}). `dptr refresh` rates everybody again."
    )
