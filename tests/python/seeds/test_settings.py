"""The settings of a collection, and their defaults, which are defined in one place."""

from __future__ import annotations

from dippouch.settings import project_variable
from support.compiled import CompiledProject
from support.seed_rows import reference_rows

DEFAULTS: dict[str, str] = project_variable("default_settings")


def test_the_sql_has_the_defaults(compiled_project: CompiledProject) -> None:
    (row,) = compiled_project.build(reference_rows()).execute("from build.staging.stg_settings").fetchall()
    assert [str(cell) for cell in row] == list(DEFAULTS.values())
    assert row == (
        *("Ratings", "", "", "dptr", "player", "players", "tournament", "tournaments", "World Championship"),
        *(5, "", "", "", ""),
    )
