"""Faults around a program: environment variables of another project, stray files, a full disk, a program that writes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from support.reader_load import Readers
from support.small_builds import writing_into

# Variables that affect dbt's builds and tests, Python's imports, and text encodings.
VARIABLES: tuple[dict[str, str], ...] = (
    {"DBT_EXCLUDE_RESOURCE_TYPES": "test unit_test"},
    {"DBT_RESOURCE_TYPES": "model"},
    {"DBT_PROFILES_DIR": "/nowhere", "DBT_PROFILE": "other", "DBT_TARGET": "other"},
    {"DBT_PROJECT_DIR": "/nowhere", "DBT_TARGET_PATH": "/nowhere", "DBT_LOG_PATH": "/nowhere"},
    {"DBT_WARN_ERROR": "nonsense", "DBT_LOG_FORMAT": "json", "DBT_DEFER": "true", "DBT_STATE": "/nowhere"},
    {"DBT_EMPTY": "true", "DBT_FAIL_FAST": "true", "DBT_INDIRECT_SELECTION": "empty"},
    {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii"},
    {"TERM": "dumb", "COLUMNS": "1", "NO_COLOR": "1", "FORCE_COLOR": "1"},
    {"HOME": "/nowhere", "USER": "", "PYTHONOPTIMIZE": "2", "PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati"},
)
# Maximum size of a file in blocks of 512 bytes: from nothing to about a whole database.
_SIZES = (0, 1, 8, 64, 512, 4096, 16384)
# Stray files and folders where the refresh wants to write, and whether it succeeds nevertheless.
_STRAYS = (
    (".building", "folder", True),
    (".building", "file", False),
    ("build.duckdb", "file", True),
    ("build.duckdb", "folder", False),
    ("failed_build.duckdb", "folder", False),
    ("dbt", "file", False),
)


@dataclass(frozen=True)
class Around:
    """The surroundings of a program.

    Attributes:
        name: the fault, for the counts.
        variables: additional environment variables.
        blocks: maximum size of a file that it writes, in blocks of 512 bytes; None for any size.
        borne: whether a refresh must succeed nevertheless.
    """

    name: str
    variables: dict[str, str] = field(default_factory=dict)
    blocks: int | None = None
    borne: bool = False

    def command(self, words: list[str]) -> list[str]:
        """Wrap a command so that it runs with this limit on file sizes."""
        return words if self.blocks is None else ["sh", "-c", f'ulimit -f {self.blocks}; exec "$@"', "sh", *words]


NOTHING_WRONG = Around("nothing", borne=True)


@contextmanager
def trouble(chance: Random, warehouse: Path, readers: Readers, *, refreshes: bool) -> Iterator[Around]:
    """Inject a random fault, and afterwards remove what only its originator may remove.

    Without a refresh, stray files in the warehouse affect no program.
    """
    kinds = ["variables", "room", "temporary files"]
    kind = chance.choice([*kinds, "variables", "stray", "stray", "log", "writer"] if refreshes else kinds)
    match kind:
        case "variables":
            yield Around(kind, chance.choice(VARIABLES), borne=True)
        case "room":
            yield Around(kind, blocks=chance.choice(_SIZES))
        case "temporary files":
            yield Around(kind, {"TMPDIR": str(warehouse / "rankings.duckdb")})
        case "stray":
            name, what, borne = chance.choice(_STRAYS)
            with _stray(warehouse / name, what):
                yield Around(f"stray {what} {name}", borne=borne)
        case "log":
            # Until a refresh moves the log, queries may fail.
            with readers.away(), _stray(warehouse / "rankings.duckdb.wal", "file"):
                yield Around("stray log", borne=True)
        case _:
            with readers.away():
                with writing_into(warehouse / "rankings.duckdb"):
                    yield Around(kind)
                (warehouse / "rankings.duckdb.wal").unlink(missing_ok=True)


@contextmanager
def _stray(path: Path, what: str) -> Iterator[None]:
    """Put a file or a folder of somebody else at a path within the block."""
    _remove(path)
    if what == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"somebody's" * 100)
    try:
        yield
    finally:
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
