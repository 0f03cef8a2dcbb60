"""Running a program of the benchmark in a process of its own, whose memory is its own, too."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dippouch.errors import UserError
from dippouch.settings import PROJECT

BENCHMARKS, SCRIPTS = PROJECT / "benchmarks", PROJECT / "scripts"
# What a message shows of the words of a program that failed.
_LAST_LINES = 12


@dataclass(frozen=True)
class Ended:
    """A program that ended well.

    Attributes:
        printed: what it wrote on standard output.
        peak_bytes: the most memory that it, or a program that it started, had at once.
    """

    printed: str
    peak_bytes: int


def run_alone(command: Sequence[str | Path], what: str, settings: Mapping[str, str | Path] | None = None) -> Ended:
    """Run a program to its end.

    Args:
        command: the program and its arguments.
        what: what it does, for a message.
        settings: environment variables beside those of the caller.

    Raises:
        UserError: when it cannot be started, or fails.
    """
    words = [str(word) for word in command]
    environment = os.environ | {name: str(value) for name, value in (settings or {}).items()}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed, tempfile.TemporaryFile("w+") as said:
        try:
            process = subprocess.Popen(
                words, cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL, stdout=printed, stderr=said
            )
        except OSError as error:
            raise UserError(f"{what}: {words[0]} could not be started ({error.strerror})") from None
        try:
            # Unlike `wait` this tells the memory of the one process.
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        said.seek(0)
        if process.returncode != 0:
            end = [line for file in (printed, said) for line in file.read().splitlines()][-_LAST_LINES:]
            raise UserError("\n".join([f"{what}: ended with {process.returncode}; its last words:", *end]))
        return Ended(printed.read(), bytes_of(usage.ru_maxrss))


def bytes_of(maxrss: int) -> int:
    """The most memory of a process in bytes; Linux counts it in KiB, macOS in bytes."""
    return maxrss if sys.platform == "darwin" else maxrss * 1024
