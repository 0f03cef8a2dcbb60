"""What must hold in any document, whatever its format: what it lists are people, each once, and events that have been.

The rules about the rows that it makes are those of macros/checks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from dippouch.documents import (
    Appearance,
    Document,
    ListedPlayer,
    PlayerDocument,
    RankingDocument,
    Result,
    TournamentDocument,
)
from dippouch.errors import DocumentError, Faults, Location
from dippouch.ids import readable_id, readable_id_or_empty
from dippouch.importing.context import Context
from dippouch.names import fault_of_person, fault_of_text, shortened
from dippouch.rating.rules import agrees_with_printed, percentile_score
from dippouch.seeds.schema import NOT_PEOPLE

# What refers to a note, or joins two people.
_MARKS = re.compile(r"[*†‡&]|\[[0-9]+\]")


def check_document(document: Document, context: Context) -> None:
    """Check every invariant of a document.

    Args:
        document: what was read.
        context: what it was read with.
    """
    faults = Faults()
    if isinstance(document, TournamentDocument):
        _check_tournament(document, context, faults)
    elif isinstance(document, RankingDocument):
        _check_ranking(document, context, faults)
    else:
        _check_player_document(document, context, faults)
    faults.raise_any()


def _check_tournament(document: TournamentDocument, context: Context, faults: Faults) -> None:
    with faults.gathered():
        _check_name(document.name, document.location_of("name"))
    with faults.gathered():
        _check_is_past(document.ended_on, document.location_of("started_on"), context)
    check_players([result.player for result in document.results], context, faults)
    faults.each(document.results, lambda result: _check_score(document, result))
    if not document.results:
        raise document.source.fault("a tournament without results", "at least one listed player")


def _check_score(document: TournamentDocument, result: Result) -> None:
    """A printed score is the score of the placement."""
    score, placement, most = result.published_score, result.placement, document.players
    if score is None or placement is None or most is None or not 1 <= placement <= most:
        return
    ours = percentile_score(most, placement)
    if not agrees_with_printed(ours, score):
        raise DocumentError(
            result.player.location,
            f"score {score}",
            f"{float(ours):.2f}, the percentile score of placement {placement} among {most} players",
            "The placement, the score or the declared number of players is wrong.",
        )


def _check_ranking(document: RankingDocument, context: Context, faults: Faults) -> None:
    with faults.gathered():
        _check_is_past(document.last_update, Location(document.source.path), context)
    check_players([row.player for row in document.ranks], context, faults)


def _check_player_document(document: PlayerDocument, context: Context, faults: Faults) -> None:
    check_players([document.player], context, faults)
    seen: dict[tuple[str, date | None], Appearance] = {}
    for played in document.appearances:
        with faults.gathered():
            _check_appearance(played, context)
            key = (played.source_tournament_id or played.name, None if played.source_tournament_id else played.ended_on)
            if key in seen:
                found = f"`{played.name}` a second time (first: {seen[key].location.in_file})"
                raise DocumentError(played.location, found, "every tournament once")
            seen[key] = played


def _check_appearance(played: Appearance, context: Context) -> None:
    """One tournament on a player's page, which states how many players it had beside the placement."""
    _check_name(played.name, played.location, "name of the tournament")
    _check_is_past(played.ended_on, played.location, context)
    if played.placement is not None and played.players is not None and played.placement > played.players:
        raise DocumentError(played.location, f"placement {played.placement}", f"a placement from 1 to {played.players}")


def _check_is_past(day: date, location: Location, context: Context) -> None:
    if context.last_day is not None and day > context.last_day:
        raise DocumentError(
            location,
            f"the date {day}, which is still to come",
            f"a day up to {context.last_day}",
            "Is the year mistyped? If it is right, import the document with --future.",
        )


def _check_name(name: str, location: Location, label: str = "name") -> None:
    """Check that the name of a tournament makes its id."""
    if not readable_id_or_empty(name):
        raise DocumentError(location, f"the {label} `{shortened(name)}` with no letter or digit", "a name with letters")


def check_players(players: Sequence[ListedPlayer], context: Context, faults: Faults) -> None:
    """Check that everybody has a name that can be shown and made into an id, and is listed once.

    Args:
        players: the people of one document, or those of it that could be read.
        context: what it was read with.
        faults: gathers what is wrong.
    """
    seen: dict[str, ListedPlayer] = {}
    ids: dict[str, ListedPlayer] = {}
    for player in players:
        try:
            _check_person(player, context)
        except DocumentError as error:
            faults.add(error)
            continue
        # Two people of one name are told apart by the ids or the nations that the document gives them.
        told_apart = player.source_player_id or player.nation_code or ""
        key = player.player_id or " ".join((readable_id(player.name), told_apart))
        if key in seen:
            found = f"`{player.listed_name}` a second time (first: {seen[key].location.in_file})"
            expected, way_out = "every player once", "If they are two people, give each their nation or their id."
            faults.add(DocumentError(player.location, found, expected, way_out))
        seen[key] = player
        if player.source_player_id and (first := ids.setdefault(player.source_player_id, player)) is not player:
            found = f"the id {player.source_player_id} of `{player.listed_name}` a second time"
            found += f" (first: `{first.listed_name}`, {first.location.in_file})"
            way_out = "One of the two has another id, or is the same person twice."
            faults.add(DocumentError(player.location, found, "every id once", way_out))


def _check_person(player: ListedPlayer, context: Context) -> None:
    """Check that a name is somebody's, and nothing but a name."""
    _refuse_name(player, fault_of_text(player.listed_name))
    not_people = context.not_people
    if any(map(not_people.meaning_of, {player.listed_name, player.name})):
        raise DocumentError(
            player.location,
            f"`{shortened(player.listed_name)}` in the place of a name",
            "somebody's first and last name",
            f"Delete the row, or name the person. {NOT_PEOPLE} has the words that name nobody.",
        )
    if mark := _MARKS.search(player.listed_name):
        raise DocumentError(
            player.location,
            f"the name `{shortened(player.listed_name)}` with `{mark[0]}` in it",
            "the name of one person, without marks",
            "Two people need a row each; a mark is explained by a remark that begins with `#`.",
        )
    if role := not_people.role_in(player.listed_name):
        raise DocumentError(
            player.location,
            f"the name `{shortened(player.listed_name)}` with `{role}` in it, which is no part of a name",
            "the name alone",
            f"Take `({role})` out of the name; the placement stays, and is `-` for somebody who has none.",
        )
    _refuse_name(player, fault_of_person(player.first_name, player.last_name))
    if not readable_id_or_empty(player.name):
        _refuse_name(player, (f"no letter or digit in {player.name!r}", "a name with letters"))


def _refuse_name(player: ListedPlayer, fault: tuple[str, str] | None) -> None:
    if fault:
        raise DocumentError(player.location, f"the name `{shortened(player.listed_name)}` with {fault[0]}", fault[1])
