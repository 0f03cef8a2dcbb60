"""How the programs speak on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape

from dippouch.errors import KeeperError

# A pipe has no width: lines are as long as they need to be there.
_PIPE_WIDTH = 200

out = Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def run_for_keeper(program: Callable[[], None]) -> None:
    """Run a program; an error that the keeper can mend becomes its message and exit code 1, without a traceback."""
    try:
        program()
    except KeeperError as error:
        err.print(f"[bold red]error:[/] {escape(str(error))}")
        sys.exit(1)
    except KeyboardInterrupt:
        err.print("stopped; nothing was changed")
        sys.exit(130)


@contextmanager
def working_on(task: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal that something is going on, and what; elsewhere (a pipe, a log) say nothing.

    Yields:
        A function that says which step is under way.
    """
    if not err.is_terminal:
        yield lambda step: None
        return
    with err.status(f"{task} ...") as status:
        yield lambda step: status.update(f"{task}: {escape(step)} ...")
