"""What happened in a life, told so that it can be done again: made as short as it can be, as text and as a shell script."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path

from support.compiled import CompiledProject, Warehouse
from support.state_machine.life import BrokenStep, HandEdit, Life, Step
from support.state_machine.told import File


def broken_by(project: CompiledProject, steps: Sequence[Step]) -> BrokenStep | None:
    """The promise that the last of some steps breaks, or None."""
    with tempfile.TemporaryDirectory() as folder:
        life = Life(Warehouse(project), Path(folder) / "life")
        *earlier, last = steps
        try:
            for step in earlier:
                life.take(step, checked=False)
            life.take(last)
        except BrokenStep as broken:
            return broken
    return None


def shortest(project: CompiledProject, steps: Sequence[Step], promise: str) -> list[Step]:
    """As few of the steps as still break the same promise with the last."""
    kept = list(steps)
    shorter = True
    while shorter:
        shorter = False
        for at in reversed(range(len(kept) - 1)):
            without = kept[:at] + kept[at + 1 :]
            broken = broken_by(project, without)
            if broken is not None and broken.promise == promise:
                kept, shorter = without, True
    return kept


def told(steps: Sequence[Step]) -> str:
    """The steps as a person reads them: commands, and what stands in the documents."""
    return "\n".join(line for step in steps for line in _lines(step))


def written(steps: Sequence[Step], folder: Path) -> Path:
    """Write the documents of a story into a folder, with a script that runs its commands there.

    Returns:
        The path of the script.
    """
    lines = ["#!/bin/sh", "# Run in the project, with a folder for the collection: sh story.sh FOLDER", "SEEDS=$1"]
    lines.append(f"DOCUMENTS={shlex.quote(str(folder))}")
    for step in steps:
        if isinstance(step, HandEdit):
            edit = (
                "import pathlib, sys; path = pathlib.Path(sys.argv[1]); text = path.read_text();"
                f" path.write_text(text.replace({step.find!r}, {step.put!r}, 1) if {step.find!r} else text + {step.put!r})"
            )
            lines.append(f'python3 -c {shlex.quote(edit)} "$SEEDS/{step.path}"')
            continue
        for file in step.files:
            path = folder / str(step.number) / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
        words = " ".join(map(shlex.quote, step.arguments))
        words = words.replace("'{seeds}'", '"$SEEDS"')
        lines.append(f"scripts/{step.program}.py {words.replace('{documents}', f'{folder}/{step.number}')}")
    script = folder / "story.sh"
    script.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return script


def _lines(step: Step) -> list[str]:
    if isinstance(step, HandEdit):
        what = f"{step.find!r} becomes {step.put!r}" if step.find else f"a line is added: {step.put!r}"
        return [f"{step.number}. by hand in SEEDS/{step.path}: {what}"]
    words = " ".join(map(shlex.quote, step.arguments))
    words = words.replace("'{seeds}'", "SEEDS").replace("{documents}", f"{step.number}")
    lines = [f"{step.number}. scripts/{step.program}.py {words}"]
    for file in step.files:
        lines += [f"   {step.number}/{file.name}:", *(f"   | {line}" for line in _text(file).splitlines())]
    return lines


def _text(file: File) -> str:
    if file.name.endswith(".xlsx"):
        return f"(a workbook of {len(file.content)} bytes)"
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        try:
            return file.content.decode(encoding)
        except UnicodeError:
            continue
    return repr(file.content)
