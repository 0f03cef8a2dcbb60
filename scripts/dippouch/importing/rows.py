"""Make seed rows from documents."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from dippouch.documents import ListedPlayer, PlayerDocument, RankingDocument, Result, Source, TournamentDocument
from dippouch.matching.identities import Identity
from dippouch.seeds.schema import TOURNAMENTS, Row, correctable

# Values of `listed_by`: the tournament's own table lists the person, or only the person's page names the tournament.
BY_TOURNAMENT, BY_PLAYER = "tournament", "player"
_OF_PERSON = ("first_name", "last_name", "nation_code", "location_code")


def tournament_row(tournament_id: str, document: TournamentDocument, kind: str) -> Row:
    """Return the row of raw_tournaments for a tournament's document."""
    return {
        "tournament_id": tournament_id,
        "source_tournament_id": next(iter(document.source_ids), ""),
        **{name: cell(getattr(document, name)) for name in correctable(TOURNAMENTS)},
        "kind": kind,
        **{f"coefficient_{i}": cell(value) for i, value in enumerate(document.coefficients, start=1)},
        **source_cells(document.source),
        "source_last_update": cell(document.last_update),
    }


def result_row(tournament_id: str, person: Identity, result: Result, listed_by: str) -> Row:
    """Return the row of raw_results for one line of a table or of a player's page (`listed_by`)."""
    return {
        "tournament_id": tournament_id,
        "placement": cell(result.placement),
        **player_cells(result.player, person),
        "published_score": cell(result.published_score),
        "listed_by": listed_by,
        "game_score": cell(result.game_score),
    }


def player_cells(player: ListedPlayer, person: Identity) -> Row:
    """Return the cells with a person's id, and with their listing in the document."""
    return {
        "player_id": person.player_id,
        "source_player_id": next(iter(player.source_ids), ""),
        "listed_name": player.listed_name,
        **{name: cell(getattr(player, name)) for name in _OF_PERSON},
    }


def source_cells(source: Source) -> Row:
    """Return the cells that identify the document."""
    return {"source_document": source.path.name, "source_sha256": source.sha256, "source_form": source.format}


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


def ranking_row(document: RankingDocument, person: Identity, rank: Result) -> Row:
    """Return the row of raw_published_rankings for one line of a published ranking."""
    return {
        "ranking_name": document.ranking_name,
        "author": document.author,
        "last_update": cell(document.last_update),
        "published_rank": cell(rank.placement),
        **player_cells(rank.player, person),
        "published_rating": cell(rank.published_score),
        "published_national_rank": cell(document.national_rank),
        "published_tournaments": cell(document.tournaments),
        **source_cells(document.source),
    }


def further_row(document: PlayerDocument, played: TournamentDocument, tournament_id: str, player_id: str) -> Row:
    """Return the row of raw_further_statements for one line of a player's page."""
    ranking, (result,) = document.ranking, played.results
    return {
        "tournament_id": tournament_id,
        "player_id": player_id,
        "ranking_name": ranking.ranking_name if ranking else "",
        "last_update": cell(ranking.last_update) if ranking else "",
        **{name: cell(getattr(played, name)) for name in ("kind", "started_on", "ended_on", "players")},
        "placement": cell(result.placement),
        "published_value": cell(played.coefficients[0]),
        "published_score": cell(result.published_score),
        **source_cells(document.source),
    }


def cell(value: int | str | date | Decimal | None) -> str:
    """Return a cell with a value, figures at two decimals as in documents; empty for None."""
    if value is None:
        return ""
    return f"{value:.2f}" if isinstance(value, Decimal) else str(value)
