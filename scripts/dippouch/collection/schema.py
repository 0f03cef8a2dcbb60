"""The seeds: their declarations in models/seeds, and the ones that programs write.

Columns, keys and types are declared only in the YAML files in models/seeds; the macros in macros/checks read them, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dippouch.settings import PROJECT, project_variable, read_yaml

SeedRow = dict[str, str]


@dataclass(frozen=True, eq=False)
class Seed:
    """A seed as its YAML file declares it.

    Attributes:
        name: its name in dbt.
        path: its file, relative to a collection.
        key: the columns that identify a row.
        order: the sort columns of the file, by default the key; the last ones make the order total.
        columns: the rules of each column, in the order of the file: `type` with the range `from` and `to`, `required`, `accepted`
            values, `reference` to `seed.column`, the kind of `text`, `longest`, whether it can be corrected to none (`or_none`).
        is_optional: whether a collection may lack its file, as those of an earlier version do.
    """

    name: str
    path: str
    key: tuple[str, ...]
    order: tuple[str, ...]
    columns: dict[str, dict[str, Any]]
    is_optional: bool

    def sql_type(self, column: str) -> str:
        """Return the SQL type of a column."""
        return str(self.columns[column].get("type", "varchar"))

    def row(self, *cells: str) -> SeedRow:
        """Return a row with a cell for each column, in their order."""
        return dict(zip(self.columns, cells, strict=True))

    @property
    def parquet_path(self) -> str:
        """Return the Parquet file beside the seed, which holds the rows of a large collection instead."""
        return str(Path(self.path).with_suffix(".parquet"))

    @property
    def correctable(self) -> tuple[str, ...]:
        """Return the columns that the rating keeper can correct."""
        return tuple(project_variable("correctable").get(self.name, ()))

    def is_absent(self, folder: Path) -> bool:
        """Return whether a collection lacks the file of an optional seed, which then has no rows."""
        return self.is_optional and not (folder / self.path).exists()


def _declared(folder: str, node: Mapping[str, Any]) -> Seed:
    name, meta = node["name"], node["config"]["meta"]
    columns = {column["name"]: column.get("config", {}).get("meta", {}) for column in node["columns"]}
    order = tuple(meta.get("order", meta["key"]))
    return Seed(name, f"{folder}/{name}.csv", tuple(meta["key"]), order, columns, meta.get("optional", False))


# Every seed of the project, by name.
SEEDS = {
    node["name"]: _declared(path.parent.name, node)
    for path in sorted((PROJECT / "models" / "seeds").rglob("*.yml"))
    for node in read_yaml(path)["seeds"]
}

DOCUMENTS = SEEDS["raw_documents"]
TOURNAMENTS = SEEDS["raw_tournaments"]
RESULTS = SEEDS["raw_results"]
PUBLISHED_RANKINGS = SEEDS["raw_published_rankings"]
# Documents and their statements; staging reads these through the macro `raw_rows`.
RAW_TABLES = (DOCUMENTS, TOURNAMENTS, RESULTS, PUBLISHED_RANKINGS)

# Decisions of the rating keeper, each with a reason.
CORRECTIONS = SEEDS["ref_corrections"]
ALIASES = SEEDS["ref_player_aliases"]
DISTINCTIONS = SEEDS["ref_player_distinctions"]

# Edited by hand; an import uses the project's kinds for a new collection.
TOURNAMENT_KINDS = SEEDS["ref_tournament_kinds"]

# Written by programs for a new collection only.
RATING_SYSTEMS = SEEDS["ref_rating_systems"]
NATIONS = SEEDS["ref_nations"]
NATION_NAMES = SEEDS["ref_nation_names"]
NOT_PEOPLE = SEEDS["ref_not_people"]
SETTINGS = SEEDS["ref_settings"]

# The first seeds of a new collection: rules and nations come from the project, people do not.
DEFAULT_REFERENCE = (RATING_SYSTEMS, NATIONS, NATION_NAMES, TOURNAMENT_KINDS, NOT_PEOPLE)

# "No value" in a correction, a document or an option; an empty correction restores the document's statement.
NONE = "none"
