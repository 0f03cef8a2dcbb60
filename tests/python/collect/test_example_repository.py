"""The example of a ranking that keeps itself up to date: every step of its workflows in a clean clone, against the look-alike."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from subprocess import run

import pytest
import yaml

from dippouch.settings import PROJECT
from support.changed_publications import rows
from support.lookalike import Server
from support.made_rating import make_rating
from support.programs import run_here

EXAMPLE = PROJECT / "examples" / "continued_ranking"


class Runner:
    """A machine that runs the shell steps of workflows in a folder; `gh` prints its arguments into a file, and knows no pull request."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.folder = folder
        self.values = {f"vars.{name}": value for name, value in variables.items()} | {"github.workspace": str(folder)}
        (folder / "bin").mkdir()
        (folder / "bin" / "gh").write_text(f'#!/bin/sh\necho "$@" >> {folder}/asked\n')
        (folder / "bin" / "gh").chmod(0o755)
        (folder / "warehouse").symlink_to(PROJECT)

    def sh(self, script: str, **env: str) -> None:
        own = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "GITHUB_OUTPUT": f"{self.folder}/output"}
        ended = run(
            ["bash", "-eo", "pipefail", "-c", script],  # noqa: S607 (as GitHub does)
            cwd=self.folder,
            env={**os.environ, **own, **env},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, script + ended.stdout + ended.stderr

    def workflow(self, path: Path) -> None:
        """Run the steps of all jobs; a job starts with a clone of `main`, and the delay between requests is none."""
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        for job in content["jobs"].values():
            shutil.rmtree(self.folder / "collection", ignore_errors=True)
            self.sh("git clone --quiet origin.git collection")
            for step in job["steps"]:
                stated = {**content.get("env", {}), **job.get("env", {}), **step.get("env", {})}
                env = {name: re.sub(r"\$\{\{ (.*?) }}", self._value, text) for name, text in stated.items()}
                assert "${{" not in step.get("run", ""), "a value in a script would be run"
                self.sh(step.get("run", "").replace("--refresh", "--delay 0 --refresh"), **env)

    def _value(self, found: re.Match[str]) -> str:
        return self.values.get(found[1], "")


@pytest.mark.long
def test_new_tournaments_become_a_proposal_and_its_merge_moves_the_ranking(tmp_path: Path) -> None:
    shell = re.search("```sh\n(.*?)```", (EXAMPLE / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shell
    home = {"HOME": str(tmp_path), "GIT_AUTHOR_NAME": "Keeper", "GIT_AUTHOR_EMAIL": "keeper@example.org"}
    with Server.running(make_rating(players=30, tournaments=20)) as site:
        runner = Runner(tmp_path, {"WDR_BASE": site.base, "WDR_TOURNAMENTS": "10018-10025"})
        runner.sh(f"cd {PROJECT}\n{shell[1]}", **home)
        (tmp_path / ".gitconfig").write_text("[user]\nname = Keeper\nemail = keeper@example.org\n", encoding="utf-8")
        runner.sh("git init -q -b main continued; cd continued; git add .; git commit -qm First", **home)
        runner.sh("git clone -q --bare continued origin.git", **home)
        runner.workflow(tmp_path / "continued" / ".github" / "workflows" / "collect.yml")
    assert all(asked.agent.endswith("(+mailto:ratings@example.org)") for asked in site.log)
    report = (tmp_path / "proposal" / "report.md").read_text(encoding="utf-8")
    for words in ("30 new", "rejected: ", "ratings changed", "no such page"):
        assert re.search(f"^    .*{words}", report, re.MULTILINE), report
    assert "pr create --base main --head collected" in (tmp_path / "asked").read_text(encoding="utf-8")

    # A keeper states what the reference does not, and merges.
    runner.sh("git clone -q --branch collected origin.git keeper; ! git -C keeper diff --quiet origin/main", **home)
    stated = ("players=60", "rounds=3", "--reason", "organiser's report")
    seeds = tmp_path / "keeper" / "seeds"
    last = next(one for one in site.pages.rating.tournaments.values() if one.number == 20)
    tournaments = (seeds / "wdd" / "raw_tournaments.csv").read_text(encoding="utf-8").splitlines()
    name = next(line.split(",")[0] for line in tournaments if last.name in line)
    assert run_here("correct", name, *stated, "--seeds", seeds).returncode == 0
    runner.sh("cd keeper; git commit -qam Answer; git push -q origin collected:main", **home)
    runner.workflow(tmp_path / "continued" / ".github" / "workflows" / "publish.yml")
    counted = "select count(*), count(*) filter (tournaments_counted > 0) from international_ranking"
    ((ranked, moved),) = rows(tmp_path / "published" / "rankings.duckdb", counted)
    assert (ranked - moved, moved) == (47, sum(place is not None for place in last.placements.values()))
    assert (tmp_path / "published" / "site" / "index.html").exists()
