"""What importing a document changes in a collection: found first, shown, then applied."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from dippouch.collection.seeds import (
    PUBLISHED_RANKINGS,
    RESULTS,
    SOURCE_COLUMNS,
    TOURNAMENTS,
    Collection,
    Row,
    SeedTable,
)
from dippouch.errors import DocumentError
from dippouch.importing.documents import Document, ListedPlayer, RankingDocument, TournamentDocument
from dippouch.importing.names import readable_id
from dippouch.verifying.oracle import RatingRules, tournament_value

# How a World Championship is called where a document states no kind.
WORLD_CHAMPIONSHIP = "WDC"
_WORLD_CHAMPIONSHIP_NAME = re.compile(r"\bworld\s+dip(lomacy\s+)?(con|championship)|\bWDC\b", re.IGNORECASE)


@dataclass(frozen=True)
class Difference:
    """A row that importing a document adds, changes or removes; `before` or `after` is None."""

    table: SeedTable
    key: tuple[str, ...]
    before: Row | None
    after: Row | None

    def changed_columns(self) -> list[str]:
        """The columns whose facts differ; where the document lies does not count."""
        if self.before is None or self.after is None:
            return [column for column in self.table.columns if column not in SOURCE_COLUMNS]
        return [c for c in self.table.columns if c not in SOURCE_COLUMNS and self.before[c] != self.after[c]]


@dataclass(frozen=True)
class Change:
    """What one document changes.

    Attributes:
        document: the document.
        title: what it is about, for people: a tournament's name or a ranking's.
        differences: rows added, changed and removed; empty when the collection states all of it already.
        known: whether the collection knew this tournament or ranking before.
    """

    document: Document
    title: str
    known: bool
    differences: list[Difference] = field(default_factory=list)

    @property
    def status(self) -> str:
        """`new`, `unchanged` or `changed`."""
        if not self.differences:
            return "unchanged"
        return "changed" if self.known else "new"


def plan_change(collection: Collection, document: Document, rules: RatingRules) -> Change:
    """Find what a document changes in a collection; nothing is applied.

    A document's silence erases nothing: a field that it leaves empty keeps what the collection states.

    Args:
        collection: what is known already.
        document: a document that passed `check_document`.
        rules: the rules by which the document's source weighs tournaments.

    Raises:
        DocumentError: when results that the collection holds are missing from the document, or its printed value
            is not that of such an event.
    """
    if isinstance(document, TournamentDocument):
        return _plan_tournament(collection, document, rules)
    return _plan_ranking(collection, document)


def apply_change(collection: Collection, change: Change) -> None:
    """Apply a planned change to a collection in memory."""
    for difference in change.differences:
        rows = collection.tables[difference.table]
        if difference.after is None:
            del rows[difference.key]
        else:
            rows[difference.key] = difference.after


def tournament_id_of(document: TournamentDocument) -> str:
    """The readable id of a tournament: its name, with the year of its end unless the name has it."""
    made = readable_id(document.name)
    year = str(document.ended_on.year)
    return made if year in made.split("-") else f"{made}-{year}"


def _plan_tournament(collection: Collection, document: TournamentDocument, rules: RatingRules) -> Change:
    tournament_id = tournament_id_of(document)
    row = {
        "tournament_id": tournament_id,
        "name": document.name,
        "subtitle": document.subtitle or "",
        "kind": _kind_of(document, rules),
        "started_on": document.started_on.isoformat(),
        "ended_on": document.ended_on.isoformat(),
        "place": document.place,
        "nation_code": "",
        "players": str(document.players),
        "rounds": str(document.rounds),
        "boards": "" if document.boards is None else str(document.boards),
        **{f"coefficient_{i}": _plain(value) for i, value in enumerate(document.coefficients, start=1)},
        "source_document": document.source.path.name,
        "source_sha256": document.source.sha256,
        "source_form": document.source.form,
        "source_last_update": "",
    }
    results: dict[tuple[str, ...], Row] = {}
    for result in document.results:
        player = _player_cells(result.player)
        results[(tournament_id, player["player_id"])] = {
            "tournament_id": tournament_id,
            "placement": str(result.placement),
            **player,
            "published_score": _plain(result.published_score),
        }
    known = (tournament_id,) in collection.tables[TOURNAMENTS]
    lost = [key for key in collection.tables[RESULTS] if key[0] == tournament_id and key not in results]
    if lost:
        names = ", ".join(collection.tables[RESULTS][key]["listed_name"] for key in lost[:3])
        names += ", ..." if len(lost) > 3 else ""
        raise DocumentError(
            document.source.path,
            None,
            f"{len(document.results)} results without {len(lost)} that the collection holds ({names}{', ...' if len(lost) > 3 else ''})",
            f"every result that is known of {tournament_id}",
            "Import a more complete document; a document cannot take results away.",
        )
    differences = _differences(collection, TOURNAMENTS, {(tournament_id,): row})
    differences += _differences(collection, RESULTS, results)
    return Change(document, document.name, known, differences)


def _plan_ranking(collection: Collection, document: RankingDocument) -> Change:
    rows: dict[tuple[str, ...], Row] = {}
    for rank in document.ranks:
        player = _player_cells(rank.player)
        key = (document.ranking_name, document.last_update.isoformat(), player["player_id"])
        rows[key] = {
            "ranking_name": document.ranking_name,
            "author": document.author,
            "last_update": document.last_update.isoformat(),
            "published_rank": str(rank.rank),
            **player,
            "published_rating": _plain(rank.rating),
            "source_document": document.source.path.name,
            "source_sha256": document.source.sha256,
            "source_form": document.source.form,
        }
    known = any(key in collection.tables[PUBLISHED_RANKINGS] for key in rows)
    title = f"{document.ranking_name}, {document.last_update}"
    return Change(document, title, known, _differences(collection, PUBLISHED_RANKINGS, rows))


def _differences(collection: Collection, table: SeedTable, rows: dict[tuple[str, ...], Row]) -> list[Difference]:
    found = []
    for key, row in rows.items():
        before = collection.tables[table].get(key)
        after = row
        if before is not None:
            after = {column: row[column] or before[column] for column in table.columns}
        difference = Difference(table, key, before, after)
        if before is None or difference.changed_columns():
            found.append(difference)
    return found


def _player_cells(player: ListedPlayer) -> Row:
    return {
        "player_id": readable_id(f"{player.first_name} {player.last_name}"),
        "listed_name": player.listed_name,
        "first_name": player.first_name,
        "last_name": player.last_name,
        "nation_code": "",
        "location_code": "",
    }


def _kind_of(document: TournamentDocument, rules: RatingRules) -> str:
    """The kind of an event: as stated, or known by its name, or by the printed value that only one kind can have.

    Raises:
        DocumentError: when the printed `Coeff 1` is not the value of such an event at two decimals.
    """
    kind = document.kind or (WORLD_CHAMPIONSHIP if _WORLD_CHAMPIONSHIP_NAME.search(document.name) else "")
    stated = kind == WORLD_CHAMPIONSHIP
    printed = document.coefficients[0]
    if printed is None:
        return kind

    def value(*, is_world_championship: bool) -> Fraction:
        return tournament_value(
            rules,
            is_world_championship=is_world_championship,
            ended_on=document.ended_on,
            players=document.players,
            rounds=document.rounds,
        )

    def is_printed(figure: Fraction) -> bool:
        return abs(figure - Fraction(printed)) <= Fraction(1, 200)

    if is_printed(value(is_world_championship=stated)):
        return kind
    if not kind and is_printed(value(is_world_championship=True)):
        return WORLD_CHAMPIONSHIP
    raise DocumentError(
        document.source.path,
        document.field_lines.get("coefficient_1"),
        f"`Coeff 1` {printed}",
        f"{float(value(is_world_championship=stated)):.2f}, the value of {'a World Championship' if stated else 'an event'}"
        f" with {document.players} players and {document.rounds} round(s) that ended on {document.ended_on}",
        "The date, the players, the rounds or the coefficient is wrong.",
    )


def _plain(number: Decimal | None) -> str:
    return "" if number is None else f"{number:.2f}"
