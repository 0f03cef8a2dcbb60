"""Messages for users: errors with place, finding and expectation, what the command changed before, and text that is safe to print."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")

# Nobody mends more faults than this before the next try.
MOST_FAULTS = 50

# The durable changes of this run, as clauses: `seeds/ was changed`. Add one as soon as it is on the disk.
durable_changes: list[str] = []

# Control characters except line breaks and tabs, line separators, changes of the writing direction, and surrogates for bytes that are
# not UTF-8 in file names and arguments.
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Location(NamedTuple):
    """A place in a file: a line, counted from 1, or in a file without lines a place such as `cell B3`."""

    path: Path
    line: int | None = None
    place: str = ""

    def __str__(self) -> str:
        path = visible_line(str(self.path))
        if self.place:
            return f"{path}, {self.place}"
        return f"{path}:{self.line}" if self.line else path

    @property
    def in_file(self) -> str:
        """Return the place without the file, for a second place in a message: `cell B3`, `line 7`, or empty."""
        return self.place or (f"line {self.line}" if self.line else "")


class UserError(Exception):
    """An error that the user can mend; programs print it and exit with 1."""


class DocumentError(UserError):
    """A fault of a document, on one line: its place, the text found there, the expected one, and a remedy, if known.

    `further` has other faults of the same document, found in the same run.
    """

    def __init__(self, location: Location, found: str, expected: str, hint: str = "") -> None:
        self.location = location
        self.found = found
        self.expected = expected
        self.further: list[DocumentError] = []
        message = f"{location}: found {found}; expected {expected}"
        super().__init__(visible_line(f"{message}. {hint}" if hint else message))


class SkippedError(DocumentError):
    """The remark on a document that is right, but none to import, such as a league; it is no fault."""


class Faults(dict[str, DocumentError]):
    """Gathers the first MOST_FAULTS faults of one document by their messages, so that one run reports all of them.

    Wrap each step in `with faults.gathered():`, then call `raise_any`.
    """

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Catch and keep the document error of the enclosed step."""
        try:
            yield
        except DocumentError as error:
            self.add(error)

    def add(self, error: DocumentError) -> None:
        """Keep a document error with its further ones, without duplicates.

        Raises:
            DocumentError: the first fault with the others, once MOST_FAULTS are kept.
        """
        for fault in (error, *error.further):
            self.setdefault(str(fault), fault)
        if len(self) >= MOST_FAULTS:
            self.raise_any()

    def each(self, items: Iterable[Item], read: Callable[[Item], Made]) -> list[Made]:
        """Read each item; gather the faults of rejected items, and return the other results."""
        made = []
        for item in items:
            with self.gathered():
                made.append(read(item))
        return made

    def raise_any(self) -> None:
        """Raise the first gathered fault in the order of lines, if there is any, with the others as its further ones."""
        if self:
            first, *further = sorted(self.values(), key=lambda one: (one.location.path, one.location.line or 0))
            first.further = further
            raise first


def changes_made() -> str:
    """Say what this run changed, as a clause."""
    return f"before that, {'; '.join(durable_changes)}" if durable_changes else "nothing was changed"


def visible(text: str) -> str:
    """Escape characters that would drive a terminal, as `\\x1b`, in a text of one or more lines."""
    return _CONTROL_CHARACTERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def visible_line(text: str) -> str:
    """Do the same for a text that must stay on its line: a file name, a cell."""
    return visible(text).replace("\n", r"\n").replace("\t", r"\t")


def counted(number: int, one: str, many: str) -> str:
    """Return a number with the word that fits it: `1 rating`, `1,096 ratings`."""
    return f"{number:,} {one if number == 1 else many}"


def in_own_words(phrase: str, words: Mapping[str, str]) -> str:
    """Return a phrase of the project, such as the name of a rule or a kind, in the words of a collection: `player`, `tournaments`, `championship` and so on."""
    own = {"World Championship": words["championship"], "world championship": words["championship"].lower()}
    for name in ("players", "player", "tournaments", "tournament"):
        own |= {name: words[name], name.capitalize(): words[name][:1].upper() + words[name][1:]}
    return re.sub("|".join(own), lambda found: own[found[0]], phrase)


def shortened(text: str, longest: int = 60) -> str:
    """Shorten a text so that a message can quote it; escape one with invisible characters."""
    if not text.isprintable():
        text = text.encode("unicode_escape").decode("ascii")
    return text if len(text) <= longest else f"{text[:longest]}..."


def listed(texts: Sequence[str], most: int = 8) -> str:
    """List texts for a message; replace the rest of a long list by a number."""
    rest = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {rest} more" if rest > 0 else "")
