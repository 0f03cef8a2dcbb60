"""`mf query` answers from the build database, and gives the figures that SQL gives."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from dippouch.settings import PROJECT


@pytest.fixture(scope="module")
def project(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with artefacts and a build database of its own: `mf` writes beside dbt_project.yml, and locks."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("dbt_project.yml", "profiles.yml", "models", "macros", "tests", "docs", "seeds"):
        (folder / name).symlink_to(PROJECT / name)
    (folder / "target").mkdir()
    shutil.copy(built / "dbt" / "semantic_manifest.json", folder / "target")
    (folder / "warehouse").mkdir()
    shutil.copy(built / "build.duckdb", folder / "warehouse")
    return folder


def mf_query(project: Path, *arguments: str) -> list[dict[str, str]]:
    """The rows that `mf query` writes as CSV."""
    answer = project / "answer.csv"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DPTR_")}
    done = subprocess.run(
        [str(Path(sys.executable).with_name("mf")), "query", *arguments, "--csv", str(answer)],
        cwd=project,
        env=environment | {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with answer.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def sql(project: Path, query: str) -> dict[str, tuple[float, ...]]:
    """The figures of a query by its first column."""
    with duckdb.connect(str(project / "warehouse" / "build.duckdb"), read_only=True) as connection:
        return {str(key or ""): tuple(figures) for key, *figures in connection.execute(query).fetchall()}


def test_a_saved_query_gives_the_strength_of_nations(project: Path) -> None:
    rows = mf_query(project, "--saved-query", "ranked_players_by_nation")
    expected = sql(
        project,
        "select nation_code, count(*), avg(rating), max(rating) from marts.international_ranking"
        " where rating_system_id = 'dptr' group by nation_code",
    )
    found = {
        row["player__nation_code"]: (int(row["ranked_players"]), float(row["mean_rating"]), float(row["best_rating"]))
        for row in rows
    }
    assert found == {nation: pytest.approx(figures) for nation, figures in expected.items()}
    assert len(found) > 1


def test_a_saved_query_compares_the_rating_systems(project: Path) -> None:
    rows = mf_query(project, "--saved-query", "rating_systems_compared")
    expected = sql(
        project,
        "select rating_system_id, count(*), any_value(tournaments), avg(rating), any_value(movement)"
        " from marts.international_ranking"
        " join (select rating_system_id, count(*) filter (where is_counted) as tournaments"
        " from marts.included_tournaments group by all) using (rating_system_id)"
        " join (select rating_system_id, avg(abs(rating_change)) as movement from marts.rating_history group by all)"
        " using (rating_system_id) group by rating_system_id",
    )
    columns = (
        "system_ranked_players",
        "system_tournaments_counted",
        "system_mean_rating",
        "system_mean_rating_movement",
    )
    found = {row["rating_system"]: tuple(float(row[column]) for column in columns) for row in rows}
    assert found == {system: pytest.approx(figures) for system, figures in expected.items()}
    assert "dptr" in found


def test_a_metric_of_the_published_system_needs_no_filter(project: Path) -> None:
    rows = mf_query(project, "--metrics", "ranked_players,tournaments_counted,people")
    counts = sql(
        project,
        "select 'all', (select count(*) from marts.international_ranking where rating_system_id = 'dptr'),"
        " (select count(*) from marts.included_tournaments where rating_system_id = 'dptr' and is_counted),"
        " (select count(*) from marts.players)",
    )
    assert tuple(float(value) for value in rows[0].values()) == counts["all"]


def test_a_metric_follows_time(project: Path) -> None:
    rows = mf_query(project, "--metrics", "places_declared", "--group-by", "metric_time__year")
    expected = sql(project, "select year(ended_on), sum(players) from marts.tournaments group by 1")
    assert {row["metric_time__year"][:4]: (float(row["places_declared"]),) for row in rows} == expected
