"""Text of documents, file names and queries on its way to a terminal: nothing in it is an order to the terminal."""

from __future__ import annotations

import re

# Control characters but for line breaks and tabs, separators of lines, orders that change the direction of writing, and bytes of
# a file name or an argument that are no text.
_ORDERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LINES_TOO = re.compile(rf"{_ORDERS.pattern}|[\n\t]")


def visible(text: str) -> str:
    """A text of one or more lines with what would drive a terminal written as `\\x1b`."""
    return _ORDERS.sub(_escape, text)


def visible_line(text: str) -> str:
    """The same for what must stay on its line: a file name, a cell."""
    return _LINES_TOO.sub(_escape, text)


def _escape(character: re.Match[str]) -> str:
    return character[0].encode("unicode_escape").decode()
