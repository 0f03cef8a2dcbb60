"""Run `dbt build` into a fresh database, in a clean environment, and refuse builds that did not run every test."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from dippouch.disk import fingerprint, hashes, refusal
from dippouch.errors import UserError
from dippouch.publishing.failures import Artefacts, describe_failures
from dippouch.publishing.places import BUILD
from dippouch.settings import PROJECT, project_version

# Environment variables passed to dbt: those that programs need, and the memory limit. Others could make dbt skip tests.
_KEPT_VARIABLES = (
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DPTR_MEMORY",
)
# The output of dbt, below its artefacts.
OUTPUT = Path("logs", "output.log")
# dbt's parsed project, and the version of the code that was parsed.
_PARSED, _PARSED_OF = "partial_parse.msgpack", "parsed_of.txt"
# Lines of dbt's output to keep, and to show for an error of dbt itself.
_KEPT_LINES = 2_000
_SHOWN_LINES = 20
# Number of omitted steps that a message names.
_SHOWN_STEPS = 6


def run_dbt_build(
    seeds: Path,
    warehouse: Path,
    *,
    target_path: Path,
    without: str = "",
    held: Sequence[int] = (),
    on_progress: Callable[[str], None] = lambda done: None,
) -> None:
    """Build every model into `build.duckdb` in a folder, and run every data test on it.

    Args:
        seeds: the collection to build from.
        warehouse: the folder of the database; created if missing.
        target_path: the folder for dbt's artefacts, with its output in `logs/output.log`.
        without: nodes to leave out, as dbt selects them, such as `tag:insight`.
        held: open lock files that dbt inherits: if the refresh is killed, its dbt keeps writing.
        on_progress: called with the progress of dbt, such as `12 of 333`.

    Raises:
        UserError: when a model could not be built, or a test failed or did not run: each with its message and its rows.
        OSError: when the disk refuses.
    """
    warehouse.mkdir(parents=True, exist_ok=True)
    for name in ("manifest.json", "run_results.json", _PARSED_OF):
        (target_path / name).unlink(missing_ok=True)
    with _path_for_dbt(warehouse) as database_folder:
        environment = _environment(seeds, database_folder)
        code, output = _run(_command(target_path, without), environment, held, on_progress)
    # The log cannot be written to a full disk, either.
    with suppress(OSError):
        (target_path / OUTPUT).parent.mkdir(parents=True, exist_ok=True)
        (target_path / OUTPUT).write_text("\n".join(output) + "\n", encoding="utf-8")
    artefacts = Artefacts.load(target_path)
    if artefacts and (failures := describe_failures(artefacts, warehouse / BUILD)):
        raise UserError(failures)
    if code < 0:
        raise UserError(
            f"the build failed: dbt was killed by {signal.Signals(-code).name}, probably because memory ran out. Put"
            " `DPTR_MEMORY=4GB` before the command to limit DuckDB's memory; the rest spills to the disk"
        )
    if code != 0 or artefacts is None:
        raise UserError("\n".join(["the build failed: dbt stopped with an error", *_last_words(output)]))
    if not without and (left_out := artefacts.left_out()):
        named = ", ".join(left_out[:_SHOWN_STEPS]) + (" ..." if len(left_out) > _SHOWN_STEPS else "")
        raise UserError(
            f"the build was not complete: dbt left out {len(left_out)} of its steps ({named}); expected a build of everything in models/"
            " and tests/dbt with every data test. A default selector in selectors.yml leaves steps out"
        )
    (target_path / _PARSED_OF).write_text(code_version(), encoding="utf-8")


def bring_parsed(before: Path, target_path: Path) -> None:
    """Copy the parsed project of the last build if it succeeded and the code is unchanged: dbt then starts in half the time.

    Raises:
        OSError: when the disk refuses.
    """
    of = before / _PARSED_OF
    if of.is_file() and of.read_text(encoding="utf-8") == code_version() and (before / _PARSED).is_file():
        target_path.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(before / _PARSED, target_path / _PARSED)


def _command(target_path: Path, without: str) -> list[str]:
    """Return the dbt command, with every path that dbt would otherwise look up."""
    places = {
        "project-dir": PROJECT,
        "profiles-dir": PROJECT,
        "target-path": target_path,
        "log-path": target_path / "logs",
    }
    command = [str(Path(sys.executable).with_name("dbt")), "--no-use-colors", "build"]
    command += ["--profile", "dip_pouch", "--target", "duckdb"]
    for name, place in places.items():
        command += [f"--{name}", str(place.resolve())]
    # dbt's printed output is kept. Its debug log, forty lines a step, would take a twelfth of the time.
    command += ["--log-level-file", "none"]
    # Unit tests have rows of their own, so seeds cannot make them fail; `make test` runs them.
    command += ["--exclude-resource-type", "unit_test"]
    return [*command, "--exclude", without] if without else command


def code_version() -> str:
    """Return the version of the project, `+`, and the first digits of a hash of the files that make the rankings.

    Raises:
        OSError: when a file of the project cannot be read.
    """
    files = {
        f"{folder}/{name}": digest
        for folder in ("macros", "models", "scripts")
        for name, digest in hashes(PROJECT / folder).items()
        if name.endswith((".py", ".sql", ".yml"))
    }
    return f"{project_version()}+{fingerprint(files)[:12]}"


@contextmanager
def _path_for_dbt(folder: Path) -> Iterator[Path]:
    """Yield a path to a folder without `#`: dbt-duckdb parses the path of a database as a URL and would cut it there."""
    path = folder.resolve()
    if "#" not in str(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="dip-pouch-") as beside:
        link = Path(beside, "warehouse")
        link.symlink_to(path)
        yield link


def _environment(seeds: Path, warehouse: Path) -> dict[str, str]:
    """Return the environment of dbt: basic variables, and the facts about seeds and code for the table `publication`.

    Raises:
        OSError: when a seed or a file of the project cannot be read.
    """
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    # Files are UTF-8 whatever the language of the machine.
    return kept | {
        "PYTHONUTF8": "1",
        "DPTR_SEEDS": str(seeds.resolve()),
        "DPTR_WAREHOUSE": str(warehouse),
        "DPTR_SEEDS_SHA256": fingerprint(hashes(seeds)),
        "DPTR_CODE_VERSION": code_version(),
    }


def _run(
    command: list[str], environment: dict[str, str], held: Sequence[int], on_progress: Callable[[str], None]
) -> tuple[int, deque[str]]:
    """Run dbt to its end; return its exit code and the last lines of its output."""
    output: deque[str] = deque(maxlen=_KEPT_LINES)
    try:
        process = subprocess.Popen(
            command,
            cwd=PROJECT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            pass_fds=held,
        )
    except OSError as error:
        raise UserError(f"dbt could not be started ({refusal(error)}); `make environment` installs it") from error
    with process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                output.append(line.rstrip())
                if found := re.search(r"(\d+ of \d+) (?!START)", line):
                    on_progress(found[1])
        except BaseException:
            process.kill()
            raise
    return process.returncode, output


def _last_words(output: deque[str]) -> list[str]:
    """Return the message of an error of dbt itself, without timestamps and traceback."""
    text = "\n".join(re.sub(r"^[\d:.]+\s+", "", line) for line in output)
    said = re.split(r"Traceback|--- Logging error", text.rpartition("Encountered an error:\n")[2])[0]
    return [f"  {line.strip()}" for line in said.splitlines() if line.strip()][-_SHOWN_LINES:]
