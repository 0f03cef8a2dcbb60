"""The measured collections, made on first use, and the disk space that they need."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from dippouch.disk import refusal
from dippouch.errors import UserError
from dippouch.settings import PROJECT
from synthetic.collection import write_collection
from synthetic.results import Size

# Maximum disk space of a result: its text while the collection is made, then the build, the published file and a copy
# of it during publication, or the build and a contender's output. Measured at a million results, plus a half.
BYTES_A_RESULT = 1_500
_SEED = 1


class Collections:
    """Collections in a temporary folder."""

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = say

    def synthetic(self, results: int, *, every_system: bool = False) -> Path:
        """Return a synthetic collection with about this number of results, rated by one system or by all of the project's.

        Raises:
            UserError: when the disk refuses.
        """
        seeds = self._folder / f"{results}{'_every_system' if every_system else ''}" / "seeds"
        if not seeds.exists():
            self._say(f"making a collection of {results:,} results")
            try:
                write_collection(seeds, Size.of(results), _SEED, every_system=every_system)
            except OSError as error:
                raise UserError(f"a collection of {results:,} results could not be made ({refusal(error)})") from None
        return seeds

    def documents(self) -> Path:
        """Return a copy of the collection of the project's own documents."""
        seeds = self._folder / "documents" / "seeds"
        if not seeds.exists():
            shutil.copytree(PROJECT / "seeds", seeds)
        return seeds


def check_room(folder: Path, results: int) -> None:
    """Check that a disk has room for collections.

    Args:
        folder: the folder of the collections.
        results: number of results on the disk at once.

    Raises:
        UserError: when it lacks the room.
    """
    wanted, free = results * BYTES_A_RESULT, shutil.disk_usage(folder).free
    if free < wanted:
        raise UserError(
            f"{folder}: found {free / 1e9:.1f} GB of room; expected {wanted / 1e9:.1f} GB for {results:,} results."
            " TMPDIR names another folder, --sizes smaller collections"
        )
