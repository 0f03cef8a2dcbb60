"""Decisions and documents in orders that nobody thinks of: what was accepted wrongly, or had no way out, is not any more."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support.keeper import Keeper, done
from support.programs import run_here
from support.seed_rows import contents

NAMES = "placement,name\n"


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path)


def test_a_split_that_a_match_would_turn_to_itself_is_taken_back_first(keeper: Keeper) -> None:
    done(keeper.event("1,Ada LOVELACE\n2,Emmy NOETHER\n", head=NAMES))
    done(keeper.event("1,Xe ZZZ\n2,Qa WWW\n", "Other Cup", head=NAMES))
    done(keeper.reviews("split", "ada-lovelace", "club-cup-2010", "xe-zzz", "--reason", "r"))
    keeper.refuses(
        lambda: keeper.reviews("merge", "xe-zzz", "ada-lovelace", "--reason", "r"), "by a split", "split ada-lovelace"
    )


def test_somebody_who_is_only_split_off_is_split_to_another(keeper: Keeper) -> None:
    done(keeper.event("1,Ada LOVELACE\n2,Emmy NOETHER\n", head=NAMES))
    done(keeper.event("1,Xe ZZZ\n2,Qa WWW\n", "Other Cup", head=NAMES))
    done(keeper.reviews("split", "ada-lovelace", "club-cup-2010", "ada-lovelace-2", "--reason", "r"))
    keeper.refuses(lambda: keeper.reviews("merge", "ada-lovelace-2", "xe-zzz", "--reason", "r"), "club-cup-2010 xe-zzz")
    done(keeper.reviews("split", "ada-lovelace", "club-cup-2010", "xe-zzz", "--reason", "r"))


def test_who_came_along_counts_although_the_other_is_withdrawn(keeper: Keeper) -> None:
    done(keeper.event("1,Xa AAA\n2,Ga BBB\n3,Oa CCC\n4,Da DDD\n", head=NAMES))
    done(keeper.edits("withdraw", "club-cup-2010", "--player", "xa-aaa", "--reason", "r"))
    done(keeper.reviews("merge", "ga-bbb", "xa-aaa", "--reason", "r"))
    keeper.refuses(lambda: keeper.reviews("merge", "xa-aaa", "oa-ccc", "--reason", "r"), "play in one tournament")


def test_ids_with_leading_zeros_are_the_same(keeper: Keeper) -> None:
    done(keeper.event("1,Emmy,NOETHER,01073\n"))
    done(keeper.event("2,Emmy,NOETHER,1073\n", "Other Cup"))
    assert keeper.people() == {"emmy-noether"}


def test_a_weekly_event_of_one_name_has_a_way_in(keeper: Keeper) -> None:
    done(keeper.event("1,Ada LOVELACE\n2,Emmy NOETHER\n", "Club Night", "2010-05-02", head=NAMES))
    second = ("1,Cid COOK\n2,Dan DYER\n", "Club Night", "2010-05-08")
    keeper.refuses(lambda: keeper.event(*second, head=NAMES), "--another-event")
    done(keeper.event(*second, "--another-event", head=NAMES))
    assert keeper.tournaments() == ["club-night-2010", "club-night-2010-2"]
    # Known now: the nearer one is meant, and nothing changes.
    assert "1 unchanged" in done(keeper.event(*second, head=NAMES))
    assert "1 unchanged" in done(keeper.event(*second, "--another-event", head=NAMES))


def test_a_table_with_ids_of_its_own_does_not_bring_a_known_event_in_twice(keeper: Keeper) -> None:
    done(keeper.event("1,Ada LOVELACE\n2,Emmy NOETHER\n", head=NAMES))
    (keeper.folder / "results.csv").write_text("tournament_id,placement,name\nx1,1,Ada LOVELACE\nx1,2,Emmy NOETHER\n")
    tournaments = "tournament_id,name,date,players,rounds\nx1,Club Cup,2010-05-01,20,3\n"
    keeper.refuses(lambda: keeper.imports(tournaments, name="tournaments.csv"), "`club-cup-2010`")


def test_an_event_is_known_by_its_corrected_days(keeper: Keeper) -> None:
    done(keeper.event("1,Ada LOVELACE\n2,Emmy NOETHER\n", head=NAMES))
    done(keeper.edits("correct", "club-cup-2010", "started_on=2009-05-01", "ended_on=2009-05-01", "--reason", "r"))
    done(keeper.event("1,Ada LOVELACE\n2,Emmy NOETHER\n3,Cid COOK\n", "Club Cup", "2009-05-01", head=NAMES))
    assert keeper.tournaments() == ["club-cup-2010"]


def test_somebody_is_known_by_the_corrected_name(keeper: Keeper) -> None:
    done(keeper.event("1,Ada,LOVELACE,\n2,Emmy,NOETHER,\n"))
    done(keeper.edits("correct", "club-cup-2010", "last_name=BYRON", "--player", "ada-lovelace", "--reason", "r"))
    done(keeper.event("1,Ada,BYRON,\n2,Emmy,NOETHER,\n"))
    assert keeper.people() == {"ada-lovelace", "emmy-noether"}


def test_the_document_of_a_split_comes_again_after_another_list(keeper: Keeper) -> None:
    first = ("1,Ada LOVELACE\n2,Emmy NOETHER\n", "Club Cup", "2010-05-01")
    done(keeper.event(*first, head=NAMES))
    done(keeper.reviews("split", "ada-lovelace", "club-cup-2010", "ada-lovelace-2", "--reason", "r"))
    done(keeper.event("2,Ada LOVELACE\n1,Emmy NOETHER\n", "Other Cup", "2011-05-01", head=NAMES))
    assert "1 unchanged" in done(keeper.event(*first, head=NAMES))


def test_a_players_page_may_say_what_was_corrected(keeper: Keeper) -> None:
    done(keeper.event("1,Ada LOVELACE\n2,Emmy NOETHER\n", head=NAMES))
    played = {"tournament_name": "Club Cup", "tournament_start_date": "2010-05-01", "tournament_player_rank": 4}
    page = {"player_first_name": "Ada", "player_last_name": "Lovelace", "player_tournaments_played": [played]}
    keeper.refuses(lambda: keeper.imports(json.dumps(page), name="ada.json"), "placement 4", "placement 1")
    done(keeper.edits("correct", "club-cup-2010", "placement=4", "--player", "ada-lovelace", "--reason", "r"))
    done(keeper.imports(json.dumps(page), name="ada.json"))


def test_a_split_in_one_tournament_keeps_nobody_apart_elsewhere(keeper: Keeper) -> None:
    done(keeper.event("1,Ca CCC\n2,Ba BBB\n", "Two", head=NAMES))
    done(keeper.event("1,Ca CCC\n2,Zo ZZZ\n", "One", head=NAMES))
    done(keeper.event("4,Aa AAA\n", "Three", head=NAMES))
    done(keeper.reviews("split", "ca-ccc", "one-2010", "aa-aaa", "--reason", "r"))
    done(keeper.reviews("merge", "aa-aaa", "ba-bbb", "--reason", "r"))


def test_two_pages_of_one_ranking_do_not_list_one_person_twice(keeper: Keeper) -> None:
    def ranking(name: str) -> str:
        head = "Some Rating\nAuthorJane Doe Last Update2017-08-06\n\nRank FirstName LastName Nat. Loc. Score\n"
        return f"{head}1{name}85.29\n"

    done(keeper.imports(ranking("Ada LOVELACE"), name="one.txt"))
    done(keeper.event("1,J. SMITH\n", head=NAMES))
    done(keeper.reviews("merge", "j-smith", "ada-lovelace", "--reason", "r"))
    keeper.refuses(lambda: keeper.imports(ranking("J. SMITH"), name="two.txt"), "who are one person by a decision")


class TestUndo:
    def test_takes_no_options_of_an_import(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ada LOVELACE\n", head=NAMES))
        before = contents(keeper.seeds)
        assert run_here("undo", "--dry-run", "--seeds", keeper.seeds).returncode == 2
        assert contents(keeper.seeds) == before

    def test_does_not_bring_back_what_somebody_took_out_again(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ada LOVELACE\n", head=NAMES))
        done(keeper.event("1,Emmy NOETHER\n", "Other Cup", head=NAMES))
        names = keeper.seeds / "reference/ref_nation_names.csv"
        as_it_was = names.read_bytes()
        with names.open("a") as file:
            file.write("Foo,GBR\n")
        names.unlink()
        names.write_bytes(as_it_was)
        undone = run_here("undo", "--seeds", keeper.seeds)
        assert undone.returncode == 1
        assert "ref_nation_names.csv" in undone.stderr

    def test_a_shell_that_stands_in_the_collection_is_told_to_enter_it_again(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ada LOVELACE\n", head=NAMES))
        here = Path.cwd()
        os.chdir(keeper.seeds)
        try:
            done(Keeper.event(_At(keeper, Path()), "1,Emmy NOETHER\n", "Other Cup", head=NAMES))
            again = Keeper.event(_At(keeper, Path()), "1,Cid COOK\n", "Third Cup", head=NAMES)
        finally:
            os.chdir(here)
        assert again.returncode == 1
        assert "enter it again" in again.stderr.replace("\n", " ")
        assert keeper.people() == {"ada-lovelace", "emmy-noether"}


class _At(Keeper):
    """A keeper who names the collection otherwise."""

    def __init__(self, keeper: Keeper, seeds: Path) -> None:
        super().__init__(keeper.folder)
        self.seeds = seeds


@pytest.mark.parametrize(
    ("seed", "row", "message"),
    [
        ("reference/ref_corrections.csv", "1,club-cup-2010,,players,abc,r,01.01.2026", "decided_on `01.01.2026`"),
        ("wdd/raw_results.csv", "club-cup-2010,x,zed,,Zed,,Zed,,,,tournament", "placement `x`"),
    ],
)
def test_a_slip_in_the_seeds_is_named_and_nothing_is_built_on_it(
    keeper: Keeper, seed: str, row: str, message: str
) -> None:
    done(keeper.event("1,Ada LOVELACE\n", head=NAMES))
    with (keeper.seeds / seed).open("a") as file:
        file.write(row + "\n")
    keeper.refuses(lambda: keeper.event("1,Emmy NOETHER\n", "Other Cup", head=NAMES), message, seed)


def test_a_match_with_an_alias_does_not_overrule_what_was_decided_of_the_person_behind_it(keeper: Keeper) -> None:
    done(keeper.event("1,Xa AAA\n2,Qa WWW\n", head=NAMES))
    done(keeper.event("1,Ga BBB\n2,Oa CCC\n", "Other Cup", "2011-06-01", head=NAMES))
    done(keeper.event("1,Da DDD\n2,Ea EEE\n", "Third Cup", "2012-07-01", head=NAMES))
    done(keeper.reviews("merge", "ga-bbb", "xa-aaa", "--reason", "r"))
    done(keeper.reviews("distinct", "da-ddd", "xa-aaa", "--reason", "r"))
    keeper.refuses(
        lambda: keeper.reviews("merge", "da-ddd", "ga-bbb", "--reason", "r"), "would make", "forget da-ddd xa-aaa"
    )
    done(keeper.reviews("merge", "da-ddd", "xa-aaa", "--reason", "r"))
