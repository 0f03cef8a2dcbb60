"""What a message suggests: a command that runs as it is printed, or a likely spelling."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from rapidfuzz import fuzz, process

from dippouch.settings import seeds_folder

# The least likeness, of 100, of a suggestion.
_ALIKE = 70
_SHOWN = 3
# Longer texts are no ids and no codes, and comparing them takes its time.
_LONGEST = 100


def suggested_command(*words: str, seeds: Path | None = None) -> str:
    """A command that runs as it is printed.

    Args:
        words: what follows `dptr`.
        seeds: the collection; named in the command unless it is the default one.
    """
    further = [] if seeds is None or seeds.resolve() == seeds_folder().resolve() else ["--seeds", str(seeds)]
    return shlex.join(["dptr", *words, *further])


def likely(text: str, known: Iterable[str], *, alike: int = _ALIKE) -> list[str]:
    """The known texts that a text may mean, the most alike first; letter case makes no difference.

    Args:
        text: what somebody wrote.
        known: what could be meant.
        alike: how alike they must be, of 100; short codes differ more with one slip.
    """
    if len(text) > _LONGEST:
        return []
    found = process.extract(
        text, list(known), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=alike, limit=_SHOWN
    )
    return [name for name, _, _ in sorted(found, key=lambda match: (-match[1], match[0]))]


def did_you_mean(text: str, known: Iterable[str], *, alike: int = _ALIKE) -> str:
    """The same as the end of a sentence: `; did you mean `x` or `y`?`. Empty when nothing is alike."""
    names = [f"`{name}`" for name in likely(text, known, alike=alike)]
    return f"; did you mean {' or '.join(names)}?" if names else ""
