"""The seeds: their columns, keys, types and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

# The columns are told once more, with their types and meaning, in models/seeds/; a test holds the two together.
TOURNAMENT_FACTS = (
    *("name", "subtitle", "kind", "started_on", "ended_on", "place", "nation_code"),
    *("players", "rounds", "boards"),
)
TOURNAMENT_COLUMNS = (
    *("tournament_id", "source_tournament_id", *TOURNAMENT_FACTS),
    *("coefficient_1", "coefficient_2", "coefficient_3"),
    *("source_document", "source_sha256", "source_form", "source_last_update"),
)
# How a document lists a person.
_LISTING_COLUMNS = (
    *("player_id", "source_player_id", "listed_name", "first_name", "last_name"),
    *("nation_code", "location_code"),
)
RESULT_COLUMNS = ("tournament_id", "placement", *_LISTING_COLUMNS, "published_score", "listed_by")
PUBLISHED_RANKING_COLUMNS = (
    *("ranking_name", "author", "last_update", "published_rank", *_LISTING_COLUMNS, "published_rating"),
    *("source_document", "source_sha256", "source_form"),
)
PLAYER_COLUMNS = ("player_id", "first_name", "last_name", "nation_code", "location_code", "source")
CORRECTION_COLUMNS = ("correction_number", "tournament_id", "player_id", "field", "value", "reason", "decided_on")
ALIAS_COLUMNS = ("listed_player_id", "tournament_id", "player_id", "reason")
DISTINCTION_COLUMNS = ("player_id", "other_player_id", "reason")
SOURCE_ID_COLUMNS = ("source", "kind", "source_id", "our_id")
TOURNAMENT_KIND_COLUMNS = ("kind", "name", "is_world_championship")
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

    # Asked for with every row.
    @cached_property
    def name(self) -> str:
        """The seed's name in dbt."""
        return Path(self.path).stem

    @property
    def parquet_path(self) -> str:
        """The Parquet file beside the seed that holds the rows of a large collection instead."""
        return str(Path(self.path).with_suffix(".parquet"))


TOURNAMENTS = SeedTable(
    "wdd/raw_tournaments.csv",
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
    "wdd/raw_results.csv",
    RESULT_COLUMNS,
    ("tournament_id", "player_id"),
    ("tournament_id", "placement", "player_id"),
    {"placement": "integer", "published_score": "decimal(9,2)"},
)
PUBLISHED_RANKINGS = SeedTable(
    "wdd/raw_published_rankings.csv",
    PUBLISHED_RANKING_COLUMNS,
    ("ranking_name", "last_update", "player_id"),
    ("ranking_name", "last_update", "published_rank", "player_id"),
    {"last_update": "date", "published_rank": "integer", "published_rating": "decimal(9,2)"},
)
# Every id that a source has given to anybody or to any event, and whose it is here; rows are only added.
SOURCE_IDS = SeedTable(
    "wdd/raw_source_ids.csv", SOURCE_ID_COLUMNS, ("source", "kind", "source_id"), ("source", "kind", "source_id")
)
PLAYERS = SeedTable("reference/ref_players.csv", PLAYER_COLUMNS, ("player_id",), ("player_id",))
# What documents state; staging reads these through the macro `raw_rows`.
RAW_TABLES = (TOURNAMENTS, RESULTS, PUBLISHED_RANKINGS, SOURCE_IDS)
IMPORTED_TABLES = (*RAW_TABLES, PLAYERS)

# What the rating keeper decided; each row with a reason.
CORRECTIONS = SeedTable(
    "reference/ref_corrections.csv",
    CORRECTION_COLUMNS,
    ("correction_number",),
    ("correction_number",),
    {"correction_number": "integer", "decided_on": "date"},
)
ALIASES = SeedTable(
    "reference/ref_player_aliases.csv",
    ALIAS_COLUMNS,
    ("listed_player_id", "tournament_id"),
    ("listed_player_id", "tournament_id"),
)
DISTINCTIONS = SeedTable(
    "reference/ref_player_distinctions.csv",
    DISTINCTION_COLUMNS,
    ("player_id", "other_player_id"),
    ("player_id", "other_player_id"),
)
DECISION_TABLES = (CORRECTIONS, ALIASES, DISTINCTIONS)

# The importer adds a kind when it is told to.
TOURNAMENT_KINDS = SeedTable("reference/ref_tournament_kinds.csv", TOURNAMENT_KIND_COLUMNS, ("kind",), ("kind",))

# Seeds that no program writes.
RATING_SYSTEMS = "reference/ref_rating_systems.csv"
NATIONS = "reference/ref_nations.csv"
NATION_NAMES = "reference/ref_nation_names.csv"
NOT_PEOPLE = "reference/ref_not_people.csv"
SETTINGS = "reference/ref_settings.csv"
CIRCUITS = "reference/ref_circuits.csv"
CIRCUIT_TOURNAMENTS = "reference/ref_circuit_tournaments.csv"

# The columns of every seed, by the name of its file.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    **{Path(table.path).name: table.columns for table in (*IMPORTED_TABLES, *DECISION_TABLES, TOURNAMENT_KINDS)},
    Path(RATING_SYSTEMS).name: (
        *("rating_system_id", "name", "author", "initial_rating", "world_championship_value", "one_round_divisor"),
        *("several_rounds_divisor", "base_value", "maximum_value", "first_counted_on", "counted_years"),
    ),
    Path(NATIONS).name: ("nation_code", "iso_alpha2", "wdd_code", "name"),
    Path(NATION_NAMES).name: ("name", "nation_code"),
    Path(NOT_PEOPLE).name: ("listed_as", "meaning"),
    Path(SETTINGS).name: ("setting", "value"),
    Path(CIRCUITS).name: ("circuit_id", "name", "year"),
    Path(CIRCUIT_TOURNAMENTS).name: ("circuit_id", "tournament_id", "tournament_name", "source"),
}

# What a new collection begins with: the rules and the nations come from the project, the people do not.
DEFAULT_REFERENCE = (RATING_SYSTEMS, NATIONS, NATION_NAMES, TOURNAMENT_KINDS.path, NOT_PEOPLE)
HEADER_ONLY_REFERENCE = (
    *(table.path for table in (PLAYERS, ALIASES, DISTINCTIONS, CORRECTIONS)),
    CIRCUITS,
    CIRCUIT_TOURNAMENTS,
    SETTINGS,
)
