"""What published wrong numbers or lost identities, as a rating keeper does it: each is refused, or said plainly."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.keeper import PLAYERS, Keeper, done
from support.programs import Done, run_here
from support.seed_rows import contents


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path)


FIELD = "".join(
    f"{place},{first},SMITH-{first.upper()},\n"
    for place, first in enumerate("Ann Bob Cid Dan Eve Fay Gil Hal".split(), start=1)
)


class TestTheSameEventTwice:
    def test_under_a_mistyped_date(self, keeper: Keeper) -> None:
        done(keeper.event(FIELD))
        keeper.refuses(lambda: keeper.event(FIELD, date="2012-05-01"), "`club-cup-2010`", "--another-event")

    def test_of_a_few_players_from_the_same_file(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ann,ARCHER,\n2,Bob,BAKER,\n"))
        keeper.refuses(lambda: keeper.event("1,Ann,ARCHER,\n2,Bob,BAKER,\n", date="2010-09-01"), "--another-event")

    def test_under_another_name_with_a_slip_mended(self, keeper: Keeper) -> None:
        done(keeper.event(FIELD))
        larger = FIELD + "9,Ida,SMITH-IDA,\n"
        keeper.refuses(lambda: keeper.event(larger, "City Championship", "2010-05-20"), "8 of whose 9 placements")

    def test_unless_it_is_said_to_be_another(self, keeper: Keeper) -> None:
        done(keeper.event(FIELD))
        done(keeper.event(FIELD, "Club Cup", "2012-05-01", "--another-event"))
        assert keeper.tournaments() == ["club-cup-2010", "club-cup-2012"]
        # Known now, it needs no word any more.
        assert "1 unchanged" in done(keeper.event(FIELD, date="2012-05-01"))

    def test_another_order_of_the_same_people_is_another_event(self, keeper: Keeper) -> None:
        done(keeper.event(FIELD))
        turned = "".join(f"{9 - int(row.split(',')[0])},{row.partition(',')[2]}\n" for row in FIELD.split())
        done(keeper.event(turned, "Club Cup", "2010-06-01"))


class TestIdsOfSources:
    def test_a_second_source_does_not_make_the_first_one_forgotten(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ann,SMITH,1\n2,Bob,BAKER,\n"))
        page = {
            "tournament_name": "Other Cup",
            "tournament_start_date": "2011-05-01",
            "tournament_id": 8,
            "tournament_classifications": [
                {"player_id": 5, "player_full_name": "Ann Smith", "player_rank": 1},
                {"player_id": 6, "player_full_name": "Bob Baker", "player_rank": 2},
            ],
        }
        done(keeper.imports(json.dumps(page), "--players", "20", name="cup.json"))
        # Married since: the id tells who it is.
        said = done(keeper.event("1,Ann,JONES,1\n3,Bob,BAKER,\n", "Third Cup", "2012-05-01"))
        assert "wdd:1 is known as `ann-smith`" in said
        assert keeper.people() == {"ann-smith", "bob-baker"}
        ids = {
            (row["source"], row["kind"], row["source_id"]): row["our_id"]
            for row in keeper.rows("wdd/raw_source_ids.csv")
        }
        assert ids["wdd", "player", "1"] == ids["wdr", "player", "5"] == "ann-smith"
        assert ids["wdr", "tournament", "8"] == "other-cup-2011"

    def test_an_event_keeps_its_id_whichever_source_comes_again(self, keeper: Keeper) -> None:
        facts = ("--name", "Club Cup", "--date", "2010-05-01", "--players", "20", "--rounds", "3")
        table = "wdd_id: 9\nplacement,name\n1,Ann SMITH\n2,Bob BAKER\n"
        page = json.dumps(
            {
                "tournament_name": "Club Cup",
                "tournament_start_date": "2010-05-01",
                "tournament_id": 8,
                "tournament_classifications": [
                    {"player_id": 5, "player_full_name": "Ann Smith", "player_rank": 1},
                    {"player_id": 6, "player_full_name": "Bob Baker", "player_rank": 2},
                ],
            }
        )
        done(keeper.imports(table, *facts))
        done(keeper.imports(page, "--players", "20", name="cup.json"))
        (row,) = keeper.rows("wdd/raw_tournaments.csv")
        assert row["source_tournament_id"] == "wdd:9"
        before = contents(keeper.seeds)
        assert "1 unchanged" in done(keeper.imports(page, "--players", "20", name="cup.json"))
        assert contents(keeper.seeds) == before

    def test_ids_that_only_the_rows_of_documents_state_are_learnt(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ann,SMITH,1\n2,Bob,BAKER,\n"))
        (keeper.seeds / "wdd/raw_source_ids.csv").write_text("source,kind,source_id,our_id\n")
        done(keeper.event("1,Ann,JONES,1\n2,Cid,COOK,\n", "Third Cup", "2012-05-01"))
        assert keeper.people() == {"ann-smith", "bob-baker", "cid-cook"}
        assert {row["our_id"] for row in keeper.rows("wdd/raw_source_ids.csv")} == {"ann-smith"}


class TestAccents:
    def test_another_spelling_is_reported_and_listed_for_review(self, keeper: Keeper) -> None:
        done(keeper.event("1,Björn,VON KNÖRRING,\n2,Bob,BAKER,\n"))
        said = done(keeper.event("1,Björn,VON KNORRING,\n3,Bob,BAKER,\n", "Third Cup", "2012-05-01"))
        assert "`Björn VON KNORRING`: taken for `bjorn-von-knorring`, spelt `Björn VON KNÖRRING` elsewhere" in said
        assert "accents" in done(keeper.reviews())

    def test_two_people_can_be_kept_apart_for_good(self, keeper: Keeper) -> None:
        done(keeper.event("1,Björn,VON KNÖRRING,\n2,Bob,BAKER,\n"))
        done(keeper.event("1,Björn,VON KNORRING,\n3,Bob,BAKER,\n", "Third Cup", "2012-05-01"))
        split = ("split", "bjorn-von-knorring", "third-cup-2012", "bjorn-von-knorring-2", "--reason", "his cousin")
        done(keeper.reviews(*split))
        assert "accents" not in done(keeper.reviews())
        done(keeper.event("1,Björn,VON KNORRING,\n4,Bob,BAKER,\n", "Fourth Cup", "2013-05-01"))
        listed = {(row["tournament_id"], row["player_id"]) for row in keeper.rows("wdd/raw_results.csv")}
        assert ("fourth-cup-2013", "bjorn-von-knorring-2") in listed
        # The document that was split stays as it was.
        assert "1 unchanged" in done(keeper.event("1,Björn,VON KNORRING,\n3,Bob,BAKER,\n", "Third Cup", "2012-05-01"))

    def test_who_may_be_known_is_said_before_anything_is_written(self, keeper: Keeper) -> None:
        done(keeper.event("1,John,SMITH,\n2,Bob,BAKER,\n"))
        before = contents(keeper.seeds)
        said = done(keeper.event("1,John,SMYTH,\n3,Bob,BAKER,\n", "Third Cup", "2012-05-01", "--dry-run"))
        assert "may be one person (spelling)" in said
        assert "`john-smith`" in said
        assert contents(keeper.seeds) == before


class TestDays:
    def test_a_day_to_come_needs_a_word(self, keeper: Keeper) -> None:
        keeper.seeds.mkdir()
        keeper.refuses(lambda: keeper.event("1,Ann,SMITH,\n", date="2062-05-03"), "2062-05-03", "--future")
        done(keeper.event("1,Ann,SMITH,\n", "Club Cup", "2062-05-03", "--future"))


class TestNotPeople:
    def test_is_what_the_collection_says(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ann SMITH\n2,Bob BAKER\n", head="placement,name\n"))
        with (keeper.seeds / "reference/ref_not_people.csv").open("a") as file:
            file.write("Waiting List,nobody\n")
        keeper.refuses(
            lambda: keeper.event("1,Ann SMITH\n2,Waiting LIST\n", "B", "2011-05-01", head="placement,name\n"),
            "standings.csv:3",
        )


def three_smiths(keeper: Keeper) -> None:
    """Three people of nearly one name, each in an event of their own."""
    for number, name in enumerate(("Ann SMITH", "Anne SMITH", "Anna SMITH")):
        done(keeper.event(f"{number + 1},{name}\n", f"Cup {number}", head="placement,name\n"))


class TestDecisionsThatContradict:
    def test_two_who_were_both_merged_into_a_third_are_not_declared_two(self, keeper: Keeper) -> None:
        three_smiths(keeper)
        done(keeper.reviews("merge", "ann-smith", "anna-smith", "--reason", "x"))
        done(keeper.reviews("merge", "anne-smith", "anna-smith", "--reason", "x"))
        keeper.refuses(
            lambda: keeper.reviews("distinct", "ann-smith", "anne-smith", "--reason", "y"), "are both anna-smith"
        )
        self.follow_the_way_out(keeper, lambda: keeper.reviews("distinct", "ann-smith", "anne-smith", "--reason", "y"))
        done(keeper.reviews("distinct", "ann-smith", "anne-smith", "--reason", "y"))

    def test_two_who_were_declared_two_are_not_merged_into_a_third(self, keeper: Keeper) -> None:
        three_smiths(keeper)
        done(keeper.reviews("distinct", "ann-smith", "anne-smith", "--reason", "y"))
        done(keeper.reviews("merge", "ann-smith", "anna-smith", "--reason", "x"))
        keeper.refuses(
            lambda: keeper.reviews("merge", "anne-smith", "anna-smith", "--reason", "x"), "two people by a decision"
        )
        self.follow_the_way_out(keeper, lambda: keeper.reviews("merge", "anne-smith", "anna-smith", "--reason", "x"))
        done(keeper.reviews("merge", "anne-smith", "anna-smith", "--reason", "x"))

    def test_whoever_came_along_with_a_match_goes_back_with_it(self, keeper: Keeper) -> None:
        three_smiths(keeper)
        done(keeper.reviews("merge", "ann-smith", "anne-smith", "--reason", "one"))
        done(keeper.reviews("merge", "anne-smith", "anna-smith", "--reason", "two"))
        # That the first is not the third contradicts both decisions.
        keeper.refuses(
            lambda: keeper.reviews("distinct", "ann-smith", "anna-smith", "--reason", "x"), "are both anna-smith"
        )
        done(keeper.reviews("distinct", "anne-smith", "anna-smith", "--reason", "y"))
        (alias,) = keeper.rows("reference/ref_player_aliases.csv")
        assert (alias["listed_player_id"], alias["player_id"], alias["reason"]) == ("ann-smith", "anne-smith", "one")

    def test_somebody_whom_nothing_lists_is_not_merged(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ann SMITH\n", head="placement,name\n"))
        page = {"player_id": 5, "player_first_name": "Anne", "player_last_name": "Smith", "player_nationality": "FR"}
        done(keeper.imports(json.dumps(page | {"player_tournaments_played": []}), name="anne.json"))
        keeper.refuses(
            lambda: keeper.reviews("merge", "anne-smith", "ann-smith", "--reason", "x"), "expected one that is listed"
        )

    def test_a_table_with_two_who_are_one_by_a_decision(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ann SMITH\n", "A", head="placement,name\n"))
        done(keeper.event("2,Anne SMITH\n", "B", head="placement,name\n"))
        done(keeper.reviews("merge", "ann-smith", "anne-smith", "--reason", "x"))

        def both() -> Done:
            return keeper.event("1,Ann SMITH\n2,Anne SMITH\n", "C", "2011-01-01", head="placement,name\n")

        keeper.refuses(both, "`anne-smith`", "`ann-smith`", "who are one person by a decision")
        self.follow_the_way_out(keeper, both)
        done(both())

    def test_a_result_that_is_restored_beside_another_of_the_same_person(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ann SMITH\n2,Anne SMITH\n", "A", head="placement,name\n"))
        done(keeper.edits("withdraw", "a-2010", "--player", "anne-smith", "--reason", "twice"))
        done(keeper.reviews("merge", "anne-smith", "ann-smith", "--reason", "x"))
        keeper.refuses(
            lambda: keeper.edits("restore", "a-2010", "--player", "anne-smith", "--reason", "z"), "one person"
        )

    @staticmethod
    def follow_the_way_out(keeper: Keeper, attempt: Callable[[], Done]) -> None:
        """The first command that the message names runs as it is printed."""
        before = contents(keeper.seeds)
        message = " ".join(attempt().stderr.split())
        assert contents(keeper.seeds) == before
        words = shlex.split(message[message.index("dptr ") :].split(" or dptr ")[0])
        done(run_here(*words[1:]))


class TestKinds:
    @pytest.mark.parametrize("kind", ["wdc", "WDC", "World Championship"])
    def test_a_known_kind_in_any_letters(self, keeper: Keeper, kind: str) -> None:
        done(keeper.event("1,Ann,SMITH,\n", "Club Cup", "2010-05-01", "--kind", kind))
        assert keeper.rows("wdd/raw_tournaments.csv")[0]["kind"] == "WDC"

    def test_an_unknown_kind_is_refused_and_can_be_added(self, keeper: Keeper) -> None:
        keeper.seeds.mkdir()
        rows = ("1,Ann,SMITH,\n", "Club Cup", "2010-05-01", "--kind", "GP")
        keeper.refuses(lambda: keeper.event(*rows), "`GP`", "APAC, CUP, DBNI, DIPCON, EDC", "--add-kind GP=")
        done(keeper.event(*rows, "--add-kind", "GP=Grand Prix"))
        kinds = {row["kind"]: row for row in keeper.rows("reference/ref_tournament_kinds.csv")}
        assert kinds["GP"] == {"kind": "GP", "name": "Grand Prix", "is_world_championship": "false"}
        assert set("WDC EDC DIPCON APAC NDC MASTERS DBNI VDC CUP NCUP OPEN".split()) < set(kinds)


class TestNations:
    def test_of_the_collection_not_of_the_project(self, keeper: Keeper) -> None:
        done(keeper.event("1,Ann SMITH\n", head="placement,name\n"))
        with (keeper.seeds / "reference/ref_nations.csv").open("a") as file:
            file.write("ATL,AL2,,Atlantis\n")
        done(keeper.event("1,Bob BAKER,Atlantis\n", "B", head="placement,name,nation\n"))
        assert "ATL" in {row["nation_code"] for row in keeper.rows("wdd/raw_results.csv")}


def test_two_events_of_one_name_and_year_on_a_players_page(keeper: Keeper) -> None:
    def played(day: str, rank: int) -> dict[str, Any]:
        return {"tournament_name": "Club Cup", "tournament_start_date": day, "tournament_player_rank": rank}

    page = {
        "player_id": 5,
        "player_first_name": "Ann",
        "player_last_name": "Smith",
        "player_tournaments_played": [played("2005-03-01", 1), played("2005-11-01", 2)],
    }
    done(keeper.imports(json.dumps(page), name="ann.json"))
    assert keeper.tournaments() == ["club-cup-2005", "club-cup-2005-2"]
    assert "1 unchanged" in done(keeper.imports(json.dumps(page), name="ann.json"))


def test_a_correction_in_force_is_named_when_a_document_states_something_else(keeper: Keeper) -> None:
    done(keeper.event("1,Ann,SMITH,\n2,Bob,BAKER,\n"))
    done(keeper.edits("correct", "club-cup-2010", "place=Nice", "--reason", "letter"))
    done(keeper.edits("correct", "club-cup-2010", "rounds=2", "--reason", "letter"))
    facts = ("--name", "Club Cup", "--date", "2010-05-01", "--players", "20", "--rounds", "4")
    said = done(keeper.imports(f"{PLAYERS}1,Ann,SMITH,\n2,Bob,BAKER,\n", *facts))
    assert "rounds is 4 in the document, and stays 2 by a correction" in said
    assert "place" not in said


def test_a_document_that_contradicts_a_correction_is_refused(keeper: Keeper) -> None:
    done(keeper.event("1,Ann,SMITH,\n2,Bob,BAKER,\n"))
    done(keeper.edits("correct", "club-cup-2010", "players=3", "--reason", "letter"))
    more = "1,Ann,SMITH,\n2,Bob,BAKER,\n9,Cid,COOK,\n"
    keeper.refuses(lambda: keeper.event(more), "correction", "dptr history club-cup-2010")


def test_figures_printed_in_one_document_are_not_held_against_the_facts_of_another(keeper: Keeper) -> None:
    head = "placement,first_name,last_name,published_score\n"
    done(keeper.event("1,Ann,SMITH,97.50\n2,Bob,BAKER,92.50\n", head=head))
    facts = ("--name", "Club Cup", "--date", "2010-05-01", "--players", "30", "--rounds", "3")

    def larger() -> Done:
        return keeper.imports("placement,name\n1,Ann SMITH\n2,Bob BAKER\n", *facts)

    keeper.refuses(larger, "score 97.50 of placement 1 (Ann SMITH)", "players=30")
    TestDecisionsThatContradict.follow_the_way_out(keeper, larger)
    done(larger())
    # Back to what documents state would leave figures of another field.
    keeper.refuses(lambda: keeper.edits("revert", "club-cup-2010", "players", "--reason", "x"), "score 97.50")


def test_the_only_placed_player_can_be_withdrawn(keeper: Keeper) -> None:
    done(keeper.event("1,Ann,SMITH,\n"))
    done(keeper.edits("withdraw", "club-cup-2010", "--player", "ann-smith", "--reason", "x"))


def test_looking_changes_nothing_and_leaves_the_last_change_to_undo(keeper: Keeper) -> None:
    done(keeper.event("1,Ann,SMITH,7\n"))
    done(keeper.event("2,Bob,BAKER,8\n", "Other Cup"))
    done(keeper.reviews())
    assert "took back the last change" in done(run_here("undo", "--seeds", keeper.seeds))
    assert keeper.people() == {"ann-smith"}


def test_one_id_for_two_events_on_a_players_page(keeper: Keeper) -> None:
    def played(day: str, rank: int) -> dict[str, Any]:
        name = {"tournament_name": f"Cup {rank}", "tournament_start_date": day, "tournament_player_rank": rank}
        return name | {"tournament_id": 202}

    page = {
        "player_id": 5,
        "player_first_name": "Ann",
        "player_last_name": "Smith",
        "player_tournaments_played": [played("2005-03-01", 1), played("2005-11-01", 2)],
    }
    keeper.seeds.mkdir()
    keeper.refuses(lambda: keeper.imports(json.dumps(page), name="ann.json"), "a second time")


def test_the_commands_of_messages_name_the_collection(keeper: Keeper) -> None:
    done(keeper.event(FIELD))
    attempt = keeper.event(FIELD.replace("8,Hal,SMITH-HAL,\n", ""))
    message = " ".join(attempt.stderr.split())
    words = shlex.split(message[message.index("dptr ") :])
    assert words[-1] == str(keeper.seeds)
    done(run_here(*words[1:]))
    assert len(keeper.rows("reference/ref_corrections.csv")) == 1
