"""Documents give the same ratings in whatever order they are imported, unless a person has to decide."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from dippouch.collection.memory import Collection
from dippouch.importing.files import Choices
from dippouch.importing.run import import_documents
from dippouch.people.questions import Answers
from dippouch.settings import PROJECT

PAGES = PROJECT / "tests" / "fixtures" / "documents"
REFERENCE = {
    "tournament_name": "Euro DipCon XXIV 2016",
    "tournament_start_date": "2016-08-28",
    "tournament_end_date": "2016-08-28",
    "tournament_id": 7,
    "tournament_classifications": [
        {"player_id": 1, "player_full_name": "Anna Archer", "player_rank": 4},
        {"player_id": 2, "player_full_name": "Ben Baker", "player_rank": 7},
        {"player_id": 3, "player_full_name": "Carla Corte", "player_rank": 9},
    ],
}
# The page of a tournament, its year and its winner, the same tournament in the World Reference, a list of its last places, a player's page, another tournament.
DOCUMENTS = {
    "page.html": (PAGES / "ranking_tournament.html").read_text(encoding="utf-8"),
    "year.csv": "name: Euro DipCon XXIV 2016\ndate: 2016\n\nplacement,name\n1,Fred FOX\n",
    "reference.json": json.dumps(REFERENCE),
    "player.html": (PAGES / "ranking_player.html").read_text(encoding="utf-8"),
    "last places.csv": "name: Euro DipCon XXIV 2016\ndate: 2016-08-28\nplayers: 30\nrounds: 3\n\nplacement,name\n20,Dora DAY\n21,Emil EKHOLM\n",
    "cup.csv": "name: Cup\ndate: 2018-05-01\nplayers: 20\nrounds: 3\n\nplacement,name\n1,Ben BAKER\n2,Carla CORTE\n",
}
FACTS = (
    "select player_id, round(rating, 9), rank from int_current_ratings"
    " inner join stg_settings on rating_system_id = rating_system order by player_id",
    "select tournament_id, kind, started_on, players, rounds from int_tournaments order by tournament_id",
    "select tournament_id, listed_player_id, placement, listed_by from int_results order by all",
)


def taken_in(names: tuple[str, ...]) -> list[object]:
    """Import the documents in an order, one import each; return what holds."""
    with TemporaryDirectory() as folder:
        seeds = Path(folder, "seeds")
        for name in names:
            path = Path(folder, name)
            path.write_text(DOCUMENTS[name], encoding="utf-8")
            choices = Choices(answers=Answers((), ("all",)))
            assert [
                str(one) for one in import_documents([path], seeds, choices, on_file=print, on_changed=print).rejections
            ] == []
        with Collection.opened(seeds) as collection:
            return [collection.query(facts) for facts in FACTS]


@settings(max_examples=8, deadline=None)
@given(st.permutations(list(DOCUMENTS)))
def test_the_order_of_imports_changes_nothing(names: list[str]) -> None:
    assert taken_in(tuple(names)) == taken_in(tuple(DOCUMENTS))
