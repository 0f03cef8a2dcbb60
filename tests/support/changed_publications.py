"""Published databases with something changed in them, as another publication would have it, and their files for machines."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from dippouch.files.write import write_files

NOON = datetime(2026, 5, 2, 12, tzinfo=UTC)

# Writes the files of a publication that statements changed, into a folder of that name.
Write = Callable[..., Path]

# What a publication says of itself; made here where the file is of a version that did not say it.
_SAID = (
    "create table if not exists marts.settings as select 'dptr' as rating_system_id, 'Club ratings' as title",
    """
    create table if not exists marts.active_ranking as
    select
        rating_system_id, cast(rank() over (partition by rating_system_id order by rating desc) as integer) as rank,
        rank as international_rank, player_id, first_name, last_name, nation_code, rating, tournaments_counted, last_played_on
    from marts.international_ranking
    """,
    """
    create table if not exists marts.publication as
    select
        repeat('ab', 32) as seeds_sha256, '1.0' as code_version, 4 as tournaments, 237 as players, 224 as results,
        'world-dipcon-xxiii-2013' as last_tournament_id, 'World DipCon XXIII 2013' as last_tournament_name,
        date '2013-08-25' as last_tournament_ended_on
    """,
    # A build that no refresh made does not know its seeds.
    "update marts.publication set seeds_sha256 = coalesce(seeds_sha256, repeat('ab', 32)), code_version = coalesce(code_version, '1.0')",
)


def changed_publication(published: Path, target: Path, *statements: str) -> Path:
    """A copy of a published database in which statements of SQL were run.

    Args:
        published: the database; stays as it is.
        target: the copy.
        statements: what to change; tables are `marts.<name>`.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(published, target)
    with duckdb.connect() as connection:
        connection.execute(f"attach '{target}' as publication")
        connection.execute("use publication")
        for statement in (*_SAID, *statements):
            connection.execute(statement)
        connection.execute("use memory")
        connection.execute("detach publication")
    return target


def files_of(database: Path, folder: Path, previous: Path | None = None, published_at: datetime = NOON) -> Path:
    """The folder, with the files of a published database."""
    write_files(database, folder, previous=previous, published_at=published_at, on_step=lambda step: None)
    return folder
