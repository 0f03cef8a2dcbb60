"""A machine that runs the workflows of a repository."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from subprocess import run

import yaml

# Programs of the machine that only print their arguments into a file; `gh` knows no pull request.
_PRETENDED = ("gh", "pip")


class Runner:
    """A machine that runs the shell steps of workflows in a folder, with the programs of an environment and without a network."""

    def __init__(self, folder: Path, variables: dict[str, str], programs: Path = Path(sys.executable).parent) -> None:
        self.folder = folder
        self.values = {f"vars.{name}": value for name, value in variables.items()} | {"github.workspace": str(folder)}
        self._path = f"{folder}/bin:{programs}:{os.environ['PATH']}"
        (folder / "bin").mkdir()
        for name in _PRETENDED:
            (folder / "bin" / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {folder}/asked\n', encoding="utf-8")
            (folder / "bin" / name).chmod(0o755)

    def sh(self, script: str, where: str = ".", **env: str) -> str:
        """Run a script that succeeds, and return what it prints."""
        ended = run(
            ["bash", "-eo", "pipefail", "-c", script],  # noqa: S607 (as GitHub does)
            cwd=self.folder / where,
            env={**os.environ, "PATH": self._path, "GITHUB_OUTPUT": f"{self.folder}/output", **env},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, script + ended.stdout + ended.stderr
        return ended.stdout

    def workflow(self, name: str) -> None:
        """Run the steps of all jobs of a workflow; a job that checks out has a clone of `main`, and the delay between requests is none."""
        show = ["git", "-C", str(self.folder / "origin.git"), "show", f"main:.github/workflows/{name}"]
        text = run(show, capture_output=True, text=True, check=True)
        content = yaml.safe_load(text.stdout)
        for job in content["jobs"].values():
            clones = [
                step.get("with", {}) for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")
            ]
            if clones:
                shutil.rmtree(self.folder / "collection", ignore_errors=True)
                self.sh("git clone --quiet origin.git collection")
            where = "." if any(clone.get("path") == "collection" for clone in clones) else "collection"
            for step in job["steps"]:
                stated = {**content.get("env", {}), **job.get("env", {}), **step.get("env", {})}
                env = {key: re.sub(r"\$\{\{ (.*?) }}", self._value, value) for key, value in stated.items()}
                assert "${{" not in step.get("run", ""), "a value in a script would be run"
                script = step.get("run", "").replace("--refresh", "--delay 0 --refresh")
                self.sh(script, where, **env)

    def _value(self, found: re.Match[str]) -> str:
        return self.values.get(found[1], "")
