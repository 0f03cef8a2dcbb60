"""The example of a ranking that keeps itself up to date: every step of its workflows in a clean clone, against the look-alike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dippouch.settings import PROJECT
from support.changed_publications import rows
from support.lookalike import Server
from support.made_rating import make_rating
from support.programs import run_here
from support.runner import Runner

EXAMPLE = PROJECT / "examples" / "continued_ranking"


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
    tournaments = (seeds / "wdd" / "raw_tournaments.csv").read_text(encoding="utf-8").splitlines()
    name = next(line.split(",")[0] for line in tournaments if last.name in line)
    assert run_here("correct", name, *stated, "--seeds", seeds).returncode == 0
    runner.sh("cd keeper; git commit -qam Answer; git push -q origin collected:main", **home)
    runner.workflow("publish.yml")
    published = tmp_path / "collection"
    counted = "select count(*), count(*) filter (tournaments_counted > 0) from international_ranking"
    ((ranked, moved),) = rows(published / "warehouse" / "rankings.duckdb", counted)
    assert (ranked - moved, moved) == (47, sum(place is not None for place in last.placements.values()))
    assert (published / "site" / "index.html").exists()
