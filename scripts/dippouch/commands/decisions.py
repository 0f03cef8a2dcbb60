"""Decisions of the rating keeper; the documents' statements and the reasons stay on record."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from dippouch.collection.memory import Collection
from dippouch.collection.schema import CORRECTIONS
from dippouch.command_line import Command, seeds_option
from dippouch.console import in_columns, out, print_line, table_of
from dippouch.messages import UserError, counted, shortened
from dippouch.names import free_id, is_valid_id, readable_id_or_empty
from dippouch.people.decisions import find_listed, find_person, forget_pair, record_match, record_pair, record_split
from dippouch.people.index import People
from dippouch.people.likeness import find_likely_duplicates
from dippouch.settings import suggested_command
from dippouch.tournaments import WITHDRAWN, decide, find_tournament

_AS_STATED = "as stated"
_REFRESH = "`dptr refresh` rates everybody again and shows the moves."
_LONGEST_REASON = 500

# What documents state about a tournament, and where they differ; `history` prints it.
_DOCUMENTS = """
    select
        source_document as document, about, import_number as import, case when replaces then 'yes' end as replaces, tournament_name as name,
        coalesce(nullif(kind, 'NONE'), lower(kind)) as kind, coalesce(stated_period, cast(started_on as varchar)) as started_on,
        coalesce(stated_period, cast(ended_on as varchar)) as ended_on, place, nation_code, players, rounds, boards, coefficient_1,
        (
            select count(*) from stg_results as results
            where results.document_id = stated.document_id and results.tournament_id = stated.tournament_id
        ) as results
    from int_tournament_statements as stated
    where tournament_id = ?
    order by preference
"""
_CONTRADICTIONS = """
    select fact, listed_player_id as player, value as holds, other_document as otherwise_in, other_value as otherwise, reason
    from source_contradictions
    where tournament_id = ?
    order by player nulls first, fact, otherwise_in
"""


def _reason(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Check a reason, so that every seed can hold it."""
    text = value.strip()
    # A suggested command has `...` in its place; a spreadsheet would run `=...`.
    if text in ("", "...") or text[0] in "=+@-＝＋＠－" or not text.isprintable() or len(text) > _LONGEST_REASON:
        expected = f"a reason of at most {_LONGEST_REASON} visible characters that does not begin with = + - @"
        raise click.BadParameter(f"found `{shortened(text)}`; expected {expected}", ctx, param)
    return text


_REASON = click.option("--reason", required=True, callback=_reason, help="The reason, which stays on record.")


def _of_tournament(function: Callable[..., None]) -> Callable[..., None]:
    """Add the arguments and options of every decision about a tournament."""
    several = "Decide on this listed player's result, not on the tournament; may be repeated."
    on = "The day of the decision.  [default: today]"
    function = seeds_option()(function)
    function = click.option("--on", "day", type=click.DateTime(["%Y-%m-%d"]), default=datetime.now, help=on)(function)
    function = _REASON(function)
    function = click.option("--player", "players", multiple=True, metavar="PLAYER", help=several)(function)
    return click.argument("tournament")(function)


@click.command("correct", cls=Command, epilog=_REFRESH)
@_of_tournament
@click.argument("facts", nargs=-1, required=True, metavar="FIELD=VALUE...")
def correct(facts: tuple[str, ...], **about: Any) -> None:  # noqa: ANN401 (the options of a decision)
    """Set facts of a tournament or of results, whatever the document states.

    \b
    dptr correct wac-6-2009 players=46 started_on=2009-01-24 --reason "director's list"
    dptr correct wac-6-2009 --player edi-birsan placement=none nation_code=USA --reason "the list"
    dptr correct wac-6-2009 jon-saul:placement=4 conrad-woodring:placement=3 --reason "swapped"

    FIELD is a column of the seeds, and VALUE is written as there; `none` stands for no kind or no placement. The message about
    an unknown field lists all. All facts of a call are checked together. `dptr split` gives a result to another person.
    """
    values = []
    for fact in facts:
        name, _, value = fact.partition("=")
        if not value.strip():
            revert = suggested_command("revert", about["tournament"], name, "--reason", "...", seeds=about["seeds"])
            expected = f"{name}=VALUE. `{revert}` restores what the document states"
            raise UserError(f"{about['tournament']}: found `{name}` without a value; expected {expected}")
        values.append((name, value.strip()))
    _decide(values, **about)


@click.command("revert", cls=Command, epilog=_REFRESH)
@_of_tournament
@click.argument("fields", nargs=-1, required=True, metavar="FIELD...")
def revert(fields: tuple[str, ...], **about: Any) -> None:  # noqa: ANN401 (the options of a decision)
    """Take corrections back: the document's statement applies again.

    \b
    dptr revert wac-6-2009 players --reason "the document is right"
    """
    _decide([(name, "") for name in fields], **about)


@click.command("withdraw", cls=Command, epilog=_REFRESH)
@_of_tournament
def withdraw(**about: Any) -> None:  # noqa: ANN401 (the options of a decision)
    """Leave a tournament, or results, out of all ratings.

    \b
    dptr withdraw wac-6-2009 --reason "a league, not a tournament" --on 2026-03-01
    dptr withdraw wac-6-2009 --player edi-birsan --reason "did not play"
    """
    _decide([(WITHDRAWN, "true")], **about)


@click.command("restore", cls=Command, epilog=_REFRESH)
@_of_tournament
def restore(**about: Any) -> None:  # noqa: ANN401 (the options of a decision)
    """Take a withdrawal back.

    \b
    dptr restore wac-6-2009 --player edi-birsan --reason "played after all"
    """
    _decide([(WITHDRAWN, "false")], **about)


@click.command("history", cls=Command)
@click.argument("tournament")
@seeds_option()
def history(tournament: str, seeds: Path) -> None:
    """Print what each document states about a tournament, what holds where they differ, and every correction and withdrawal.

    \b
    dptr history wac-6-2009

    The first document holds; what it does not state comes from the next. The latest correction is the last.
    """
    with Collection.existing(seeds, changes=False) as collection:
        tournament_id = find_tournament(collection, tournament)
        documents = collection.rows(_DOCUMENTS, [tournament_id])
        contradictions = collection.rows(_CONTRADICTIONS, [tournament_id])
        found = collection.stated(CORRECTIONS, "tournament_id = ?", [tournament_id])
    corrections = [row | {"value": row["value"] or _AS_STATED} for row in found]
    for row in corrections:
        del row["tournament_id"]
    # A line for each fact and a column for each document, because few terminals have room for all facts in a line.
    stated = [name for name in documents[0] if any(row[name] for row in documents)]
    numbered = {str(number): row for number, row in enumerate(documents, start=1)}
    facts = [{"fact": name} | {number: row[name] for number, row in numbered.items()} for name in stated]
    for rows in (facts, contradictions, corrections):
        if rows:
            out.print(table_of(rows, {name: name for name in rows[0]}))
    if not corrections:
        out.print(f"No correction of {escape(tournament_id)}.")


def _decide(
    values: list[tuple[str, str]], tournament: str, players: Sequence[str], reason: str, day: datetime, seeds: Path
) -> None:
    """Record values of `PLAYER:FIELD`, or of `FIELD` for every --player; without one, of the tournament. Print them."""
    with Collection.existing(seeds) as collection:
        tournament_id = find_tournament(collection, tournament)
        people, of_listed = People(collection), []
        for name, value in values:
            named, _, field = name.rpartition(":")
            ids = [find_listed(people, one, tournament_id) for one in ([named] if named else players)] or [""]
            of_listed += [(player_id, field, value) for player_id in ids]
        recorded = decide(collection, tournament_id, of_listed, reason, day.date())
        collection.write()
    for row in recorded:
        what = " ".join(filter(None, (tournament_id, row["player_id"])))
        print_line(f"{what}: {row['field']} is {row['value'] or _AS_STATED} ({reason})")
    out.print(_REFRESH)


@click.command("tournaments", cls=Command)
@seeds_option()
def tournaments(seeds: Path) -> None:
    """List the tournaments of the collection with their ids, the latest first.

    \b
    dptr tournaments
    """
    with Collection.existing(seeds, changes=False) as collection:
        rows = collection.rows(
            "select * replace (coalesce(stated_period, cast(ended_on as varchar)) as ended_on)"
            " from int_tournaments order by int_tournaments.ended_on desc, tournament_id"
        )
    columns = {"id": "tournament_id", "ended on": "ended_on", ">players": "players", "name": "tournament_name"}
    out.print(table_of(rows, columns))


@click.command("duplicates", cls=Command)
@seeds_option()
def duplicates(seeds: Path) -> None:
    """List players who may be one person, the likeliest first; docs/identity.md has the rule.

    \b
    dptr duplicates

    Decide with `dptr merge` or `dptr distinct`.
    """
    with Collection.existing(seeds, changes=False) as collection:
        found = find_likely_duplicates(collection)
    if found:
        pairs = ((how, one.player_id, one.evidence, other.player_id, other.evidence) for one, other, how in found)
        print(*in_columns([("likeness", "one", "", "other", ""), *pairs]), sep="\n", file=out.file)
    out.print(f"{counted(len(found), 'pair', 'pairs')} to decide with `dptr merge` or `dptr distinct`.")


@click.command("merge", cls=Command, epilog=_REFRESH)
@click.argument("listed_id", metavar="LISTED")
@click.argument("player_id", metavar="PLAYER")
@_REASON
@seeds_option()
def merge(seeds: Path, listed_id: str, player_id: str, reason: str) -> None:
    """Record that LISTED, an id in documents, is PLAYER, whose id remains.

    \b
    dptr merge j-smith john-smith --reason "same club, same years"
    """
    _record(seeds, "{} is {}", reason, partial(record_match, reason=reason), listed_id, player_id)


@click.command("distinct", cls=Command, epilog=_REFRESH)
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
    record = partial(record_pair, reason=reason, take_back=take_back)
    _record(seeds, "{} and {} are two people", reason, record, one, other)


@click.command("split", cls=Command, epilog=_REFRESH)
@click.argument("listed")
@click.argument("tournament")
@click.argument("player")
@_REASON
@seeds_option()
def split(seeds: Path, listed: str, tournament: str, player: str, reason: str) -> None:
    """Record that the id LISTED means PLAYER, a known one or a new id, in TOURNAMENT.

    \b
    dptr split john-smith wac-6-2009 john-smith-2 --reason "the one from Perth"

    Give LISTED itself as PLAYER to take a split back.
    """
    with Collection.existing(seeds) as collection:
        tournament_id = find_tournament(collection, tournament)
        people = People(collection)
        listed_id = find_listed(people, listed, tournament_id)
        try:
            player_id = player if is_valid_id(player) else find_person(people, player)
        except UserError as error:
            new_id = free_id(readable_id_or_empty(player) or "new-player", people.is_known)
            raise UserError(f"{error}\nor a new id, such as `{new_id}`") from None
        note = record_split(people, listed_id, tournament_id, player_id, reason)
        # A split that is taken back may leave an alias for all tournaments.
        person = People(collection).person_of(listed_id, tournament_id)
        collection.write()
    _print_recorded(f"{listed_id} in {tournament_id} is {person}{note}", reason)


@click.command("forget", cls=Command, epilog=_REFRESH)
@click.argument("one")
@click.argument("other")
@seeds_option()
def forget(one: str, other: str, seeds: Path) -> None:
    """Take back the decision that ONE and OTHER are two people.

    \b
    dptr forget jon-smith john-smith
    """
    _record(seeds, "{} and {} may be one person", "taken back", forget_pair, one, other)


def _record(seeds: Path, decision: str, reason: str, record: Callable[..., None], *people: str) -> None:
    """Record a decision on people, each an id or a name, and print it."""
    with Collection.existing(seeds) as collection:
        known = People(collection)
        ids = [find_person(known, text, is_listed=True) for text in people]
        record(known, *ids)
        collection.write()
    _print_recorded(decision.format(*ids), reason)


def _print_recorded(decision: str, reason: str) -> None:
    out.print(f"Recorded: {escape(f'{decision} ({reason})')}. {_REFRESH}")
