"""Faults around a program: environment variables of another project, stray files, a full disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from support.chaos.watched import Watched
from support.small_builds import writing_into

# Variables that affect dbt's builds and tests, Python's imports, and text encodings.
VARIABLES: tuple[dict[str, str], ...] = (
    {"DBT_EXCLUDE_RESOURCE_TYPES": "test unit_test"},
    {"DBT_RESOURCE_TYPES": "model"},
    {"DBT_PROFILES_DIR": "/nowhere", "DBT_PROFILE": "other", "DBT_TARGET": "other"},
    {"DBT_PROJECT_DIR": "/nowhere"},
    {"DBT_TARGET_PATH": "/nowhere", "DBT_LOG_PATH": "/nowhere"},
    {"DBT_WARN_ERROR": "nonsense", "DBT_LOG_FORMAT": "json", "DBT_DEFER": "true", "DBT_STATE": "/nowhere"},
    {"DBT_EMPTY": "true", "DBT_FAIL_FAST": "true", "DBT_INDIRECT_SELECTION": "empty"},
    {"LC_ALL": "C", "LANG": "C", "PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "utf-16"},
    {"TERM": "dumb", "COLUMNS": "1", "NO_COLOR": "1", "FORCE_COLOR": "1"},
    {"HOME": "/nowhere", "USER": ""},
    {"PYTHONOPTIMIZE": "2", "PYTHONHASHSEED": "1"},
    {"TZ": "Pacific/Kiritimati"},
)

# Maximum size of a file in blocks of 512 bytes: from nothing to about a whole database.
_SIZES = (0, 1, 8, 64, 512, 4096, 16384)


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
def trouble(chance: Random, warehouse: Path, readers: Watched, *, refreshes: bool) -> Iterator[Around]:
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
            yield from _stray(chance, warehouse)
        case "log":
            yield from _stray_log(chance, warehouse, readers)
        case _:
            yield from _writer(warehouse, readers)


def _stray(chance: Random, warehouse: Path) -> Iterator[Around]:
    """Put a stray file or folder where the refresh wants to write."""
    name, make, borne = chance.choice(_STRAYS)
    path = warehouse / name
    kept = path.with_name(f"kept_{path.name}")
    if path.exists():
        path.rename(kept)
    make(path)
    try:
        yield Around(f"stray {name}", borne=borne)
    finally:
        shutil.rmtree(path, ignore_errors=True)
        if not borne:
            path.unlink(missing_ok=True)
        if kept.exists() and not path.exists():
            kept.rename(path)
        elif kept.is_dir():
            shutil.rmtree(kept)
        else:
            kept.unlink(missing_ok=True)


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "a file").write_text("somebody's", encoding="utf-8")


def _file(path: Path) -> None:
    path.write_bytes(b"somebody's" * 100)


_STRAYS: tuple[tuple[str, Callable[[Path], None], bool], ...] = (
    (".rankings.duckdb.candidate", _folder, False),
    (".rankings.duckdb.candidate", _file, True),
    (".refresh.lock", _folder, False),
    ("build.duckdb", _file, True),
    ("build.duckdb", _folder, False),
    ("failed_build.duckdb", _folder, False),
    (".building-of-somebody", _folder, True),
    ("dbt", _file, False),
)


def _stray_log(chance: Random, warehouse: Path, readers: Watched) -> Iterator[Around]:
    """Put a log beside the published file, left by a killed writer, or a file that looks like one."""
    log = warehouse / "rankings.duckdb.wal"
    if chance.random() < 0.5:
        log.write_bytes(chance.randbytes(500))
    else:
        shutil.copyfile(_real_log(warehouse), log)
    with readers.spoilt():
        try:
            yield Around("stray log", borne=True)
        finally:
            log.unlink(missing_ok=True)


def _real_log(warehouse: Path) -> Path:
    """Return a log that DuckDB wrote beside a copy of the published file, whose writer was killed before it could remove it."""
    folder = warehouse.parent / "writer"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copyfile(warehouse / "rankings.duckdb", folder / "rankings.duckdb")
    with writing_into(folder / "rankings.duckdb"):
        pass
    return folder / "rankings.duckdb.wal"


def _writer(warehouse: Path, readers: Watched) -> Iterator[Around]:
    """Open the published file for writing in another program."""
    with readers.away():
        with writing_into(warehouse / "rankings.duckdb"):
            yield Around("writer")
        (warehouse / "rankings.duckdb.wal").unlink(missing_ok=True)
