"""Suggestions in messages: a command that runs as printed, or a likely spelling."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from rapidfuzz import fuzz, process

from dippouch.settings import seeds_folder

# Minimum likeness of a suggestion, of 100.
_ALIKE = 70
_SHOWN = 3
# Longer texts are neither ids nor codes, and slow to compare.
_LONGEST = 100


def suggested_command(*words: str, seeds: Path | None = None) -> str:
    """Return a command to print in a message; `...` stands for the reader's own words.

    Args:
        words: the words after `dptr`.
        seeds: the collection; named in the command unless it is the default one.
    """
    further = [] if seeds is None or seeds.resolve() == seeds_folder().resolve() else ["--seeds", str(seeds)]
    return shlex.join(["dptr", *words, *further])


def likely(text: str, known: Iterable[str], *, alike: int = _ALIKE) -> list[str]:
    """Return the known texts that resemble a text, most alike first, ignoring letter case.

    Args:
        text: the given text.
        known: the candidates.
        alike: minimum likeness, of 100; lower it for short codes, where one slip weighs more.
    """
    if len(text) > _LONGEST:
        return []
    found = process.extract(
        text, list(known), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=alike, limit=_SHOWN
    )
    return [name for name, _, _ in sorted(found, key=lambda match: (-match[1], match[0]))]


def did_you_mean(text: str, known: Iterable[str], *, alike: int = _ALIKE) -> str:
    """Return the same as the end of a sentence: `; did you mean `x` or `y`?`. Empty without a match."""
    names = [f"`{name}`" for name in likely(text, known, alike=alike)]
    return f"; did you mean {' or '.join(names)}?" if names else ""
