"""How the programs speak on a terminal."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from dippouch.printable import visible

# A pipe has no width: lines are as long as they need to be there.
_PIPE_WIDTH = 200


class _Console(Console):
    """A console that no text can drive: what a document brings is shown, escaped where it is an order to the terminal."""

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 (passed on)
        """See the class; everything that is printed as a string comes by here."""
        return super().render_str(visible(text), **options)


out = _Console(highlight=False, width=None if sys.stdout is not None and sys.stdout.isatty() else _PIPE_WIDTH)
err = _Console(stderr=True, highlight=False, soft_wrap=True)


def escape_what_cannot_be_shown() -> None:
    """Let people read `\\xe9` where their terminal has no é; without this a program ends in the middle of its report."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def settle_output() -> None:
    """Hand on what was printed so far; when nobody takes it, give it up, of which Python would complain at the exit.

    Raises:
        OSError: when it could not be handed on: a full disk, a reader who has gone.
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        raise


def write_exactly(pieces: Iterable[str]) -> None:
    """Write text for a program to standard output, piece by piece: the same UTF-8 bytes wherever it goes, but for a terminal.

    Bytes of a file name that are no text stand as `\\udcff`, which JSON reads as it was.
    """
    if sys.stdout is None:
        return
    if sys.stdout.isatty():
        sys.stdout.writelines(map(visible, pieces))
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.flush()
        for piece in pieces:
            sys.stdout.buffer.write(piece.encode("utf-8", "backslashreplace"))
    else:
        sys.stdout.writelines(pieces)


def write_json(value: object) -> None:
    """Write a value as JSON for a program; what JSON does not know (dates, paths) is text."""
    write_exactly([json.dumps(value, ensure_ascii=False, indent=2, default=str), "\n"])


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
        yield lambda step: status.update(f"{task}: {escape(visible(step))} ...")


@contextmanager
def counting(task: str) -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how far something is, with a bar; elsewhere (a pipe, a log) say nothing.

    Yields:
        A function that says how many of how many steps are done.
    """
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        bar = progress.add_task(task, total=None)
        yield lambda done, most: progress.update(bar, completed=done, total=most)


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
