"""Run `dbt build` into a fresh database, without settings of the caller, and refuse builds that were not tested whole."""

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

# What dbt may read of the environment: what a program needs to start, and the memory limit. Other settings could leave out tests.
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
# The project as dbt parsed it, and the version of that code.
_PARSED, _PARSED_OF = "partial_parse.msgpack", "parsed_of.txt"
# Lines of dbt's output that are kept, and that a message shows of an error of dbt itself.
_KEPT_LINES = 2_000
_SHOWN_LINES = 20
# How many of the steps that were left out a message names.
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
    """Build every model into `build.duckdb` of a folder, and run every data test on it.

    Args:
        seeds: the collection to build from.
        warehouse: the folder of the database; made when missing.
        target_path: where dbt writes its artefacts, and its output in `logs/output.log`.
        without: what to leave out, as dbt selects it, such as `tag:insight`.
        held: open lock files that dbt inherits: a refresh that is killed leaves a dbt behind that still writes.
        on_progress: called with how far dbt is, such as `12 of 333`.

    Raises:
        UserError: when a model could not be built, or a test failed or was not run: each with its sentence and its rows.
        OSError: when the disk refuses.
    """
    warehouse.mkdir(parents=True, exist_ok=True)
    for name in ("manifest.json", "run_results.json", _PARSED_OF):
        (target_path / name).unlink(missing_ok=True)
    with _path_for_dbt(warehouse) as database_folder:
        environment = _environment(seeds, database_folder)
        code, output = _run(_command(target_path, without), environment, held, on_progress)
    # A full disk takes no log either.
    with suppress(OSError):
        (target_path / OUTPUT).parent.mkdir(parents=True, exist_ok=True)
        (target_path / OUTPUT).write_text("\n".join(output) + "\n", encoding="utf-8")
    artefacts = Artefacts.load(target_path)
    if artefacts and (failures := describe_failures(artefacts, warehouse / BUILD)):
        raise UserError(failures)
    if code < 0:
        raise UserError(
            f"the build failed: dbt was killed by {signal.Signals(-code).name}, most often because memory ran out. `DPTR_MEMORY=4GB`"
            " before the command limits what DuckDB takes; the rest spills to the disk"
        )
    if code != 0 or artefacts is None:
        raise UserError("\n".join(["the build failed: dbt could not go on", *_last_words(output)]))
    if not without and (left_out := artefacts.left_out()):
        named = ", ".join(left_out[:_SHOWN_STEPS]) + (" ..." if len(left_out) > _SHOWN_STEPS else "")
        raise UserError(
            f"the build was not complete: dbt left out {len(left_out)} of its steps ({named}); expected that everything in models/"
            " and tests/dbt is built, and every data test run. A default selector in selectors.yml leaves out"
        )
    (target_path / _PARSED_OF).write_text(code_version(), encoding="utf-8")


def bring_parsed(before: Path, target_path: Path) -> None:
    """Copy what dbt parsed in the build before, if it ended well and the code is the same: dbt then starts in half the time.

    Raises:
        OSError: when the disk refuses.
    """
    of = before / _PARSED_OF
    if of.is_file() and of.read_text(encoding="utf-8") == code_version() and (before / _PARSED).is_file():
        target_path.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(before / _PARSED, target_path / _PARSED)


def _command(target_path: Path, without: str) -> list[str]:
    """The command: whatever dbt would look for by itself is named."""
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
    # What it says is kept as it is printed; to write its debug log, forty lines a step, takes a twelfth of its time.
    command += ["--log-level-file", "none"]
    # Unit tests have rows of their own, so no seeds can make them fail; `make test` runs them.
    command += ["--exclude-resource-type", "unit_test"]
    return [*command, "--exclude", without] if without else command


def code_version() -> str:
    """The version of the project, and behind `+` the beginning of a hash of what it makes the rankings with.

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
    """A path to a folder without `#`: dbt-duckdb reads the path of a database as an address, and cuts it there."""
    path = folder.resolve()
    if "#" not in str(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="dip-pouch-") as beside:
        link = Path(beside, "warehouse")
        link.symlink_to(path)
        yield link


def _environment(seeds: Path, warehouse: Path) -> dict[str, str]:
    """The environment of dbt: its own, with what the publication says of its seeds and its code, but for what a program needs to start.

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
    """Run dbt to its end: its exit code, and the last lines that it wrote."""
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
    """The message of an error of dbt itself, without times and traceback."""
    text = "\n".join(re.sub(r"^[\d:.]+\s+", "", line) for line in output)
    said = re.split(r"Traceback|--- Logging error", text.rpartition("Encountered an error:\n")[2])[0]
    return [f"  {line.strip()}" for line in said.splitlines() if line.strip()][-_SHOWN_LINES:]
