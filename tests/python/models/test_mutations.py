"""The tests of the rules must fail when a rule is wrong: each mutation of the compiled SQL, and a test that detects it.

Every refresh shows that they pass on the unchanged project.
"""

from __future__ import annotations

import pytest

from support.compiled import CompiledProject
from support.seed_rows import read_collection

# A text in the SQL of models and tests, its change, and a test that detects it.
MUTATIONS = {
    "one divisor for all": (
        "players / several_rounds_divisor",
        "players / one_round_divisor",
        "worked_example_of_the_rules",
    ),
    "rows counted instead of declared players": (
        "tournaments.players,\n        case",
        "cast(count(*) over (partition by tournament_id) as integer) as players,\n        case",
        "printed_figures_agree",
    ),
    "a whole place added": (" + 0.5 - ", " + 1 - ", "worked_example_of_the_rules"),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_wrong_rule_is_seen(
    compiled_project: CompiledProject, monkeypatch: pytest.MonkeyPatch, mutation: str
) -> None:
    old, new, seen_by = MUTATIONS[mutation]
    assert any(old in model["compiled_code"] for model in compiled_project.models)
    for node in (*compiled_project.models, *compiled_project.tests):
        monkeypatch.setitem(node, "compiled_code", node["compiled_code"].replace(old, new))
    with compiled_project.build(read_collection()) as connection:
        assert seen_by in compiled_project.failing_tests(connection)
