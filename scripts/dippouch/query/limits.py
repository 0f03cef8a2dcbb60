"""What one query may take of a computer: memory and time, and nothing of its disks."""

from __future__ import annotations

import os
import re
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Self

import duckdb

from dippouch.console import err
from dippouch.errors import UserError

# What Python itself needs on top: the answer's rows on their way out.
_ROOM_FOR_PYTHON = 256 * 1024**2
# How long a query that was told to stop may take to notice. One value of a hundred million parts never does.
_GRACE_SECONDS = 5.0

_IN_KIB = re.compile(r"VmData:\s+(\d+) kB")


@dataclass(frozen=True)
class Limits:
    """What a query may take.

    Attributes:
        memory: bytes.
        seconds: of the database's time, until the last row; how fast somebody reads does not count.
    """

    memory: int = 2 * 1000**3
    seconds: float = 60.0

    def too_much_memory(self) -> UserError:
        """The error of a query that needs more."""
        shown = f"{self.memory / 1000**2:,.0f} MB"
        return UserError(
            f"the query needs more than {shown} of memory; ask for less, such as fewer rows at once, or allow it more:"
            f" `scripts/query.py --memory {self.memory * 2 // 1000**2}MB` takes any query"
        )

    def too_long(self) -> UserError:
        """The error of a query that takes longer."""
        return UserError(
            f"the query was stopped after {self.seconds:.0f} seconds; ask for less, or give it longer:"
            f" `scripts/query.py --seconds {self.seconds * 10:.0f}` takes any query"
        )


# What a laptop can spare.
DEFAULT_LIMITS = Limits()


def shut_off(connection: duckdb.DuckDBPyConnection, limits: Limits) -> None:
    """Leave a connection nothing but the databases that it has open for reading, and the memory that it may use.

    That files are disabled is what protects the published one: DuckDB lets a query write to the path of an attached database,
    even when it reaches no other file.
    """
    for setting in (
        f"memory_limit = '{limits.memory}B'",
        "temp_directory = ''",
        "allow_persistent_secrets = false",
        "python_enable_replacements = false",
        "autoinstall_known_extensions = false",
        "autoload_known_extensions = false",
        "enable_external_access = false",
        "disabled_filesystems = 'LocalFileSystem'",
        "lock_configuration = true",
    ):
        connection.execute(f"set {setting}")


@contextmanager
def capped_memory(limits: Limits) -> Iterator[None]:
    """Let this process take no more than the limit on top of what it has; where the system cannot, do nothing.

    DuckDB counts what tables and groups take, but neither single values nor what they become in Python.
    """
    status = Path("/proc/self/status")
    has = _IN_KIB.search(status.read_text(encoding="ascii", errors="replace")) if status.exists() else None
    if has is None:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    cap = int(has[1]) * 1024 + limits.memory + _ROOM_FOR_PYTHON
    known = [limit for limit in (cap, soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(known), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


class Clock:
    """The time that a query has left; as a context it ends the query when that is over.

    One that does not notice ends the whole program, which nothing else could: programs that ask have nothing half done.

    Args:
        connection: the connection that is interrupted.
        limits: how much time there is.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, limits: Limits) -> None:
        self._connection = connection
        self._limits = limits
        self._used = 0.0
        self._since: float | None = None
        self._done = Event()
        self._watch = Thread(target=self._end_in_time, daemon=True)

    def __enter__(self) -> Self:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._watch.join()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count the time of what the database does inside.

        Raises:
            UserError: when there is none left.
        """
        if self._left() <= 0:
            raise self._limits.too_long()
        self._since = started = time.monotonic()
        try:
            yield
        finally:
            self._since = None
            self._used += time.monotonic() - started

    def _left(self) -> float:
        since = self._since
        return self._limits.seconds - self._used - (time.monotonic() - since if since else 0.0)

    def _end_in_time(self) -> None:
        while (left := self._left()) > 0:
            if self._done.wait(left):
                return
        self._connection.interrupt()
        while not self._done.wait(_GRACE_SECONDS):
            if self._since:
                err.print(f"[bold red]error:[/] {self._limits.too_long()}")
                os._exit(1)
