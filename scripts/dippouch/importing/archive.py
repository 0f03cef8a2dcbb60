"""The pages of an archive that `dptr collect` wrote.

A file keeps its name when its page changes. The earlier lines of its address have the hashes that it had before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from dippouch.collect.archive import INDEX, index_lines


class ArchivedPage(NamedTuple):
    """A file of an archive: its address, its hash, and the hashes of earlier states."""

    address: str
    sha256: str
    earlier: frozenset[str]


def is_archive(folder: Path) -> bool:
    """Return whether a folder has an index of pages, and not some other table of this name."""
    return bool(_pages_of(folder))


def archived_files(folder: Path) -> list[Path]:
    """Return the files of an archive, sorted by name; pages of players last, because tables are the better source."""
    pages = _pages_of(folder)
    return [folder / name for name in sorted(pages, key=lambda name: ("player" in pages[name].address, name))]


def archived_page(path: Path) -> ArchivedPage | None:
    """Return what the index beside a file says about it; None for a file outside of an archive."""
    return _pages_of(path.parent).get(path.name)


def _pages_of(folder: Path) -> Mapping[str, ArchivedPage]:
    """Return the pages of an archive by file name, as of their latest answers; none for another folder."""
    index = folder / INDEX
    return _pages(folder, index.stat().st_mtime_ns) if index.is_file() else {}


@lru_cache(1)
def _pages(folder: Path, _changed_at: int) -> Mapping[str, ArchivedPage]:
    """Read an index once for all its files, until it changes.

    Raises:
        UserError: when the index cannot be read.
    """
    pages: dict[str, ArchivedPage] = {}
    for answer in index_lines(folder) or ():
        before = pages.get(answer.file)
        if answer.status == "200":
            hashes = (before.earlier | {before.sha256} if before else frozenset()) - {answer.sha256}
            pages[answer.file] = ArchivedPage(answer.address, answer.sha256, hashes)
    return pages
