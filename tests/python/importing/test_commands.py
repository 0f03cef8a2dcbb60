"""A rating keeper's commands on a collection, and their messages, in golden files.

`$ import FILE ...` first writes the lines below it into the file; `$ write FILE` does only that. A line `@facts NAME, DAYS` stands for the
facts of a tournament of 20 players and 3 rounds. `$ report FILE ...` is an import with its whole report. `$ document FILE NAME` copies a document of tests/fixtures/documents with the edits below it, and `$ edit FILE` edits a
file by hand; with an address behind, both add the file to the archive in its folder, as `$ answer FILE ADDRESS` does with the lines below.
`$ show FILE COLUMN ...` prints columns of a seed, or of a model as an import sees it, `$ query COLUMN ... from TABLE` those of a mart, and `$ the way out` runs the command
that the message before it suggests.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from dippouch.collection.files import read_rows
from dippouch.collection.memory import Collection
from dippouch.collection.schema import RAW_TABLES
from dippouch.reading.inputs import Answer
from dippouch.settings import PROJECT
from support.advice import circles
from support.golden import Case, each_case, edited, unescaped
from support.programs import run_here, run_program
from support.seed_rows import contents, read_collection

SEEDS = Path("seeds")
DOCUMENTS = PROJECT / "tests" / "fixtures" / "documents"
FACTS = "name: {}\ndate: {}\nplayers: 20\nrounds: 3\n\n"
NAMES = ("archives", "corrections", "identities", "people", "plan", "reports")


def steps(document: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a case, each with the lines below it."""
    for step in document.removeprefix("$ ").split("\n$ "):
        command, _, below = step.partition("\n")
        yield command.rstrip("\n"), below if below.endswith("\n") or not below else f"{below}\n"


def shown(table: str, *columns: str) -> str:
    """Return the distinct cells of some columns of a seed's file, or of a model."""
    if table.endswith(".csv"):
        rows = [[row[column] for column in columns] for row in read_rows(SEEDS / table)]
    else:
        with Collection.existing(SEEDS, changes=False) as collection:
            cells = ", ".join(f"coalesce(cast({column} as varchar), '')" for column in columns)
            rows = [list(row) for row in collection.query(f"select {cells} from {table}")]
    return "".join(f"{cells.rstrip(', ')}\n" for cells in sorted({", ".join(row) for row in rows}))


def answer(path: Path, address: str) -> None:
    """Add a file to the index of its archive, as the latest answer of an address."""
    index = path.with_name("index.csv")
    lines = index.read_text(encoding="utf-8") if index.exists() else f"{','.join(Answer._fields)}\n"
    time = f"2026-01-01T00:00:{len(lines.splitlines()):02}+00:00"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    index.write_text(f"{lines}{address},{path.name},{time},200,{digest},,,\n", encoding="utf-8")


def told_by(words: list[str]) -> str:
    """Return a command's output, without the report of an import; check that refused commands and dry runs change nothing."""
    command = ["import" if words[0] == "report" else words[0], *words[1:]]
    if "--seeds" not in words and words[0] != "template":
        command += ["--seeds", str(SEEDS)]
    seeds = Path(command[command.index("--seeds") + 1]) if "--seeds" in command else SEEDS
    before = seeds.exists(), contents(seeds)
    done = run_here(*command)
    # Of a folder the valid files are imported.
    may_change = done.returncode == 0 or re.search("rows? changed in", done.stdout)
    assert (may_change and "--dry-run" not in words) or (seeds.exists(), contents(seeds)) == before
    said = re.findall(r"\d+ new,.*", done.stdout) if words[0] == "import" else done.stdout.splitlines()
    told = "".join(f"{' '.join(line.split())}\n" for line in [*done.stderr.splitlines(), *said])
    return re.sub(rf"{datetime.now().astimezone().date()}( \d\d:\d\d)?", "TODAY", told)


def outcome_of(words: list[str], below: str, told: str, request: pytest.FixtureRequest) -> str:
    """Run one step; return its outcome."""
    path = Path(words[1] if len(words) > 1 else "")
    below = re.sub("^@facts (.*), (.*)\n", lambda found: FACTS.format(*found.groups()), below)
    match words:
        case ["document", _, name, *_]:
            below = edited((DOCUMENTS / name).read_text(encoding="utf-8"), below)
        case ["edit", *_]:
            below = edited(path.read_text(encoding="utf-8-sig"), below)
    if below:
        path.parent.mkdir(exist_ok=True)
        path.write_text(below, encoding="utf-8")
    match words:
        case ["answer" | "edit", _, address] | ["document", _, _, address]:
            answer(path, address)
            return ""
        case ["write" | "document" | "edit", *_]:
            return ""
        case ["show", seed, *columns]:
            return shown(seed, *columns)
        case ["query", *select]:
            with request.getfixturevalue("compiled_project").build(read_collection(SEEDS)) as connection:
                rows = connection.execute(f"select {' '.join(select)}").fetchall()
            return "".join(f"{', '.join(map(str, row))}\n" for row in sorted(rows))
        case ["the", "way", "out"]:
            command = told[told.index("dptr ") :].partition(" or dptr ")[0].partition("\n")[0]
            return told_by(["mended" if word == "..." else word for word in shlex.split(command)[1:]])
    return told_by(words)


@each_case(*(f"collections/{name}.golden" for name in NAMES))
def test_commands_print_the_golden_output(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    found = told = ""
    for command, below in steps(case.document):
        words = shlex.split(unescaped(command))
        told = outcome_of(words, below, told, request)
        found += f"$ {command}\n{told}"
        assert not circles(["import", *words[1:]] if words[0] == "report" else words, told.splitlines())
    case.check(found)


@pytest.mark.parametrize(
    ("row", "words", "said"),
    [
        ("one,Ann Archer", (), "rejected: /dev/stdin:2: found "),
        ("1,Ann Archer", ("--as", "csv"), "stdin     new     Cup "),
    ],
)
def test_the_standard_input_is_a_document(row: str, words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    facts = ("--name", "Cup", "--date", "2026-05-02", "--players", "7", "--rounds", "1")
    stdin = f"placement,name\n{row}\n"
    done = run_program("import", "-", "--seeds", tmp_path / "seeds", *facts, *words, stdin=stdin)
    assert said in done.stdout + done.stderr


def test_the_projects_own_seeds_are_what_the_pages_state(tmp_path: Path) -> None:
    done = run_here("import", "--seeds", tmp_path / "seeds", PROJECT / "tests" / "fixtures" / "wdd_text")
    assert (done.returncode, done.stderr) == (0, "suspicious: Ry4an BRASE (digits, brackets or signs in it)\n")
    assert "5 new, 0 unchanged, 0 changed, 0 rejected" in done.stdout
    for table in (table.path for table in RAW_TABLES):
        assert (tmp_path / "seeds" / table).read_bytes() == (PROJECT / "seeds" / table).read_bytes(), table
    assert run_here("duplicates", "--seeds", tmp_path / "seeds").stdout.startswith("0 pairs to decide")
