"""Published databases with a change, as another publication would have it, and their exports."""

from __future__ import annotations

import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from dippouch.export.json_documents import write_documents
from dippouch.export.reading import snapshot
from dippouch.export.tables import write_tables
from dippouch.site.rendering import Site
from dippouch.site.staged import StagedSite

# Writes the files of a publication, changed by statements, into a folder of that name.
Write = Callable[..., Path]

# A build without a refresh lacks these facts.
_MADE_FROM = "update marts.publication set seeds_sha256 = coalesce(seeds_sha256, repeat('ab', 32)), code_version = coalesce(code_version, '1.0')"

# A series with two editions: nobody is known to have won the first.
SERIES = """
    insert into marts.series_editions by name
    select 'World DipCon' as series_name, tournament_id, tournaments.tournament_name, ended_on, year(ended_on) as year, place, players,
        player_id, first_name, last_name, 'a page' as source
    from marts.tournaments left join (from marts.tournament_results where placement = 1) using (tournament_id)
    where tournament_id like 'world-dipcon-%'
"""


def changed_publication(published: Path, target: Path, *statements: str) -> Path:
    """Copy a published database and run SQL statements in the copy; its tables are `marts.<name>`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(published, target)
    with duckdb.connect() as connection:
        connection.execute(f"attach '{target}' as publication")
        connection.execute("use publication")
        for statement in (_MADE_FROM, *statements):
            connection.execute(statement)
        connection.execute("use memory")
        connection.execute("detach publication")
    return target


def rows(database: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(sql, values).fetchall()


def files_of(database: Path, folder: Path) -> Path:
    """Write the exports of a published database into a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".spill-", dir=folder) as spill, snapshot(database, Path(spill)) as content:
        staged = StagedSite(folder, print)
        write_documents(content, staged.place)
        write_tables(content, staged.place)
        staged.write("feed.atom", Site(content, staged, is_live=False).feed())
    return folder


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Limit the size of files, as a full disk would."""
    had = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, had[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, had)
