"""Decisions of the rating keeper; the documents' statements and the reasons stay on record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from dippouch.command_line import command, json_option, seeds_option
from dippouch.console import out, plain_table, print_line, table_of, write_json
from dippouch.errors import UserError
from dippouch.importing.parsing.dates import parse_date_span, parse_day
from dippouch.importing.parsing.nations import read_nations
from dippouch.matching.decisions import forget_non_match, record_match, record_non_match, record_split
from dippouch.matching.likeness import find_likely_duplicates
from dippouch.names import shortened
from dippouch.printable import counted
from dippouch.rating.printed import contradicted_figures, values_of
from dippouch.rating.systems import read_default_rules
from dippouch.seeds.corrections import DAYS, WITHDRAWN, Decision, corrected_tournament, decide
from dippouch.seeds.persons import id_in_tournament
from dippouch.seeds.schema import CORRECTIONS
from dippouch.seeds.store import Collection

_AS_STATED = "as stated"
_NATIONS = ("nation_code", "location_code")
_OF_TOURNAMENTS = "The seeds keep the statement; the decision overrides it. Then `dptr refresh` rates everybody again."
_REFRESH = "`dptr refresh` rates everybody again."
_OF_PLAYERS = "Then `dptr refresh` rates everybody again and shows the moves."

_LONGEST_REASON = 500

# A fact or a field, after the listed player that it is about: `edi-birsan:placement=4`.
_OF_PLAYER = re.compile(r"(?:([a-z0-9-]+):)?(.*)", re.DOTALL)


def _reason(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Check a reason, so that every seed can hold it."""
    text = value.strip()
    # A suggested command has `...` in its place; a spreadsheet would run `=...`.
    if not (text[:1].isalnum() and text.isprintable() and len(text) <= _LONGEST_REASON):
        expected = f"at most {_LONGEST_REASON} visible characters, of which the first is a letter or digit"
        raise click.BadParameter(f"found `{shortened(text)}`; expected {expected}", ctx, param)
    return text


def _day(ctx: click.Context, param: click.Parameter, value: str | None) -> date:
    """Parse a day in any form that documents use; without one, return today in the local time zone."""
    try:
        return parse_day(value) if value else _today()
    except ValueError as error:
        raise click.BadParameter(f"found `{value}`; expected {error}", ctx, param) from None


def _today() -> date:
    return datetime.now().astimezone().date()


_REASON = click.option("--reason", required=True, callback=_reason, help="The reason, which stays on record.")


def _of_tournament(function: Callable[..., None]) -> Callable[..., None]:
    """Add the arguments and options of every decision about a tournament."""
    several = "Decide on this listed player's result, not on the tournament; may be repeated."
    on = "The day of the decision: `2026-06-01`, `1 June 2026`.  [default: today]"
    for add in (
        seeds_option(),
        click.option("--future", is_flag=True, help="Accept days after today."),
        click.option("--on", "day", callback=_day, metavar="DAY", help=on),
        _REASON,
        click.option("--player", "players", multiple=True, metavar="ID", help=several),
        click.argument("tournament_id"),
    ):
        function = add(function)
    return function


@command("correct", _OF_TOURNAMENTS)
@_of_tournament
@click.argument("facts", nargs=-1, required=True, metavar="FIELD=VALUE...")
def correct(players: tuple[str, ...], facts: tuple[str, ...], **about: Any) -> None:  # noqa: ANN401 (the options of a decision)
    """Set facts of a tournament or of results, whatever the document states.

    \b
    dptr correct wac-6-2009 players=46 date="24-25 January 2009" --reason "director's list"
    dptr correct wac-6-2009 --player edi-birsan placement=4 nation_code=USA --reason "the list"
    dptr correct wac-6-2009 edi-birsan:placement=4 dan-lester:placement=3 --reason "swapped"

    Facts of a tournament: name, subtitle, kind (or `none`), date, started_on, ended_on, place, nation_code, players, rounds, boards.
    Facts of a result: placement (`none`: listed without one), first_name, last_name, nation_code, location_code. All facts of a
    call are checked together. `dptr split` gives a result to another person.
    """
    if any("=" not in fact for fact in facts):
        raise click.UsageError("a fact without `=`; expected FIELD=VALUE, such as players=46")
    found = []
    for player, fact in _by_player(players, facts):
        name, _, value = fact.partition("=")
        found += [(player, field, stated) for field, stated in _stated(about, name, value)]
    _decide(found, **about)


@command("revert", _OF_TOURNAMENTS)
@_of_tournament
@click.argument("fields", nargs=-1, required=True, metavar="FIELD...")
def revert(players: tuple[str, ...], fields: tuple[str, ...], **about: Any) -> None:  # noqa: ANN401 (the options of a decision)
    """Take corrections back: the document's statement applies again.

    \b
    dptr revert wac-6-2009 players --reason "the document is right"
    """
    of_players = _by_player(players, fields)
    _decide(
        [(player, field, None) for player, name in of_players for field in (DAYS if name == "date" else (name,))],
        **about,
    )


@command("withdraw", _OF_TOURNAMENTS)
@_of_tournament
def withdraw(players: tuple[str, ...], **about: Any) -> None:  # noqa: ANN401 (the options of a decision)
    """Leave a tournament, or results, out of all ratings.

    \b
    dptr withdraw wac-6-2009 --reason "a league, not a tournament" --on 2026-03-01
    dptr withdraw wac-6-2009 --player edi-birsan --reason "did not play"
    """
    _decide([(player, WITHDRAWN, "true") for player in players or ("",)], **about)


@command("restore", _OF_TOURNAMENTS)
@_of_tournament
def restore(players: tuple[str, ...], **about: Any) -> None:  # noqa: ANN401 (the options of a decision)
    """Take a withdrawal back.

    \b
    dptr restore wac-6-2009 --player edi-birsan --reason "played after all"
    """
    _decide([(player, WITHDRAWN, "false") for player in players or ("",)], **about)


@command("history")
@click.argument("tournament_id")
@seeds_option()
def history(tournament_id: str, seeds: Path) -> None:
    """Print every correction and withdrawal of a tournament, the latest last.

    \b
    dptr history wac-6-2009
    """
    with Collection.existing(seeds) as collection:
        corrected_tournament(collection, tournament_id)
        in_order = "where tournament_id = ? order by cast(correction_number as integer)"
        found = collection.rows(CORRECTIONS, in_order, (tournament_id,))
        rows = [row | {"value": row["value"] or _AS_STATED} for row in found]
    columns = {"number": "correction_number", "day": "decided_on", "player": "player_id"}
    columns |= {name: name for name in ("field", "value", "reason")}
    out.print(table_of(rows, columns) if rows else f"No correction of {escape(tournament_id)}.")


def _by_player(players: Sequence[str], words: Sequence[str]) -> list[tuple[str, str]]:
    """Pair each word with its own player, or with every --player; without any, with an empty id for the tournament."""
    found = [_OF_PLAYER.fullmatch(word) for word in words]
    return [(player, match[2]) for match in found if match for player in ([match[1]] if match[1] else players or [""])]


def _stated(about: dict[str, Any], name: str, value: str) -> list[tuple[str, str]]:
    """Return a fact as fields and values, with days as ISO 8601 and the codes of nations."""
    if name in _NATIONS:
        with suppress(ValueError):
            return [(name, read_nations(about["seeds"]).of_text(value) or value)]
    try:
        if name == "date":
            return list(zip(DAYS, map(date.isoformat, parse_date_span(value)), strict=True))
        return [(name, parse_day(value).isoformat() if name in DAYS and value.strip() else value)]
    except ValueError as error:
        raise UserError(f"{about['tournament_id']}: found {name} `{shortened(value)}`; expected {error}") from None


def _decide(
    values: Sequence[tuple[str, str, str | None]],
    *,
    tournament_id: str,
    reason: str,
    day: date,
    future: bool,
    seeds: Path,
) -> None:
    """Record values of a tournament, or of results by listed player, and print what changed."""
    with Collection.existing(seeds) as collection:
        listed = collection.results_of(tournament_id)
        # The other commands show the person's id, which may differ from the listed one.
        ids = {player: player and id_in_tournament(collection, player, tournament_id, listed) for player, *_ in values}
        decisions = [Decision(tournament_id, ids[player], name, value, reason, day) for player, name, value in values]
        for (player, name), times in Counter((one.player_id, one.field) for one in decisions).items():
            if times > 1:
                raise click.UsageError(f"{' '.join(filter(None, (player, name)))}: found {times} times; expected once")
        rules = read_default_rules(collection.reference)
        before = values_of(collection, rules, [tournament_id])
        recorded = decide(collection, decisions, latest=None if future else _today())
        for _, figure, right in contradicted_figures(collection, rules, tournament_id):
            raise UserError(
                f"{tournament_id}: found {figure} of a document; expected {right} after this change. Correct all facts in one"
                " call"
            )
        after = values_of(collection, rules, [tournament_id])
        collection.write()
    decided = {(decision.player_id, decision.field): decision for decision in recorded}
    for decision in decisions:
        what = " ".join(filter(None, (tournament_id, decision.player_id)))
        if made := decided.get((decision.player_id, decision.field)):
            print_line(f"{what}: {made.field} is {_AS_STATED if made.value is None else made.value} ({made.reason})")
        else:
            print_line(f"{what}: {decision.field} does not change")
    if after != before:
        was, now = before[tournament_id], after[tournament_id]
        print_line(f"{tournament_id}: value {was.value:.2f} ({was.rule}) -> {now.value:.2f} ({now.rule})")
    out.print(_REFRESH)


@command("duplicates")
@seeds_option()
@click.option("--limit", default=50, show_default=True, type=click.IntRange(min=0), help="Maximum number of pairs.")
@json_option()
def duplicates(seeds: Path, limit: int, as_json: bool) -> None:
    """List players who may be one person, the likeliest first.

    \b
    dptr duplicates --limit 20

    They have one last name, and one first name is equal to the other, its initial or a short form; or the whole names differ by a letter
    or two. Players who met in a tournament are never listed. Decide with `dptr merge` or `dptr distinct`.
    """
    with Collection.existing(seeds) as collection:
        found = find_likely_duplicates(collection)
    if as_json:
        write_json(
            [{"likeness": pair.likeness, "one": asdict(pair.one), "other": asdict(pair.other)} for pair in found]
        )
        return
    if found and limit:
        table = plain_table("likeness", "one", "", "other", "")
        for pair in found[:limit]:
            cells = (pair.one.player_id, pair.one.evidence, pair.other.player_id, pair.other.evidence)
            table.add_row(pair.likeness, *map(escape, cells))
        out.print(table)
    more = f"; --limit {len(found)} shows all" if len(found) > limit else ""
    out.print(f"{counted(len(found), 'pair', 'pairs')} to decide with `dptr merge` or `dptr distinct`{more}.")


@command("merge", _OF_PLAYERS)
@click.argument("listed_id", metavar="LISTED")
@click.argument("player_id", metavar="PLAYER")
@_REASON
@seeds_option()
def merge(seeds: Path, listed_id: str, player_id: str, reason: str) -> None:
    """Record that LISTED, an id in documents, is PLAYER, whose id remains.

    \b
    dptr merge j-smith john-smith --reason "same club, same years"
    """
    _record(seeds, f"{listed_id} is {player_id}", reason, record_match, listed_id, player_id, reason)


@command("distinct", _OF_PLAYERS)
@click.argument("one")
@click.argument("other")
@click.option("--take-back", is_flag=True, help="Take back an earlier decision that they are one person.")
@_REASON
@seeds_option()
def distinct(seeds: Path, one: str, other: str, reason: str, *, take_back: bool) -> None:
    """Record that ONE and OTHER are two people; they are not listed as duplicates again.

    \b
    dptr distinct jon-smith john-smith --reason "brothers"
    """
    record = partial(record_non_match, take_back=take_back)
    _record(seeds, f"{one} and {other} are two people", reason, record, one, other, reason)


@command("split", _OF_PLAYERS)
@click.argument("listed_id", metavar="LISTED")
@click.argument("tournament_id", metavar="TOURNAMENT")
@click.argument("player_id", metavar="PLAYER")
@_REASON
@seeds_option()
def split(seeds: Path, listed_id: str, tournament_id: str, player_id: str, reason: str) -> None:
    """Record that the id LISTED means PLAYER, a known or a new one, in TOURNAMENT.

    \b
    dptr split john-smith wac-6-2009 john-smith-2 --reason "the one from Perth"

    Give LISTED itself as PLAYER to take a split back.
    """
    decision = f"{listed_id} in {tournament_id} is {player_id}"
    _record(seeds, decision, reason, record_split, listed_id, tournament_id, player_id, reason)


@command("forget", _OF_PLAYERS)
@click.argument("one")
@click.argument("other")
@seeds_option()
def forget(one: str, other: str, seeds: Path) -> None:
    """Take back the decision that ONE and OTHER are two people.

    \b
    dptr forget jon-smith john-smith
    """
    _record(seeds, f"{one} and {other} may be one person", "taken back", forget_non_match, one, other)


def _record(seeds: Path, decision: str, reason: str, record: Callable[..., str | None], *arguments: str) -> None:
    """Record a decision on people, and print it with the note that recording may return."""
    with Collection.existing(seeds) as collection:
        note = record(collection, *arguments)
        collection.write()
    out.print(f"Recorded: {escape(decision + (note or '') + f' ({reason})')}. {_REFRESH}")
