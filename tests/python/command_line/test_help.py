"""The help of all subcommands, recorded in one file, from the installed command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dippouch.commands.main import SECTIONS
from support.programs import run_here

HELP = Path(__file__).with_name("help.txt")
NAMES = [name for section in SECTIONS.values() for name, *_ in section]


def test_the_help_is_as_recorded() -> None:
    """Set DPTR_RECORD=1 to record it again."""
    pages = [run_here(name, "--help").stdout for name in NAMES]
    command = Path(sys.executable).with_name("dptr")
    first = subprocess.run([command, "--help"], capture_output=True, text=True, check=True).stdout
    text = "\n----\n\n".join([first, *pages])
    if os.environ.get("DPTR_RECORD"):
        HELP.write_text(text, encoding="utf-8")
    assert text == HELP.read_text(encoding="utf-8")
    assert text.isascii()  # Terminals of any encoding can show it.
    assert [name for name, page in zip(NAMES, pages, strict=True) if f"\n  dptr {name}" not in page] == []


def test_a_misspelt_subcommand_is_suggested() -> None:
    end = run_here("rankings")
    assert (end.returncode, end.stdout) == (2, "")
    assert "Did you mean 'ranking'?" in end.stderr
