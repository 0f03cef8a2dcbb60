"""Options and error handling shared by all subcommands of `dptr`."""

from __future__ import annotations

import os
import shlex
import sys
import textwrap
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.markup import escape

from dippouch.console import err, prepare_output, settle_output
from dippouch.disk import refusal
from dippouch.errors import UserError, begin_run, changes_made
from dippouch.settings import PROJECT, published_database, seeds_folder

# A decorator for a command's function; click passes the option as an argument of the same name.
Option = Callable[[Callable[..., Any]], Callable[..., Any]]

# Length at which a message cuts an unexpected error.
_SHOWN_TEXT = 300


class Command(click.Command):
    """A subcommand that ends every error as a message with exit code 1: how to mend it, or what happened and what was changed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, after noting them."""
        begin_run(shlex.join([*ctx.command_path.split(), *args]))
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> None:
        """Run the command."""
        prepare_output()
        try:
            _refuse_other_checkout(Path.cwd())
            super().invoke(ctx)
            settle_output()
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise  # Click ends these itself.
        except UserError as error:
            _end(str(error))
        except UnicodeEncodeError as error:
            # Bytes on the command line that are not UTF-8 arrive as surrogates, which no file can store.
            _end(f"found `{error.object}`, which is not UTF-8; expected text; {changes_made()}")
        except (KeyboardInterrupt, Exception) as error:
            # DuckDB raises its own error for Ctrl-C during a query.
            if isinstance(error, KeyboardInterrupt) or str(error) == "Query interrupted":
                err.print(f"stopped; {escape(changes_made())}")
                sys.exit(130)
            if "DPTR_DEBUG" in os.environ:
                raise
            kind = refusal(error) if isinstance(error, OSError) else _bug(error)
            _end(f"{kind}; {changes_made()}")


def command(name: str, epilog: str | None = None) -> Callable[[Callable[..., None]], click.Command]:
    """Turn a function into the subcommand `name`; its docstring is the help."""
    return click.command(name, cls=Command, epilog=epilog)


def seeds_option(meaning: str = "The collection.") -> Option:
    """Add `--seeds DIR`, as the argument `seeds: Path`."""
    folder = click.Path(path_type=Path, file_okay=False)
    help_text = f"{meaning}  [default: $DPTR_SEEDS or seeds]"
    return click.option("--seeds", type=folder, default=seeds_folder, help=help_text)


def database_option(meaning: str = "The published file.") -> Option:
    """Add `--database FILE`, as the argument `database: Path`."""
    file = click.Path(path_type=Path, dir_okay=False)
    help_text = f"{meaning}  [default: rankings.duckdb in $DPTR_WAREHOUSE or warehouse]"
    return click.option("--database", type=file, default=published_database, help=help_text)


def json_option(what: str = "the answer") -> Option:
    """Add `--json`, as the argument `as_json: bool`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what} as JSON.")


def _refuse_other_checkout(here: Path) -> None:
    """Refuse to run in another checkout: a copied environment would change the seeds of the one that it was copied from."""
    if (here / "scripts" / "dippouch").is_dir() and not here.samefile(PROJECT):
        raise UserError(
            f"{here}: found the command `dptr` of another checkout, {PROJECT}; expected the one of this checkout. Run"
            f" `make environment` here, and then {here}/.venv/bin/dptr"
        )


def _end(message: str) -> NoReturn:
    """Flush the output, print the message, and exit."""
    with suppress(OSError):
        settle_output()
    err.print(f"[bold red]error:[/] {escape(message)}")
    sys.exit(1)


def _bug(error: BaseException) -> str:
    """Describe an unexpected error on one line: its type, its text, and the line of code that raised it."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = textwrap.shorten(str(error), _SHOWN_TEXT, placeholder=" ...")
    return (
        f"{type(error).__name__}: {text} ({Path(place.filename).name}:{place.lineno}; DPTR_DEBUG=1 shows the traceback)"
    )
