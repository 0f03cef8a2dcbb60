"""What Spark needed for each model, from its event log: the constants behind the estimates in docs/scale.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MIB = 1024 * 1024
# The table that a query makes, in Spark's plan of it.
_MADE = re.compile(r"TableAsSelectCommand\s+Arguments: `spark_catalog`\.`\w+`\.`(\w+)`")


@dataclass
class Cost:
    """What the tasks of one model needed, those that were run again included.

    Attributes:
        tasks: how many there were.
        cpu_seconds: processor time of all.
        shuffled: bytes that they wrote for tasks of a later stage.
        spilled: bytes that did not fit into memory.
        largest_task: memory that the largest one took for sorting and grouping, in bytes.
    """

    tasks: int = 0
    cpu_seconds: float = 0
    shuffled: int = 0
    spilled: int = 0
    largest_task: int = 0

    def add(self, metrics: dict[str, Any]) -> None:
        """Add what Spark says of a task."""
        self.tasks += 1
        self.cpu_seconds += metrics["Executor CPU Time"] / 1e9
        self.shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
        self.spilled += metrics["Disk Bytes Spilled"]
        self.largest_task = max(self.largest_task, metrics["Peak Execution Memory"])


def costs(event_log: Path) -> dict[str, Cost]:
    """What each model needed, in the order in which they were built.

    Args:
        event_log: the file that Spark wrote with `spark.eventLog.enabled`, neither compressed nor rolling.
    """
    nodes: dict[str, str] = {}
    stages: dict[int, str] = {}
    found: dict[str, Cost] = {}
    for event in _events(event_log):
        kind = event["Event"].rpartition(".")[2]
        if kind == "SparkListenerSQLExecutionStart":
            made = _MADE.search(event["physicalPlanDescription"])
            # What writes the rows is a part of what makes the table.
            nodes.setdefault(str(event["rootExecutionId"]), made[1] if made else "")
        elif kind == "SparkListenerJobStart":
            execution = event["Properties"].get("spark.sql.execution.root.id", "")
            stages.update(dict.fromkeys(event["Stage IDs"], nodes.get(execution, "")))
        elif (
            kind == "SparkListenerTaskEnd" and "Task Metrics" in event and (node_name := stages.get(event["Stage ID"]))
        ):
            found.setdefault(node_name, Cost()).add(event["Task Metrics"])
    return found


def _events(event_log: Path) -> Iterator[dict[str, Any]]:
    with event_log.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def as_table(found: dict[str, Cost]) -> str:
    """The costs as lines of text."""
    lines = [
        f"{'model':<26}{'tasks':>7}{'processor s':>13}{'shuffled MiB':>14}{'spilled MiB':>13}{'largest task MiB':>18}"
    ]
    lines += [
        f"{name:<26}{cost.tasks:>7}{cost.cpu_seconds:>13.1f}{cost.shuffled / _MIB:>14.1f}{cost.spilled / _MIB:>13.1f}"
        f"{cost.largest_task / _MIB:>18.1f}"
        for name, cost in found.items()
    ]
    return "\n".join(lines)
