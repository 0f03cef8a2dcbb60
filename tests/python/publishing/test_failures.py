"""What a failed build says: steps in the order in which they ran, and up to five rows of each test."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import duckdb

from dippouch.publishing.failures import Artefacts, describe_failures

# Faults that these tests find, in tables as dbt built them.
FAULTS = [
    "delete from marts.players where player_id = 'edi-birsan'",
    "update seeds.raw_results set placement = 3 where tournament_id = 'world-dipcon-xxiii-2013' and placement = 2",
    "update seeds.raw_results set placement = 3 where tournament_id = 'world-dipcon-xxiii-2013' and placement = 2",
    "update seeds.raw_results set placement = 3 where tournament_id = 'world-dipcon-xxiii-2013' and placement = 2",
    "insert into intermediate.int_scored_results select * from intermediate.int_scored_results where placement = 1",
    "update intermediate.int_scored_results set listed_name = null where placement > 70",
]
FOUND = {
    "collection_is_valid": 1,
    "unique_key_int_scored_results_tournament_id__player_id": 4,
    "never_null_int_scored_results_listed_player_id__listed_name__started_on__ended_on__is_corrected__listed_by": 9,
    "relationships_international_ranking_player_id__player_id__ref_players_": 5,
}
STEPS = [
    "the build failed in 4 of its steps, and 0 that depend on them were not tried:",
    "test collection_is_valid (tests/dbt/collection_is_valid.sql)",
    "  seed=raw_results, row_key=world-dipcon-xxiii-2013 rene-van-rooijen, line=None, column_name=placement, "
    "found=placement `4` in world-dipcon-xxiii-2013 after 2 players at ..., "
    "expected=placement 5 or later (tied players share the best placement:..., way_out=, candidates=",
    "test unique_key_int_scored_results_tournament_id__player_id (models/intermediate/results/int_scored_results.yml)",
    "  tournament_id=ier-dimanche-ludik-de-champs-2006, player_id=arnaud-boirel, occurrences=2",
]


def test_a_message_has_steps_files_and_rows(built: Path, tmp_path: Path) -> None:
    shutil.copyfile(built / "build.duckdb", tmp_path / "build.duckdb")
    with duckdb.connect(str(tmp_path / "build.duckdb")) as connection:
        for fault in FAULTS:
            connection.execute(fault)
    nodes = json.loads((built / "dbt" / "manifest.json").read_text(encoding="utf-8"))["nodes"]
    steps = {node["name"]: node for node in nodes.values()}
    results = [
        {"unique_id": steps[name]["unique_id"], "status": "fail", "message": "", "failures": count}
        | {"compiled_code": steps[name]["compiled_code"]}
        for name, count in FOUND.items()
    ]
    lines = describe_failures(Artefacts(nodes, results), tmp_path / "build.duckdb").splitlines()
    assert lines[: len(STEPS)] == STEPS
    assert "  tournament_id=world-dipcon-vi-1996, player_id=andy-seiber, " in "\n".join(lines)
    assert "  and 4 more rows" in lines
    assert lines[-5:] == ["  from_field=edi-birsan"] * 5
