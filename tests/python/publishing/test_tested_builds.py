"""dbt's environment and messages, and the refusal to publish untested builds."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dippouch.messages import UserError
from dippouch.publishing import build as build_module
from dippouch.publishing.build import run_dbt_build
from dippouch.settings import PROJECT

HOSTILE = {
    "DBT_EXCLUDE_RESOURCE_TYPES": "test unit_test",
    "DBT_ENGINE_EXCLUDE_RESOURCE_TYPES": "test unit_test",
    "DBT_PROJECT_DIR": "/nowhere",
    "PYTHONSTARTUP": "/nowhere",
    "TZ": "Pacific/Kiritimati",
}


class Dbt:
    """A fake dbt that reports the outcomes of a model and its test."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.target = folder / "dbt"
        self._monkeypatch = monkeypatch
        self.results: dict[str, dict[str, object]] = {"ledger": {"status": "success"}, "is_whole": {"status": "pass"}}

    def run(self, *, says: str = "", code: int = 0, without: str = "") -> None:
        facts = {"message": None, "failures": 1, "compiled_code": "select 1"}
        steps = [
            {"name": name, "resource_type": kind, "original_file_path": f"{kind}s/{name}.sql", **facts}
            | self.results.get(name, {"status": None})
            for name, kind in {"ledger": "model", "is_whole": "test"}.items()
        ]
        program = f"import pathlib, sys; target = pathlib.Path({str(self.target)!r}); target.mkdir(exist_ok=True)\n"
        if self.results:
            program += f"(target / 'outcome.json').write_text({json.dumps(steps)!r})\n"
        self.starts([sys.executable, "-c", f"{program}print({says!r}); sys.exit({code})"], without)

    def starts(self, command: list[str], without: str = "") -> None:
        """Run a command in place of dbt."""
        self._monkeypatch.setattr(build_module, "_command", lambda target_path, without: command)
        run_dbt_build(PROJECT / "seeds", self.target.parent, target_path=self.target, without=without, held=())


@pytest.fixture
def dbt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dbt:
    return Dbt(tmp_path, monkeypatch)


def test_the_project_as_parsed_stays_for_the_next_build_and_older_outcomes_do_not(dbt: Dbt) -> None:
    dbt.run(says="12 of 333 OK created")
    assert "12 of 333 OK created" in (dbt.target / "logs" / "output.log").read_text(encoding="utf-8")
    (dbt.target / "partial_parse.msgpack").write_bytes(b"parsed")
    dbt.results = {}
    with pytest.raises(UserError, match="could not be started"):
        dbt.starts(["/nowhere/dbt"])
    assert [path.name for path in dbt.target.iterdir()] == ["partial_parse.msgpack"]


def test_a_test_that_was_not_run_is_a_refusal(dbt: Dbt) -> None:
    del dbt.results["is_whole"]
    with pytest.raises(UserError, match=r"dbt left out 1 of its steps \(is_whole\)"):
        dbt.run()
    # Deliberately omitted tests are no fault.
    dbt.run(without="is_whole")


@pytest.mark.parametrize("status", ["warn", "fail"])
def test_a_warning_is_no_pass(dbt: Dbt, status: str) -> None:
    dbt.results["is_whole"] = {"status": status}
    with pytest.raises(UserError, match=r"failed in 1 of its steps, .*:\ntest is_whole \(tests/is_whole.sql\)"):
        dbt.run()


def test_an_error_of_dbt_itself_is_a_few_lines_though_an_earlier_build_passed(dbt: Dbt) -> None:
    dbt.run()
    dbt.results = {}
    says = "Running\nEncountered an error:\nCompilation Error\n  Model 'x' (x.sql) depends on\n"
    with pytest.raises(UserError) as error:
        dbt.run(says=says + "Traceback (most recent call last):\n" * 400, code=2)
    assert str(error.value).splitlines() == [
        "the build failed: dbt stopped with an error",
        *("  Compilation Error", "  Model 'x' (x.sql) depends on"),
    ]


def test_a_model_that_cannot_be_built_is_named_with_its_reason(dbt: Dbt) -> None:
    reason = 'Runtime Error in model ledger (models/x.sql)\n  Binder Error: Referenced column "x" not found'
    dbt.results = {"ledger": {"status": "error", "message": reason}, "is_whole": {"status": "skipped"}}
    with pytest.raises(UserError) as error:
        dbt.run(code=1)
    assert str(error.value).splitlines() == [
        "the build failed in 1 of its steps, and 1 that depend on them were skipped:",
        "model ledger (models/ledger.sql)",
        '  Binder Error: Referenced column "x" not found',
    ]


def test_dbt_gets_no_settings_of_other_projects(dbt: Dbt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in (HOSTILE | {"DPTR_MEMORY": "3GB"}).items():
        monkeypatch.setenv(name, value)
    assert "--exclude-resource-type=unit_test" in build_module._command(tmp_path, "")
    dump = f"import json, os; json.dump(dict(os.environ), open({str(tmp_path / 'environment')!r}, 'w'))"
    with pytest.raises(UserError, match="dbt stopped with an error"):
        dbt.starts([sys.executable, "-c", dump])
    environment = json.loads((tmp_path / "environment").read_text(encoding="utf-8"))
    assert not HOSTILE.keys() & environment.keys()
    assert {"PATH", "DPTR_SEEDS", "DPTR_WAREHOUSE", "DPTR_MEMORY"} <= environment.keys()


def test_a_build_that_is_killed_names_the_signal(dbt: Dbt) -> None:
    with pytest.raises(UserError, match=r"dbt was killed by SIGKILL, .*`DPTR_MEMORY=4GB`"):
        dbt.starts([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"])
    with pytest.raises(UserError, match=r"dbt could not be started .*install this package again"):
        dbt.starts(["/nowhere/dbt"])
