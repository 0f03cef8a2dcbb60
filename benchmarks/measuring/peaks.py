"""The peak memory of a process. It uses only the standard library, because contenders import this module."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path


def peak_bytes() -> int:
    """Return the peak memory of this process since its program started.

    On Linux, `ru_maxrss` includes the time before, when the process was a copy of its parent, which may be larger.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return _bytes_of(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    found = re.search(r"^VmHWM:\s+([0-9]+) kB$", status, re.MULTILINE)
    assert found
    return int(found[1]) * 1024


def peak_bytes_of_children() -> int:
    """Return the peak memory of the largest ended child process; at least that of this process when it started the child."""
    return _bytes_of(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


def _bytes_of(maxrss: int) -> int:
    return maxrss if sys.platform == "darwin" else maxrss * 1024
