"""Who may be one person, and what a decision does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dippouch.errors import UserError
from dippouch.matching.candidates import find_likely_duplicates
from dippouch.matching.decisions import record_match, record_non_match, record_split
from dippouch.seeds.files import read_rows
from dippouch.seeds.folder import locked
from dippouch.seeds.schema import ALIASES, DISTINCTIONS
from dippouch.seeds.store import Collection
from support.made_documents import person, table, take
from support.programs import run_program

PAIRS = [
    # one, other, likeness ("": not alike)
    ("Bjorn KNORRING", "Bjoern KNORRING", "spelling"),
    ("John SMITH", "J. SMITH", "initials"),
    ("Jean-Paul DUPONT", "J.P. DUPONT", "initials"),
    ("Jean-Paul DUPONT", "Jean DUPONT", "initials"),
    ("Li WEI", "Wei LI", "names swapped"),
    ("Emmanuel DU-PONTAVICE", "Emmanuel DUPONTAVICE", "spelling"),
    ("Toby HARRIS", "Toby HARRISS", "spelling"),
    ("Nicolas SAHUGUET", "Nicholas SAHUGUET", "spelling"),
    ("Leif BERGMAN", "Leif BREGMAN", "spelling"),
    ("John SMITH", "James SMITH", ""),
    ("Ann LEE", "Ann LEA", ""),
    ("Ann LEE", "Bo LI", ""),
    ("Dan LESTER", "Don LESTER", ""),
]


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Collection]:
    with Collection.opened(tmp_path / "seeds") as opened:
        yield opened


@pytest.mark.parametrize(("one", "other", "likeness"), PAIRS)
def test_who_looks_alike(collection: Collection, one: str, other: str, likeness: str) -> None:
    take(collection, table(one), table(other, name="Other Cup"))
    assert [candidate.likeness for candidate in find_likely_duplicates(collection)] == ([likeness] if likeness else [])


def test_one_name_and_two_ids_is_a_candidate_with_its_evidence(collection: Collection) -> None:
    take(collection, table(person("John SMITH", nation="GBR", source_id="wdd:1")))
    take(collection, table(person("John SMITH", nation="AUS", source_id="wdd:2"), name="Other Cup", day="2009-01-01"))
    (candidate,) = find_likely_duplicates(collection)
    assert candidate.likeness == "same name"
    assert candidate.nations_differ
    assert (candidate.other.player_id, candidate.other.nations, candidate.other.source_ids, candidate.other.years) == (
        "john-smith-2", frozenset({"AUS"}), frozenset({"wdd:2"}), "2009-2009",
    )  # fmt: skip


def test_two_who_played_one_tournament_are_no_candidates(collection: Collection) -> None:
    take(collection, table("John SMITH", "J. SMITH"))
    assert find_likely_duplicates(collection) == []


def test_what_is_decided_is_not_asked_again(collection: Collection) -> None:
    take(collection, table("John SMITH"), table("J. SMITH", name="Other Cup"), table("Jon SMITH", name="Third Cup"))
    before = len(find_likely_duplicates(collection))
    record_non_match(collection, "john-smith", "jon-smith", "brothers")
    record_match(collection, "j-smith", "john-smith", "same club")
    assert (before, len(find_likely_duplicates(collection))) == (2, 0)


def test_whoever_was_merged_comes_along(collection: Collection) -> None:
    take(collection, table("A SMITH"), table("B SMITH", name="Other Cup"), table("C SMITH", name="Third Cup"))
    record_match(collection, "a-smith", "b-smith", "one")
    record_match(collection, "b-smith", "c-smith", "two")
    aliases = {row["listed_player_id"]: (row["player_id"], row["reason"]) for row in collection.all(ALIASES)}
    assert aliases == {"a-smith": ("c-smith", "one; b-smith is c-smith: two"), "b-smith": ("c-smith", "two")}


def test_different_takes_a_merge_back_and_says_why(collection: Collection) -> None:
    take(collection, table("John SMITH"), table("J. SMITH", name="Other Cup"))
    record_match(collection, "j-smith", "john-smith", "same club")
    record_non_match(collection, "j-smith", "john-smith", "it was Jane")
    assert collection.count(ALIASES) == 0
    assert [row["reason"] for row in collection.all(DISTINCTIONS)] == ["it was Jane"]


def test_decisions_that_cannot_be_are_refused(collection: Collection) -> None:
    take(collection, table("John SMITH", "J. SMITH"), table("Jon SMITH", name="Other Cup"))
    refused: list[tuple[Callable[[], None], str]] = [
        (lambda: record_match(collection, "j-smith", "john-smith", "x"), "play in one tournament"),
        (lambda: record_match(collection, "nobody", "john-smith", "x"), "found `nobody`, which nobody in"),
        (lambda: record_match(collection, "john-smith", "john-smith", "x"), "expected two people"),
        (lambda: record_match(collection, "jon-smith", "john-smith", " "), "option --reason: found nothing"),
        (lambda: record_non_match(collection, "jon-smith", "jon-smith", "x"), "expected two people"),
        (lambda: record_split(collection, "jon-smith", "club-cup-2005", "x", "x"), "does not list jon-smith"),
        (lambda: record_split(collection, "jon-smith", "other-cup-2005", "Jon Smith", "x"), "lower-case words"),
        (lambda: record_split(collection, "j-smith", "club-cup-2005", "john-smith", "x"), "plays in club-cup-2005"),
    ]
    for decide, message in refused:
        with pytest.raises(UserError, match=message):
            decide()
    assert collection.count(ALIASES) == collection.count(DISTINCTIONS) == 0


def test_the_program_lists_and_records(tmp_path: Path) -> None:
    folder = tmp_path / "seeds"
    with locked(folder), Collection.opened(folder) as new:
        take(new, table("John SMITH"), table("J. SMITH", name="Other Cup"))
        new.write()
    (pair,) = json.loads(run_program("duplicates", "--seeds", folder, "--json").stdout)
    assert (pair["likeness"], pair["one"]["player_id"], pair["other"]["player_id"]) == (
        "initials", "j-smith", "john-smith",
    )  # fmt: skip
    without_reason = run_program("merge", "--seeds", folder, "j-smith", "john-smith")
    assert (without_reason.returncode, "--reason" in without_reason.stderr) == (2, True)
    done = run_program("merge", "--seeds", folder, "j-smith", "john-smith", "--reason", "one club")
    assert done.returncode == 0
    assert read_rows(folder / ALIASES.path) == [
        {"listed_player_id": "j-smith", "tournament_id": "", "player_id": "john-smith", "reason": "one club"}
    ]
    assert "0 pairs to decide" in run_program("duplicates", "--seeds", folder).stdout
