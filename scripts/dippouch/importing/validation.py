"""What must hold in any document, whatever its format: a document that breaks one of these is not imported."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise

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
from dippouch.seeds.corrected_values import FIRST_YEAR, LARGEST_NUMBER, LAST_YEAR, LONGEST_DAYS
from dippouch.seeds.schema import NOT_PEOPLE
from dippouch.ties import Crowding, crowding

_LONGEST_TEXT = 200

# What is expected of whoever is listed a second time, and the way out.
EVERY_PLAYER_ONCE = ("every player once", "If they are two people, give each their nation or their id.")

# What refers to a note, or joins two people.
_MARKS = re.compile(r"[*†‡&]|\[[0-9]+\]")


def check_document(document: Document, context: Context) -> None:
    """Check every invariant of a document.

    Args:
        document: what was read.
        context: what it was read with.

    Raises:
        DocumentError: for those that do not hold, each with its line.
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
    for label in ("name", "subtitle", "place", "kind"):
        with faults.gathered():
            check_fact(label, getattr(document, label), document.location_of(label))
    with faults.gathered():
        check_dates(document.started_on, document.ended_on, document.location_of("started_on"), context)
    for label in ("players", "rounds", "boards", "last_update"):
        with faults.gathered():
            check_fact(label, getattr(document, label), document.location_of(label))
    check_players([result.player for result in document.results], context, faults)
    placed = [result for result in document.results if result.placement is not None]
    for result in document.results:
        try:
            check_result(document, result)
        except DocumentError as error:
            faults.add(error)
    with faults.gathered():
        check_room(document.players, len(placed), document.location_of("players"))
    if not document.results:
        raise document.source.fault("a tournament without results", "at least one listed player")
    # What is wrong with the placements one by one is no tie.
    faults.raise_any()
    _check_ties(document)


def check_fact(label: str, value: str | int | date | None, location: Location) -> None:
    """Check one fact of a tournament by itself; None: it is not stated.

    Args:
        label: the field of `TournamentDocument`.
        value: what is stated.
        location: where, for messages.

    Raises:
        DocumentError: when it cannot be.
    """
    if label == "name":
        _check_name(str(value), location)
    elif isinstance(value, date):
        _check_years(value, value, location)
    elif isinstance(value, int):
        _check_number(label, value, location)
    else:
        _check_text(label, value, location)


def check_room(players: int | None, placed: int, location: Location) -> None:
    """Check that an event declares no fewer players than are listed with a placement.

    Raises:
        DocumentError: when it does.
    """
    if players is not None and placed > players:
        raise DocumentError(
            location, f"{players} declared players", f"at least the {placed} that are listed with a placement"
        )


def check_result(document: TournamentDocument, result: Result) -> None:
    """Check that a placement lies within the field, and that a printed score is the score of the placement.

    Raises:
        DocumentError: when it does not.
    """
    score = result.published_score
    if score is not None and not 0 <= score <= Decimal(100):
        raise DocumentError(result.player.location, f"score {score}", "a score from 0 to 100")
    if result.placement is None:
        return
    _check_number("placement", result.placement, result.player.location)
    most = document.players
    if result.placement < 1 or (most is not None and result.placement > most):
        declared = document.location_of("players").in_file
        raise DocumentError(
            result.player.location,
            f"placement {result.placement}",
            f"a placement from 1 to {most}" if most else "a placement from 1",
            f"The document declares {most} players{f' ({declared})' if declared else ''}; one of the two is wrong.",
        )
    if score is not None and most is not None:
        ours = percentile_score(most, result.placement)
        if not agrees_with_printed(ours, score):
            raise DocumentError(
                result.player.location,
                f"score {score}",
                f"{float(ours):.2f}, the percentile score of placement {result.placement} among {most} players",
                "The placement, the score or the declared number of players is wrong.",
            )


def _check_ties(document: TournamentDocument) -> None:
    """Tied players leave room for themselves: 1, 2, 2, 4."""
    first_with = {r.placement: r.player for r in reversed(document.results) if r.placement is not None}
    tied = Counter(r.placement for r in document.results if r.placement is not None)
    for crowded in crowding(tied, document.players):
        found, expected, at = crowded_fault(crowded)
        raise DocumentError(first_with[at].location, found, expected)


def crowded_fault(crowded: Crowding) -> tuple[str, str, int]:
    """What was found and expected where the tied have no room, and the placement to blame."""
    placement, players, following = crowded
    # The last tied placement has no follower: then there are more players than places are left.
    found = "the end of the field" if following is None else f"placement {following}"
    return (
        f"{found} after {players} players at placement {placement}",
        f"placement {placement + players} or later (tied players share the best placement: 1, 2, 2, 4)",
        placement if following is None else following,
    )


def _check_ranking(document: RankingDocument, context: Context, faults: Faults) -> None:
    whole = Location(document.source.path)
    with faults.gathered():
        _check_text("name of the ranking", document.ranking_name, whole)
        _check_text("author", document.author, whole)
        check_dates(document.last_update, document.last_update, whole, context)
    check_players([row.player for row in document.ranks], context, faults)
    for row in document.ranks:
        with faults.gathered():
            if not 0 <= row.rating <= Decimal(100):
                raise DocumentError(row.player.location, f"rating {row.rating}", "a rating from 0 to 100")
            if row.rank < 1:
                raise DocumentError(row.player.location, f"rank {row.rank}", "a rank from 1")
            _check_number("rank", row.rank, row.player.location)
    faults.raise_any()
    sharing = Counter(row.rank for row in document.ranks)
    for above, below in pairwise(document.ranks):
        here = below.player.location
        found = f"rank {below.rank} with {below.rating} under rank {above.rank} with {above.rating}"
        if below.rank < above.rank or below.rating > above.rating:
            raise DocumentError(here, found, "ranks that do not fall and ratings that do not rise down the page")
        if below.rank == above.rank and below.rating != above.rating:
            raise DocumentError(here, found, "the same rating for everybody who shares a rank")
        if above.rank < below.rank < above.rank + sharing[above.rank]:
            expected = f"rank {above.rank + sharing[above.rank]} or later (1, 2, 2, 4)"
            raise DocumentError(here, f"{found}, which {sharing[above.rank]} players share", expected)


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
    """One tournament on a player's page."""
    _check_number("placement", played.placement, played.location)
    _check_number("players", played.players, played.location)
    _check_name(played.name, played.location, "name of the tournament")
    _check_text("kind", played.kind, played.location)
    check_dates(played.started_on, played.ended_on, played.location, context)
    if played.placement is not None and (
        played.placement < 1 or (played.players is not None and played.placement > played.players)
    ):
        most = f"from 1 to {played.players}" if played.players else "from 1"
        raise DocumentError(played.location, f"placement {played.placement}", f"a placement {most}")


def check_dates(started_on: date, ended_on: date, location: Location, context: Context) -> None:
    """Check that the days of an event are in order, near each other, and of years that can be.

    Raises:
        DocumentError: when they are not.
    """
    if ended_on < started_on:
        raise DocumentError(location, f"the end {ended_on} before the start {started_on}", "an end after it")
    _check_years(started_on, ended_on, location)
    if context.last_day is not None and ended_on > context.last_day:
        raise DocumentError(
            location,
            f"the date {ended_on}, which is still to come",
            f"a day up to {context.last_day}",
            "Is the year mistyped? If it is right, import the document with --future.",
        )
    if (ended_on - started_on).days > LONGEST_DAYS:
        raise DocumentError(
            location,
            f"{(ended_on - started_on).days} days from {started_on} to {ended_on}",
            f"at most {LONGEST_DAYS}",
            "One of the two days is wrong.",
        )


def _check_years(started_on: date, ended_on: date, location: Location) -> None:
    if not (started_on.year >= FIRST_YEAR and ended_on.year <= LAST_YEAR):
        found = f"the date {started_on if started_on.year < FIRST_YEAR else ended_on}"
        raise DocumentError(location, found, f"a year from {FIRST_YEAR} to {LAST_YEAR}")


def _check_number(label: str, number: int | None, location: Location) -> None:
    """No number of an event is larger than a correction of it may be."""
    if number is not None and number > LARGEST_NUMBER:
        raise DocumentError(location, f"{label} {number}", f"at most {LARGEST_NUMBER}")


def _check_text(label: str, text: str | None, location: Location) -> None:
    """What a document calls something must be fit to be shown, and to be opened in a spreadsheet."""
    if text is None:
        return
    fault = fault_of_text(text, _LONGEST_TEXT) if text.strip() else ("nothing", "a text")
    if fault:
        raise DocumentError(location, f"the {label} with {fault[0]}", fault[1])


def _check_name(name: str, location: Location, label: str = "name") -> None:
    """The name of a tournament makes its id."""
    _check_text(label, name, location)
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
            check_person(player, context)
        except DocumentError as error:
            faults.add(error)
            continue
        # Two people of one name are told apart by the ids or the nations that the document gives them.
        told_apart = player.source_player_id or player.nation_code or ""
        key = player.player_id or " ".join((readable_id(player.name), told_apart))
        if key in seen:
            faults.add(
                DocumentError(
                    player.location,
                    f"`{player.listed_name}` a second time (first: {seen[key].location.in_file})",
                    *EVERY_PLAYER_ONCE,
                )
            )
        seen[key] = player
        if player.source_player_id and (first := ids.setdefault(player.source_player_id, player)) is not player:
            faults.add(
                DocumentError(
                    player.location,
                    f"the id {player.source_player_id} of `{player.listed_name}` a second time (first:"
                    f" `{first.listed_name}`, {first.location.in_file})",
                    "every id once",
                    "One of the two has another id, or is the same person twice.",
                )
            )


def check_person(player: ListedPlayer, context: Context) -> None:
    """Check that a name is somebody's, and nothing but a name.

    Raises:
        DocumentError: when it is not.
    """
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
