"""Check a document by itself: its days are not in the future, and printed scores agree with placements.

The rules about a document's rows are in macros/checks.
"""

from __future__ import annotations

import re
import shlex
from datetime import date

from dippouch.documents import Appearance, Document, PlayerDocument, RankingDocument, Result, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.context import Context
from dippouch.names import shortened
from dippouch.rating.rules import agrees_with_printed, percentile_score

# A year in a title, with the following one of a season (`2015/16`). Earlier ones are years of the game: `Spring 1901`.
_YEAR = re.compile(r"(?<![0-9])(19[5-9][0-9]|20[0-9]{2})(?![0-9])([/–-][0-9]{2}(?![0-9]))?")


def check_document(document: Document, context: Context) -> None:
    """Check every invariant of a document."""
    faults = Faults()
    if isinstance(document, TournamentDocument):
        _check_tournament(document, context, faults)
    elif isinstance(document, RankingDocument):
        _check_is_past(document.last_update, Location(document.source.path), context)
    else:
        _check_player_document(document, context, faults)
    faults.raise_any()


def _check_tournament(document: TournamentDocument, context: Context, faults: Faults) -> None:
    with faults.gathered():
        _check_is_past(document.ended_on, document.location_of("started_on"), context)
    faults.each(document.results, lambda result: _check_score(document, result))
    if not document.results:
        raise document.source.fault("a tournament without results", "at least one listed player")


def refuse_other_year(document: TournamentDocument) -> None:
    """Refuse a title that a document states with another year than its days, unless it prints the value or has ids."""
    years = {
        int(year) + later for year, is_season in _YEAR.findall(document.name) for later in range(1 + bool(is_season))
    }
    is_asked = "name" in document.locations and document.coefficients[0] is None and not document.tournament_id
    if years and is_asked and years.isdisjoint({document.started_on.year, document.ended_on.year}):
        raise DocumentError(
            document.location_of("name"),
            f"the title `{shortened(document.name)}` of a tournament that ended on {document.ended_on}",
            "the year of its days in the title",
            f"Mend the wrong one. If both are right, import a file of it alone with --name {shlex.quote(document.name)}",
        )


def _check_score(document: TournamentDocument, result: Result) -> None:
    """Check that a printed score is that of the placement."""
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


def _check_player_document(document: PlayerDocument, context: Context, faults: Faults) -> None:
    seen: dict[tuple[str | date, ...], Appearance] = {}
    for played in document.appearances:
        with faults.gathered():
            _check_appearance(played, context)
            key = played.source_ids[:1] or (played.name, played.ended_on)
            if key in seen:
                found = f"`{played.name}` a second time (first: {seen[key].location.in_file})"
                raise DocumentError(played.location, found, "every tournament once")
            seen[key] = played


def _check_appearance(played: Appearance, context: Context) -> None:
    """Check one tournament on a player's page, which prints the field size beside the placement."""
    _check_is_past(played.ended_on, played.location, context)
    if played.placement is not None and played.players is not None and played.placement > played.players:
        raise DocumentError(played.location, f"placement {played.placement}", f"a placement from 1 to {played.players}")


def _check_is_past(day: date, location: Location, context: Context) -> None:
    if context.last_day is not None and day > context.last_day:
        raise DocumentError(
            location,
            f"the date {day}, which is in the future",
            f"a day up to {context.last_day}",
            "Is the year mistyped? If it is right, import the document with --future.",
        )
