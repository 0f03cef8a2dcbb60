"""Run a program in a process of its own, with its time and memory."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dippouch.messages import UserError
from dippouch.settings import PROJECT

_LAST_LINES = 12


class Done(NamedTuple):
    """A finished program: its output, its seconds, those of its processors, and the peak memory of its largest process."""

    output: str
    seconds: float
    cpu_seconds: float
    peak_bytes: int


def run_alone(command: Sequence[str | Path], settings: Mapping[str, str | Path] | None = None) -> Done:
    """Run a program to its end, with additional environment variables.

    Raises:
        UserError: when it fails; with the last lines of its output.
    """
    environment = os.environ | {name: str(value) for name, value in (settings or {}).items()}
    began = time.perf_counter()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=PROJECT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - began
        printed.seek(0)
        output = printed.read()
    if process.returncode != 0:
        end = output.splitlines()[-_LAST_LINES:]
        raise UserError("\n".join([f"{command[0]}: ended with {process.returncode}; its last lines:", *end]))
    return Done(output, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)
