"""What published tables repeat of one another: a fact is recomputed in one of them, and the others must say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from dippouch.verification.discrepancies import Discrepancy, cell_text, row_label

_NAMES = ("first_name", "last_name")


@dataclass(frozen=True)
class Repeated:
    """Columns of a published table that are copies.

    Attributes:
        table: where they are.
        columns: which ones, and what each is called where it comes from.
        of: the table that they come from, which is compared with the seeds.
        by: the columns that tell from which row; where there is none, the copies are null.
        system: the rating system whose rows are meant there; None when `by` says it, or when there is none.
    """

    table: str
    columns: Mapping[str, str]
    of: str
    by: tuple[str, ...]
    system: str | None = None


def repeated_facts(shown_system: str) -> list[Repeated]:
    """Every column that repeats another one.

    Args:
        shown_system: the rating system that the collection shows first; empty when there is none.
    """
    tournament, player, circuit, system = ("tournament_id",), ("player_id",), ("circuit_id",), "rating_system_id"
    rank = {"international_rank": "rank"}
    return [
        Repeated("tournament_results", _same(*_NAMES, "nation_code"), "players", player),
        Repeated("included_tournaments", _same("name", "ended_on", "players", "rounds"), "tournaments", tournament),
        Repeated("included_circuits", _same("name", "year"), "circuits", circuit),
        Repeated("rating_history", _same("ended_on", "players"), "tournaments", tournament),
        Repeated("international_ranking", _same(*_NAMES, "nation_code"), "players", player),
        Repeated("national_ranking", _same(*_NAMES), "players", player),
        Repeated("national_ranking", rank, "international_ranking", (system, *player)),
        Repeated("yearly_ranking", _same("nation_code"), "players", player),
        Repeated("players", rank, "international_ranking", player, shown_system),
    ]


def _same(*columns: str) -> dict[str, str]:
    return {column: column for column in columns}


def differing(connection: duckdb.DuckDBPyConnection, repeated: Repeated, key: Sequence[str]) -> list[Discrepancy]:
    """What is no copy: columns of another type, or else cells.

    Args:
        connection: has the published database attached as `published`.
        repeated: the columns.
        key: what tells the rows of the table from each other, to name them.

    Raises:
        duckdb.Error: when one of the tables cannot be read.
    """
    types, original_types = _types(connection, repeated.table), _types(connection, repeated.of)
    # DuckDB compares different types all the same, and makes numbers of text for it.
    others = [
        Discrepancy(repeated.table, f"column {column}", "type", has, must)
        for column, original in {**repeated.columns, **_same(*repeated.by)}.items()
        if (has := types.get(column, "missing")) != (must := original_types.get(original, "missing"))
    ]
    if others:
        return others

    def both(column: str, comparison: str, original: str) -> str:
        # Text by its bytes: a collation would take other names for the same.
        cell = "encode({})" if types[column] == "VARCHAR" else "{}"
        return f"{cell.format(f'copies.{column}')} {comparison} {cell.format(f'originals.{original}')}"

    named = list(dict.fromkeys((*key, *repeated.by)))
    cells = [f"copies.{column}" for column in (*named, *repeated.columns)]
    cells += [f"originals.{column}" for column in repeated.columns.values()]
    rows = connection.execute(
        f"""
        select {", ".join(cells)}
        from published.marts.{repeated.table} as copies
        left join (
            from published.marts.{repeated.of}
            {"" if repeated.system is None else "where encode(rating_system_id) = encode($system)"}
        ) as originals
            on {" and ".join(both(column, "=", column) for column in repeated.by)}
        where {" or ".join(both(column, "is distinct from", original) for column, original in repeated.columns.items())}
        order by {", ".join(f"copies.{column}" for column in named)}
        """,
        {} if repeated.system is None else {"system": repeated.system},
    ).fetchall()
    return [
        Discrepancy(
            repeated.table, row_label(dict(zip(named, row, strict=False))), column, cell_text(has), cell_text(must)
        )
        for row in rows
        for column, has, must in zip(
            repeated.columns, row[len(named) :], row[len(named) + len(repeated.columns) :], strict=False
        )
        if has != must
    ]


def _types(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    """The columns of a published table and their types."""
    read = connection.sql(f"from published.marts.{table}")
    return {name.lower(): str(of) for name, of in zip(read.columns, read.types, strict=True)}
