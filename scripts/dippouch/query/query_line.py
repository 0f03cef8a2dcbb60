"""The command line of a program that takes SQL: the query, and what it may take."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

import click

from dippouch.command_line import Command
from dippouch.errors import UserError
from dippouch.query.statements import LONGEST_QUERY

_UNITS = {unit: 1000**power for power, unit in enumerate(("KB", "MB", "GB", "TB"), start=1)}
_LEAST_MEMORY, _MOST_MEMORY = 100 * _UNITS["MB"], 1000 * _UNITS["GB"]
# More than one byte for every character of the longest query: what is longer need not be read.
_LONGEST_INPUT = 4 * LONGEST_QUERY + 4


class Memory(click.ParamType[int]):
    """An amount of memory, such as 500MB, as bytes."""

    name = "memory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401 (click's)
        """The bytes of what was typed, or of the default, which is bytes already."""
        if isinstance(value, int):
            return value
        stated = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?) ?([KMGT]B)", str(value).strip().upper())
        size = int(float(stated[1]) * _UNITS[stated[2]]) if stated else 0
        if not _LEAST_MEMORY <= size <= _MOST_MEMORY:
            self.fail(f"found {value!r}; expected an amount from 100MB to 1000GB, such as 500MB or 4GB", param, ctx)
        return size


class QueryCommand(Command):
    """A command whose argument is SQL, which may begin with a comment: `-- who leads?`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; what begins as an option and has a blank or a line break where its name would be is SQL."""
        if "--" not in args:
            comments = [word for word in args if re.match(r"--[^=]*?\s", word)]
            if comments:
                args = [*(word for word in args if word not in comments), "--", *comments]
        return super().parse_args(ctx, args)


def read_query(sql: str) -> str:
    """The query that was typed, or that comes from standard input where it is `-`.

    Raises:
        UserError: when nothing can come from there.
    """
    if sql != "-":
        # As UTF-8, also where the terminal's encoding is another.
        return os.fsencode(sql).decode("utf-8", "surrogateescape")
    if sys.stdin is None:
        raise UserError("found no query; expected one behind the program's name, or on standard input")
    # Bytes that are no text are told with their line, where the query is checked.
    return click.get_binary_stream("stdin").read(_LONGEST_INPUT).decode("utf-8-sig", "surrogateescape")
