"""Run `dbt build` with the parsed project and the results in memory, and write the outcome of each step to one small file.

A process of its own, which the system may kill when memory runs out. dbt's JSON files and its logger, which formats debug messages in
vain, take a twelfth of the time of a small build; so does garbage collection, which frees little.
"""

# ruff: noqa: E402 (imports, too, run without garbage collection)

import gc

gc.disable()

import json
import sys
from pathlib import Path
from typing import Any

from dbt.cli.main import dbtRunner
from dbt_common.events.base_types import EventMsg

# What a whole build runs; `parse` also finds analyses.
_KINDS = {"seed", "snapshot", "model", "test"}


def main(outcome: Path, options: list[str], of_build: list[str]) -> int:
    """Parse and build with options; print what dbt says, and return the exit code."""
    done = parsed = dbtRunner(callbacks=[_say]).invoke(["parse", *options])
    if parsed.success:
        done = dbtRunner(parsed.result, [_say]).invoke(["build", *options, *of_build])
        ran = {result.node.unique_id: result for result in getattr(done.result, "results", ())}
        steps = [_step(result.node, result) for result in ran.values()]
        others = [node for key, node in parsed.result.nodes.items() if key not in ran]
        steps += [_step(node) for node in others if node.resource_type in _KINDS]
        outcome.write_text(json.dumps(steps), encoding="utf-8")
    if done.exception:
        sys.stdout.write(f"Encountered an error:\n{done.exception}\n")
    return 0 if done.success else 1


def _step(node: Any, result: Any = None) -> dict[str, Any]:  # noqa: ANN401 (classes of dbt)
    """Return the facts of a step, and its outcome; null without a result."""
    return {
        # The name of a test of a model repeats all its arguments.
        "name": getattr(node, "test_metadata", node).name,
        "compiled_code": getattr(node, "compiled_code", None),
        **{fact: getattr(node, fact) for fact in ("resource_type", "original_file_path")},
        **{fact: getattr(result, fact, None) for fact in ("status", "message", "failures")},
    }


def _say(event: EventMsg) -> None:
    if event.info.level not in {"debug", "test"}:
        sys.stdout.write(f"{event.info.msg}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    end = sys.argv.index("build")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:end], sys.argv[end + 1 :]))
