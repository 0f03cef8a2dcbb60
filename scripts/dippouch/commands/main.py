"""The command `dptr`; it imports the module of a subcommand only to run it."""

from importlib import import_module
from itertools import chain
from typing import Any

import click

from dippouch.messages import UserError
from dippouch.settings import current_folder, project_version

# By section: name, module and summary of each subcommand. For a new subcommand, add a line here and a function with
# `@click.command("its-name", cls=Command)` in that module.
SECTIONS = {
    "The collection": [
        ("new", "making", "Make a collection in a folder of its own."),
        ("collect", "collecting", "Fetch the pages of a rating from its site into an archive."),
        ("import", "importing", "Import results, published rankings and players from documents."),
        ("template", "making", "Write an empty table for the results of a tournament."),
        ("undo", "importing", "Undo the last change of the collection."),
        ("correct", "decisions", "Correct a fact of a tournament or of one result."),
        ("revert", "decisions", "Take corrections back."),
        ("withdraw", "decisions", "Leave a tournament or one result out of all ratings."),
        ("restore", "decisions", "Take a withdrawal back."),
        ("history", "decisions", "Print what each document states about a tournament, and what holds."),
        ("tournaments", "decisions", "List the tournaments with their ids."),
        ("duplicates", "decisions", "List players who may be one person."),
        ("merge", "decisions", "Record that two ids are one person."),
        ("distinct", "decisions", "Record that two players are two people."),
        ("split", "decisions", "Record that one id is another person in one tournament."),
        ("forget", "decisions", "Take back a decision of `distinct`."),
    ],
    "The database": [
        ("refresh", "database", "Build, test, verify and publish the rankings."),
        ("verify", "database", "Recompute every rating in exact arithmetic and compare."),
    ],
    "Questions": [
        ("ranking", "questions", "Print the top of a ranking, also of a nation or a year."),
        ("player", "questions", "Print the rank, the career and the rating of one player."),
        ("what-if", "questions", "Show how a coming tournament would change a player's rating."),
        ("sql", "questions", "Open DuckDB's shell on the published file, or run a query."),
    ],
    "Publishing": [
        ("site", "publishing", "Make the site of the published file."),
        ("serve", "publishing", "Serve the site on this machine."),
    ],
}


class _Sections(click.Group):
    """A group whose help lists the subcommands by section."""

    def main(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (passed on)
        """Run the command; a missing folder, or a help text that cannot be written, ends with a message, as in the subcommands."""
        try:
            current_folder()
            return super().main(*args, **kwargs)
        except (OSError, UserError) as error:
            import_module("dippouch.command_line").end_with(error)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 (as click calls it)
        """Import the module of a subcommand, and return the subcommand."""
        for name, module, _ in chain(*SECTIONS.values()):
            if name == cmd_name:
                found = vars(import_module(f"dippouch.commands.{module}")).values()
                return next(one for one in found if isinstance(one, click.Command) and one.name == name)
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 (as click calls it)
        """Write the subcommands by section."""
        for title, subcommands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, summary) for name, _, summary in subcommands])


# Click suggests one of these names for a misspelt one.
@click.group(cls=_Sections, commands=[click.Command(name) for name, *_ in chain(*SECTIONS.values())])
@click.version_option(project_version())
def main() -> None:
    """Keep a collection of tournament results, rate its players, and ask about the rankings.

    \b
    dptr import results.csv    add results to the collection (folder seeds/)
    dptr refresh               rate everybody and publish warehouse/rankings.duckdb
    dptr player Harris         print a player's rank and rating

    `dptr COMMAND --help` explains a command with examples.
    """
