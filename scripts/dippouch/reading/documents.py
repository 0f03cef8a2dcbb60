"""The content of a document in any format: a tournament with its results, a player's page, or a published ranking."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path

from dippouch.messages import DocumentError, Location, SkippedError


@dataclass(frozen=True)
class Source:
    """The source of facts.

    Attributes:
        path: the document as it was named to the importer.
        sha256: hash of its bytes, 64 hexadecimal digits.
        format: the format of the document, e.g. `wdd-text`.
        encoding: the encoding of its text; empty for binary files, and for several encodings.
        address: the address of a page of an archive; empty for other documents.
        earlier: the hashes that the page of an archive had before.
    """

    path: Path
    sha256: str
    format: str
    encoding: str = ""
    address: str = ""
    earlier: frozenset[str] = frozenset()

    def fault(self, found: str, expected: str, hint: str = "") -> DocumentError:
        """Return the error for a document that is wrong as a whole."""
        return DocumentError(Location(self.path), found, expected, hint)

    def unknown(self, found: str, expected: str, hint: str = "") -> DocumentError:
        """Return the error for a document without anything to import; a remark for a page of an archive, which holds any page."""
        error = SkippedError if self.address else DocumentError
        return error(Location(self.path), found, expected, hint)


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A person as a document lists them.

    Attributes:
        listed_name: the name exactly as in the document, errors included.
        first_name: first names, repaired; may be empty.
        last_name: last name, repaired.
        location: the place in the document, for messages.
        nation_code: the nation that the document states, ISO alpha-3.
        location_code: the home that the document states, ISO alpha-3.
        source_ids: ids of the person that the document states, each prefixed with its source: `wdd:1073`, `wdr:12`.
        player_id: the id of this project, in formats that state it (`two-tables`).
    """

    listed_name: str
    first_name: str
    last_name: str
    location: Location
    nation_code: str | None = None
    location_code: str | None = None
    source_ids: tuple[str, ...] = ()
    player_id: str | None = None

    @property
    def name(self) -> str:
        """First and last name, joined."""
        return f"{self.first_name} {self.last_name}".strip()


@dataclass(frozen=True, slots=True)
class Result:
    """One row of the table of a tournament or of a published ranking.

    Attributes:
        placement: the placement or the rank; None for a person listed without one, such as a tournament director who sat in.
        published_score: the percentile score or the rating as printed, at two decimals.
        game_score: the points of a table of standings, as printed.
    """

    player: ListedPlayer
    placement: int | None
    published_score: Decimal | None = None
    game_score: str | None = None


@dataclass(frozen=True)
class TournamentDocument:
    """A tournament and its listed results.

    Attributes:
        kind: a code of ref_tournament_kinds, if the document states one.
        nation_code: the nation of the venue, ISO alpha-3.
        players: the number of players that the tournament declares, never a count of rows; None when it declares none.
        rounds: None when the document states none.
        coefficients: the printed `Coeff` 1 to 3; None where the page shows "-" or nothing.
        tournament_id: the id of this project, in formats that state it (`two-tables`).
        source_ids: ids of the tournament that the document states, each prefixed with its source: `wdd:1480`.
        last_update: the date of the last update that the page shows.
        locations: the place of each field, for messages.
        remarks: notes to the rating keeper on how the document was read, such as an ignored column.
        headings: the headings of its table, each with the column that it was read as.
        unknown: the name of every fact, and the column of every cell of a result, that has a mark for what nobody knows, such as `?`.
    """

    source: Source
    name: str
    started_on: date
    ended_on: date
    results: list[Result]
    subtitle: str | None = None
    kind: str | None = None
    place: str | None = None
    nation_code: str | None = None
    players: int | None = None
    rounds: int | None = None
    boards: int | None = None
    coefficients: tuple[Decimal | None, Decimal | None, Decimal | None] = (None, None, None)
    tournament_id: str | None = None
    source_ids: tuple[str, ...] = ()
    last_update: date | None = None
    locations: Mapping[str, Location] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    headings: tuple[tuple[str, str], ...] = ()
    unknown: tuple[str, ...] = ()

    def location_of(self, name: str) -> Location:
        """Return the place of a field; the whole document if the place is unknown."""
        return self.locations.get(name) or Location(self.source.path)


@dataclass(frozen=True)
class RankingDocument:
    """A page of a ranking that others published; every row has a rank and a rating. `remarks` and `unknown` as for a tournament.

    Attributes:
        national_rank: the rank within the nation of the only row, on a player's page.
        tournaments: the number of tournaments behind the only rating, on a player's page.
    """

    source: Source
    ranking_name: str
    author: str
    last_update: date
    ranks: list[Result]
    remarks: tuple[str, ...] = ()
    national_rank: int | None = None
    tournaments: int | None = None
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlayerDocument:
    """A person with the tournaments they played; `remarks` as for a tournament.

    Attributes:
        appearances: these tournaments, each with the only result of this player.
        ranking: the published ranking with the only row of this player, on a page of the rating.
    """

    source: Source
    player: ListedPlayer
    appearances: list[TournamentDocument]
    remarks: tuple[str, ...] = ()
    ranking: RankingDocument | None = None


Document = TournamentDocument | PlayerDocument | RankingDocument
