"""The example that continues the published ranking to 2025: from its documents to the published file."""

from __future__ import annotations

import csv
import re
from fractions import Fraction
from pathlib import Path

import pytest

from dippouch.disk import hashes
from dippouch.settings import PROJECT
from support.changed_publications import rows
from support.programs import done, run_program
from support.runner import Runner

EXAMPLE = PROJECT / "examples" / "continued_ranking"
# Of a year or a month, the last day counts.
ENDS = {4: "-12-31", 7: "-31"}


def own_ratings() -> dict[str, Fraction]:
    """Return everybody's rating by name, from the published ranking on, as the rules say."""
    with (EXAMPLE / "seeds" / "documents" / "raw_published_rankings.csv").open(encoding="utf-8") as file:
        ratings = {
            f"{row['first_name']} {row['last_name']}": Fraction(row["published_rating"]) for row in csv.DictReader(file)
        }
    tournaments = []
    for path in (EXAMPLE / "results").glob("*.csv"):
        above, table = path.read_text(encoding="utf-8").split("\n\n")
        facts = dict(re.findall(r"^(\w+): (.+)$", above, re.MULTILINE))
        last = facts["date"].rpartition(" - ")[2]
        tournaments.append((last + ENDS.get(len(last), ""), facts, list(csv.DictReader(table.splitlines()))))
    for _, facts, results in sorted(tournaments, key=lambda one: one[0]):
        players = int(facts["players"])
        value = Fraction(20) if facts["kind"] == "WDC" else min(players / Fraction("3.5") + 2, Fraction(15))
        for row in results:
            name = f"{row['first_name']} {row['last_name']}".replace("Pete MC", "Peter MC")
            before = ratings.get(name, Fraction(40))
            score = (players + Fraction("0.5") - int(row["placement"])) / players * 100
            ratings[name] = before + value / 100 * (score - before)
    return ratings


@pytest.mark.long
def test_the_example_is_made_as_its_page_says_and_every_rating_equals_an_own_loop(tmp_path: Path) -> None:
    page = (EXAMPLE / "README.md").read_text(encoding="utf-8")
    made = page.partition("## How the seeds were made\n\n```sh\n")[2].partition("```")[0]
    Runner(tmp_path, {}).sh(f"cd {PROJECT}\n{made}", HOME=str(tmp_path))
    assert hashes(tmp_path / "made" / "seeds") == hashes(EXAMPLE / "seeds")

    printed = done(run_program("refresh", DPTR_SEEDS=tmp_path / "made" / "seeds"))
    published = tmp_path / "made" / "warehouse" / "rankings.duckdb"
    ranking = dict(rows(published, "select player_name, rating from international_ranking"))
    assert ranking == {name: pytest.approx(float(rating), abs=1e-9) for name, rating in own_ratings().items()}
    # The page shows what `dptr` prints.
    top_ten = [line.rstrip() for line in printed.splitlines() if re.match("rank  |  ?[ 1][0-9]  |[0-9]+ players", line)]
    assert page.partition("```text\n")[2].partition("\n```")[0].splitlines() == top_ten
    missing = "select sum(results_missing) || ' of ' || sum(players) || ' results' from tournaments where ended_on > '2017-08-06'"
    assert rows(published, missing)[0][0] in " ".join(page.split())
    compared = "select reason, count(*) from published_ranking_comparison group by all"
    assert rows(published, compared) == [("continued here", 47)]
