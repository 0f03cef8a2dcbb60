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

from dbt.cli.main import dbtRunner
from dbt_common.events.base_types import EventMsg


def main(outcome: Path, options: list[str], of_build: list[str]) -> int:
    """Parse and build with options; print what dbt says, and return the exit code."""
    done = parsed = dbtRunner(callbacks=[_say]).invoke(["parse", *options])
    if parsed.success:
        done = dbtRunner(parsed.result, [_say]).invoke(["build", *options, *of_build])
        nodes = {
            # The name of a test of a model repeats all its arguments.
            key: {"name": getattr(node, "test_metadata", node).name}
            | {fact: getattr(node, fact) for fact in ("resource_type", "original_file_path")}
            for key, node in parsed.result.nodes.items()
        }
        results = [
            {fact: getattr(result, fact) for fact in ("status", "message", "failures", "execution_time")}
            | {"unique_id": result.node.unique_id, "compiled_code": getattr(result.node, "compiled_code", None)}
            for result in getattr(done.result, "results", ())
        ]
        outcome.write_text(json.dumps({"nodes": nodes, "results": results}), encoding="utf-8")
    if done.exception:
        sys.stdout.write(f"Encountered an error:\n{done.exception}\n")
    return 0 if done.success else 1


def _say(event: EventMsg) -> None:
    if event.info.level not in {"debug", "test"}:
        sys.stdout.write(f"{event.info.msg}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    end = sys.argv.index("build")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:end], sys.argv[end + 1 :]))
