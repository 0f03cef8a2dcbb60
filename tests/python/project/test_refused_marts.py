"""The refresh refuses unreliable marts before it builds anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.programs import Done, copy_of_the_project, run_program

MARTS = "models/marts"
CONTRACT = "  - name: players\n    config: {contract: {enforced: false}}\n"
KEY = "    data_tests:\n      - rows_are_valid:\n          arguments:\n            key: [kind]\n"

# The changed file, the text removed, its replacement; the expected message, and the model that it names.
FAULTS = [
    (f"{MARTS}/nations/nation_history.sql", "-- Grain: one row per", "-- One row per", "no grain: begin the SQL with"),
    (
        f"{MARTS}/circuits/circuits.yml",
        "One row per circuit.",
        "Circuits.",
        "no grain in the description: say `One row",
    ),
    (f"{MARTS}/players/players.yml", "  - name: players\n", CONTRACT, "no contract: leave"),
    (f"{MARTS}/tournaments/tournament_kinds.yml", KEY, "", "no test of its key: add `rows_are_valid`"),
    (f"{MARTS}/rankings/yearly_ranking.sql", "ref('int_players')", "ref('players')", "reads the mart `players`: read"),
    (
        "models/intermediate/rankings/int_nation_strengths.sql",
        "ref('int_rating_systems')",
        "ref('rating_systems')",
        "reads the mart `rating_systems`: read the layer below instead",
    ),
]


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """The refresh of a project with every fault in it."""
    project = copy_of_the_project(tmp_path_factory.mktemp("refused") / "project")
    for name, old, new, _ in FAULTS:
        text = (project / name).read_text(encoding="utf-8")
        assert old in text, f"{name} no longer holds {old!r}"
        (project / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    done = run_program("refresh", project=project)
    assert not (project / "warehouse" / "rankings.duckdb").exists()
    return done


@pytest.mark.parametrize(("name", "message"), [(name, message) for name, _, _, message in FAULTS])
def test_an_incomplete_mart_is_refused_with_what_is_missing(refused: Done, name: str, message: str) -> None:
    assert f"{Path(name).with_suffix('.sql')}: {message}" in refused.stderr
    assert refused.returncode == 1
    assert "the last publication is untouched" in refused.stderr
