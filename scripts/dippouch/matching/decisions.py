"""Decisions of the rating keeper about people, as seed rows: a match, a non-match, or a split in one tournament."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dippouch.errors import UserError
from dippouch.ids import fault_of_id
from dippouch.matching.listings import is_listed, is_player_id
from dippouch.names import shortened
from dippouch.seeds.checks.changes import Scope
from dippouch.seeds.corrections import refuse_faulty
from dippouch.seeds.persons import people_behind, person_behind
from dippouch.seeds.schema import ALIASES, DISTINCTIONS, PLAYERS, PUBLISHED_RANKINGS, RESULTS, SEEDS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection
from dippouch.suggestions import did_you_mean, suggested_command

_SHOWN = 500
# In the reason of an alias, this precedes a later decision about the person matched with.
_MARK = re.compile(r"; ([a-z0-9-]+) is ")


def record_match(collection: Collection, listed_id: str, player_id: str, reason: str) -> str:
    """Assign everything listed under one id to another person, whose id remains.

    Returns:
        A note if the two were two people by a decision.

    Raises:
        UserError: when an id is unknown, the two play in one tournament, or an earlier decision says the same.
    """
    earlier = collection.get(DISTINCTIONS, pair_of(listed_id, player_id))
    target = match(collection, listed_id, player_id, reason)
    refuse_faulty(collection, _scope_of(collection, target), instead="They are two people, and nothing was recorded")
    return f"; the decision that they are two people ({earlier['reason']}) is taken back" if earlier else ""


def match(collection: Collection, listed_id: str, player_id: str, reason: str) -> str:
    """Record a match like `record_match`, without checking common tournaments; return the remaining id.

    Raises:
        UserError: when an id is unknown, or an earlier decision says the same.
    """
    _check_two(collection, listed_id, player_id)
    _check_reason(reason)
    if not is_listed(collection, listed_id):
        splits = (row for row in collection.all(ALIASES) if row["player_id"] == listed_id and row["tournament_id"])
        ways = [
            _command(collection, "split", row["listed_player_id"], row["tournament_id"], player_id) for row in splits
        ]
        way = f"Split again, to the other person: {ways[0]}" if ways else f"Correct or delete the row in {PLAYERS.path}"
        raise UserError(
            f"{listed_id}: no tournament and no published ranking lists this id; expected one that is listed. {way}"
        )
    partner = collection.get(ALIASES, (player_id, ""))
    target = partner["player_id"] if partner else player_id
    if listed_id in (target, player_id):
        back = f". Take that back first: {_command(collection, 'distinct', player_id, listed_id)}" if partner else ""
        raise UserError(f"{player_id}: is {target} already; expected two people{back}")
    if row := collection.get(ALIASES, (listed_id, "")):
        command = _command(collection, "distinct", listed_id, _decided_with(row))
        raise UserError(
            f"{listed_id}: is {row['player_id']} already ({row['reason']}); expected an id that is not merged yet."
            f" Take that back first: {command}"
        )
    # People merged earlier into the merged person move along: no alias leads to another alias.
    followers = [row for row in collection.all(ALIASES) if row["player_id"] == listed_id]
    if split := next((row for row in followers if row["listed_player_id"] == target), None):
        command = _command(collection, "split", target, split["tournament_id"], target)
        raise UserError(
            f"{listed_id} and {target}: are two people in {split['tournament_id']} by a split ({split['reason']}); expected"
            f" decisions that agree. Take the split back first: {command}"
        )
    # The named pair may be decided anew, even if it was two people before; other decisions must not contradict.
    decided_anew = pair_of(listed_id, player_id)
    _check_not_declared_two(collection, listed_id, target, decided_anew)
    # A match with a person who was merged before leads to the person whom that one was merged into.
    reason = reason.strip() + (_by_way_of(player_id, target, partner["reason"]) if partner else "")
    for row in followers:
        along = row["reason"] + _by_way_of(listed_id, target, reason)
        collection.upsert(ALIASES, row | {"player_id": target, "reason": along})
    collection.upsert(ALIASES, _alias(listed_id, "", target, reason))
    collection.remove(DISTINCTIONS, decided_anew)
    return target


def _scope_of(collection: Collection, player_id: str) -> Scope:
    """Return the tournaments and the published rankings that list a person, under any id."""
    found = collection.query(
        f"""
        with ids as (select $id as player_id union select listed_player_id from {ALIASES.name} where player_id = $id)
        select '{TOURNAMENTS.name}', tournament_id from {RESULTS.name} join ids using (player_id)
        union
        select '{PUBLISHED_RANKINGS.name}', ranking_name || ' ' || last_update from {PUBLISHED_RANKINGS.name} join ids using (player_id)
        """,
        {"id": player_id},
    )
    return {(SEEDS[seed], key) for seed, key in found}


def record_non_match(collection: Collection, one: str, other: str, reason: str, *, take_back: bool = False) -> str:
    """Record that two ids are two people; `take_back` replaces an earlier match by this decision and its reason.

    Returns:
        A note on the tournaments that an ended match gives back.

    Raises:
        UserError: when an id is unknown, an earlier decision says the same, or others match the two.
    """
    _check_two(collection, one, other)
    note = ""
    if row := collection.get(DISTINCTIONS, pair_of(one, other)):
        raise UserError(f"{one} and {other}: are two people already ({row['reason']}); nothing was changed")
    for listed_id, player_id in ((one, other), (other, one)):
        alias = collection.get(ALIASES, (listed_id, ""))
        if alias and _decided_with(alias) == player_id:
            if not take_back:
                command = _command(collection, "distinct", one, other)
                raise UserError(
                    f"{listed_id}: is {player_id} by a decision ({alias['reason']}), which contradicts this; expected two people without such a"
                    f" decision. Take it back with: {command}"
                )
            _take_back_match(collection, listed_id)
            theirs = collection.query(
                f"select tournament_id from {RESULTS.name} where player_id = ? order by 1", (listed_id,)
            )
            note = f"; {listed_id} gets back {shortened(', '.join(found for (found,) in theirs), _SHOWN) or 'no tournament'}"
            break
    else:
        behind = people_behind(collection)
        if (person := behind.get(one, one)) == behind.get(other, other):
            ways = {
                pair_of(who, partner): (who, partner)
                for start in (one, other)
                for who, partner in _way(collection, start)
            }
            commands = " or ".join(_command(collection, "distinct", *pair) for pair in ways.values())
            raise UserError(
                f"{one} and {other}: are both {person} by decisions; expected at most one of them. Take a decision back"
                f" first: {commands}"
            )
    first, second = pair_of(one, other)
    collection.upsert(DISTINCTIONS, {"player_id": first, "other_player_id": second, "reason": reason.strip()})
    return note


def _take_back_match(collection: Collection, listed_id: str) -> None:
    """End a match; people who moved along with it return to the person they were matched with."""
    collection.remove(ALIASES, (listed_id, ""))
    for row in list(collection.all(ALIASES)):
        before, way, _ = row["reason"].partition(_mark(listed_id))
        if way:
            collection.upsert(ALIASES, row | {"player_id": listed_id, "reason": before})


def _mark(player_id: str) -> str:
    """Return the mark in an alias's reason that precedes the decision about the person matched with."""
    return f"; {player_id} is "


def _by_way_of(player_id: str, target: str, reason: str) -> str:
    """Return the part of a reason about the match that led to another person than the one matched with."""
    return f"{_mark(player_id)}{target}: {reason}"


def _decided_with(alias: Row) -> str:
    """Return the person whom the decision named, who may have been matched with another since."""
    by_way_of = _MARK.search(alias["reason"])
    return by_way_of[1] if by_way_of else alias["player_id"]


def _way(collection: Collection, listed_id: str) -> Iterator[tuple[str, str]]:
    """Yield the matches, one after the other, from a listed id to its person."""
    seen = set()
    while listed_id not in seen and (alias := collection.get(ALIASES, (listed_id, ""))):
        seen.add(listed_id)
        yield listed_id, _decided_with(alias)
        listed_id = _decided_with(alias)


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
        UserError: when the tournament does not list the id, the new id is invalid, or that person is there already.
    """
    if listed_id not in (listed := collection.results_of(tournament_id)):
        # Reports name a merged person, whom the document lists under another id.
        theirs = [one for one in listed if listed_id in (one, person_behind(collection, one, tournament_id))]
        meant = f"; did you mean `{theirs[0]}`?" if theirs else did_you_mean(listed_id, listed)
        raise UserError(
            f"{tournament_id}: does not list {shortened(listed_id)}; expected one of its listed players{meant}"
        )
    if player_id == listed_id and collection.get(ALIASES, (listed_id, tournament_id)):
        collection.remove(ALIASES, (listed_id, tournament_id))
        refuse_faulty(collection, {(TOURNAMENTS, tournament_id)})
        return ""
    _check_reason(reason)
    if fault := fault_of_id(player_id):
        raise UserError(f"argument PLAYER: found `{shortened(player_id)}`; expected {fault}")
    if alias := collection.get(ALIASES, (player_id, "")):
        raise UserError(f"{player_id}: is {alias['player_id']}; expected the id of a person")
    if person_behind(collection, listed_id, tournament_id) == player_id:
        raise UserError(f"{player_id}: plays in {tournament_id} already; expected a player who is not in it")
    note = "" if is_player_id(collection, player_id) else ", a new person"
    collection.upsert(ALIASES, _alias(listed_id, tournament_id, player_id, reason))
    refuse_faulty(collection, {(TOURNAMENTS, tournament_id)})
    return note


def _alias(listed_id: str, tournament_id: str, player_id: str, reason: str) -> Row:
    return {
        "listed_player_id": listed_id,
        "tournament_id": tournament_id,
        "player_id": player_id,
        "reason": reason.strip(),
    }


def pair_of(one: str, other: str) -> tuple[str, str]:
    """Return the key of decisions on two ids."""
    return (one, other) if one < other else (other, one)


def _check_reason(reason: str) -> None:
    if mark := _MARK.search(reason):
        raise UserError(
            f"--reason: found `{mark[0].strip()}`, by which a reason names a later decision; expected other words"
        )


def _check_two(collection: Collection, one: str, other: str) -> None:
    for player_id in (one, other):
        if not is_player_id(collection, player_id):
            known = (known_id for (known_id,) in collection.query("select distinct player_id from listings order by 1"))
            meant = did_you_mean(player_id, known)
            raise UserError(
                f"{shortened(player_id)}: found an id that nobody in {collection.folder} has; expected an id of the"
                f" column player_id of its results{meant}"
            )
    if one == other:
        raise UserError(f"{one}: found one id twice; expected two people")


def _check_not_declared_two(collection: Collection, listed_id: str, target: str, decided_anew: tuple[str, str]) -> None:
    """Refuse a match that would make one person of two whom the rating keeper declared different."""
    behind = people_behind(collection)
    for row in collection.all(DISTINCTIONS):
        pair = (row["player_id"], row["other_player_id"])
        if pair != decided_anew and {behind.get(one, one) for one in pair} == {listed_id, target}:
            raise UserError(
                f"{listed_id} and {target}: would make {pair[0]} and {pair[1]} one, but a decision keeps them apart"
                f" ({row['reason']}); expected decisions that agree. If they are one after all, take that back first:"
                f" {_command(collection, 'forget', *pair)}"
            )


def _command(collection: Collection, decision: str, *ids: str) -> str:
    # Suggest `distinct` only if a decision made the two one.
    further = {"forget": (), "distinct": ("--take-back", "--reason", "...")}.get(decision, ("--reason", "..."))
    return suggested_command(decision, *ids, *further, seeds=collection.folder)
