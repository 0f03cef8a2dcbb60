"""What a failed build says: the steps that failed in words, and rows that its tests found.

Faults of the seeds are found before a build, with file and line. What is left is for whoever changes a model or a rule.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
from rich.console import Console
from rich.markup import escape

from dippouch.console import plain_table
from dippouch.db import attach
from dippouch.names import shortened

Node = Mapping[str, Any]

# `warn` is no pass: what may be wrong is not published.
_PASSED = frozenset({"success", "pass", "no-op"})
_STEPS = frozenset({"seed", "snapshot", "model", "test"})
# Steps that one message shows; what is mended first often mends the others.
_SHOWN_STEPS = 10
_SHOWN_LINES = 12
_SHOWN_ROWS = 5
# Rows of more columns are shown with the first ones, which are the key, and those that the test names.
_FEW_COLUMNS = 8
_FIRST_COLUMNS = 4
_WIDE = 1_000

# What a generic test holds a table to, by its arguments.
_SENTENCES = {
    "unique": "no two rows of {table} have the same {column_name}",
    "unique_key": "no two rows of {table} have the same {columns}",
    "never_null": "every row of {table} has {columns}",
    "not_null": "every row of {table} has {column_name}",
    "holds": "in every row of {table}: {expression}",
    "accepted_values": "every {column_name} of {table} is one of {values}",
    "seed_is_valid": "every row of the seed {table} is valid",
    "relationships": "every {column_name} of {table} is a {field} of {to}",
}
_NOT_DONE = {"seed": "loaded", "model": "built", "snapshot": "built", "test": "run", "operation": "run"}


@dataclass(frozen=True)
class Artefacts:
    """What dbt writes about a build.

    Attributes:
        nodes: the steps of the project by their unique ids, of manifest.json.
        results: how those that the build tried ended, of run_results.json.
    """

    nodes: Mapping[str, Node]
    results: Sequence[Node]

    @classmethod
    def load(cls, folder: Path) -> Artefacts | None:
        """Read what a build wrote; None if it did not come so far."""
        try:
            manifest, results = (
                json.loads((folder / name).read_text(encoding="utf-8"))
                for name in ("manifest.json", "run_results.json")
            )
        except (OSError, ValueError):
            return None
        return cls(manifest["nodes"], results["results"])

    def failed(self) -> list[tuple[Node, Node]]:
        """The steps that failed, each with its result; a step comes before those that depend on it."""

        @cache
        def depth(unique_id: str) -> int:
            node = self.nodes.get(unique_id)
            return 1 + max(map(depth, node["depends_on"].get("nodes", [])), default=0) if node else 0

        def order(step: tuple[Node, Node]) -> tuple[int, bool, str]:
            node, _ = step
            return depth(node["unique_id"]), node["resource_type"] == "test", node["name"]

        return sorted(
            (
                (self.nodes[result["unique_id"]], result)
                for result in self.results
                if result["unique_id"] in self.nodes and result["status"] not in {*_PASSED, "skipped"}
            ),
            key=order,
        )

    def left_out(self) -> list[str]:
        """The names of the seeds, models and data tests that the project has and the build did not do."""
        done = {result["unique_id"] for result in self.results if result["status"] in _PASSED}
        return sorted(
            node["name"]
            for unique_id, node in self.nodes.items()
            if unique_id not in done
            and node["resource_type"] in _STEPS
            and node["config"].get("materialized") != "ephemeral"
        )


def describe_failures(artefacts: Artefacts, build: Path) -> str:
    """Say which steps of a build failed, in the order in which to mend them; empty if none did.

    Args:
        artefacts: what dbt wrote about the build.
        build: the database as far as it was built.
    """
    failed = artefacts.failed()
    if not failed:
        return ""
    skipped = sum(result["status"] == "skipped" for result in artefacts.results)
    summary = f"the build failed in {len(failed)} step{'s' * (len(failed) != 1)}"
    if skipped:
        summary += f", and {skipped} that depend on {'them' if len(failed) > 1 else 'it'} were not tried"
    if len(failed) > 1:
        summary += "; mend the first one first"
    if len(failed) > _SHOWN_STEPS:
        summary += f"; {_SHOWN_STEPS} follow"
    lines = [f"{summary}:"]
    for number, (node, result) in enumerate(failed[:_SHOWN_STEPS], start=1):
        place = node["original_file_path"]
        if node["resource_type"] == "test" and result["status"] in {"fail", "warn"}:
            lines.append(f"{number}. {_sentence(node, artefacts.nodes.get(node.get('attached_node') or ''))} ({place})")
            lines += _failing_rows(node, result, build)
        else:
            kind = node["resource_type"]
            lines.append(f"{number}. the {kind} {node['name']} could not be {_NOT_DONE[kind]} ({place})")
            lines += _message(result)
    return "\n".join(lines)


def _sentence(test: Node, model: Node | None) -> str:
    """What a data test holds its table to; of a test in a file of its own, its name and its leading comment."""
    words = test["name"].replace("_", " ")
    generic = test.get("test_metadata")
    if generic is None:
        comment = re.match(r"(--[^\n]*\n)*", test["raw_code"].lstrip())
        why = test["description"] or (comment[0].replace("--", "") if comment else "")
        return f"{words}: {' '.join(why.split()).rstrip('.')}" if why else words
    table = model["name"] if model else "a table"
    arguments = {name: _argument(value) for name, value in generic["kwargs"].items()}
    if generic["name"] not in _SENTENCES:
        return f"{words}, in {table}"
    sentence = _SENTENCES[generic["name"]].format(table=table, **arguments)
    return f"{words}: {sentence}" if generic["name"] == "holds" and not words.startswith("holds ") else sentence


def _argument(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return " ".join(re.sub(r"ref\('(\w+)'\)", r"\1", str(value)).split())


def _failing_rows(test: Node, result: Node, build: Path) -> Iterator[str]:
    """The first rows that a test finds, as a small table; none if the test cannot run again."""
    with duckdb.connect() as connection:
        try:
            attach(connection, build, "build")
            connection.execute("use build")
            found = connection.execute(
                f"select * from ({result['compiled_code']}\n) as failing order by all limit {_SHOWN_ROWS}"
            )
        except duckdb.Error:
            return
        columns = [str(column[0]) for column in found.description or ()]
        rows = found.fetchall()
    named = set(re.findall(r"\w+", str((test.get("test_metadata") or {}).get("kwargs"))))
    first = _FIRST_COLUMNS if len(columns) > _FEW_COLUMNS else _FEW_COLUMNS
    shown = [at for at, column in enumerate(columns) if at < first or column in named]
    table = plain_table(*(columns[at] for at in shown))
    for row in rows:
        table.add_row(*("" if row[at] is None else escape(shortened(str(row[at]))) for at in shown))
    console = Console(file=io.StringIO(), width=_WIDE, highlight=False)
    with console.capture() as captured:
        console.print(table)
    yield from (f"   {line.rstrip()}" for line in captured.get().splitlines())
    if (further := (result["failures"] or 0) - len(rows)) > 0:
        yield f"   and {further} more rows"


def _message(result: Node) -> Iterator[str]:
    """What dbt says of a step, without its own headline and its colours."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in (result["message"] or "").splitlines()]
    kept = [line for line in lines if line and not re.match(r" *(\w+ Error in |compiled code at )", line)]
    yield from (f"   {line.strip()}" for line in kept[:_SHOWN_LINES])
    if len(kept) > _SHOWN_LINES:
        yield f"   and {len(kept) - _SHOWN_LINES} more lines"
