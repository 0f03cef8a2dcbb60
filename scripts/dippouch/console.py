"""How the programs speak on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.table import Table

# A pipe has no width: lines are as long as they need to be there.
_PIPE_WIDTH = 200

out = Console(highlight=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
err = Console(stderr=True, highlight=False, soft_wrap=True)


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


def plain_table(*headings: str, caption: str | None = None) -> Table:
    """An empty table without lines around its cells.

    Args:
        headings: the headings of its columns; `>` before one keeps the column to the right, as numbers are written.
        caption: a sentence under the table.
    """
    table = Table(box=None, pad_edge=False, caption=caption, caption_justify="left")
    for heading in headings:
        table.add_column(heading.removeprefix(">"), justify="right" if heading.startswith(">") else "left")
    return table
