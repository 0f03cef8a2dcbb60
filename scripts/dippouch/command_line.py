"""Options and error handling shared by all subcommands of `dptr`."""

import os
import signal
import sys
import textwrap
import traceback
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NoReturn

import click
from rich.markup import escape

from dippouch.console import err, prepare_output, settle_output
from dippouch.disk import refusal
from dippouch.messages import UserError, changes_made, durable_changes
from dippouch.settings import published_database, seeds_folder

# Length at which a message cuts an unexpected error.
_SHOWN_TEXT = 300
# The exit code of an internal error: 1 is for what the user can mend, 2 for wrong usage.
_INTERNAL = 3


class Command(click.Command):
    """A subcommand that ends every error as a message: how to mend it (exit code 1), or what happened and what was changed (3)."""

    def invoke(self, ctx: click.Context) -> None:
        """Run the command."""
        durable_changes.clear()
        prepare_output()
        signal.signal(signal.SIGTERM, _stop)
        try:
            try:
                # Bytes that are not UTF-8 arrive as surrogates, which only paths may have.
                for given in ctx.params.values():
                    for text in given if isinstance(given, tuple) else (given,):
                        if isinstance(text, str):
                            text.encode()
                super().invoke(ctx)
                settle_output()
            finally:
                # Nothing is left to stop; a late Ctrl-C would deny what was changed, or print a traceback.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                terminated = signal.signal(signal.SIGTERM, signal.SIG_DFL) is signal.SIG_IGN
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise  # Click ends these itself.
        except (KeyboardInterrupt, Exception) as error:
            # DuckDB raises its own error for Ctrl-C during a query.
            if isinstance(error, KeyboardInterrupt) or str(error) == "Query interrupted":
                err.print(f"stopped; {escape(changes_made())}")
                sys.exit(143 if terminated else 130)
            if "DPTR_DEBUG" in os.environ and not isinstance(error, UserError | UnicodeEncodeError):
                raise
            end_with(error)


def _stop(number: int, _: object) -> NoReturn:
    """End the command as Ctrl-C does, and ignore further signals, which would disturb its cleanup."""
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


# Options of several subcommands: `seeds: Path` and `database: Path`.
seeds_option = partial(
    click.option,
    "--seeds",
    type=click.Path(path_type=Path, file_okay=False),
    default=seeds_folder,
    help="The collection.  [default: $DPTR_SEEDS or seeds]",
)
database_option = partial(
    click.option,
    "--database",
    type=click.Path(path_type=Path, dir_okay=False),
    default=published_database,
    help="The published file.  [default: rankings.duckdb in $DPTR_WAREHOUSE, or in warehouse beside the seeds]",
)


def end_with(error: BaseException) -> NoReturn:
    """Flush the output, and end the command with a message: how to mend the error; or what failed, and what was changed before."""
    code = 1
    if isinstance(error, UserError):
        message = str(error)
    elif isinstance(error, OSError):
        message = f"{refusal(error)}; {changes_made()}"
    elif isinstance(error, UnicodeEncodeError):
        message = f"found `{error.object}`, which is not UTF-8; expected text; {changes_made()}"
    else:
        code = _INTERNAL
        place = traceback.extract_tb(error.__traceback__)[-1]
        text = textwrap.shorten(str(error), _SHOWN_TEXT, placeholder=" ...")
        line = f"{Path(place.filename).name}:{place.lineno}; DPTR_DEBUG=1 shows the traceback"
        message = f"{type(error).__name__}: {text} ({line}); {changes_made()}"
    with suppress(OSError):
        settle_output()
    err.print(f"[bold red]error:[/] {escape(message)}")
    sys.exit(code)
