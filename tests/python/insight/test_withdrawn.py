"""Withdrawn results count nowhere: all marts but the lists equal those of a collection without them."""

from __future__ import annotations

from support.compiled import CompiledProject
from support.seed_rows import correction, read_collection

# A tournament, and the winner of another one.
TOURNAMENT = "world-dipcon-vi-1996"
RESULT = ("wac-6-2009", "adam-sigal")
# These marts list withdrawn results, or count the people in them.
LISTS = {
    *("tournaments", "tournament_results", "corrections", "included_tournaments", "tournament_completeness"),
    *("nations", "player_aliases", "source_ids", "publication"),
}
TABLES = "select table_name, bool_or(column_name = 'player_id') from duckdb_columns() where schema_name = 'marts' group by all"


def test_marts_are_those_of_a_collection_without_it(compiled_project: CompiledProject) -> None:
    rows = read_collection()
    corrections = [
        correction(1, TOURNAMENT, "withdrawn", "true"),
        correction(2, RESULT[0], "withdrawn", "true", RESULT[1]),
    ]
    tournaments = [row for row in rows["raw_tournaments"] if row["tournament_id"] != TOURNAMENT]
    results = [row for row in rows["raw_results"] if row["tournament_id"] != TOURNAMENT]
    results = [row for row in results if (row["tournament_id"], row["player_id"]) != RESULT]
    with (
        compiled_project.build(rows | {"ref_corrections": corrections}) as marts,
        compiled_project.build(rows | {"raw_tournaments": tournaments, "raw_results": results}) as others,
    ):
        assert compiled_project.failing_tests(marts) == set()
        compared = set()
        for table, has_players in marts.execute(TABLES).fetchall():
            if table not in LISTS:
                # People named only in a withdrawn result are still known.
                played = "where player_id in (select player_id from marts.careers)" if has_players else ""
                ask = f"from marts.{table} {played} order by all"
                assert (table, marts.execute(ask).fetchall()) == (table, others.execute(ask).fetchall())
                compared.add(table)
        assert {"careers", "players", "performances", "newcomers", "attendance", "streaks"} < compared
        marked = "select count(*) from marts.tournament_results where is_withdrawn"
        assert marts.execute(marked).fetchone() == (len(rows["raw_results"]) - len(results),)
        listed = "select distinct value_rule, tournament_value from marts.included_tournaments where tournament_id = ?"
        assert marts.execute(listed, [TOURNAMENT]).fetchall() == [("withdrawn", 0.0)]
