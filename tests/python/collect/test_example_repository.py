"""The example of a ranking that keeps itself up to date: every step of its workflows in a clean clone, against the look-alike."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from dippouch.settings import PROJECT
from support.changed_publications import rows
from support.lookalike import Server
from support.made_rating import make_rating
from support.programs import run_here
from support.runner import Runner

EXAMPLE = PROJECT / "examples" / "continued_ranking"
COLLECT = EXAMPLE / ".github" / "workflows" / "collect.yml"
NEW_REPOSITORY = PROJECT / "scripts" / "dippouch" / "commands" / "new_repository"
WORKFLOWS = [COLLECT, *NEW_REPOSITORY.glob(".github/workflows/*"), PROJECT / ".github" / "workflows" / "tests.yml"]
# A program that prints the text of documents, among them titles that look like parts of a report, and ends with the code $CODE.
NOISY = """#!/bin/sh
echo "5 ratings changed, said Bob (changed)"
echo "new: Bob (changed)"
yes "::add-mask::yes" | head -n 20000
echo "1 known person, 2 new"
echo "new: Ada LOVELACE"
echo "suspicious: XX"
echo "who would move    rank   rating"
echo "3 ratings changed"
yes "::add-mask::yes" | head -n 20000
echo "1 new, 1 rejected"
echo broken >&2
exit ${CODE:-0}
"""


def scripts(workflow: Path) -> dict[str, str]:
    """Return the scripts of a workflow by the names of their steps."""
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"].values()
    return {step.get("name", ""): step.get("run", "") for job in jobs for step in job["steps"]}


def test_documents_neither_command_the_runner_nor_push_new_people_out_of_the_report(tmp_path: Path) -> None:
    runner = Runner(tmp_path, {})
    for program in (tmp_path / "bin" / "dptr", tmp_path / ".ci" / "run"):
        program.parent.mkdir(exist_ok=True)
        program.write_text(NOISY, encoding="utf-8")
        program.chmod(0o755)
    runner.sh("git init -q collection; mkdir collection/seeds collection/archive")
    folders = {"PROPOSAL": f"{tmp_path}/proposal", "ARCHIVE": f"{tmp_path}/collection/archive"}
    of_dptr = re.compile(r"dptr (collect|import|refresh)|\.ci/run")
    noisy = [script for path in WORKFLOWS for script in scripts(path).values() if of_dptr.search(script)]
    assert len(noisy) == 5
    tokens = set()
    for script in noisy:
        first, *printed, last = runner.sh(script, **folders, WDR_BASE="", WDR_TOURNAMENTS="").splitlines()
        tokens.add(first.removeprefix("::stop-commands::"))
        assert ("::add-mask::yes" in printed, last) == (True, f"::{first.removeprefix('::stop-commands::')}::")
    assert len(tokens) == len(noisy)

    runner.sh(scripts(COLLECT)["Write the proposal"], **folders)
    report = (tmp_path / "proposal" / "report.md").read_text(encoding="utf-8")
    assert len(report) < 65_536
    assert "## Who is new\n\n    new: Ada LOVELACE\n    suspicious: XX\n\n## Import\n" in report
    assert report.count("\n    ... cut here ...\n") == report.count("\n    1 new, 1 rejected\n") == 3
    assert "## Who would move\n\n    who would move    rank   rating\n    3 ratings changed\n" in report
    assert not re.search("^ {0,3}::", report, re.MULTILINE)

    # Missing pages and open documents are for the keeper; other ends stop the run, and its log says why.
    for step in ("Collect", "Import"):
        runner.sh(scripts(COLLECT)[step], **folders, WDR_BASE="", WDR_TOURNAMENTS="", CODE="1")
        with pytest.raises(AssertionError, match="\nbroken\n"):
            runner.sh(scripts(COLLECT)[step], **folders, WDR_BASE="", WDR_TOURNAMENTS="", CODE="3")


def test_only_main_is_published() -> None:
    jobs = yaml.safe_load((NEW_REPOSITORY / ".github/workflows/publish.yml").read_text(encoding="utf-8"))["jobs"]
    conditions = [part["if"] for part in (*jobs["rate"]["steps"], jobs["publish"]) if "if" in part]
    assert conditions == ["github.ref == 'refs/heads/main'"] * 3


@pytest.mark.skipif(not shutil.which("jq"), reason="needs jq")
def test_only_a_proposal_of_its_own_stops_a_run(tmp_path: Path) -> None:
    runner = Runner(tmp_path, {})
    # The last argument selects the answer.
    answering = '#!/bin/sh\nfor last; do :; done\njq --raw-output "$last" open.json'
    (tmp_path / "bin" / "gh").write_text(answering, encoding="utf-8")
    of_fork, own = ({"url": f"https://example.org/{fork}", "isCrossRepository": fork} for fork in (True, False))
    script = scripts(COLLECT)["Stop while a proposal is open"]
    (tmp_path / "open.json").write_text(json.dumps([of_fork]), encoding="utf-8")
    runner.sh(script)
    (tmp_path / "open.json").write_text(json.dumps([of_fork, own]), encoding="utf-8")
    with pytest.raises(AssertionError, match=r"Merge or close the open proposal first: \S+/False\n"):
        runner.sh(script)


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
        runner.workflow("collect.yml")
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
    tournaments = (seeds / "documents" / "raw_tournaments.csv").read_text(encoding="utf-8").splitlines()
    name = next(line.split(",")[1] for line in tournaments if last.name in line)
    assert run_here("correct", name, *stated, "--seeds", seeds).returncode == 0
    runner.sh("cd keeper; git commit -qam Answer; git push -q origin collected:main", **home)
    runner.workflow("publish.yml")
    published = tmp_path / "collection"
    counted = "select count(*), count(*) filter (tournaments_counted > 0) from international_ranking"
    ((ranked, moved),) = rows(published / "warehouse" / "rankings.duckdb", counted)
    # The published ranking, and those who played since.
    newly_rated = sum(place is not None for place in last.placements.values())
    assert (ranked, moved) == (69 + newly_rated, 34 + newly_rated)
    assert (published / "site" / "index.html").exists()
