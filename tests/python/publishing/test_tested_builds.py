"""dbt's environment and messages, and the refusal to publish untested builds."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from dippouch.errors import UserError
from dippouch.publishing import build as build_module
from dippouch.publishing.build import bring_parsed, run_dbt_build
from dippouch.settings import PROJECT
from support.compiled import CompiledProject

HOSTILE = {
    "DBT_EXCLUDE_RESOURCE_TYPES": "test unit_test",
    "DBT_ENGINE_EXCLUDE_RESOURCE_TYPES": "test unit_test",
    "DBT_PROJECT_DIR": "/nowhere",
    "PYTHONSTARTUP": "/nowhere",
    "TZ": "Pacific/Kiritimati",
}


class Dbt:
    """A fake dbt that writes these results for the project's own manifest, and prints these lines."""

    def __init__(self, folder: Path, manifest: Path) -> None:
        self.folder = folder
        self.manifest: dict[str, Any] = json.loads(manifest.read_text(encoding="utf-8"))
        steps = {"seed": "success", "model": "success", "test": "pass"}
        self.results: dict[str, dict[str, Any]] = {
            key: {"unique_id": key, "status": steps[node["resource_type"]], "message": None, "failures": 0}
            | {"compiled_code": node.get("compiled_code")}
            for key, node in self.manifest["nodes"].items()
            if node["resource_type"] in steps
        }

    def one(self, name: str) -> dict[str, Any]:
        return next(result for key, result in self.results.items() if name in key.split("."))

    def run(self, monkeypatch: pytest.MonkeyPatch, *, says: str = "", code: int = 0, **kwargs: Any) -> None:  # noqa: ANN401 (arguments of the function)
        target = self.folder / "dbt"
        (self.folder / "results.json").write_text(json.dumps({"results": list(self.results.values())}))
        (self.folder / "manifest").write_text(json.dumps(self.manifest))
        program = f"""
import pathlib, shutil, sys
target = pathlib.Path({str(target)!r})
target.mkdir(exist_ok=True)
if {bool(self.results)}:
    shutil.copy({str(self.folder / "results.json")!r}, target / "run_results.json")
    shutil.copy({str(self.folder / "manifest")!r}, target / "manifest.json")
print({says!r})
sys.exit({code})
"""
        monkeypatch.setattr(build_module, "_command", lambda target_path, without: [sys.executable, "-c", program])
        run_dbt_build(PROJECT / "seeds", self.folder / "warehouse", target_path=target, **kwargs)


@pytest.fixture
def dbt(tmp_path: Path, compiled_project: CompiledProject) -> Dbt:
    return Dbt(tmp_path, compiled_project.manifest)


def test_what_dbt_parsed_is_brought_to_a_build_of_the_same_code_only(
    dbt: Dbt, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    artefacts = dbt.folder / "dbt"

    def brought(to: str) -> bool:
        bring_parsed(artefacts, tmp_path / to)
        return (tmp_path / to / "partial_parse.msgpack").exists()

    assert not brought("before any build")
    artefacts.mkdir()
    (artefacts / "partial_parse.msgpack").write_bytes(b"parsed")
    dbt.run(monkeypatch, says="12 of 333 OK created")
    assert "12 of 333 OK created" in (artefacts / "logs" / "output.log").read_text(encoding="utf-8")
    assert brought("of the same code")
    with monkeypatch.context() as changed:
        changed.setattr(build_module, "code_version", lambda: "1.0+other")
        assert not brought("of other code")
    dbt.one("ledger_holds_every_update").update(status="fail", failures=1)
    with pytest.raises(UserError):
        dbt.run(monkeypatch)
    assert not brought("behind a build that failed")


def test_a_test_that_was_not_run_is_a_refusal(dbt: Dbt, monkeypatch: pytest.MonkeyPatch) -> None:
    del dbt.results["test.dip_pouch.ledger_holds_every_update"]
    with pytest.raises(UserError, match=r"dbt left out 1 of its steps \(ledger_holds_every_update\)"):
        dbt.run(monkeypatch)
    # Deliberately omitted nodes are no fault.
    dbt.run(monkeypatch, without="ledger_holds_every_update")


@pytest.mark.parametrize("status", ["warn", "fail"])
def test_a_warning_is_no_pass(dbt: Dbt, monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    dbt.one("ledger_holds_every_update").update(status=status, failures=1)
    with pytest.raises(UserError, match=r"failed in 1 of its steps, .*:\ntest ledger_holds_every_update \(tests/dbt/"):
        dbt.run(monkeypatch)


def test_an_error_of_dbt_itself_is_a_few_lines_though_an_earlier_build_passed(
    dbt: Dbt, monkeypatch: pytest.MonkeyPatch
) -> None:
    dbt.run(monkeypatch)
    dbt.results = {}
    says = "10:00:00  Running\n10:00:01  Encountered an error:\nCompilation Error\n  Model 'x' (x.sql) depends on\n"
    with pytest.raises(UserError) as error:
        dbt.run(monkeypatch, says=says + "Traceback (most recent call last):\n" * 400, code=2)
    assert str(error.value).splitlines() == [
        "the build failed: dbt stopped with an error",
        *("  Compilation Error", "  Model 'x' (x.sql) depends on"),
    ]


def test_a_model_that_cannot_be_built_is_named_with_its_reason(dbt: Dbt, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = 'Runtime Error in model stg_results (models/x.sql)\n  Binder Error: Referenced column "x" not found'
    dbt.one("stg_results").update(status="error", message=reason)
    dbt.one("players").update(status="skipped")
    with pytest.raises(UserError) as error:
        dbt.run(monkeypatch, code=1)
    lines = str(error.value).splitlines()
    assert lines[0] == "the build failed in 1 of its steps, and 1 that depend on them were skipped:"
    assert lines[1:] == [
        "model stg_results (models/staging/wdd/stg_results.sql)",
        '  Binder Error: Referenced column "x" not found',
    ]


def test_dbt_gets_no_settings_of_other_projects(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in (HOSTILE | {"DPTR_MEMORY": "3GB"}).items():
        monkeypatch.setenv(name, value)
    command = build_module._command(tmp_path, "")
    dump = f"import json, os; json.dump(dict(os.environ), open({str(tmp_path / 'environment')!r}, 'w'))"
    monkeypatch.setattr(build_module, "_command", lambda target_path, without: [sys.executable, "-c", dump])
    with pytest.raises(UserError, match="dbt stopped with an error"):
        run_dbt_build(PROJECT / "seeds", tmp_path / "warehouse", target_path=tmp_path / "dbt")
    environment = json.loads((tmp_path / "environment").read_text(encoding="utf-8"))
    assert not HOSTILE.keys() & environment.keys()
    assert {"PATH", "DPTR_SEEDS", "DPTR_WAREHOUSE", "DPTR_MEMORY"} <= environment.keys()
    assert "--exclude-resource-type=unit_test" in command


def test_a_build_that_is_killed_names_the_signal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    killed = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
    for command, said in (
        (killed, r"dbt was killed by SIGKILL, .*`DPTR_MEMORY=4GB`"),
        ([str(tmp_path / "dbt")], r"dbt could not be started .*`make environment` installs it"),
    ):
        monkeypatch.setattr(build_module, "_command", lambda target_path, without, command=command: command)
        with pytest.raises(UserError, match=said):
            run_dbt_build(PROJECT / "seeds", tmp_path / "warehouse", target_path=tmp_path / "dbt")
