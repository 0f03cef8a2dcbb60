"""The rating keeper's decisions on a tournament: refused ones, and the effect of others on ratings.

Accepted decisions are in tests/fixtures/collections/corrections.golden.
"""

from __future__ import annotations

import csv
import shlex
import shutil
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path

import duckdb
import pytest

import verify_ratings
from dippouch.collection.folder import locked
from dippouch.collection.memory import Collection, check_seeds
from dippouch.collection.schema import ALIASES, CORRECTIONS
from dippouch.importing.files import Choices
from dippouch.importing.run import import_documents
from dippouch.messages import UserError
from dippouch.people.decisions import record_match
from dippouch.people.index import People
from dippouch.settings import PROJECT
from dippouch.tournaments import decide
from support.golden import Case, each_case, unescaped
from support.programs import run_here
from support.seed_rows import reference_rows, result, tournament, write_collection

DAY = date(2026, 1, 2)


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    """A new collection with one tournament of two people."""
    page, folder = tmp_path / "cup.csv", tmp_path / "seeds"
    facts = "name: Club Cup\ndate: 2005-05-01 - 2005-05-02\nplayers: 7\nrounds: 3\n\n"
    page.write_text(f"{facts}placement,name\n1,Ann LEE\n2,Bo LI\n", encoding="utf-8")
    assert import_documents([page], folder, Choices(), on_file=print, on_changed=print).written
    with locked(folder), Collection.opened(folder) as opened:
        yield opened


@each_case("seeds/decisions.golden")
def test_what_cannot_be_is_refused(collection: Collection, tmp_path: Path, case: Case) -> None:
    collection.append(ALIASES, [ALIASES.row("bo-li", "", "robert-li", "a test")])
    told = []
    for tournament_id, player_id, field, value, reason in csv.reader(unescaped(case.document).splitlines()):
        with pytest.raises(UserError) as error, collection.all_or_nothing():
            decide(collection, tournament_id, [(player_id, field, value)], reason, DAY)
        told.append(" / ".join(str(error.value).splitlines()).replace(f"{tmp_path}/", ""))
    assert not collection.stated(CORRECTIONS)
    case.check("".join(f"{message}\n" for message in told))


def test_the_examples_of_the_help_work_and_names_stand_for_ids(tmp_path: Path) -> None:
    seeds = shutil.copytree(PROJECT / "seeds", tmp_path / "seeds")
    examples = [line for line in run_here("correct", "--help").stdout.splitlines() if line.startswith("  dptr correct")]
    assert len(examples) == 3
    said = {
        **dict.fromkeys(examples, "rates everybody again"),
        "merge 'Mark Borer' 'Rene van Rooijen'": "mark-borer is rene-van-rooijen",
        "correct 'World DipCon VI' --player 'Rene van Rooijen' location_code=NLD": "mark-borer: location_code is NLD",
        "split 'Toby Harris' 'World DipCon XXIII' 'Tobias Harris'": "or a new id, such as `tobias-harris`",
    }
    for command, text in said.items():
        done = run_here(*shlex.split(command.removeprefix("  dptr ")), "--reason", "x", "--seeds", seeds)
        assert text in done.stdout.replace("\n", " ") + done.stderr


def test_merges_in_a_row_end_where_a_refresh_would_refuse_them(tmp_path: Path) -> None:
    people = [f"p{number}" for number in range(20)]
    cups = [tournament(f"cup-of-{one}", "2005-05-01", 7) for one in people]
    rows = {"raw_tournaments": cups, "raw_results": [result(f"cup-of-{one}", one, 1) for one in people]}
    folder = write_collection(tmp_path / "seeds", reference_rows() | rows)
    with Collection.existing(folder) as collection:
        for one, other in pairwise(people[:18]):
            record_match(People(collection), one, other, "a test")
        with pytest.raises(UserError, match="more than 17 in a row") as error, collection.all_or_nothing():
            record_match(People(collection), people[17], people[18], "a test")
        listed_id, player_id, *_ = str(error.value).partition("dptr merge ")[2].split()
        record_match(People(collection), listed_id, player_id, "a test")
        collection.write()
    check_seeds(folder)
    with duckdb.connect() as connection:
        verify_ratings.recompute(connection, folder)
        assert connection.execute("select distinct person from aliases").fetchall() == [("p17",)]
