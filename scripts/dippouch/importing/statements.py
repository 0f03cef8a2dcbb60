"""Make rows of seeds from documents. `append` adds the id of the document."""

from datetime import date
from decimal import Decimal

from dippouch.collection.schema import TOURNAMENTS, Row, correctable
from dippouch.reading.documents import (
    Document,
    ListedPlayer,
    PlayerDocument,
    RankingDocument,
    Result,
    TournamentDocument,
)

_OF_PERSON = ("first_name", "last_name", "nation_code", "location_code")
# What a document is about: a table of a tournament, the page of a player, a published ranking.
TOURNAMENT, PLAYER, RANKING = "tournament", "player", "ranking"


def document_row(document: Document, import_number: int, *, replaces: bool) -> Row:
    """Return the row of raw_documents for a document."""
    about = {TournamentDocument: TOURNAMENT, PlayerDocument: PLAYER, RankingDocument: RANKING}[type(document)]
    last_update = None if isinstance(document, PlayerDocument) else document.last_update
    return {
        "about": about,
        "source_document": document.source.path.name,
        "source_sha256": document.source.sha256,
        "source_form": document.source.format,
        "last_update": cell(last_update),
        "import_number": cell(import_number),
        "replaces": str(replaces).lower(),
    }


def tournament_row(tournament_id: str, document: TournamentDocument, kind: str) -> Row:
    """Return the row of raw_tournaments for a tournament's document, or for a line of a player's page."""
    return {
        "tournament_id": tournament_id,
        "source_tournament_ids": " ".join(document.source_ids),
        **{name: cell(getattr(document, name)) for name in correctable(TOURNAMENTS)},
        "kind": kind,
        **{f"coefficient_{i}": cell(value) for i, value in enumerate(document.coefficients, start=1)},
    }


def result_row(tournament_id: str, player_id: str, result: Result) -> Row:
    """Return the row of raw_results for one line of a table, or of a player's page."""
    return {
        "tournament_id": tournament_id,
        "placement": cell(result.placement),
        **_player_cells(result.player, player_id),
        "published_score": cell(result.published_score),
        "game_score": cell(result.game_score),
    }


def ranking_row(document: RankingDocument, player_id: str, rank: Result) -> Row:
    """Return the row of raw_published_rankings for one line of a published ranking."""
    return {
        "ranking_name": document.ranking_name,
        "author": document.author,
        "last_update": cell(document.last_update),
        "published_rank": cell(rank.placement),
        **_player_cells(rank.player, player_id),
        "published_rating": cell(rank.published_score),
        "published_national_rank": cell(document.national_rank),
        "published_tournaments": cell(document.tournaments),
    }


def player_row(document: PlayerDocument, player_id: str) -> Row | None:
    """Return a player's page as a row of ref_players; None if it states no nation."""
    player = document.player
    if not player.nation_code and not player.location_code:
        return None
    return {
        "player_id": player_id,
        **{name: cell(getattr(player, name)) for name in _OF_PERSON},
        "source": f"{document.source.format}: {document.source.path.name}",
    }


def _player_cells(player: ListedPlayer, player_id: str) -> Row:
    return {
        "player_id": player_id,
        "source_player_ids": " ".join(player.source_ids),
        "listed_name": player.listed_name,
        **{name: cell(getattr(player, name)) for name in _OF_PERSON},
    }


def cell(value: int | str | date | Decimal | None) -> str:
    """Return a value as a cell, a decimal with two places as in documents; empty for None."""
    if value is None:
        return ""
    return f"{value:.2f}" if isinstance(value, Decimal) else str(value)
