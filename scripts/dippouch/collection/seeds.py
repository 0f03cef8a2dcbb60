"""The seed tables that documents are imported into, and a collection of them in memory."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from pathlib import Path

from dippouch.errors import KeeperError

# The columns are told once more, with their types and meaning, in models/seeds/; a test holds the two together.
TOURNAMENT_COLUMNS = (
    "tournament_id",
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
    "listed_name",
    "first_name",
    "last_name",
    "nation_code",
    "location_code",
    "published_score",
)
PUBLISHED_RANKING_COLUMNS = (
    "ranking_name",
    "author",
    "last_update",
    "published_rank",
    "player_id",
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
SOURCE_COLUMNS = frozenset({"source_document", "source_sha256", "source_form", "source_last_update"})

Row = dict[str, str]


@dataclass(frozen=True)
class SeedTable:
    """A seed file that documents are imported into.

    Attributes:
        path: the file, relative to the collection.
        columns: its columns, in order.
        key: the columns that identify a row.
        numbers: columns that sort as numbers, empty ones last.
        order: the columns that the file is sorted by; the last ones make the order total.
    """

    path: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    order: tuple[str, ...]
    numbers: frozenset[str] = frozenset()


TOURNAMENTS = SeedTable(
    "wdd/tournaments.csv", TOURNAMENT_COLUMNS, ("tournament_id",), ("ended_on", "started_on", "tournament_id")
)
RESULTS = SeedTable(
    "wdd/results.csv",
    RESULT_COLUMNS,
    ("tournament_id", "player_id"),
    ("tournament_id", "placement", "player_id"),
    numbers=frozenset({"placement"}),
)
PUBLISHED_RANKINGS = SeedTable(
    "wdd/published_rankings.csv",
    PUBLISHED_RANKING_COLUMNS,
    ("ranking_name", "last_update", "player_id"),
    ("ranking_name", "last_update", "published_rank", "player_id"),
    numbers=frozenset({"published_rank"}),
)
IMPORTED_TABLES = (TOURNAMENTS, RESULTS, PUBLISHED_RANKINGS)

# What a new collection begins with: the rules and the nations come from the project, the people do not.
DEFAULT_REFERENCE = ("rating_systems.csv", "nations.csv", "tournament_kinds.csv")
HEADER_ONLY_REFERENCE = ("players.csv", "player_aliases.csv", "circuits.csv", "circuit_tournaments.csv")


def read_rows(path: Path, columns: tuple[str, ...] | None = None) -> list[Row]:
    """The rows of a seed file as text, empty cells as empty strings.

    Raises:
        KeeperError: when the file is missing, is not UTF-8 or has other columns than expected.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            rows = list(reader)
            header = tuple(reader.fieldnames or ())
    except FileNotFoundError:
        raise KeeperError(f"{path}: no such file; expected a seed of the collection") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise KeeperError(f"{path}: found {error}; expected a CSV file in UTF-8") from None
    if columns is not None and header != columns:
        raise KeeperError(f"{path}:1: found the columns {', '.join(header)}; expected {', '.join(columns)}")
    for row in rows:
        if None in row or None in row.values():
            raise KeeperError(f"{path}: found a row with another number of cells than the header: {list(row.values())}")
    return rows


def rows_as_csv(columns: tuple[str, ...], rows: list[Row]) -> bytes:
    """A seed file's bytes: header, then the rows, `\\n` at the line ends."""
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


@dataclass
class Collection:
    """The imported tables of a collection in memory: rows by key, per table."""

    folder: Path
    tables: dict[SeedTable, dict[tuple[str, ...], Row]] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path) -> Collection:
        """Read a collection; a folder that is missing or empty is a new one.

        Raises:
            KeeperError: when a seed file cannot be read or holds a key twice.
        """
        collection = cls(folder)
        new = is_new(folder)
        for table in IMPORTED_TABLES:
            rows = [] if new else read_rows(folder / table.path, table.columns)
            by_key = {tuple(row[column] for column in table.key): row for row in rows}
            if len(by_key) != len(rows):
                raise KeeperError(
                    f"{folder / table.path}: found a row twice; expected {', '.join(table.key)} to be unique"
                )
            collection.tables[table] = by_key
        return collection

    def sorted_rows(self, table: SeedTable) -> list[Row]:
        """The rows of a table in the order of its file."""

        def position(row: Row) -> list[tuple[bool, int, str]]:
            return [
                (not row[column], int(row[column] or 0), "")
                if column in table.numbers
                else (not row[column], 0, row[column])
                for column in table.order
            ]

        return sorted(self.tables[table].values(), key=position)

    def files(self) -> dict[str, bytes]:
        """The bytes of every imported table's file, by path relative to the collection."""
        return {table.path: rows_as_csv(table.columns, self.sorted_rows(table)) for table in IMPORTED_TABLES}


def is_new(folder: Path) -> bool:
    """Whether a folder is missing or empty, so that an import into it makes a new collection."""
    return not folder.exists() or not any(folder.iterdir())
