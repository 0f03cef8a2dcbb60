"""What must hold in any document, whatever its form: a document that breaks one of these is not imported."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction

from dippouch.errors import DocumentError
from dippouch.importing.documents import Document, ListedPlayer, RankingDocument, TournamentDocument
from dippouch.importing.names import readable_id
from dippouch.verifying.oracle import percentile_score

# A printed score at two decimals may be off by half a hundredth, and no more.
_ROUNDING = Fraction(1, 200)

# No later than any event that can have been played, and earlier than the first game of any kind that is rated.
_FIRST_YEAR, _LAST_YEAR = 1900, 2100


def check_document(document: Document) -> None:
    """Check every invariant of a document.

    Raises:
        DocumentError: for the first one that does not hold, with its line.
    """
    if isinstance(document, TournamentDocument):
        _check_tournament(document)
    else:
        _check_ranking(document)


def _check_tournament(document: TournamentDocument) -> None:
    path, lines = document.source.path, document.field_lines
    if not _FIRST_YEAR <= document.started_on.year <= _LAST_YEAR:
        raise DocumentError(
            path,
            lines.get("started_on"),
            f"the date {document.started_on}",
            f"a year from {_FIRST_YEAR} to {_LAST_YEAR}",
        )
    _check_players_differ(document, [result.player for result in document.results])
    for result in document.results:
        line = result.player.line
        if not 1 <= result.placement <= document.players:
            raise DocumentError(
                path,
                line,
                f"placement {result.placement}",
                f"a placement from 1 to {document.players}",
                f"The page declares {document.players} players (line {lines.get('players', '?')}); one of the two is wrong.",
            )
        if result.published_score is not None:
            score = percentile_score(document.players, result.placement)
            if abs(score - Fraction(result.published_score)) > _ROUNDING:
                raise DocumentError(
                    path,
                    line,
                    f"score {result.published_score}",
                    f"{float(score):.2f}, the percentile score of placement {result.placement} among {document.players} players",
                    "The placement, the score or the declared number of players is wrong.",
                )
    if len(document.results) > document.players:
        raise DocumentError(
            path,
            lines.get("players"),
            f"{document.players} declared players",
            f"at least the {len(document.results)} that are listed",
        )
    _check_ties(document)


def _check_ties(document: TournamentDocument) -> None:
    """After k players at placement p, the next listed placement is at least p + k."""
    tied = Counter(result.placement for result in document.results)
    placements = sorted(tied)
    line_of = {result.placement: result.player.line for result in reversed(document.results)}
    for placement, following in zip(placements, [*placements[1:], document.players + 1], strict=True):
        if following < placement + tied[placement]:
            # The last tied placement has no follower: then there are more players than places are left.
            at, found = (
                (following, f"placement {following}") if following in tied else (placement, "the end of the field")
            )
            raise DocumentError(
                document.source.path,
                line_of[at],
                f"{found} after {tied[placement]} players at placement {placement}",
                f"placement {placement + tied[placement]} or later (tied players share the best placement: 1, 2, 2, 4)",
            )


def _check_ranking(document: RankingDocument) -> None:
    path = document.source.path
    _check_players_differ(document, [row.player for row in document.ranks])
    for row in document.ranks:
        if not 0 <= row.rating <= Decimal(100):
            raise DocumentError(path, row.player.line, f"rating {row.rating}", "a rating from 0 to 100")
    for above, below in zip(document.ranks, document.ranks[1:], strict=False):
        if below.rank < above.rank or below.rating > above.rating:
            raise DocumentError(
                path,
                below.player.line,
                f"rank {below.rank} with {below.rating} under rank {above.rank} with {above.rating}",
                "ranks that do not fall and ratings that do not rise down the page",
            )


def _check_players_differ(document: Document, players: list[ListedPlayer]) -> None:
    seen: dict[str, ListedPlayer] = {}
    for player in players:
        try:
            player_id = readable_id(f"{player.first_name} {player.last_name}")
        except ValueError as error:
            raise DocumentError(
                document.source.path,
                player.line,
                f"the name `{player.listed_name}` with {error}",
                "a name with letters",
            ) from None
        if player_id in seen:
            raise DocumentError(
                document.source.path,
                player.line,
                f"`{player.listed_name}` a second time (first on line {seen[player_id].line})",
                "every player once",
            )
        seen[player_id] = player
