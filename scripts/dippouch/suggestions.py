"""Suggestions in messages: a command that runs as printed, or a likely spelling."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from rapidfuzz import fuzz, process

from dippouch.settings import seeds_folder

# Longer texts are neither ids nor codes, and slow to compare.
_LONGEST = 100


def suggested_command(*words: str, seeds: Path | None = None) -> str:
    """Return a command of `dptr` for a message; it names the collection unless that is the default one."""
    further = [] if seeds is None or seeds.resolve() == seeds_folder().resolve() else ["--seeds", str(seeds)]
    return shlex.join(["dptr", *words, *further])


def did_you_mean(text: str, known: Iterable[str], *, alike: int = 70) -> str:
    """Return the end of a sentence with up to three similar texts: `; did you mean `x` or `y`?`. Empty without any.

    `alike` is the minimum likeness, of 100; lower it for short codes, where one slip weighs more.
    """
    if len(text) > _LONGEST:
        return ""
    found = process.extract(text, list(known), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=alike, limit=3)
    names = [f"`{name}`" for name, _, _ in sorted(found, key=lambda match: (-match[1], match[0]))]
    return f"; did you mean {' or '.join(names)}?" if names else ""
