"""What must hold in any document, whatever its format: a document that breaks one of these is not imported."""

from __future__ import annotations

from collections import Counter
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
from dippouch.errors import DocumentError, Location
from dippouch.ids import readable_id_or_empty
from dippouch.names import fault_of_name, fault_of_text, shortened
from dippouch.rating.rules import agrees_with_printed, percentile_score
from dippouch.ties import crowding

# No later than any event that can have been played, and earlier than the first game of any kind that is rated.
_FIRST_YEAR, _LAST_YEAR = 1900, 2100

# Leagues that are played by mail take years; what takes longer is a slip in a date.
_LONGEST_DAYS = 3 * 366

_LONGEST_TEXT = 200


def check_document(document: Document) -> None:
    """Check every invariant of a document.

    Raises:
        DocumentError: for the first one that does not hold, with its line.
    """
    if isinstance(document, TournamentDocument):
        _check_tournament(document)
    elif isinstance(document, RankingDocument):
        _check_ranking(document)
    else:
        _check_player_document(document)


def _check_tournament(document: TournamentDocument) -> None:
    _check_name(document.name, document.location_of("name"))
    for label in ("subtitle", "place", "kind"):
        _check_text(label, getattr(document, label), document.location_of(label))
    _check_dates(document.started_on, document.ended_on, document.location_of("started_on"))
    _check_players([result.player for result in document.results])
    placed = [result for result in document.results if result.placement is not None]
    for result in document.results:
        _check_result(document, result)
    if document.players is not None and len(placed) > document.players:
        raise DocumentError(
            document.location_of("players"),
            f"{document.players} declared players",
            f"at least the {len(placed)} that are listed with a placement",
        )
    if not document.results:
        raise document.source.fault("a tournament without results", "at least one listed player")
    _check_ties(document)


def _check_result(document: TournamentDocument, result: Result) -> None:
    """A placement lies within the field, and a printed score is the score of the placement."""
    if result.placement is None:
        return
    most = document.players
    if result.placement < 1 or (most is not None and result.placement > most):
        declared = document.location_of("players").in_file
        raise DocumentError(
            result.player.location,
            f"placement {result.placement}",
            f"a placement from 1 to {most}" if most else "a placement from 1",
            f"The document declares {most} players{f' ({declared})' if declared else ''}; one of the two is wrong.",
        )
    if result.published_score is not None and most is not None:
        score = percentile_score(most, result.placement)
        if not agrees_with_printed(score, result.published_score):
            raise DocumentError(
                result.player.location,
                f"score {result.published_score}",
                f"{float(score):.2f}, the percentile score of placement {result.placement} among {most} players",
                "The placement, the score or the declared number of players is wrong.",
            )


def _check_ties(document: TournamentDocument) -> None:
    """Tied players leave room for themselves: 1, 2, 2, 4."""
    first_with = {r.placement: r.player for r in reversed(document.results) if r.placement is not None}
    tied = Counter(r.placement for r in document.results if r.placement is not None)
    for placement, players, following in crowding(tied, document.players):
        # The last tied placement has no follower: then there are more players than places are left.
        found = "the end of the field" if following is None else f"placement {following}"
        raise DocumentError(
            first_with[placement if following is None else following].location,
            f"{found} after {players} players at placement {placement}",
            f"placement {placement + players} or later (tied players share the best placement: 1, 2, 2, 4)",
        )


def _check_ranking(document: RankingDocument) -> None:
    whole = Location(document.source.path)
    _check_text("name of the ranking", document.ranking_name, whole)
    _check_text("author", document.author, whole)
    _check_dates(document.last_update, document.last_update, whole)
    _check_players([row.player for row in document.ranks])
    for row in document.ranks:
        if not 0 <= row.rating <= Decimal(100):
            raise DocumentError(row.player.location, f"rating {row.rating}", "a rating from 0 to 100")
        if row.rank < 1:
            raise DocumentError(row.player.location, f"rank {row.rank}", "a rank from 1")
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


def _check_player_document(document: PlayerDocument) -> None:
    _check_players([document.player])
    seen: dict[tuple[str, date], Appearance] = {}
    for played in document.appearances:
        _check_name(played.name, played.location, "name of the tournament")
        _check_text("kind", played.kind, played.location)
        _check_dates(played.started_on, played.ended_on, played.location)
        if played.placement is not None and (
            played.placement < 1 or (played.players is not None and played.placement > played.players)
        ):
            most = f"from 1 to {played.players}" if played.players else "from 1"
            raise DocumentError(played.location, f"placement {played.placement}", f"a placement {most}")
        key = (played.source_tournament_id or played.name, played.ended_on)
        if key in seen:
            found = f"`{played.name}` a second time (first: {seen[key].location.in_file})"
            raise DocumentError(played.location, found, "every tournament once")
        seen[key] = played


def _check_dates(started_on: date, ended_on: date, location: Location) -> None:
    if ended_on < started_on:
        raise DocumentError(location, f"the end {ended_on} before the start {started_on}", "an end after it")
    if not (started_on.year >= _FIRST_YEAR and ended_on.year <= _LAST_YEAR):
        found = f"the date {started_on if started_on.year < _FIRST_YEAR else ended_on}"
        raise DocumentError(location, found, f"a year from {_FIRST_YEAR} to {_LAST_YEAR}")
    if (ended_on - started_on).days > _LONGEST_DAYS:
        raise DocumentError(
            location,
            f"{(ended_on - started_on).days} days from {started_on} to {ended_on}",
            f"at most {_LONGEST_DAYS}",
            "One of the two days is wrong.",
        )


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


def _check_players(players: list[ListedPlayer]) -> None:
    """Everybody has a name that can be shown and made into an id, and is listed once."""
    seen: dict[str, ListedPlayer] = {}
    for player in players:
        player_id = readable_id_or_empty(player.name)
        fault = fault_of_text(player.listed_name) or fault_of_name(player.name)
        if not fault and not player_id:
            fault = f"no letter or digit in {player.name!r}", "a name with letters"
        if fault:
            found = f"the name `{shortened(player.listed_name)}` with {fault[0]}"
            raise DocumentError(player.location, found, fault[1])
        # Two people of one name are told apart by the ids or the nations that the document gives them.
        key = " ".join((player_id, player.source_player_id or player.nation_code or ""))
        if key in seen:
            raise DocumentError(
                player.location,
                f"`{player.listed_name}` a second time (first: {seen[key].location.in_file})",
                "every player once",
                "If they are two people, give each their nation or their id.",
            )
        seen[key] = player
