"""Would other rules predict better? Histories that known rules made have the answer."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from dippouch.db import query
from dippouch.seeds.files import read_rows
from dippouch.settings import PROJECT
from support.changed_publications import changed_publication
from support.programs import run_here
from synthetic.known_rules import Rules, play, write_published

# Ratings that move several times as fast as the published ones.
FAST = Rules(
    world_championship_value=50, one_round_divisor=2, several_rounds_divisor=1, base_value=10, maximum_value=35
)
_KEPT = "reference/ref_fitted_rules.csv"


def fitted(published: Path, database: Path, rules: Rules, *options: str) -> dict[str, Any]:
    """What is said of a history that some rules made."""
    write_published(published, database, play(180, 70, 16, rules, luck=8, seed=1))
    done = run_here("fit", "--database", database, "--json", *options)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.mark.long
def test_the_rules_that_made_a_history_are_found_again(published: Path, tmp_path: Path) -> None:
    seeds = shutil.copytree(PROJECT / "seeds", tmp_path / "seeds")
    answer = fitted(published, tmp_path / "fast.duckdb", FAST, "--tries", "25", "--keep", "--seeds", str(seeds))
    assert answer["verdict"] == "better"
    found = answer["fitted"]
    for name, truth in asdict(FAST).items():
        low, high = found["ranges"][name]
        assert low <= found["rules"][name] <= high
        assert low <= truth <= high, name
    # It says something: not every rule that was tried is as good.
    low, high = found["ranges"]["world_championship_value"]
    assert 20 < low < high < 100
    assert found["later"]["low"] > 0
    assert found["later"]["mean"] == pytest.approx(found["later_fitted"] - found["later_published"])
    parts = answer["earlier"]["tournaments"], answer["later"]["tournaments"]
    assert parts == (round(sum(parts) * 0.6), sum(parts) - round(sum(parts) * 0.6))
    assert answer["earlier"]["last_day"] < answer["later"]["first_day"]
    # The published file judges what is kept as the search did.
    kept = f"insert into marts.fitted_rules from read_csv('{seeds / _KEPT}')"
    (card,) = query(
        changed_publication(tmp_path / "fast.duckdb", tmp_path / "kept.duckdb", kept),
        "from presentation.fitted_rules_card",
    )
    assert card.items() >= {"tried": found["tried"], "verdict": "better", **found["rules"]}.items()
    assert (card["earlier_tournaments"], card["later_tournaments"]) == parts
    assert {name: card[name] for name in ("later_published", "later_fitted")} == pytest.approx(
        {name: found[name] for name in ("later_published", "later_fitted")}
    )
    judged = [card["advantage"], card["advantage_low"], card["advantage_high"]]
    assert judged == pytest.approx([found["later"][name] for name in ("mean", "low", "high")])
    assert run_here("undo", "--seeds", seeds).returncode == 0
    assert read_rows(seeds / _KEPT) == []


@pytest.mark.long
def test_nothing_beats_the_rules_that_made_a_history(published: Path, tmp_path: Path) -> None:
    answer = fitted(published, tmp_path / "published.duckdb", Rules(), "--tries", "0")
    assert answer["verdict"] in {"not told apart", "worse"}
    assert answer["fitted"]["later"]["low"] <= 0
    # The same options give the same answer.
    done = run_here("fit", "--database", tmp_path / "published.duckdb", "--tries", "0")
    told = " ".join(done.stdout.split())
    assert f"best of {answer['fitted']['tried']} sets of rules" in told
    assert (
        f"the fitted ones {100 * answer['fitted']['later_fitted']:.2f}: {100 * answer['fitted']['later']['mean']:+.2f}"
        in told
    )
    assert "nothing found here beats those" in told or "the published rules are to be kept" in told


def test_four_tournaments_say_nothing_on_rules(published: Path, tmp_path: Path) -> None:
    seeds = shutil.copytree(PROJECT / "seeds", tmp_path / "seeds")
    done = run_here("fit", "--database", published, "--keep", "--seeds", seeds)
    assert done.returncode == 0
    assert done.stdout.endswith("Nothing is kept.\n")
    assert read_rows(seeds / _KEPT) == []
    assert "Nothing can be said: 4 tournaments can be predicted, 2 earlier and 2 later." in done.stdout
    assert "each needs at least 30" in done.stdout.replace("\n", " ")
    answer = json.loads(run_here("fit", "--database", published, "--json").stdout)
    assert answer["verdict"] == "nothing can be said"
    assert answer["fitted"] is None
    assert answer["published"]["maximum_value"] == 15
