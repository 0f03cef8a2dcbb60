"""The advice in messages, followed as a reader follows it: commands, and options for the refused command.

A message advises a command in backticks, or at its end as a remedy, after which the refused command is repeated. Options stand behind
`expected`; those with only a blank between them belong together.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterable, Iterator
from contextlib import chdir
from itertools import permutations
from tempfile import TemporaryDirectory

from support.programs import run_here

# The texts that a reader fills in for placeholders; HEADING is any text in backticks.
FILLED = {
    "--reason ...": "--reason mended",
    "--name ...": "--name 'Small Cup'",
    "--date ...": "--date 2010-05-01",
    "--players ...": "--players 30",
    "--rounds ...": "--rounds 3",
    "--boards ...": "--boards 4",
    "FIELD=VALUE": "players=30",
    "KIND": "CUP",
    "NAME": "MENDED",
    "NEW-ID": "somebody-new",
}
# Refusals without a command to which advice leads: each is about something else.
OTHERWISE = (
    "expected visible characters",
    "name one file",
    "Import only the right one",
    "if nobody knows it",
    "One list has both; nothing was recorded",
    "expected a decision that changes something",
    "expected at least one listed player",
)
_MESSAGE = re.compile(r"(error|rejected|[^`]+\.[a-z]+)[:,]|\d+ pairs? may")
_COMMAND = re.compile(r"`dptr ([^`]+)`|: dptr ([^`]+)$")
_OPTION = r"(?:--(?:another-event|future|replace)\b|--[a-z]+ (?:'[^']*'(?:\"'\"'[^']*')*|\"[^\"]*\"|\.\.\.|[\w=-]+))"
_OPTIONS = re.compile(rf" ({_OPTION}(?: {_OPTION})*)")


def pieces(line: str) -> list[str]:
    """Return the advice in a line that a command printed; a remedy begins with `: `."""
    if not _MESSAGE.match(line):
        return []
    expected = _COMMAND.sub("", line).partition("; expected ")[2]
    return [found[1] or f": {found[2]}" for found in _COMMAND.finditer(line)] + _OPTIONS.findall(expected)


def circles(words: list[str], told: Iterable[str], seen: frozenset[str] = frozenset()) -> list[str]:
    """Follow all advice that a command printed, and the advice to which it leads; return the pieces that lead nowhere."""
    lines = frozenset(" ".join(line.split()) for line in told)
    found = []
    for piece in sorted({piece for line in lines - seen for piece in pieces(line)}):
        given = [line for line in sorted(lines - seen) if piece in pieces(line)]
        if not any(_leads_on(words, given, filled, seen | lines) for filled in _filled(piece, given[0])):
            found.append(f"{shlex.join(words)}: {given[0]}: {piece}")
    return found


def _filled(piece: str, line: str) -> Iterator[str]:
    """Yield a piece of advice without placeholders."""
    for placeholder, text in FILLED.items():
        piece = piece.replace(placeholder, text)
    first, *further = piece.split("HEADING")
    for named in permutations(dict.fromkeys(re.findall("`([^`]+)`", line)), len(further)):
        yield first + "".join(f"{name}{text}" for name, text in zip(named, further, strict=True))


def _leads_on(words: list[str], given: list[str], advice: str, seen: frozenset[str]) -> bool:
    """Return whether advice of some lines, in a copy of the folder, ends these refusals or leads to others with a way out."""
    with TemporaryDirectory() as folder:
        shutil.copytree(".", folder, dirs_exist_ok=True)
        with chdir(folder):
            command = shlex.split(advice.removeprefix(": "))
            if advice.startswith("--"):
                words = command = [*words, *command]
            refused = _refusals(command)
            if not refused and advice.startswith(": "):
                refused = _refusals(words)
            new = {line for line in refused - seen if not line.endswith(OTHERWISE)}
            return refused.isdisjoint(given) and all(map(pieces, new)) and not circles(words, new, seen)


def _refusals(words: list[str]) -> set[str]:
    """Run a command on the collection of the folder, and return the lines that refuse it."""
    done = run_here(
        *words, *(("--seeds", "seeds") if "--seeds" not in words and words[0] not in ("new", "template") else ())
    )
    return {" ".join(line.split()) for line in done.stderr.splitlines()} - {""} if done.returncode else set()
