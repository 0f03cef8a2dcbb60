"""Decisions of the rating keeper about people, as seed rows.

A match is a row `listed id -> person` of ref_player_aliases, an edge: it rewrites no other row, and taking it back removes it alone.
`seeds/persons.py` and the model int_player_aliases follow chains of edges.
"""

from __future__ import annotations

from dippouch.errors import UserError
from dippouch.ids import fault_of_id
from dippouch.matching.people import is_player_id
from dippouch.names import shortened
from dippouch.seeds.changes import Scope
from dippouch.seeds.corrections import refuse_faulty
from dippouch.seeds.persons import people_behind, person_behind
from dippouch.seeds.schema import ALIASES, DISTINCTIONS, PUBLISHED_RANKINGS, RESULTS, SEEDS, TOURNAMENTS
from dippouch.seeds.store import Collection
from dippouch.suggestions import did_you_mean, suggested_command


def record_match(collection: Collection, listed_id: str, player_id: str, reason: str) -> str:
    """Assign everything listed under one id to another person, whose id remains.

    Returns:
        A note if the two were two people by a decision.

    Raises:
        UserError: when an id is unknown, the two play in one tournament, or another decision says the same or the opposite.
    """
    earlier = collection.get(DISTINCTIONS, pair_of(listed_id, player_id))
    match(collection, listed_id, player_id, reason)
    scope = _scope_of(collection, person_behind(collection, player_id, ""))
    refuse_faulty(collection, scope, instead="They are two people, and nothing was recorded")
    return f"; the decision that they are two people ({earlier['reason']}) is taken back" if earlier else ""


def match(collection: Collection, listed_id: str, player_id: str, reason: str) -> None:
    """Record a match like `record_match`, without checking common tournaments.

    Raises:
        UserError: when an id is unknown, or another decision says the same or the opposite.
    """
    _check_two(collection, listed_id, player_id)
    for one, other in ((listed_id, player_id), (player_id, listed_id)):
        row = collection.get(ALIASES, (one, ""))
        if row and (one == listed_id or person_behind(collection, one, "") == other):
            back = _command(collection, "distinct", one, row["player_id"], "--take-back", "--reason", "...")
            raise UserError(
                f"{one}: is {row['player_id']} already ({row['reason']}); expected an id that is not merged yet."
                f" Take that back first: {back}"
            )
    behind = people_behind(collection)
    for row in collection.all(DISTINCTIONS):
        pair = (row["player_id"], row["other_player_id"])
        people = {behind.get(one, one) for one in pair}
        if pair != pair_of(listed_id, player_id) and people == {listed_id, behind.get(player_id, player_id)}:
            raise UserError(
                f"{listed_id} and {player_id}: would make {pair[0]} and {pair[1]} one, but a decision keeps them apart"
                f" ({row['reason']}); expected decisions that agree. If they are one after all, take that back first:"
                f" {_command(collection, 'forget', *pair)}"
            )
    row = {"listed_player_id": listed_id, "tournament_id": "", "player_id": player_id, "reason": reason.strip()}
    collection.upsert(ALIASES, row)
    # The named pair is decided anew.
    collection.remove(DISTINCTIONS, pair_of(listed_id, player_id))


def record_non_match(collection: Collection, one: str, other: str, reason: str, *, take_back: bool = False) -> str:
    """Record that two ids are two people; `take_back` removes an earlier match of the two.

    Returns:
        A note on the match that is taken back.

    Raises:
        UserError: when an id is unknown, an earlier decision says the same, or others match the two.
    """
    _check_two(collection, one, other)
    if row := collection.get(DISTINCTIONS, pair_of(one, other)):
        raise UserError(f"{one} and {other}: are two people already ({row['reason']}); nothing was changed")
    note = ""
    for listed_id, player_id in ((one, other), (other, one)):
        alias = collection.get(ALIASES, (listed_id, ""))
        if take_back and alias and alias["player_id"] == player_id:
            collection.remove(ALIASES, (listed_id, ""))
            note = f"; that {listed_id} is {player_id} ({alias['reason']}) is taken back"
    if (person := person_behind(collection, one, "")) == person_behind(collection, other, ""):
        edges = {edge: None for start in (one, other) for edge in _edges(collection, start)}
        ways = " or ".join(_command(collection, "distinct", *edge, "--take-back", "--reason", "...") for edge in edges)
        raise UserError(
            f"{one} and {other}: are both {person} by decisions; expected two people. Take a decision back first: {ways}"
        )
    first, second = pair_of(one, other)
    collection.upsert(DISTINCTIONS, {"player_id": first, "other_player_id": second, "reason": reason.strip()})
    return note


def forget_non_match(collection: Collection, one: str, other: str) -> str:
    """Take back that two ids are two people: they may be matched again.

    Raises:
        UserError: when there is no such decision.
    """
    if collection.get(DISTINCTIONS, pair_of(one, other)) is None:
        raise UserError(f"{one} and {other}: nobody decided that they are two people; nothing was changed")
    collection.remove(DISTINCTIONS, pair_of(one, other))
    return ""


def record_split(collection: Collection, listed_id: str, tournament_id: str, player_id: str, reason: str) -> str:
    """Assign an id's listing in one tournament to another person, new or known; give the id itself to take a split back.

    Returns:
        A note if the person's id is new.

    Raises:
        UserError: when the tournament does not list the id, the new id is invalid, or that person is there already.
    """
    if listed_id not in (listed := collection.results_of(tournament_id)):
        # Reports name a merged person, whom the document lists under another id.
        theirs = [one for one in listed if listed_id == person_behind(collection, one, tournament_id)]
        meant = f"; did you mean `{theirs[0]}`?" if theirs else did_you_mean(listed_id, listed)
        raise UserError(
            f"{tournament_id}: does not list {shortened(listed_id)}; expected one of its listed players{meant}"
        )
    note = ""
    if player_id == listed_id and collection.get(ALIASES, (listed_id, tournament_id)):
        collection.remove(ALIASES, (listed_id, tournament_id))
    else:
        if fault := fault_of_id(player_id):
            raise UserError(f"argument PLAYER: found `{shortened(player_id)}`; expected {fault}")
        if player_id in (listed_id, person_behind(collection, listed_id, tournament_id)):
            raise UserError(f"{player_id}: plays in {tournament_id} already; expected a player who is not in it")
        note = "" if is_player_id(collection, player_id) else ", a new person"
        row = {"listed_player_id": listed_id, "tournament_id": tournament_id, "player_id": player_id}
        collection.upsert(ALIASES, row | {"reason": reason.strip()})
    refuse_faulty(collection, {(TOURNAMENTS, tournament_id)})
    return note


def pair_of(one: str, other: str) -> tuple[str, str]:
    """Return the key of decisions on two ids."""
    return (one, other) if one < other else (other, one)


def _scope_of(collection: Collection, player_id: str) -> Scope:
    """Return the tournaments and the published rankings that list a person, under any id."""
    found = collection.query(
        f"""
        with ids as (select $id as player_id union select listed_player_id from persons where player_id = $id)
        select '{TOURNAMENTS.name}', tournament_id from {RESULTS.name} join ids using (player_id)
        union
        select '{PUBLISHED_RANKINGS.name}', ranking_name || ' ' || last_update from {PUBLISHED_RANKINGS.name} join ids using (player_id)
        """,
        {"id": player_id},
    )
    return {(SEEDS[seed], key) for seed, key in found}


def _edges(collection: Collection, listed_id: str) -> list[tuple[str, str]]:
    """Return the matches, one after the other, from a listed id to its person."""
    edges: list[tuple[str, str]] = []
    while (row := collection.get(ALIASES, (listed_id, ""))) and (listed_id, row["player_id"]) not in edges:
        edges.append((listed_id, row["player_id"]))
        listed_id = row["player_id"]
    return edges


def _check_two(collection: Collection, one: str, other: str) -> None:
    for player_id in (one, other):
        if not is_player_id(collection, player_id):
            known = (known_id for (known_id,) in collection.query("select distinct player_id from listings order by 1"))
            raise UserError(
                f"{shortened(player_id)}: found an id that nobody in {collection.folder} has; expected an id of the"
                f" column player_id of its results{did_you_mean(player_id, known)}"
            )
    if one == other:
        raise UserError(f"{one}: found one id twice; expected two people")


def _command(collection: Collection, *words: str) -> str:
    return suggested_command(*words, seeds=collection.folder)
