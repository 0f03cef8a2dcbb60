"""What the programs' command lines share: options, and the end of a program that cannot go on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click
from rich.markup import escape

from dippouch.console import err
from dippouch.errors import UserError
from dippouch.settings import published_database, seeds_folder

P = ParamSpec("P")

# A decorator of a command's function; click gives the option as an argument of its name.
Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def program(main: Callable[P, None]) -> Callable[P, None]:
    """Make a function the body of a program: a user error becomes its message and exit code 1, without a traceback."""

    @wraps(main)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            main(*args, **kwargs)
        except UserError as error:
            err.print(f"[bold red]error:[/] {escape(str(error))}")
            sys.exit(1)
        except KeyboardInterrupt:
            err.print("stopped; nothing was changed")
            sys.exit(130)

    return run


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
