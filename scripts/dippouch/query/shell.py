"""DuckDB's own shell on the published file, unable to write or to read any other file."""

from __future__ import annotations

import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

# Run before anything else. Safe mode alone lets `copy ... to` overwrite the open database, so the shell loses its file system, too.
# The shell's own option `-safe` does not work in this version.
_SAFE = (
    "set enable_external_access = false",
    "set disabled_filesystems = 'LocalFileSystem'",
    "set lock_configuration = true",
    ".safe_mode",
)
# The last of these commands prints this message, because it repeats earlier settings.
_REPEATED = b'Failed to execute query "SET '


def run_shell(database: Path, *words: str) -> int:
    """Run the shell on a published database, with further options, until it ends; return its exit code."""
    shell = str(files("duckdb_cli") / "duckdb")
    plain = () if sys.stdout.isatty() else (".highlight off",)
    commands = [word for command in (*plain, *_SAFE) for word in ("-cmd", command)]
    with subprocess.Popen(
        [shell, "-no-init", "-readonly", *commands, *words, str(database.absolute())], stderr=subprocess.PIPE
    ) as process:
        assert process.stderr
        # Ctrl-C stops a query; the shell itself decides whether to end.
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        for line in process.stderr:
            if not line.startswith(_REPEATED):
                sys.stderr.buffer.write(line)
                sys.stderr.buffer.flush()
    return process.returncode
