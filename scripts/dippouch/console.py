"""Output to terminals and pipes."""

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from dippouch.messages import visible, visible_line


class _Console(Console):
    """A console that escapes control characters in printed text, so that a document cannot drive the terminal."""

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 (passed on)
        """Escape a string; every printed string passes through here."""
        return super().render_str(visible(text), **options)


out = _Console(highlight=False, emoji=False)
if not out.is_terminal:
    # A pipe has no width: lines there are as long as they need to be.
    out.width = 100_000
err = _Console(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def prepare_output() -> None:
    """Write UTF-8 to pipes and files; a terminal that cannot show é shows `\\xe9`, where printing would raise an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=stream.encoding if stream.isatty() else "utf-8", errors="backslashreplace")


def settle_output() -> None:
    """Flush standard output; on failure discard it, because Python would complain at exit.

    Raises:
        OSError: when the output could not be written, such as on a full disk or after the reader has gone.
    """
    try:
        out.file.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def print_line(text: str) -> None:
    """Print a text on one line, whatever the width of the terminal and the characters of a document."""
    out.print(escape(visible_line(text)), soft_wrap=True)


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines with aligned columns; a table of rich takes a minute for 100,000 rows."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    padded = ([cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return [visible_line("  ".join(cells).rstrip()) for cells in padded]


@contextmanager
def working_on(task: str) -> Iterator[Callable[[str], None]]:
    """Show a task and its current step on a terminal; yield a function that sets the step."""
    with err.status(f"{task} ...") as status:
        yield lambda step: status.update(f"{task}: {escape(visible(step))} ...")


def table_of(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str]) -> Table:
    """Return a table of rows without borders: `columns` has the key of the value for each heading, with a format as in `rating:.2f`.

    A leading `>` of a heading aligns its column to the right, as for numbers. Numbers and ids do not wrap, and nothing is cut.
    """
    table = Table(box=None, pad_edge=False)
    for heading, column in columns.items():
        is_number = heading.startswith(">")
        name = escape(heading.removeprefix(">"))
        no_wrap = is_number or column.endswith("_id")
        table.add_column(name, justify="right" if is_number else "left", no_wrap=no_wrap, overflow="fold")
    for row in rows:
        parts = [column.partition(":") for column in columns.values()]
        cells = ["-" if row[key] is None else format(row[key], form) for key, _, form in parts]
        table.add_row(*(escape(visible_line(cell)) for cell in cells))
    return table
