"""Another game, from its result files to verified rankings and their site."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from dippouch.disk import hashes
from dippouch.publishing.publication import publish
from dippouch.settings import PROJECT
from support.changed_publications import rows
from support.compiled import Warehouse
from support.programs import done, run_here, run_program
from support.site_pages import broken_links, pages_of

EXAMPLE = PROJECT / "examples" / "hill_running"


@pytest.mark.long
def test_another_game_is_rated_by_rules_of_its_own_and_a_decision_says_who_moved(
    warehouse: Warehouse, tmp_path: Path
) -> None:
    seeds = tmp_path / "seeds"
    done(run_program("import", "--seeds", seeds, EXAMPLE / "results"))
    for name in ("ref_rating_systems.csv", "ref_settings.csv"):
        shutil.copyfile(EXAMPLE / "seeds" / "reference" / name, seeds / "reference" / name)
    assert hashes(seeds) == hashes(EXAMPLE / "seeds"), "the example's seeds are what an import of its results makes"
    database = tmp_path / "rankings.duckdb"
    warehouse.build(seeds)
    assert (warehouse.failing_tests(), warehouse.discrepancies(seeds)) == (set(), [])
    warehouse.save(tmp_path / "build.duckdb")
    publish(tmp_path / "build.duckdb", database, print)
    assert rows(database, "select title, rating_system_id, player_word, tournaments_word from marts.settings") == [
        ("Hill running", "hill-running", "runner", "races")
    ]
    origin = "select seeds_sha256, code_version, tournaments from marts.publication"
    (first,) = rows(database, origin)

    # A collection of another game may omit the published rules.
    systems = seeds / "reference" / "ref_rating_systems.csv"
    lines = systems.read_text(encoding="utf-8").splitlines(keepends=True)
    systems.write_text("".join(line for line in lines if not line.startswith("dptr,")), encoding="utf-8")
    reason = ("--reason", "measured wrongly", "--on", "2024-01-01")
    done(run_program("withdraw", "worlds-2023", *reason, "--seeds", seeds))
    printed = done(run_program("refresh", DPTR_SEEDS=seeds, DPTR_WAREHOUSE=tmp_path))
    assert "agree with the exact recomputation" in printed
    assert "who moved" in printed
    assert re.search(r"rank +runner .* races +last played", printed)
    assert re.search(r"runners ranked by \d+ counted races, rating system `hill-running`", printed)
    assert rows(database, "select rating_system_id from marts.rating_systems") == [("hill-running",)]
    (then,) = rows(database, origin)
    assert (then[0] != first[0], then[1], then[2]) == (True, first[1], int(str(first[2])) - 1)
    what_if = ("what-if", "--database", database, "--players", "30", "Kirsty Blackhill")
    assert "next race: 30 runners, value" in done(run_here(*what_if))
    _speaks_of_races(tmp_path)
    assert rows(database, "select tournament_id from marts.tournaments where is_withdrawn") == [("worlds-2023",)]


def _speaks_of_races(folder: Path) -> None:
    """Check that the collection's site is complete and uses the collection's words."""
    done(run_here("site", "--database", folder / "rankings.duckdb", "--site", folder / "site"))
    assert broken_links(folder / "site") == []
    # Where less than half of the runners were ranked before, nothing is expected of them.
    results = [path.read_text(encoding="utf-8") for path in (folder / "site" / "tournaments").glob("*.html")]
    assert {"Better by" in page for page in results} == {False, True}
    for path in [*pages_of(folder / "site"), folder / "site" / "feed.atom"]:
        said = path.read_text(encoding="utf-8")
        assert not [word for word in ("Diplomacy", "Dip Pouch", "dptr") if word in said], path
