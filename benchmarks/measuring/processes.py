"""Run a program of the benchmark in a process of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from dippouch.errors import UserError
from dippouch.settings import PROJECT

BENCHMARKS, SCRIPTS = PROJECT / "benchmarks", PROJECT / "scripts"
# Lines of a failed program's output that a message shows.
_LAST_LINES = 12


def run_alone(command: Sequence[str | Path], what: str, settings: Mapping[str, str | Path] | None = None) -> str:
    """Run a program to its end.

    Args:
        command: the program and its arguments.
        what: its task, for a message.
        settings: additional environment variables.

    Returns:
        Its standard output.

    Raises:
        UserError: when it cannot be started, or fails.
    """
    words = [str(word) for word in command]
    environment = os.environ | {name: str(value) for name, value in (settings or {}).items()}
    try:
        done = subprocess.run(
            words, cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise UserError(f"{what}: {words[0]} could not be started ({error.strerror})") from None
    if done.returncode != 0:
        end = [*done.stdout.splitlines(), *done.stderr.splitlines()][-_LAST_LINES:]
        raise UserError("\n".join([f"{what}: ended with {done.returncode}; its last words:", *end]))
    return done.stdout
