"""The most memory that a process had at once. Only the standard library: contenders import this."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path


def peak_bytes() -> int:
    """Of this process, since its program was started.

    Linux counts in `ru_maxrss` what the process was before, a copy of the one that started it, which may be larger.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return _bytes_of(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    found = re.search(r"^VmHWM:\s+([0-9]+) kB$", status, re.MULTILINE)
    assert found
    return int(found[1]) * 1024


def peak_bytes_of_children() -> int:
    """Of the largest process that this one started and that has ended; at least what this one had when it started it."""
    return _bytes_of(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


def _bytes_of(maxrss: int) -> int:
    return maxrss if sys.platform == "darwin" else maxrss * 1024
