"""What a failed build says: for each step that failed its sentence, and the rows with the lines of the seeds they come from."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from dippouch.console import plain_table
from dippouch.names import shortened
from dippouch.publishing.failures.artefacts import Artefacts, Node, Step
from dippouch.publishing.failures.failing_rows import FailingRows, failed_build, read_failing_rows
from dippouch.publishing.failures.seed_lines import Asked, ask_about, find_lines, places_of
from dippouch.publishing.failures.sentences import sentence_of
from dippouch.seeds.checks.declared import declared_seeds

# Faults that one message shows; what is mended first often mends the others.
_SHOWN_STEPS = 10
_SHOWN_LINES = 12
_WIDE = 1_000


def describe_failures(artefacts: Artefacts, build: Path, seeds: Path) -> str:
    """What failed in a build, in the order in which to mend it.

    Args:
        artefacts: what dbt wrote about the build.
        build: the database as far as it was built.
        seeds: the collection.

    Returns:
        The message; empty when nothing failed.
    """
    failed = artefacts.failed
    if not failed:
        return ""
    shown = failed[:_SHOWN_STEPS]
    rows = _failing_rows(shown, build)
    asked = [_questions(artefacts, step, found) if found else [] for step, found in zip(shown, rows, strict=True)]
    lines = find_lines(seeds, declared_seeds(), [about for several in asked for about in several])
    parts = [_summary(len(failed), len(shown), artefacts.skipped)]
    for number, (step, found, about) in enumerate(zip(shown, rows, asked, strict=True), start=1):
        parts.append(f"{number}. {_headline(artefacts, step)}")
        if found:
            parts.append(_as_text(found, [places_of(each, lines) for each in about], step.failures))
    return "\n".join(parts)


def _summary(failed: int, shown: int, skipped: int) -> str:
    what = f"the build failed in {failed} step{'s' * (failed != 1)}"
    if skipped:
        what += f", and {skipped} that depend on {'them' if failed > 1 else 'it'} were not tried"
    order = "; mend the first one first" if failed > 1 else ""
    return f"{what}{order}{f'; {shown} follow' if shown < failed else ''}:"


def _failing_rows(steps: Sequence[Step], build: Path) -> list[FailingRows | None]:
    with failed_build(build) as connection:
        return [
            read_failing_rows(connection, step)
            if connection and step.kind == "test" and step.status in {"fail", "warn"}
            else None
            for step in steps
        ]


def _questions(artefacts: Artefacts, step: Step, found: FailingRows) -> list[Asked]:
    declared = declared_seeds()
    above = [declared[node["name"]] for node in artefacts.seeds_above(step.node) if node["name"] in declared]
    return [ask_about(cells, above, people) for cells, people in zip(found.cells, found.people, strict=True)]


def _headline(artefacts: Artefacts, step: Step) -> str:
    place = step.node["original_file_path"]
    if step.kind == "test" and step.status in {"fail", "warn"}:
        return f"{sentence_of(step.node, _model_of(artefacts, step))} ({place})"
    return "\n".join([f"the {step.kind} {step.name} could not be {_DONE[step.kind]} ({place})", *_message(step)])


_DONE = {"seed": "loaded", "model": "built", "snapshot": "built", "test": "run", "operation": "run"}


def _message(step: Step) -> Iterator[str]:
    """What dbt says of a step, without its own headline and its colours."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in step.message.splitlines()]
    kept = [line for line in lines if line and not re.match(r" *(\w+ Error in |compiled code at )", line)]
    for line in kept[:_SHOWN_LINES]:
        yield f"   {line.strip()}"
    if len(kept) > _SHOWN_LINES:
        yield f"   and {len(kept) - _SHOWN_LINES} more lines"


def _model_of(artefacts: Artefacts, step: Step) -> Node | None:
    return artefacts.nodes.get(step.node.get("attached_node") or "")


def _as_text(found: FailingRows, places: Sequence[str], failures: int) -> str:
    """The rows as a small table, each with the lines of the seeds."""
    with_places = any(places)
    table = plain_table(*found.columns, *(["in the seeds"] if with_places else []))
    for row, place in zip(found.rows, places, strict=True):
        table.add_row(*(escape(shortened(cell, 40)) for cell in row), *([escape(place)] if with_places else []))
    console = Console(file=io.StringIO(), width=_WIDE, highlight=False)
    console.print(table)
    assert isinstance(console.file, io.StringIO)
    text = "\n".join(f"   {line.rstrip()}" for line in console.file.getvalue().splitlines())
    return f"{text}\n   and {failures - len(found.rows)} more rows" if failures > len(found.rows) else text
