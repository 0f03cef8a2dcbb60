"""The help of all subcommands."""

from __future__ import annotations

import pytest

from dippouch.commands.main import SECTIONS
from support.programs import run_here


@pytest.mark.parametrize("name", [name for section in SECTIONS.values() for name, *_ in section])
def test_help_has_an_example_and_only_ascii_characters(name: str) -> None:
    """Terminals of any encoding can show it."""
    shown = run_here(name, "--help").stdout
    assert f"\n  dptr {name}" in shown
    assert shown.isascii()


def test_a_misspelt_subcommand_is_suggested() -> None:
    end = run_here("rankings")
    assert (end.returncode, end.stdout) == (2, "")
    assert "Did you mean 'ranking'?" in end.stderr
