"""DuckDB's own shell on the published file, unable to write or to read any other file."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import IO

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
    """Run the shell on a published database, with further options, until it ends; return its exit code.

    Raises:
        OSError: when the output cannot be written; the shell itself would not tell.
    """
    shell = str(files("duckdb_cli") / "duckdb")
    is_terminal = sys.stdout.isatty()
    plain = () if is_terminal else (".highlight off",)
    commands = [word for command in (*plain, *_SAFE) for word in ("-cmd", command)]
    with subprocess.Popen(
        [shell, "-no-init", "-readonly", *commands, *words, str(database.absolute())],
        stdout=None if is_terminal else subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr
        # Ctrl-C stops a query; the shell itself decides whether to end.
        signal.signal(signal.SIGINT, lambda *_: None)
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        messages = Thread(target=_copy_messages, args=(process.stderr,))
        messages.start()
        try:
            if process.stdout:
                shutil.copyfileobj(process.stdout, sys.stdout.buffer)
        except OSError:
            process.kill()
            raise
        finally:
            messages.join()
    return process.returncode


def _copy_messages(source: IO[bytes]) -> None:
    """Copy the shell's messages to standard error, without those about its own settings."""
    for line in source:
        if not line.startswith(_REPEATED):
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()
