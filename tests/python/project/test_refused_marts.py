"""A mart that readers could not rely on is refused by the refresh itself, before anything is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.programs import Done, copy_of_the_project, run_program

# What is taken from which file, what is put in its place, and what the refresh says.
FAULTS = [
    (
        "nations/nation_history.sql",
        "-- Grain: one row per",
        "-- One row per",
        "no grain: begin the SQL with `-- Grain:",
    ),
    ("circuits/circuits.yml", "One row per circuit.", "Circuits.", "no description: say `One row per ...` in"),
    ("../exposures.yml", "      - ref('streaks')\n", "", "no exposure: add it to `published_database`"),
    (
        "players/players.yml",
        "  - name: players\n",
        "  - name: players\n    config: {contract: {enforced: false}}\n",
        "no contract",
    ),
    (
        "tournaments/tournament_kinds.yml",
        "        data_tests:\n          - unique\n",
        "",
        "no test of its key: add `unique`",
    ),
    (
        "rankings/yearly_ranking.sql",
        "ref('int_players')",
        "ref('players')",
        "reads the mart `players`: read the layer below",
    ),
]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """The refresh of a project with every fault in it."""
    project = copy_of_the_project(tmp_path_factory.mktemp("refused") / "project")
    for name, old, new, _ in FAULTS:
        path = project / "models" / "marts" / name
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name} no longer holds {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
    done = run_program("refresh_rankings.py", project=project)
    assert not (project / "warehouse" / "rankings.duckdb").exists()
    return done


@pytest.mark.parametrize(("name", "message"), [(name, message) for name, _, _, message in FAULTS])
def test_an_incomplete_mart_is_refused_with_what_is_missing(refused: Done, name: str, message: str) -> None:
    model = (
        "models/marts/records/streaks.sql"
        if name == "../exposures.yml"
        else f"models/marts/{Path(name).with_suffix('.sql')}"
    )
    assert f"{model}: {message}" in refused.stdout
    assert refused.returncode == 1
    assert "the last publication is untouched" in refused.stderr
