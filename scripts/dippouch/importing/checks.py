"""What must hold in any document, whatever its form: a document that breaks one of these is not imported."""

from __future__ import annotations

from collections import Counter
from datetime import date
from decimal import Decimal
from fractions import Fraction

from dippouch.errors import DocumentError
from dippouch.importing.documents import (
    Appearance,
    Document,
    ListedPlayer,
    PlayerDocument,
    RankingDocument,
    Result,
    TournamentDocument,
)
from dippouch.importing.names import fault_of_name, fault_of_text, readable_id, shortened
from dippouch.verifying.oracle import percentile_score

# A printed score at two decimals may be off by half a hundredth, and no more.
_ROUNDING = Fraction(1, 200)

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
    path, lines = document.source.path, document.field_lines
    for label in ("name", "subtitle", "place", "kind"):
        _check_text(document, label, getattr(document, label), lines.get(label))
    _check_dates(document, document.started_on, document.ended_on, lines.get("started_on"))
    _check_players(document, [result.player for result in document.results])
    placed = [result for result in document.results if result.placement is not None]
    for result in document.results:
        _check_result(document, result)
    if document.players is not None and len(placed) > document.players:
        raise DocumentError(
            path,
            lines.get("players"),
            f"{document.players} declared players",
            f"at least the {len(placed)} that are listed with a placement",
        )
    if not document.results:
        raise DocumentError(path, None, "a tournament without results", "at least one listed player")
    _check_ties(document)


def _check_result(document: TournamentDocument, result: Result) -> None:
    """A placement lies within the field, and a printed score is the score of the placement."""
    if result.placement is None:
        return
    most = document.players
    if result.placement < 1 or (most is not None and result.placement > most):
        declared = document.field_lines.get("players")
        raise _fault(
            document,
            result.player,
            f"placement {result.placement}",
            f"a placement from 1 to {most}" if most else "a placement from 1",
            f"The document declares {most} players{f' (line {declared})' if declared else ''}; one of the two is wrong.",
        )
    if result.published_score is not None and most is not None:
        score = percentile_score(most, result.placement)
        if abs(score - Fraction(result.published_score)) > _ROUNDING:
            raise _fault(
                document,
                result.player,
                f"score {result.published_score}",
                f"{float(score):.2f}, the percentile score of placement {result.placement} among {most} players",
                "The placement, the score or the declared number of players is wrong.",
            )


def _check_ties(document: TournamentDocument) -> None:
    """After k players at placement p, the next listed placement is at least p + k."""
    first_with = {r.placement: r.player for r in reversed(document.results) if r.placement is not None}
    tied = Counter(r.placement for r in document.results if r.placement is not None)
    placements = sorted(tied)
    ends = [] if document.players is None else [document.players + 1]
    for placement, following in zip(placements, [*placements[1:], *ends], strict=False):
        if following < placement + tied[placement]:
            # The last tied placement has no follower: then there are more players than places are left.
            at, found = (
                (following, f"placement {following}") if following in tied else (placement, "the end of the field")
            )
            raise _fault(
                document,
                first_with[at],
                f"{found} after {tied[placement]} players at placement {placement}",
                f"placement {placement + tied[placement]} or later (tied players share the best placement: 1, 2, 2, 4)",
            )


def _check_ranking(document: RankingDocument) -> None:
    _check_text(document, "name of the ranking", document.ranking_name, None)
    _check_text(document, "author", document.author, None)
    _check_dates(document, document.last_update, document.last_update, None)
    _check_players(document, [row.player for row in document.ranks])
    for row in document.ranks:
        if not 0 <= row.rating <= Decimal(100):
            raise _fault(document, row.player, f"rating {row.rating}", "a rating from 0 to 100")
    for above, below in zip(document.ranks, document.ranks[1:], strict=False):
        if below.rank < above.rank or below.rating > above.rating:
            raise _fault(
                document,
                below.player,
                f"rank {below.rank} with {below.rating} under rank {above.rank} with {above.rating}",
                "ranks that do not fall and ratings that do not rise down the page",
            )


def _check_player_document(document: PlayerDocument) -> None:
    _check_players(document, [document.player])
    seen: dict[tuple[str, date], Appearance] = {}
    for played in document.appearances:
        for label, text in (("name of the tournament", played.name), ("kind", played.kind)):
            _check_text(document, label, text, played.line or None, played.place)
        _check_dates(document, played.started_on, played.ended_on, played.line or None, played.place)
        if played.placement is not None and (
            played.placement < 1 or (played.players is not None and played.placement > played.players)
        ):
            most = f"from 1 to {played.players}" if played.players else "from 1"
            raise DocumentError(
                document.source.path,
                played.line or None,
                f"placement {played.placement}",
                f"a placement {most}",
                place=played.place,
            )
        key = (played.source_tournament_id or played.name, played.ended_on)
        if key in seen:
            raise DocumentError(
                document.source.path,
                played.line or None,
                f"`{played.name}` a second time (first: {_where(seen[key])})",
                "every tournament once",
                place=played.place,
            )
        seen[key] = played


def _check_dates(document: Document, started_on: date, ended_on: date, line: int | None, place: str = "") -> None:
    path = document.source.path
    if ended_on < started_on:
        raise DocumentError(
            path, line, f"the end {ended_on} before the start {started_on}", "an end after it", place=place
        )
    if not (started_on.year >= _FIRST_YEAR and ended_on.year <= _LAST_YEAR):
        raise DocumentError(
            path,
            line,
            f"the date {started_on if started_on.year < _FIRST_YEAR else ended_on}",
            f"a year from {_FIRST_YEAR} to {_LAST_YEAR}",
            place=place,
        )
    if (ended_on - started_on).days > _LONGEST_DAYS:
        raise DocumentError(
            path,
            line,
            f"{(ended_on - started_on).days} days from {started_on} to {ended_on}",
            f"at most {_LONGEST_DAYS}",
            "One of the two days is wrong.",
            place=place,
        )


def _check_text(document: Document, label: str, text: str | None, line: int | None, place: str = "") -> None:
    """What a document calls something must be fit to be shown, and to be opened in a spreadsheet."""
    if text is None:
        return
    fault = fault_of_text(text, _LONGEST_TEXT) if text.strip() else "nothing; expected a text"
    if fault:
        found, _, expected = fault.partition("; expected ")
        raise DocumentError(document.source.path, line, f"the {label} with {found}", expected, place=place)


def _check_players(document: Document, players: list[ListedPlayer]) -> None:
    """Everybody has a name that can be shown and made into an id, and is listed once."""
    seen: dict[str, ListedPlayer] = {}
    for player in players:
        name = f"{player.first_name} {player.last_name}".strip()
        fault = fault_of_text(player.listed_name) or fault_of_name(name)
        if fault:
            found, _, expected = fault.partition("; expected ")
            raise _fault(document, player, f"the name `{shortened(player.listed_name)}` with {found}", expected)
        try:
            player_id = readable_id(name)
        except ValueError as error:
            raise _fault(
                document, player, f"the name `{shortened(player.listed_name)}` with {error}", "a name with letters"
            ) from None
        # Two people of one name are told apart by the ids or the nations that the document gives them.
        key = " ".join((player_id, player.source_player_id or player.nation_code or ""))
        if key in seen:
            raise _fault(
                document,
                player,
                f"`{player.listed_name}` a second time (first: {_where(seen[key])})",
                "every player once",
                "If they are two people, give each their nation or their id.",
            )
        seen[key] = player


def _where(stated: ListedPlayer | Appearance) -> str:
    return stated.place or f"line {stated.line}"


def _fault(document: Document, player: ListedPlayer, found: str, expected: str, hint: str = "") -> DocumentError:
    return DocumentError(document.source.path, player.line or None, found, expected, hint, place=player.place)
