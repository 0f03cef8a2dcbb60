"""What a check of the seeds has read, and the faults that it has found."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from dippouch.errors import Location
from dippouch.seeds.schema import Row

# How many faults a message shows.
SHOWN = 50


class Findings:
    """Faults of the seeds: the first are kept, all are counted."""

    def __init__(self) -> None:
        self.count = 0
        self._kept: list[tuple[str, int, str]] = []

    def add(self, path: Path, line: int | None, text: str) -> None:
        """Keep a fault of a file, at a line of it or as a whole: what was found, and what was expected."""
        self.add_message(path, line, f"{Location(path, line)}: {text}")

    def add_message(self, path: Path, line: int | None, message: str) -> None:
        """Keep a fault whose message names the place already."""
        self.count += 1
        if len(self._kept) < SHOWN:
            self._kept.append((str(path), line or 0, message))

    def messages(self) -> list[str]:
        """The faults that are kept, by file and line."""
        return [message for _, _, message in sorted(self._kept)]


@dataclass
class Placed:
    """How many people a tournament lists with a placement, and the largest one with its line."""

    count: int = 0
    largest: int = 0
    line: int = 0


@dataclass
class ReadSeeds:
    """What is kept of the seeds of a collection.

    Attributes:
        folder: the collection.
        paths: the file of each seed.
        unreadable: the seeds of which nothing is known, because the file or its header is wrong.
        rows: the rows of seeds that are small, each with its line; None for a row of a Parquet file.
        values: the cells of columns to which other seeds refer, by seed and column.
        listed: everybody whom a result or a published ranking lists.
        players_of: who is listed in the tournaments of `wanted`, with their first and last names.
        placed: the placements of each tournament; none of a Parquet file.
        wanted: the tournaments of which a decision is about a player.
    """

    folder: Path
    paths: dict[str, Path] = field(default_factory=dict)
    unreadable: set[str] = field(default_factory=set)
    rows: dict[str, list[tuple[int | None, Row]]] = field(default_factory=lambda: defaultdict(list))
    values: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    listed: set[str] = field(default_factory=set)
    players_of: dict[str, dict[str, tuple[str, str]]] = field(default_factory=lambda: defaultdict(dict))
    placed: dict[str, Placed] = field(default_factory=lambda: defaultdict(Placed))
    wanted: set[str] = field(default_factory=set)

    def are_known(self, *seeds: str) -> bool:
        """Whether all of some seeds could be read."""
        return not self.unreadable.intersection(seeds)
