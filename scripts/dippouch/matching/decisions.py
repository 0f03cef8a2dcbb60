"""Decisions of the rating keeper about people, as seed rows.

A match is a row `listed id -> person` of ref_player_aliases, an edge: it rewrites no other row, and taking it back removes it alone.
`seeds/decisions.py` and the model int_player_aliases follow chains of edges.
"""

from __future__ import annotations

from collections.abc import Iterable

from dippouch.errors import UserError
from dippouch.matching.people import is_player_id
from dippouch.seeds.checks import Scope
from dippouch.seeds.decisions import WITHDRAWN, id_in_tournament, people_behind, refuse_faulty
from dippouch.seeds.schema import ALIASES, DISTINCTIONS, PUBLISHED_RANKINGS, RESULTS, SEEDS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection
from dippouch.settings import suggested_command


def record_match(
    collection: Collection, listed_id: str, player_id: str, reason: str, tournaments: Iterable[str] = ("",)
) -> None:
    """Assign everything listed under one id, or the listings in some tournaments, to another person, whose id remains.

    Raises:
        UserError: when the two are one id, or play in one tournament; or when the match repeats or contradicts another decision, or
            makes a circle or too long a chain.
    """
    if listed_id == player_id:
        raise UserError(f"{listed_id}: found one id twice; expected two people")
    behind = people_behind(collection)
    target = behind.get(player_id, player_id)
    merged = listed_id if listed_id in behind else player_id if target == listed_id else ""
    if merged and (row := collection.get(ALIASES, (merged, ""))):
        raise UserError(
            f"{merged}: is {row['player_id']} already ({row['reason']}); expected an id that is not merged yet."
            f" {taking_back(collection, row)}"
        )
    for row in collection.all(DISTINCTIONS):
        two = (row["player_id"], row["other_player_id"])
        if {behind.get(one, one) for one in two} == {listed_id, target}:
            raise UserError(
                f"{listed_id} and {player_id}: would make {two[0]} and {two[1]} one, but a decision keeps them apart"
                f" ({row['reason']}); expected decisions that agree. {taking_back(collection, row)}"
            )
    for tournament_id in tournaments:
        collection.upsert(ALIASES, _alias(listed_id, tournament_id, player_id, reason))
    other_way = suggested_command("merge", target, listed_id, "--reason", "...", seeds=collection.folder)
    hints = {
        "listed_twice": "One list has both; nothing was recorded",
        "circle_of_aliases": f"Nothing was recorded; merge the other way round: {other_way}",
    }
    refuse_faulty(collection, _scope_of(collection, target), instead=hints)


def record_non_match(collection: Collection, one: str, other: str, reason: str, *, take_back: bool = False) -> None:
    """Record that two ids are two people; `take_back` removes an earlier match of the two.

    Raises:
        UserError: when the two are one id, an earlier decision says the same, or others match the two.
    """
    if row := collection.get(DISTINCTIONS, pair_of(one, other)):
        raise UserError(f"{one} and {other}: are two people already ({row['reason']}); nothing was changed")
    for listed_id, player_id in ((one, other), (other, one)):
        row = collection.get(ALIASES, (listed_id, ""))
        if take_back and row and row["player_id"] == player_id:
            collection.remove(ALIASES, (listed_id, ""))
    behind = people_behind(collection)
    if (person := behind.get(one, one)) == behind.get(other, other):
        row = collection.get(ALIASES, (other if one == person else one, ""))
        way_out = f". {taking_back(collection, row)}" if row else ""
        raise UserError(f"{one} and {other}: are both {person}; expected two people{way_out}")
    cells = (*pair_of(one, other), reason.strip())
    collection.upsert(DISTINCTIONS, dict(zip(DISTINCTIONS.columns, cells, strict=True)))


def forget_non_match(collection: Collection, one: str, other: str) -> None:
    """Take back that two ids are two people: they may be matched again.

    Raises:
        UserError: when there is no such decision.
    """
    if collection.get(DISTINCTIONS, pair_of(one, other)) is None:
        raise UserError(f"{one} and {other}: nobody decided that they are two people; nothing was changed")
    collection.remove(DISTINCTIONS, pair_of(one, other))


def record_split(collection: Collection, listed_id: str, tournament_id: str, player_id: str, reason: str) -> str:
    """Assign an id's listing in one tournament to another person, new or known; give the id itself to take a split back.

    Returns:
        A note if the person's id is new.

    Raises:
        UserError: when the tournament does not list the id, or that person is there already.
    """
    listed = collection.results_of(tournament_id, corrected=True)
    if listed_id not in listed:
        raise UserError(f"{tournament_id}: does not list {listed_id}; expected a player_id of {RESULTS.path} there")
    note = ""
    if player_id == listed_id and collection.get(ALIASES, (listed_id, tournament_id)):
        collection.remove(ALIASES, (listed_id, tournament_id))
    else:
        there = id_in_tournament(collection, player_id, tournament_id, listed)
        if there in listed and listed[there][WITHDRAWN] != "true":
            way_out = f". If {there} did not play: {collection.command('withdraw', tournament_id, '--player', there)}"
            expected = f"a player who is not in it{way_out if there != listed_id else ''}"
            raise UserError(f"{player_id}: plays in {tournament_id} already; expected {expected}")
        note = "" if is_player_id(collection, player_id) else ", a new person"
        collection.upsert(ALIASES, _alias(listed_id, tournament_id, player_id, reason))
    refuse_faulty(collection, {(TOURNAMENTS, tournament_id)})
    return note


def pair_of(one: str, other: str) -> tuple[str, str]:
    """Return the key of decisions on two ids."""
    return (one, other) if one < other else (other, one)


def taking_back(collection: Collection, decision: Row) -> str:
    """Return the hint with the command that takes a match, a split of one tournament, or a distinction back."""
    if "other_player_id" in decision:
        words = ["forget", decision["player_id"], decision["other_player_id"]]
    elif decision["tournament_id"]:
        listed_id = decision["listed_player_id"]
        words = ["split", listed_id, decision["tournament_id"], listed_id, "--reason", "..."]
    else:
        words = ["distinct", decision["listed_player_id"], decision["player_id"], "--take-back", "--reason", "..."]
    return f"Take that back first: {suggested_command(*words, seeds=collection.folder)}"


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


def _alias(listed_id: str, tournament_id: str, player_id: str, reason: str) -> Row:
    return dict(zip(ALIASES.columns, (listed_id, tournament_id, player_id, reason.strip()), strict=True))
