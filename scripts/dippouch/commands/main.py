"""The command `dptr` and its subcommands, whose modules are imported only when they run."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from dippouch.command_line import Group

# By section: each subcommand, the module beside this one that has it, and its line in `dptr --help`. A new subcommand is a line here
# and a `@click.command("its-name", cls=Command)` in that module.
SECTIONS = {"Questions": [("sql", "questions", "Open DuckDB's shell on the published file, or run a query.")]}


class _Subcommand(click.Command):
    """A subcommand by its name, until it runs."""

    def __init__(self, name: str, module: str, summary: str) -> None:
        super().__init__(name, help=summary)
        self._module = module

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:  # noqa: ANN401 (passed on)
        """Import the subcommand and give it the command line."""
        module = import_module(f"dippouch.commands.{self._module}")
        (command,) = (
            found for found in vars(module).values() if isinstance(found, click.Command) and found.name == self.name
        )
        return command.make_context(*args, **kwargs)


class _Sections(Group):
    """A group whose help lists the subcommands by section."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections."""
        for title, names in SECTIONS.items():
            commands = [(name, self.get_command(ctx, name)) for name, *_ in names]
            with formatter.section(title):
                formatter.write_dl([(name, command.help or "") for name, command in commands if command])


@click.group(
    cls=_Sections, commands=[_Subcommand(*subcommand) for section in SECTIONS.values() for subcommand in section]
)
def main() -> None:
    """Keep a collection of tournament results, rate everybody, and ask about the rankings."""
