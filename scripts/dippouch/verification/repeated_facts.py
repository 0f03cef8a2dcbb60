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
        by: the columns that tell from which row; they are null where there is none.
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
        Repeated("rating_history", _same("tournament_value"), "included_tournaments", (system, *tournament)),
        Repeated("international_ranking", _same(*_NAMES, "nation_code"), "players", player),
        Repeated("national_ranking", _same(*_NAMES), "players", player),
        Repeated("national_ranking", rank, "international_ranking", (system, *player)),
        Repeated("yearly_ranking", _same("nation_code"), "players", player),
        Repeated("players", rank, "international_ranking", player, shown_system),
    ]


def _same(*columns: str) -> dict[str, str]:
    return {column: column for column in columns}


def differing(connection: duckdb.DuckDBPyConnection, repeated: Repeated, key: Sequence[str]) -> list[Discrepancy]:
    """Where columns are no copies.

    Args:
        connection: has the published database attached as `published`; none of its columns has a collation.
        repeated: the columns.
        key: what tells the rows of the table from each other, to name them.

    Raises:
        duckdb.Error: when there are no such columns.
    """
    names = [f"copies.{name}" for name in key]
    copies = [f"copies.{column}" for column in repeated.columns]
    originals = [f"originals.{column}" for column in repeated.columns.values()]
    rows = connection.execute(
        f"""
        select {", ".join([*names, *copies, *originals])}
        from published.marts.{repeated.table} as copies
        left join (
            from published.marts.{repeated.of}
            {"" if repeated.system is None else "where rating_system_id = $system"}
        ) as originals
            on {" and ".join(f"copies.{column} = originals.{column}" for column in repeated.by)}
        where {" or ".join(f"{copy} is distinct from {original}" for copy, original in zip(copies, originals, strict=True))}
        order by {", ".join(names)}
        """,
        {} if repeated.system is None else {"system": repeated.system},
    ).fetchall()
    found = []
    for row in rows:
        where = row_label(dict(zip(key, row, strict=False)))
        cells = row[len(key) :]
        told = zip(repeated.columns, cells, cells[len(copies) :], strict=False)
        found += [
            Discrepancy(repeated.table, where, column, cell_text(has), cell_text(must))
            for column, has, must in told
            if has != must
        ]
    return found
