"""The files of Superset's dashboard, and what its start refuses; the real Superset is tested by `make test-superset`."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest
import yaml

from dashboard_files import files_for
from dippouch.messages import UserError
from start_superset import DASHBOARD
from support.changed_publications import changed_publication
from support.programs import run_here

FILES: dict[str, dict[str, Any]] = {
    path.relative_to(DASHBOARD).as_posix(): yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in sorted(DASHBOARD.rglob("*.yaml"))
}
DATASETS = {path: content for path, content in FILES.items() if path.startswith("datasets/")}


def test_the_dashboard_speaks_as_its_collection_does(published: Path, tmp_path: Path) -> None:
    assert "iplomacy" not in json.dumps(FILES)
    hill = changed_publication(
        published,
        tmp_path / "rankings.duckdb",
        "update marts.settings set title = 'Hill running', player_word = 'runner', players_word = 'runners',"
        " tournament_word = 'race', tournaments_word = 'races'",
    )
    files = files_for(DASHBOARD, hill)
    assert files["dashboards/rankings.yaml"]["dashboard_title"] == "Hill running"
    assert files["databases/rankings.yaml"]["sqlalchemy_uri"] == f"duckdb:///{hill}"
    assert files["charts/tournaments_by_year.yaml"]["slice_name"] == "Races by year"
    assert files["charts/players.yaml"]["slice_name"] == "Runners"
    filters = files["dashboards/rankings.yaml"]["metadata"]["native_filter_configuration"]
    # What people read is another word, what is asked for is not.
    assert [(one["name"], one["targets"][0]["column"]["name"]) for one in filters][1] == ("Runner", "player")
    assert [dataset["sql"] for dataset in DATASETS.values()] == [files[path]["sql"] for path in DATASETS]


def test_what_cannot_be_shown_is_refused_before_superset_starts(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DPTR_SUPERSET", str(tmp_path / "superset"))
    (tmp_path / "half.duckdb").write_bytes(published.read_bytes()[:5000])
    older = changed_publication(published, tmp_path / "older.duckdb", "drop view main.rating_skill")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        for database, said in (
            (tmp_path / "none.duckdb", "dptr refresh"),
            (tmp_path / "half.duckdb", "expected a DuckDB database"),
            (older, "found no answer to `skill` of the dashboard"),
            (published, "expected a free port. Name another: make superset PORT=8090"),
        ):
            done = run_here("start_superset.py", "--database", database, "--port", port)
            assert done.returncode == 1
            assert said in " ".join(done.stderr.split())
    assert not (tmp_path / "superset").exists()
    with pytest.raises(UserError, match=r"found a `\?` in the path"):
        files_for(DASHBOARD, tmp_path / "what?" / "rankings.duckdb")
