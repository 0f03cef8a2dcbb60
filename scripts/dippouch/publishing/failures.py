"""Describe a failed build: the failed steps, and rows that its tests found.

Faults of the seeds are found before a build, with file and line. The remaining failures concern developers of models and rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from dippouch.db import attach
from dippouch.names import shortened

Node = Mapping[str, Any]

# `warn` is not a pass: possibly wrong data is never published.
_PASSED = frozenset({"success", "pass", "no-op"})
_STEPS = frozenset({"seed", "snapshot", "model", "test"})
# Steps that one message shows; mending the first often mends the others.
_SHOWN_STEPS = 10
_SHOWN_LINES = 12
_SHOWN_ROWS = 5


@dataclass(frozen=True)
class Artefacts:
    """The files that dbt writes about a build.

    Attributes:
        nodes: the steps of the project by their unique ids, from manifest.json.
        results: the outcomes of the executed steps, in order, from run_results.json.
    """

    nodes: Mapping[str, Node]
    results: Sequence[Node]

    @classmethod
    def load(cls, folder: Path) -> Artefacts | None:
        """Read the artefacts of a build; return None if dbt failed before it wrote them."""
        try:
            manifest, results = (
                json.loads((folder / name).read_text(encoding="utf-8"))
                for name in ("manifest.json", "run_results.json")
            )
        except (OSError, ValueError):
            return None
        return cls(manifest["nodes"], results["results"])

    def left_out(self) -> list[str]:
        """Return the names of the seeds, models and data tests in the project that the build did not run."""
        done = {result["unique_id"] for result in self.results if result["status"] in _PASSED}
        return sorted(
            node["name"]
            for unique_id, node in self.nodes.items()
            if unique_id not in done
            and node["resource_type"] in _STEPS
            and node["config"].get("materialized") != "ephemeral"
        )


def describe_failures(artefacts: Artefacts, build: Path) -> str:
    """Describe the failed steps of a build in the order in which they ran; empty if none failed."""
    failed = [
        (artefacts.nodes[result["unique_id"]], result)
        for result in artefacts.results
        if result["unique_id"] in artefacts.nodes and result["status"] not in {*_PASSED, "skipped"}
    ]
    if not failed:
        return ""
    skipped = sum(result["status"] == "skipped" for result in artefacts.results)
    lines = [f"the build failed in {len(failed)} of its steps, and {skipped} that depend on them were skipped:"]
    for node, result in failed[:_SHOWN_STEPS]:
        lines.append(f"{node['resource_type']} {node['name']} ({node['original_file_path']})")
        if node["resource_type"] == "test" and result["status"] in {"fail", "warn"}:
            lines += _failing_rows(result, build)
        else:
            lines += _message(result)
    if len(failed) > _SHOWN_STEPS:
        lines.append(f"and {len(failed) - _SHOWN_STEPS} more steps")
    return "\n".join(lines)


def _failing_rows(result: Node, build: Path) -> Iterator[str]:
    """Yield the first rows that a test finds; none if the test cannot run again."""
    with duckdb.connect() as connection:
        try:
            attach(connection, build, "build")
            found = connection.execute(
                f"use build; select * from ({result['compiled_code']}\n) as failing order by all limit {_SHOWN_ROWS}"
            )
        except duckdb.Error:
            return
        columns = [column[0] for column in found.description or ()]
        for row in found.fetchall():
            cells = (f"{column}={shortened(str(cell))}" for column, cell in zip(columns, row, strict=True))
            yield f"  {', '.join(cells)}"
    if result["failures"] > _SHOWN_ROWS:
        yield f"  and {result['failures'] - _SHOWN_ROWS} more rows"


def _message(result: Node) -> Iterator[str]:
    """Yield the lines of dbt's message on a step, without its headline and colours."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in (result["message"] or "").splitlines()]
    kept = [line for line in lines if line and not re.match(r"\w+ Error in |compiled code at ", line)]
    yield from (f"  {line}" for line in kept[:_SHOWN_LINES])
