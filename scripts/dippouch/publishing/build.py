"""Run `dbt build` into a fresh database, in a clean environment; describe failures, and refuse builds that left steps out.

Faults of the seeds are found before a build, with file and line. Failures of a build concern developers of models and rules.
"""

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, STDOUT, call
from typing import Any

import duckdb

from dippouch.collection.files import write_csv
from dippouch.collection.schema import SEEDS
from dippouch.db import attach, rows_of
from dippouch.disk import fingerprint, hashes, refusal
from dippouch.messages import UserError, shortened
from dippouch.publishing.publication import BUILD
from dippouch.settings import PACKAGE, PROJECT, project_version

# The output of dbt, below its artefacts, and the outcome of each step; one without an outcome has no status.
OUTPUT, OUTCOME = Path("logs", "output.log"), "outcome.json"

# Environment variables passed to dbt: those that programs need, and the memory limit. Others could make dbt skip tests.
_KEPT_VARIABLES = "PATH HOME TMPDIR LANG LC_ALL LC_CTYPE LD_LIBRARY_PATH DYLD_LIBRARY_PATH DPTR_MEMORY".split()
# The test with the rules by which a refresh checks the seeds before it starts dbt.
TEST_OF_SEEDS = "collection_is_valid"
# The test that only warns, because a variant of the rules differs from printed figures.
_TEST_OF_PRINTED = "printed_figures_agree"
# Any other `warn` is not a pass: possibly wrong data is never published.
_PASSED = frozenset({"success", "pass", "no-op"})
# Lines, rows and steps that a message shows. Mending the first step often mends the others.
_SHOWN_LINES, _SHOWN_ROWS, _SHOWN_STEPS = 12, 5, 10

Step = Mapping[str, Any]


def run_dbt_build(seeds: Path, warehouse: Path, *, target_path: Path, without: str, held: Sequence[int]) -> list[str]:
    """Build every model into `build.duckdb` in a folder, and run every data test of models on it.

    Args:
        seeds: the collection to build from.
        warehouse: the folder of the database; created if missing.
        target_path: the folder for dbt's artefacts, with its output in `logs/output.log`; those of an earlier build are replaced.
        without: the name of a test to leave out; empty for none.
        held: open lock files that dbt inherits: if the refresh is killed, its dbt keeps writing.

    Returns:
        The lines of a warning with the first printed figures that differ, if any.

    Raises:
        UserError: when a model could not be built, or a test failed or did not run: each with its message and its rows.
        OSError: when the disk refuses.
    """
    warehouse.mkdir(parents=True, exist_ok=True)
    # dbt needs a file for each seed. The folder is in `seed-paths`.
    for seed in (seed for seed in SEEDS.values() if seed.is_absent(seeds)):
        (warehouse / "absent_seeds").mkdir(exist_ok=True)
        write_csv(seed, (), warehouse / "absent_seeds" / f"{seed.name}.csv")
    # The parsed project stays: dbt parses only changed files again.
    for old in ("compiled", "run", "logs"):
        shutil.rmtree(target_path / old, ignore_errors=True)
    (target_path / OUTCOME).unlink(missing_ok=True)
    (target_path / OUTPUT).parent.mkdir(parents=True, exist_ok=True)
    code = _run(_command(target_path, without), seeds, warehouse, held, target_path / OUTPUT)
    if code < 0:
        raise UserError(
            f"the build failed: dbt was killed by {signal.Signals(-code).name}, probably because memory ran out. Put"
            " `DPTR_MEMORY=4GB` before the command to limit DuckDB's memory; the rest spills to the disk"
        )
    # Steps that ran come first and in order; dbt may fail before it knows any.
    outcome = target_path / OUTCOME
    steps: list[Step] = json.loads(outcome.read_text(encoding="utf-8")) if outcome.exists() else []
    warned = [step for step in steps if step["status"] == "warn" and step["name"] == _TEST_OF_PRINTED]
    not_passed = [step for step in steps if step["status"] not in _PASSED and step not in warned]
    if failures := _describe_failures(not_passed, warehouse / BUILD):
        raise UserError(failures)
    if code != 0 or not steps:
        raise UserError("\n".join(["the build failed: dbt stopped with an error", *_last_words(target_path / OUTPUT)]))
    if left_out := sorted(step["name"] for step in not_passed if step["name"] != without):
        named = ", ".join(left_out[:_SHOWN_STEPS]) + (" ..." if len(left_out) > _SHOWN_STEPS else "")
        raise UserError(
            f"the build was not complete: dbt left out {len(left_out)} of its steps ({named}); expected a build of everything in models/"
            " and tests/dbt with every data test. A default selector in selectors.yml leaves steps out"
        )
    warning = "Warning: printed figures differ from the default rating system (quality.html of the site lists them):"
    return [warning, *_failing_rows(warned[0], warehouse / BUILD)] if warned else []


def code_version() -> str:
    """Return the version of the project, `+`, and the first digits of a hash of the files that make the rankings.

    Raises:
        OSError: when a file of the project cannot be read.
    """
    files = {
        f"{folder.name}/{name}": digest
        for folder in (PROJECT / "macros", PROJECT / "models", PACKAGE)
        for name, digest in hashes(folder).items()
        if name.endswith((".py", ".sql", ".yml"))
    }
    return f"{project_version()}+{fingerprint(files)[:12]}"


def _command(target_path: Path, without: str) -> list[str]:
    """Return the dbt command, with every path that dbt would otherwise look up."""
    target = target_path.resolve()
    command = [sys.executable, "-P", str(PACKAGE / "publishing" / "dbt_process.py"), str(target / OUTCOME)]
    command += ["--profile=dip_pouch", "--target=duckdb", f"--project-dir={PROJECT}", f"--profiles-dir={PROJECT}"]
    command += [f"--target-path={target}", f"--log-path={target / 'logs'}", "--no-use-colors"]
    # The process prints what dbt says.
    command += ["--log-level=none", "--log-level-file=none", "--no-write-json"]
    # Unit tests have rows of their own, so seeds cannot make them fail; `make test` runs them.
    command += ["build", "--exclude-resource-type=unit_test"]
    return [*command, "--exclude", without] if without else command


def _run(command: list[str], seeds: Path, warehouse: Path, held: Sequence[int], output: Path) -> int:
    """Run dbt to its end; return its exit code, and write its output into a file.

    Its environment has basic variables, and the facts about seeds and code for the table `publication`.
    """
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    environment = kept | {
        # Files are UTF-8 whatever the language of the machine.
        "PYTHONUTF8": "1",
        "DPTR_SEEDS": str(seeds.resolve()),
        "DPTR_WAREHOUSE": str(warehouse.resolve()),
        "DPTR_SEEDS_SHA256": fingerprint(hashes(seeds)),
        "DPTR_CODE_VERSION": code_version(),
    }
    with output.open("wb") as file:
        try:
            return call(command, cwd=PROJECT, env=environment, stdin=DEVNULL, stdout=file, stderr=STDOUT, pass_fds=held)
        except OSError as error:
            shutil.rmtree(output.parent)  # dbt said nothing.
            raise UserError(f"dbt could not be started ({refusal(error)}); install this package again") from error


def _last_words(output: Path) -> list[str]:
    """Return the message of an error of dbt itself, without the traceback."""
    text = output.read_text(encoding="utf-8", errors="replace")
    said = text.rpartition("Encountered an error:\n")[2].split("Traceback")[0]
    return [f"  {line.strip()}" for line in said.splitlines() if line.strip()][-_SHOWN_LINES:]


def _describe_failures(not_passed: Sequence[Step], build: Path) -> str:
    """Describe the failed steps of a build in the order in which they ran; empty if none failed."""
    skipped = [step for step in not_passed if step["status"] == "skipped"]
    failed = [step for step in not_passed if step["status"] not in {"skipped", None}]
    if not failed:
        return ""
    lines = [f"the build failed in {len(failed)} of its steps, and {len(skipped)} that depend on them were skipped:"]
    for step in failed[:_SHOWN_STEPS]:
        lines.append(f"{step['resource_type']} {step['name']} ({step['original_file_path']})")
        if step["status"] in {"fail", "warn"}:
            lines += _failing_rows(step, build)
        else:
            # Several steps may run out of memory, each with the same page of advice.
            lines += [line for line in _message(step) if line not in lines]
    if len(failed) > _SHOWN_STEPS:
        lines.append(f"and {len(failed) - _SHOWN_STEPS} more steps")
    return "\n".join(lines)


def _failing_rows(step: Step, build: Path) -> Iterator[str]:
    """Yield the first rows that a test finds; none if the test cannot run again."""
    with duckdb.connect() as connection:
        try:
            attach(connection, build, "build")
            found = connection.execute(
                f"use build; select * from ({step['compiled_code']}\n) as failing order by all limit {_SHOWN_ROWS}"
            )
        except duckdb.Error:
            return
        for row in rows_of(found):
            cells = (f"{column}={shortened(str(cell))}" for column, cell in row.items())
            yield f"  {', '.join(cells)}"
    if step["failures"] > _SHOWN_ROWS:
        yield f"  and {step['failures'] - _SHOWN_ROWS} more rows"


def _message(step: Step) -> Iterator[str]:
    """Yield the lines of dbt's message on a step, without its headline and colours."""
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).strip() for line in (step["message"] or "").splitlines()]
    kept = [line for line in lines if line and not re.match(r"\w+ Error in |compiled code at ", line)]
    yield from (f"  {line}" for line in kept[:_SHOWN_LINES])
