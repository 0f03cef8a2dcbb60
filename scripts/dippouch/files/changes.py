"""What changed since the publication before: `api/v1/changes.json`, and the summary in the feed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from dippouch.db import attach
from dippouch.files.api import FOLDER
from dippouch.files.json_documents import Documents
from dippouch.files.published import Publication, read_publication, rows
from dippouch.files.tables import DATABASE

NAME = "changes.json"

_BEFORE = "publication_before"
_TOURNAMENT = "to_json({tournament_id: tournament_id, name: name, ended_on: ended_on})"
_PERSON = "to_json({player_id: player_id, first_name: first_name, last_name: last_name, nation_code: nation_code})"
# The facts of a tournament and its results that the warehouse rates; a person's new nation changes no tournament.
_FACTS = "tournament_id, name, subtitle, kind, started_on, ended_on, place, nation_code, players, rounds, boards, is_withdrawn"
_RESULTS = "tournament_id, player_id, placement, percentile_score"


def _only_in(one: str, other: str, table: str, key: str, text: str, order: str) -> str:
    """The rows of a table that one publication has and the other does not."""
    return f"select {text} from {one}.marts.{table} as one anti join {other}.marts.{table} as other using ({key}) order by {order}"


def _differing(table: str, columns: str) -> str:
    """The tournaments whose rows differ between the publications."""
    sides = [f"select {columns} from {database}.marts.{table}" for database in ("published", _BEFORE)]
    return (
        f"select tournament_id from (({sides[0]} except all {sides[1]}) union all ({sides[1]} except all {sides[0]}))"
    )


# A rank that moves only because somebody else's rating did is no move.
_MOVED = f"""
with
    new as (from published.marts.international_ranking where rating_system_id = $system),
    old as (from {_BEFORE}.marts.international_ranking where rating_system_id = $system),
    moves as (
        select
            coalesce(new.player_id, old.player_id) as player_id,
            coalesce(new.first_name, old.first_name) as first_name, coalesce(new.last_name, old.last_name) as last_name,
            old.rank as rank_before, new.rank as rank_after, old.rating as rating_before, new.rating as rating_after
        from old
        full join new on old.player_id = new.player_id
        where old.rating is distinct from new.rating
    )
select to_json({{
    player_id: player_id, first_name: first_name, last_name: last_name,
    rank_before: rank_before, rank_after: rank_after, rating_before: rating_before, rating_after: rating_after
}})
from moves
order by rank_after nulls last, player_id
"""

_LISTS = {
    "new_tournaments": _only_in(
        "published", _BEFORE, "tournaments", "tournament_id", _TOURNAMENT, "ended_on, tournament_id"
    ),
    "changed_tournaments": f"""
        select {_TOURNAMENT}
        from published.marts.tournaments
        where
            tournament_id in (select tournament_id from {_BEFORE}.marts.tournaments)
            and tournament_id in ({_differing("tournaments", _FACTS)} union {_differing("tournament_results", _RESULTS)})
        order by ended_on, tournament_id
    """,
    "gone_tournaments": _only_in(
        _BEFORE, "published", "tournaments", "tournament_id", _TOURNAMENT, "ended_on, tournament_id"
    ),
    "new_players": _only_in("published", _BEFORE, "players", "player_id", _PERSON, "player_id"),
    "gone_players": _only_in(_BEFORE, "published", "players", "player_id", _PERSON, "player_id"),
    "moved": _MOVED,
}


@dataclass(frozen=True)
class Changes:
    """What changed.

    Attributes:
        since: the publication compared with; None: there is none.
        counts: how many rows each list of the document has.
    """

    since: Publication | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


def write_changes(
    connection: duckdb.DuckDBPyConnection, site: Path, publication: Publication, system: str, previous: Path | None
) -> Changes:
    """Write what changed since the site that is published now.

    A publication that is made again keeps its document, byte for byte.

    Args:
        connection: has the published database attached as `published`.
        site: the folder that is made.
        publication: what it shows.
        system: the default rating system.
        previous: the folder of the site that is published now; None: there is none, or it is not to be compared with.
    """
    before = _attach_before(connection, previous)
    if before is None or previous is None:
        return _write(site, publication, system, None, {name: iter(()) for name in _LISTS})
    try:
        if publication.is_same(before) and (kept := _kept(previous / FOLDER / NAME)):
            (site / FOLDER / NAME).write_bytes(kept)
            return Changes()
        since = None if publication.is_same(before) else before
        texts = {name: (text for (text,) in rows(connection, sql, {"system": system})) for name, sql in _LISTS.items()}
        return _write(site, publication, system, since, texts)
    except (duckdb.CatalogException, duckdb.BinderException):
        # Another version of the project published it: there is nothing to compare.
        return _write(site, publication, system, None, {name: iter(()) for name in _LISTS})


def _write(
    site: Path, publication: Publication, system: str, since: Publication | None, texts: Mapping[str, Iterator[str]]
) -> Changes:
    counts = dict.fromkeys(_LISTS, 0)

    def counted(name: str) -> Iterator[str]:
        for text in texts[name]:
            counts[name] += 1
            yield text

    facts: dict[str, Any] = {
        "rating_system_id": system,
        "publication": publication.as_facts(),
        "since": since.as_facts() if since else None,
    }
    Documents(site, FOLDER).write(NAME, "changes", facts, **{name: counted(name) for name in _LISTS})
    return Changes(since, counts)


def _attach_before(connection: duckdb.DuckDBPyConnection, previous: Path | None) -> Publication | None:
    """Attach the database of the site that is published now; None when it has none that can be read."""
    if previous is None or not (previous / "data" / DATABASE).is_file():
        return None
    try:
        attach(connection, previous / "data" / DATABASE, _BEFORE)
        return read_publication(connection, _BEFORE)
    except duckdb.Error:
        return None


def _kept(path: Path) -> bytes | None:
    """The document as it is, when it is one."""
    try:
        content = path.read_bytes()
        json.loads(content)
    except (OSError, ValueError):
        return None
    return content
