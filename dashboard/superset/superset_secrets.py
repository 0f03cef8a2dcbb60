"""Files that only the owner of Superset's folder may read."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def write_secret(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all.

    Raises:
        OSError: when the disk refuses.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    unfinished.replace(path)
