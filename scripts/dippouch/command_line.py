"""What the programs' command lines share: options, and the end of a program that cannot go on."""

from __future__ import annotations

import sys
import tempfile
import textwrap
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.markup import escape

from dippouch.changed import changes_made, forget_changes
from dippouch.console import err, escape_what_cannot_be_shown, settle_output
from dippouch.disk import refusal
from dippouch.errors import UserError
from dippouch.printable import visible
from dippouch.settings import published_database, seeds_folder

# A decorator of a command's function; click gives the option as an argument of its name.
Option = Callable[[Callable[..., Any]], Callable[..., Any]]

# How much of an error that nobody expected stands in its message; the report has the whole of it.
_SHOWN_TEXT = 300


def program(main: Callable[..., None]) -> Callable[..., None]:
    """Make a function the body of a program, with the option `--debug`, and every error a message and exit code 1.

    A user error says what can be mended. Any other is one that nobody expected: its message says what happened, what was changed
    before (`changed.py`), and where the report with the traceback is.
    """

    @wraps(main)
    def run(*args: Any, debug: bool, **kwargs: Any) -> None:  # noqa: ANN401 (as click gives them)
        forget_changes()
        escape_what_cannot_be_shown()
        try:
            main(*args, **kwargs)
            settle_output()
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise  # Click ends these, and a pipe whose reader has enough, without a word more than needed.
        except UserError as error:
            _end(error, escape(str(error)), debug=debug)
        except UnicodeEncodeError as error:
            # Bytes on the command line that are no text come as surrogates, which nothing can store.
            found = f"found `{error.object}`, which is not UTF-8; expected text; {_changes()}"
            _end(error, escape(found), debug=debug)
        except KeyboardInterrupt:
            err.print(f"stopped; {escape(_changes())}")
            sys.exit(130)
        except Exception as error:  # noqa: BLE001 (nobody is shown a traceback who did not ask)
            where = "" if debug else f"\n{_report(error)}"
            _end(error, escape(f"{_in_a_line(error)}; {_changes()}{where}"), debug=debug)

    show = "When the program fails, show the traceback."
    return click.option("--debug", is_flag=True, help=show)(run)


class _UsageErrors:
    """A command whose messages about its own line show what stands there, and obey none of it."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:  # noqa: ANN401 (passed on)
        """Read the command line."""
        with _shown_escaped():
            return super().make_context(*args, **kwargs)  # type: ignore[misc,no-any-return]

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 (passed on)
        """Run the program, or the command of a group that the line names."""
        with _shown_escaped():
            return super().invoke(ctx)  # type: ignore[misc]


class Command(_UsageErrors, click.Command):
    """The command line of a program: `@click.command(cls=Command)`."""


class Group(_UsageErrors, click.Group):
    """The command line of a program with several commands: `@click.group(cls=Group)`."""


def seeds_option(meaning: str = "The collection.") -> Option:
    """`--seeds DIR`, as the argument `seeds: Path`."""
    folder = click.Path(path_type=Path, file_okay=False)
    help_text = f"{meaning}  [default: $DPTR_SEEDS or seeds]"
    return click.option("--seeds", type=folder, default=seeds_folder, help=help_text)


def database_option(meaning: str = "The database to query.") -> Option:
    """`--database FILE`, as the argument `database: Path`."""
    file = click.Path(path_type=Path, dir_okay=False)
    help_text = f"{meaning}  [default: rankings.duckdb in $DPTR_WAREHOUSE or warehouse]"
    return click.option("--database", type=file, default=published_database, help=help_text)


def json_option(what: str) -> Option:
    """`--json`, as the argument `as_json: bool`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what} as JSON.")


@contextmanager
def _shown_escaped() -> Iterator[None]:
    try:
        yield
    except click.ClickException as error:
        error.message = visible(error.message)  # type: ignore[misc]
        raise


def _end(error: Exception, message: str, *, debug: bool) -> NoReturn:
    """Say what happened and end the program; what was printed before stands before it."""
    with suppress(OSError):
        settle_output()
    if debug:
        err.print(escape("".join(traceback.format_exception(error)).rstrip()))
    err.print(f"[bold red]error:[/] {message}")
    sys.exit(1)


def _changes() -> str:
    made = changes_made()
    return f"before that, {'; '.join(made)}" if made else "nothing was changed"


def _in_a_line(error: Exception) -> str:
    """What happened: the path and the reason where a disk refused, else the kind of error and its text."""
    if isinstance(error, OSError):
        return refusal(error)
    text = textwrap.shorten(str(error), _SHOWN_TEXT, placeholder=" ...")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _report(error: Exception) -> str:
    """Write the traceback into a file of its own, and say where it is."""
    text = f"{' '.join(sys.argv)}\n\n{''.join(traceback.format_exception(error))}"
    try:
        with tempfile.NamedTemporaryFile("wb", prefix="dip-pouch-", suffix=".log", delete=False) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError:
        return "With --debug the same command shows where in the program it happened."
    return f"Where in the program it happened is in {file.name}; --debug shows it here."
