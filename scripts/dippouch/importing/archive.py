"""An archive of pages: a folder with `index.csv`, which names the address and the file of every answer, the latest last.

A file keeps its name when its page changes. The earlier lines of its address have the hashes that it had before.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from dippouch.errors import UserError
from dippouch.printable import visible_line

INDEX = "index.csv"
_COLUMNS = {"address", "file", "time", "status", "sha256"}


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
    try:
        with (folder / INDEX).open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            if not set(reader.fieldnames or ()) >= _COLUMNS:
                return pages
            # The order of lines is that of their times, unless two archives were joined.
            for row in sorted(reader, key=lambda row: row["time"] or ""):
                before = pages.get(row["file"])
                if row["status"] == "200" and row["file"] and row["sha256"]:
                    hashes = (before.earlier | {before.sha256} if before else frozenset()) - {row["sha256"]}
                    pages[row["file"]] = ArchivedPage(row["address"], row["sha256"], hashes)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{visible_line(str(folder / INDEX))}: could not be read ({error})") from None
    return pages
