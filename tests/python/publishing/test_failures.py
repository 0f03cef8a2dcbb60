"""What a failed build says: steps in the order in which to mend them, tests in words, and up to five rows of each."""

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
MESSAGE = """\
the build failed in 4 steps; mend the first one first:
1. collection is valid: Rules over several seeds: references, events, decisions, settings; every offending row, and what was expected (tests/dbt/collection_is_valid.sql)
   seed         row_key                                   line  column_name  found                                                            expected                                                         way_out  candidates
   raw_results  world-dipcon-xxiii-2013 rene-van-rooijen        placement    placement `4` in world-dipcon-xxiii-2013 after 2 players at ...  placement 5 or later (tied players share the best placement:...
2. every row of int_scored_results has listed_player_id, listed_name, started_on, ended_on, is_corrected, listed_by (models/intermediate/results/int_scored_results.yml)
   tournament_id         player_id       listed_player_id  source_player_id  listed_name  started_on  ended_on    is_corrected  listed_by
   world-dipcon-vi-1996  andy-seiber     andy-seiber                                      1996-06-01  1996-06-01  False         tournament
   world-dipcon-vi-1996  beth-singer     beth-singer                                      1996-06-01  1996-06-01  False         tournament
   world-dipcon-vi-1996  chris-mazza     chris-mazza                                      1996-06-01  1996-06-01  False         tournament
   world-dipcon-vi-1996  colin-o-neill   colin-o-neill                                    1996-06-01  1996-06-01  False         tournament
   world-dipcon-vi-1996  dana-jespersen  dana-jespersen                                   1996-06-01  1996-06-01  False         tournament
   and 4 more rows
3. no two rows of int_scored_results have the same tournament_id, player_id (models/intermediate/results/int_scored_results.yml)
   tournament_id                      player_id      occurrences
   ier-dimanche-ludik-de-champs-2006  arnaud-boirel  2
   wac-6-2009                         adam-sigal     2
   world-dipcon-xxiii-2013            cyrille-sevin  2
   and 1 more rows
4. every player_id of international_ranking is a player_id of players (models/marts/rankings/international_ranking.yml)
   from_field
   edi-birsan
   edi-birsan
   edi-birsan
   edi-birsan
   edi-birsan"""


def test_a_message_has_sentences_rows_and_files(built: Path, tmp_path: Path) -> None:
    shutil.copyfile(built / "build.duckdb", tmp_path / "build.duckdb")
    with duckdb.connect(str(tmp_path / "build.duckdb")) as connection:
        for fault in FAULTS:
            connection.execute(fault)
    nodes = json.loads((built / "dbt" / "manifest.json").read_text(encoding="utf-8"))["nodes"]
    results = [
        {"unique_id": unique_id, "status": "fail", "message": "", "failures": FOUND[node["name"]]}
        | {"compiled_code": node["compiled_code"]}
        for unique_id, node in nodes.items()
        if node["name"] in FOUND
    ]
    assert describe_failures(Artefacts(nodes, results), tmp_path / "build.duckdb") == MESSAGE
