"""A rating keeper's commands on a collection, and their messages, in golden files.

`$ import FILE ...` first writes the lines below it into the file; `$ write FILE` does only that. `$ report FILE ...` is an import with
its whole report. `$ edit SEED` edits a seed by hand, `$ show SEED COLUMN ...` prints columns of a seed, and `$ the way out` runs the
command that the message before it suggests.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from dippouch.seeds.files import read_rows
from support.golden import Case, each_case, edited, unescaped
from support.programs import run_here
from support.seed_rows import contents

SEEDS = Path("seeds")


def steps(document: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a case, each with the lines below it."""
    for step in document.removeprefix("$ ").split("\n$ "):
        command, _, below = step.partition("\n")
        yield command.rstrip("\n"), below if below.endswith("\n") or not below else f"{below}\n"


def shown(seed: str, *columns: str) -> str:
    """Return the distinct cells of some columns of a seed."""
    found = {", ".join(row[column] for column in columns) for row in read_rows(SEEDS / seed)}
    return "".join(f"{cells.rstrip(', ')}\n" for cells in sorted(found))


def told_by(words: list[str]) -> str:
    """Return a command's output, without the report of an import; check that refused commands and dry runs change nothing."""
    command = ["import" if words[0] == "report" else words[0], *words[1:]]
    if "--seeds" not in words:
        command += ["--seeds", str(SEEDS)]
    seeds = Path(command[command.index("--seeds") + 1])
    before = seeds.exists(), contents(seeds)
    done = run_here(*command)
    assert (done.returncode == 0 and "--dry-run" not in words) or (seeds.exists(), contents(seeds)) == before
    said = re.findall(r"\d+ new,.*", done.stdout) if words[0] == "import" else done.stdout.splitlines()
    told = "".join(f"{' '.join(line.split())}\n" for line in [*done.stderr.splitlines(), *said])
    return re.sub(rf"{datetime.now().astimezone().date()}( \d\d:\d\d)?", "TODAY", told)


def outcome_of(words: list[str], below: str, told: str) -> str:
    """Run one step; return its outcome."""
    path = Path(words[1] if len(words) > 1 else "")
    match words[0]:
        case "write":
            path.parent.mkdir(exist_ok=True)
            path.write_text(below, encoding="utf-8")
            return ""
        case "edit":
            (SEEDS / path).write_text(edited((SEEDS / path).read_text(encoding="utf-8"), below), encoding="utf-8")
            return ""
        case "show":
            return shown(*words[1:])
        case "the":
            command = told[told.index("dptr ") :].partition(" or dptr ")[0].partition("\n")[0]
            return told_by(["mended" if word == "..." else word for word in shlex.split(command)[1:]])
        case "import" | "report" if below:
            path.write_text(below, encoding="utf-8")
    return told_by(words)


@each_case(*(f"collections/{name}.golden" for name in ("corrections", "identities", "people", "plan", "reports")))
def test_commands_print_the_golden_output(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = told = ""
    for command, below in steps(case.document):
        told = outcome_of(shlex.split(unescaped(command)), below, told)
        found += f"$ {command}\n{told}"
    case.check(found)
