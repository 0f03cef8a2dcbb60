"""The way out that a message names: a command that runs as it is printed, and what somebody may have meant."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from rapidfuzz import fuzz, process

from dippouch.settings import seeds_folder

# How alike two texts must be, of 100, for the one to be shown as what the other may mean.
_ALIKE = 70
_SHOWN = 3
# Longer texts are no ids and no codes, and comparing them takes its time.
_LONGEST = 100


def suggested_command(program: str, *arguments: str, seeds: Path | None = None) -> str:
    """A command of the project, quoted for a shell.

    Args:
        program: the file name in scripts/.
        arguments: what stands behind it.
        seeds: the collection that it is about; named in the command unless it is the one that programs take by themselves.
    """
    words = [f"scripts/{program}", *arguments]
    if seeds is not None and seeds.resolve() != seeds_folder().resolve():
        words += ["--seeds", str(seeds)]
    return shlex.join(words)


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
