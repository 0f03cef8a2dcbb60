"""The seed tables that documents are imported into: their columns, keys, types and files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dippouch.errors import KeeperError

# The columns are told once more, with their types and meaning, in models/seeds/; a test holds the two together.
TOURNAMENT_COLUMNS = (
    "tournament_id",
    "source_tournament_id",
    "name",
    "subtitle",
    "kind",
    "started_on",
    "ended_on",
    "place",
    "nation_code",
    "players",
    "rounds",
    "boards",
    "coefficient_1",
    "coefficient_2",
    "coefficient_3",
    "source_document",
    "source_sha256",
    "source_form",
    "source_last_update",
)
RESULT_COLUMNS = (
    "tournament_id",
    "placement",
    "player_id",
    "source_player_id",
    "listed_name",
    "first_name",
    "last_name",
    "nation_code",
    "location_code",
    "published_score",
    "listed_by",
)
PUBLISHED_RANKING_COLUMNS = (
    "ranking_name",
    "author",
    "last_update",
    "published_rank",
    "player_id",
    "source_player_id",
    "listed_name",
    "first_name",
    "last_name",
    "nation_code",
    "location_code",
    "published_rating",
    "source_document",
    "source_sha256",
    "source_form",
)
PLAYER_COLUMNS = ("player_id", "first_name", "last_name", "nation_code", "location_code", "source")
CORRECTION_COLUMNS = (
    "correction_number",
    "tournament_id",
    "player_id",
    "field",
    "value",
    "reason",
    "decided_on",
)
ALIAS_COLUMNS = ("listed_player_id", "tournament_id", "player_id", "reason")
DISTINCTION_COLUMNS = ("player_id", "other_player_id", "reason")
SOURCE_COLUMNS = frozenset({"source_document", "source_sha256", "source_form", "source_last_update"})

Row = dict[str, str]


@dataclass(frozen=True)
class SeedTable:
    """A seed file that programs write.

    Attributes:
        path: the file, relative to the collection.
        columns: its columns, in order.
        key: the columns that identify a row.
        order: the columns that the file is sorted by; the last ones make the order total.
        types: the SQL type of every column that is not text, as models/seeds/ states it.
    """

    path: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    order: tuple[str, ...]
    types: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def name(self) -> str:
        """The seed's name in dbt."""
        return Path(self.path).stem

    @property
    def landing_path(self) -> str:
        """The Parquet file that holds the rows of a bulk collection instead, relative to the collection."""
        return f"landing/{self.name}.parquet"


TOURNAMENTS = SeedTable(
    "wdd/tournaments.csv",
    TOURNAMENT_COLUMNS,
    ("tournament_id",),
    ("ended_on", "started_on", "tournament_id"),
    {
        **dict.fromkeys(("started_on", "ended_on", "source_last_update"), "date"),
        **dict.fromkeys(("players", "rounds", "boards"), "integer"),
        **dict.fromkeys(("coefficient_1", "coefficient_2", "coefficient_3"), "decimal(9,2)"),
    },
)
RESULTS = SeedTable(
    "wdd/results.csv",
    RESULT_COLUMNS,
    ("tournament_id", "player_id"),
    ("tournament_id", "placement", "player_id"),
    {"placement": "integer", "published_score": "decimal(9,2)"},
)
PUBLISHED_RANKINGS = SeedTable(
    "wdd/published_rankings.csv",
    PUBLISHED_RANKING_COLUMNS,
    ("ranking_name", "last_update", "player_id"),
    ("ranking_name", "last_update", "published_rank", "player_id"),
    {"last_update": "date", "published_rank": "integer", "published_rating": "decimal(9,2)"},
)
PLAYERS = SeedTable("reference/players.csv", PLAYER_COLUMNS, ("player_id",), ("player_id",))
# What documents state; staging reads these through the macro `observed`.
OBSERVED_TABLES = (TOURNAMENTS, RESULTS, PUBLISHED_RANKINGS)
IMPORTED_TABLES = (*OBSERVED_TABLES, PLAYERS)

# What the keeper decided; each row with a reason.
CORRECTIONS = SeedTable(
    "reference/corrections.csv",
    CORRECTION_COLUMNS,
    ("correction_number",),
    ("correction_number",),
    {"correction_number": "integer", "decided_on": "date"},
)
ALIASES = SeedTable(
    "reference/player_aliases.csv",
    ALIAS_COLUMNS,
    ("listed_player_id", "tournament_id"),
    ("listed_player_id", "tournament_id"),
)
DISTINCTIONS = SeedTable(
    "reference/player_distinctions.csv",
    DISTINCTION_COLUMNS,
    ("player_id", "other_player_id"),
    ("player_id", "other_player_id"),
)
DECISION_TABLES = (CORRECTIONS, ALIASES, DISTINCTIONS)

# What a new collection begins with: the rules and the nations come from the project, the people do not.
DEFAULT_REFERENCE = ("rating_systems.csv", "nations.csv", "tournament_kinds.csv")
HEADER_ONLY_REFERENCE = (
    "players.csv",
    "player_aliases.csv",
    "player_distinctions.csv",
    "corrections.csv",
    "circuits.csv",
    "circuit_tournaments.csv",
)


def iterate_rows(path: Path, columns: tuple[str, ...] | None = None) -> Iterator[Row]:
    """The rows of a seed file as text, one after the other, empty cells as empty strings.

    Raises:
        KeeperError: when the file is missing, is not UTF-8 or has other columns than expected.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = tuple(next(reader, ()))
            if columns is not None and header != columns:
                raise KeeperError(f"{path}:1: found the columns {', '.join(header)}; expected {', '.join(columns)}")
            for cells in reader:
                if len(cells) != len(header):
                    raise KeeperError(
                        f"{path}:{reader.line_num}: found {len(cells)} cells; expected {len(header)} as in the header"
                    )
                yield dict(zip(header, cells, strict=True))
    except FileNotFoundError:
        raise KeeperError(f"{path}: no such file; expected a seed of the collection") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise KeeperError(f"{path}: found {error}; expected a CSV file in UTF-8") from None


def read_rows(path: Path, columns: tuple[str, ...] | None = None) -> list[Row]:
    """All rows of a seed file; see `iterate_rows`."""
    return list(iterate_rows(path, columns))


def rows_as_csv(columns: tuple[str, ...], rows: Iterable[Row]) -> bytes:
    """A seed file's bytes: header, then the rows, `\\n` at the line ends."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


def is_new(folder: Path) -> bool:
    """Whether a folder is missing or empty, so that an import into it makes a new collection."""
    return not folder.exists() or not any(folder.iterdir())
