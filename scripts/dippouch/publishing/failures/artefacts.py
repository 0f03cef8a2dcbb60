"""What dbt writes about a build: what the project consists of (manifest.json), and how each step ended (run_results.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

Node = Mapping[str, Any]

# `warn` is no pass: what may be wrong is not published.
_PASSED = frozenset({"success", "pass", "no-op"})
_SKIPPED = "skipped"
_STEPS = frozenset({"seed", "snapshot", "model", "test"})


@dataclass(frozen=True)
class Step:
    """How one step of a build ended.

    Attributes:
        node: what the manifest says of it.
        status: how it ended, as dbt names it.
        message: what dbt says of it.
        failures: how many rows a test found.
        sql: the SQL that ran.
    """

    node: Node
    status: str
    message: str
    failures: int
    sql: str

    @property
    def kind(self) -> str:
        """What it is: `seed`, `model`, `test`, `operation`."""
        return str(self.node["resource_type"])

    @property
    def name(self) -> str:
        """Its name in the project."""
        return str(self.node["name"])


class Artefacts:
    """The manifest and the results of one build."""

    def __init__(self, manifest: Mapping[str, Any], results: Mapping[str, Any]) -> None:
        self.nodes: dict[str, Node] = manifest["nodes"]
        self._results = results["results"]

    @classmethod
    def load(cls, folder: Path) -> Artefacts | None:
        """Read what a build wrote; None when it did not come so far."""
        try:
            manifest, results = (
                json.loads((folder / name).read_text(encoding="utf-8"))
                for name in ("manifest.json", "run_results.json")
            )
        except (OSError, ValueError):
            return None
        return cls(manifest, results)

    @cached_property
    def failed(self) -> list[Step]:
        """The steps that did not pass, in the order in which to mend them: what others are made of comes first."""
        steps = [
            Step(
                node=self.nodes[result["unique_id"]],
                status=result["status"],
                message=result["message"] or "",
                failures=result["failures"] or 0,
                sql=result["compiled_code"] or "",
            )
            for result in self._results
            if result["unique_id"] in self.nodes and result["status"] not in {*_PASSED, _SKIPPED}
        ]
        return sorted(steps, key=lambda step: (self._depth(step.node["unique_id"]), step.kind == "test", step.name))

    @cached_property
    def skipped(self) -> int:
        """How many steps were not tried, because something failed that they depend on."""
        return sum(result["status"] == _SKIPPED for result in self._results)

    def left_out(self) -> list[str]:
        """What the project holds and the build did not do: names of seeds, models and data tests."""
        done = {result["unique_id"] for result in self._results if result["status"] in _PASSED}
        return sorted(
            node["name"]
            for unique_id, node in self.nodes.items()
            if unique_id not in done
            and node["resource_type"] in _STEPS
            and node["config"].get("materialized") != "ephemeral"
        )

    def seeds_above(self, node: Node) -> list[Node]:
        """The seeds that something is made of, the nearest first."""
        found: dict[str, Node] = {}
        waiting = list(_parents(node))
        seen = set(waiting)
        for unique_id in waiting:
            above = self.nodes.get(unique_id)
            if above is None:
                continue
            if above["resource_type"] == "seed":
                found[unique_id] = above
            further = [parent for parent in _parents(above) if parent not in seen]
            seen.update(further)
            waiting += further
        return list(found.values())

    @cached_property
    def _depth(self) -> Any:  # noqa: ANN401 (a function with a memory)
        @cache
        def depth(unique_id: str) -> int:
            node = self.nodes.get(unique_id)
            return 0 if node is None else 1 + max(map(depth, _parents(node)), default=0)

        return depth


def _parents(node: Node) -> list[str]:
    return list(node.get("depends_on", {}).get("nodes", []))
