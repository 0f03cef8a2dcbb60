"""From a document of every format to the marts: the four stored events are rated the same, whatever format they came in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dippouch.documents import TournamentDocument
from dippouch.settings import PROJECT
from support.compiled import CompiledProject
from support.fuzzing import samples
from support.programs import run_program
from support.seed_rows import read_collection

EVENTS = samples.stored_tournaments()
TABLES = {
    "the rating history": "select name, h.* exclude (tournament_id) from marts.rating_history as h"
    " join marts.tournaments using (tournament_id) order by all",
    "the results": "select name, placement, player_id, r.first_name, r.last_name, percentile_score"
    " from marts.tournament_results as r join marts.tournaments using (tournament_id) order by all",
    "the tournaments": "select name, started_on, ended_on, place, players, rounds, boards, results_missing,"
    " is_world_championship from marts.tournaments order by all",
    "the ranking": "select * from marts.international_ranking order by all",
}


def rated(project: CompiledProject, folder: Path, *arguments: str | Path) -> dict[str, list[tuple[Any, ...]]]:
    """Import documents into a new collection, build it, and give what its marts say."""
    done = run_program("import_results.py", "--seeds", folder, *arguments)
    assert done.returncode == 0, done.stderr
    connection = project.build(read_collection(folder))
    connection.execute("use build")
    return {name: connection.execute(sql).fetchall() for name, sql in TABLES.items()}


@pytest.fixture(scope="module")
def from_text(compiled_project: CompiledProject, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pages = sorted((PROJECT / "tests" / "fixtures" / "wdd_text").glob("*.txt"))
    events = [page for page in pages if "ranking" not in page.name]
    return rated(compiled_project, tmp_path_factory.mktemp("text") / "seeds", *events)


@pytest.mark.parametrize(
    ("ending", "write"),
    [
        (".html", samples.tournament_html),
        (".txt", samples.tournament_tabs),
        (".csv", samples.tournament_csv),
        (".xlsx", samples.tournament_xlsx),
    ],
    ids=["wdd-html", "wdd-tabs", "csv", "xlsx"],
)
def test_every_form_comes_out_the_same(
    compiled_project: CompiledProject,
    from_text: dict[str, Any],
    tmp_path: Path,
    ending: str,
    write: Callable[[TournamentDocument], str | bytes],
) -> None:
    for number, event in enumerate(EVENTS):
        content = write(event)
        (tmp_path / f"{number}{ending}").write_bytes(content if isinstance(content, bytes) else content.encode())
    files = sorted(tmp_path.glob(f"*{ending}"))
    assert rated(compiled_project, tmp_path / "seeds", *files) == from_text


def test_a_pair_of_tables_comes_out_the_same(
    compiled_project: CompiledProject, from_text: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "pair").mkdir()
    samples.write_two_tables(tmp_path / "pair", EVENTS)
    assert rated(compiled_project, tmp_path / "seeds", tmp_path / "pair") == from_text


def test_the_world_diplomacy_reference_comes_out_the_same_once_the_field_is_declared(
    compiled_project: CompiledProject, from_text: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "seeds"
    ids: dict[str, int] = {}
    for number, event in enumerate(EVENTS):
        stated = json.loads(samples.tournament_json(event))
        stated["tournament_id"] = number + 1
        stated["tournament_kind"] = "WDC" if "World" in event.name else "CUP"
        for row in stated["tournament_classifications"]:
            row["player_id"] = ids.setdefault(row["player_full_name"], len(ids) + 1)
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(stated), encoding="utf-8")
        field = ["--players", str(event.players), "--rounds", str(event.rounds)]
        done = run_program("import_results.py", "--seeds", folder, *field, file)
        assert done.returncode == 0, done.stderr
    connection = compiled_project.build(read_collection(folder))
    ranking = connection.execute(
        "select rating_system_id, rank, rating, tournaments_counted from build.marts.international_ranking order by all"
    ).fetchall()
    assert ranking == sorted((row[0], row[1], row[6], row[7]) for row in from_text["the ranking"])
