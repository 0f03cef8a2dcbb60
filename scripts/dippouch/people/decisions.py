"""Decisions of the rating keeper about people, as seed rows.

A match is a row `listed id -> person` of ref_player_aliases. It rewrites no other row, and taking it back removes this row alone. The
model int_player_aliases follows chains of matches. Two people are a row of ref_player_distinctions, with their ids in alphabetical order.
"""

from dippouch.collection.checks import refuse_faulty
from dippouch.collection.memory import Collection
from dippouch.collection.schema import ALIASES, DISTINCTIONS, RESULTS, Row
from dippouch.errors import UserError
from dippouch.people.index import People
from dippouch.settings import suggested_command


def record_match(people: People, listed_id: str, player_id: str, reason: str) -> None:
    """Assign everything listed under one id to another person, whose id remains.

    Raises:
        UserError: as `check_match` does; when the two play in one tournament; or when the match makes a circle or too long a chain.
    """
    collection, target = people.collection, people.person_of(player_id)
    check_match(people, listed_id, player_id)
    collection.append(ALIASES, [ALIASES.row(listed_id, "", player_id, reason)])
    other_way = collection.command("merge", target, listed_id)
    hints = {
        "listed_twice": "One list has both; nothing was recorded",
        "circle_of_aliases": f"Nothing was recorded; merge the other way round: {other_way}",
    }
    refuse_faulty(collection, instead=hints)


def check_match(people: People, listed_id: str, player_id: str) -> None:
    """Check a match before it is recorded.

    Raises:
        UserError: when the two are one id, or the match repeats or contradicts another decision.
    """
    if listed_id == player_id:
        raise UserError(f"{listed_id}: found one id twice; expected two people")
    collection, target = people.collection, people.person_of(player_id)
    merged = listed_id if people.person_of(listed_id) != listed_id else player_id if target == listed_id else ""
    if merged and (row := collection.get(ALIASES, (merged, ""))):
        raise UserError(
            f"{merged}: is {row['player_id']} already ({row['reason']}); expected an id that is not merged yet."
            f" {taking_back(collection, row)}"
        )
    for row in collection.stated(DISTINCTIONS):
        two = (row["player_id"], row["other_player_id"])
        if {people.person_of(one) for one in two} == {listed_id, target}:
            raise UserError(
                f"{listed_id} and {player_id}: would make {two[0]} and {two[1]} one, but a decision keeps them apart"
                f" ({row['reason']}); expected decisions that agree. {taking_back(collection, row)}"
            )


def record_non_match(people: People, one: str, other: str, reason: str, *, take_back: bool = False) -> None:
    """Record that two ids are two people; `take_back` removes an earlier match of the two.

    Raises:
        UserError: as `check_non_match` does.
    """
    collection = people.collection
    if take_back:
        for key in ((one, ""), (other, "")):
            if (row := collection.get(ALIASES, key)) and row["player_id"] in (one, other):
                collection.remove(ALIASES, key)
        people = People(collection)
    check_non_match(people, one, other)
    collection.append(DISTINCTIONS, [DISTINCTIONS.row(*sorted((one, other)), reason)])


def check_non_match(people: People, one: str, other: str) -> None:
    """Check a decision that two ids are two people before it is recorded.

    Raises:
        UserError: when the two are one id, an earlier decision says the same, or others match the two.
    """
    collection = people.collection
    if row := collection.get(DISTINCTIONS, sorted((one, other))):
        raise UserError(f"{one} and {other}: are two people already ({row['reason']}); nothing was changed")
    if (person := people.person_of(one)) == people.person_of(other):
        row = collection.get(ALIASES, (other if one == person else one, ""))
        way_out = f". {taking_back(collection, row)}" if row else ""
        raise UserError(f"{one} and {other}: are both {person}; expected two people{way_out}")


def forget_non_match(people: People, one: str, other: str) -> None:
    """Take back that two ids are two people: they may be matched again.

    Raises:
        UserError: when there is no such decision.
    """
    if people.collection.get(DISTINCTIONS, sorted((one, other))) is None:
        raise UserError(f"{one} and {other}: nobody decided that they are two people; nothing was changed")
    people.collection.remove(DISTINCTIONS, sorted((one, other)))


def record_split(people: People, listed_id: str, tournament_id: str, player_id: str, reason: str) -> str:
    """Assign an id's listing in one tournament to another person, new or known; give the id itself to take a split back.

    Returns:
        A note if the person's id is new.

    Raises:
        UserError: when the tournament does not list the id, or that person is there already.
    """
    collection = people.collection
    listed = people.listed_in(tournament_id)
    if listed_id not in listed:
        raise UserError(f"{tournament_id}: does not list {listed_id}; expected a player_id of {RESULTS.path} there")
    takes_back = player_id == listed_id and collection.get(ALIASES, (listed_id, tournament_id))
    if not takes_back:
        there = people.id_there(player_id, tournament_id, listed)
        plays = "select 1 from int_results where tournament_id = ? and listed_player_id = ? and not is_result_withdrawn"
        if collection.query(plays, [tournament_id, there]):
            way_out = f". If {there} did not play: {collection.command('withdraw', tournament_id, '--player', there)}"
            expected = f"a player who is not in it{way_out if there != listed_id else ''}"
            raise UserError(f"{player_id}: plays in {tournament_id} already; expected {expected}")
    collection.remove(ALIASES, (listed_id, tournament_id))
    if not takes_back:
        collection.append(ALIASES, [ALIASES.row(listed_id, tournament_id, player_id, reason)])
    refuse_faulty(collection)
    return "" if people.is_known(player_id) else ", a new person"


def taking_back(collection: Collection, decision: Row) -> str:
    """Return the hint with the command that takes a match, a split of one tournament, or a distinction back."""
    if "other_player_id" in decision:
        one, other, _ = decision.values()
        return f"Take that back first: {suggested_command('forget', one, other, seeds=collection.folder)}"
    listed_id, tournament_id, player_id, _ = decision.values()
    of_one = ("split", listed_id, tournament_id, listed_id)
    words = of_one if tournament_id else ("distinct", listed_id, player_id, "--take-back")
    return f"Take that back first: {collection.command(*words)}"
