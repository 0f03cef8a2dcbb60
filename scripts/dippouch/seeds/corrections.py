"""Correcting and withdrawing what documents state: a row of ref_corrections with a reason, the statement stays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from dippouch.errors import UserError
from dippouch.names import LONGEST_REASON, fault_of_text, shortened
from dippouch.seeds.checks.changes import faults_of_changes
from dippouch.seeds.checks.check import with_collection
from dippouch.seeds.corrected_values import DAYS, FIRST_YEAR, LAST_YEAR, WITHDRAWN, fields_of, tidy_value
from dippouch.seeds.schema import ALIASES, CORRECTIONS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection
from dippouch.suggestions import did_you_mean, likely, suggested_command

# Corrected values by field, for a (tournament id, listed player id, or "" for the tournament itself).
Corrections = dict[tuple[str, str], dict[str, str]]


@dataclass(frozen=True)
class Decision:
    """What the rating keeper decided.

    Attributes:
        tournament_id: the tournament.
        player_id: the listed player whose result it is about; empty: the tournament itself.
        field: one of `fields_of`, or WITHDRAWN.
        value: what holds from now on; `true` or `false` for WITHDRAWN. None: what the document states holds again.
        reason: why.
        decided_on: when.
    """

    tournament_id: str
    player_id: str
    field: str
    value: str | None
    reason: str
    decided_on: date


def current_corrections(rows: Iterable[Row]) -> Corrections:
    """The corrections in force: of several decisions on one field the last. One without a value ends the earlier ones.

    Args:
        rows: corrections in the order in which they were decided.
    """
    current: Corrections = defaultdict(dict)
    for row in rows:
        key = (row["tournament_id"].strip(), row["player_id"].strip())
        if value := row["value"].strip():
            current[key][row["field"].strip()] = value
        else:
            current[key].pop(row["field"].strip(), None)
    return current


def corrections_of(collection: Collection, tournament_id: str) -> list[Row]:
    """The corrections of a tournament and its results, in the order in which they were decided."""
    return list(
        collection.rows(
            CORRECTIONS, "where tournament_id = ? order by cast(correction_number as integer)", (tournament_id,)
        )
    )


def is_withdrawn(collection: Collection, tournament_id: str) -> bool:
    """Whether the rating keeper withdrew a tournament, and has not restored it."""
    current = current_corrections(corrections_of(collection, tournament_id))
    return current.get((tournament_id, ""), {}).get(WITHDRAWN) == "true"


def withdrawn_results(collection: Collection, tournament_id: str) -> set[str]:
    """The listed players whose result in a tournament the rating keeper withdrew."""
    current = current_corrections(corrections_of(collection, tournament_id))
    return {player_id for (_, player_id), cells in current.items() if player_id and cells.get(WITHDRAWN) == "true"}


def decide(collection: Collection, decisions: list[Decision], *, latest: date | None = None) -> list[Decision]:
    """Record decisions on one tournament; what they leave must be a tournament that could be.

    Args:
        collection: the collection, changed.
        decisions: what was decided; a later one goes before an earlier one.
        latest: the last day that a decision or an event may be of; None for any.

    Returns:
        The decisions as they were recorded: codes in capitals, texts tidied.

    Raises:
        UserError: when the tournament or player is unknown, a value cannot be, or nothing would change.
    """
    recorded = []
    for decision in decisions:
        value = _checked_value(collection, decision, latest)
        ((last,),) = collection.query(
            f"select coalesce(max(cast(correction_number as integer)), 0) from {CORRECTIONS.name}"
        )
        reason = decision.reason.strip()
        collection.upsert(
            CORRECTIONS,
            {
                "correction_number": str(last + 1),
                "tournament_id": decision.tournament_id,
                "player_id": decision.player_id,
                "field": decision.field,
                "value": value or "",
                "reason": reason,
                "decided_on": decision.decided_on.isoformat(),
            },
        )
        recorded.append(replace(decision, value=value, reason=reason))
    refuse_faulty(collection, {decision.tournament_id for decision in decisions})
    return recorded


def corrected_tournament(collection: Collection, tournament_id: str) -> Row:
    """A tournament as it stands, with the further cell `withdrawn`.

    Raises:
        UserError: when it is unknown.
    """
    row = collection.tournament(tournament_id)
    if row is None:
        ids = [known for (known,) in collection.query(f"select tournament_id from {TOURNAMENTS.name}")]
        expected = did_you_mean(tournament_id, ids) or f"; expected an id of {TOURNAMENTS.path}"
        raise UserError(f"{shortened(tournament_id)}: no such tournament in {collection.folder}{expected}")
    current = current_corrections(corrections_of(collection, tournament_id))
    return row | {WITHDRAWN: "false"} | current.get((tournament_id, ""), {})


def corrected_results(collection: Collection, tournament_id: str) -> dict[str, Row]:
    """The results of a tournament as they stand, by listed player id, with the further cell `withdrawn`."""
    current = current_corrections(corrections_of(collection, tournament_id))
    return {
        player_id: row | {WITHDRAWN: "false"} | current.get((tournament_id, player_id), {})
        for player_id, row in collection.results_of(tournament_id).items()
    }


def _checked_value(collection: Collection, decision: Decision, latest: date | None) -> str | None:
    """What to record as the value of a decision, which is checked."""
    row = corrected_tournament(collection, decision.tournament_id)
    where = decision.tournament_id
    if decision.player_id:
        where = f"{decision.tournament_id}, {shortened(decision.player_id)}"
        results = corrected_results(collection, decision.tournament_id)
        if decision.player_id not in results:
            expected = _who_may_be_meant(collection, decision, results)
            raise UserError(f"{where}: no such listed player in this tournament{expected}")
        row = results[decision.player_id]
    fields = fields_of(decision.player_id)
    if decision.field not in (*fields, WITHDRAWN):
        raise UserError(
            f"{where}: found the field `{shortened(decision.field)}`; expected one of {', '.join(fields)}"
            f"{did_you_mean(decision.field, fields)}"
        )
    _check_record(where, decision, latest)
    if decision.value is None:
        _check_revert(collection, decision, where, row)
        return None
    value = tidy_value(decision.field, decision.value)
    if not value:
        revert = _command(collection, decision, "revert", decision.field)
        raise UserError(
            f"{where}: found no value of {decision.field}; expected one. To go back to what the document states: {revert}"
        )
    if row[decision.field].strip() == value:
        raise UserError(f"{where}: {decision.field} is `{value}` already; nothing was changed")
    if decision.field in DAYS and latest and value > latest.isoformat():
        raise UserError(f"{where}: found {decision.field} `{value}`; {_up_to(latest)}")
    return value


def _check_record(where: str, decision: Decision, latest: date | None) -> None:
    """The reason and the day of a decision."""
    if not decision.reason.strip():
        raise UserError(f"{where}: found no reason; expected why the document is wrong")
    if fault := fault_of_text(decision.reason.strip(), LONGEST_REASON):
        raise UserError(f"{where}: found {fault[0]} in the reason; expected {fault[1]}")
    day = decision.decided_on
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise UserError(f"{where}: found a decision of {day}; expected a day from {FIRST_YEAR} to {LAST_YEAR}")
    if latest and day > latest:
        raise UserError(f"{where}: found a decision of {day}; {_up_to(latest)}")


def _up_to(latest: date) -> str:
    return f"expected no day after {latest}, which is today. If the future is meant, add --future"


def _check_revert(collection: Collection, decision: Decision, where: str, row: Row) -> None:
    """A decision that what the document states holds again: there must be one to take back."""
    if decision.field == WITHDRAWN:
        raise UserError(f"{where}: a withdrawal is taken back by {_command(collection, decision, 'restore')}")
    current = current_corrections(corrections_of(collection, decision.tournament_id))
    if decision.field not in current.get((decision.tournament_id, decision.player_id), {}):
        stated = f"`{row[decision.field]}`" if row[decision.field] else "nothing"
        raise UserError(
            f"{where}: found no correction of {decision.field}, which is as the document states it ({stated});"
            " nothing was changed"
        )


def _command(collection: Collection, decision: Decision, *words: str) -> str:
    name, *further = words
    player = ("--player", decision.player_id) if decision.player_id else ()
    arguments = (name, decision.tournament_id, *further, *player, "--reason", "...")
    return suggested_command(*arguments, seeds=collection.folder)


def _who_may_be_meant(collection: Collection, decision: Decision, results: dict[str, Row]) -> str:
    """The listed players of a tournament whom an id that is none of theirs may mean."""
    aliases = collection.rows(
        ALIASES, "where player_id = ? and tournament_id in ('', ?)", (decision.player_id, decision.tournament_id)
    )
    listed = [row["listed_player_id"] for row in aliases if row["listed_player_id"] in results]
    if listed:
        return f", who is listed there as `{listed[0]}`; expected the id as it is listed"
    if likely(decision.player_id, results):
        return did_you_mean(decision.player_id, results)
    return "; expected one of its results"


def refuse_faulty(collection: Collection, tournaments: set[str]) -> None:
    """Refuse decisions that leave tournaments that could not be.

    Raises:
        UserError: when they do, with every fault.
    """
    faults = faults_of_changes(collection, {(TOURNAMENTS, found) for found in tournaments}, decisions=True)
    if not faults:
        return
    where = {row["correction_number"]: row for row in collection.rows(CORRECTIONS)}
    messages = []
    for fault in faults:
        row = where.get(fault.row_key, {}) if fault.seed == CORRECTIONS.name else {}
        place = ", ".join(filter(None, (row.get("tournament_id"), row.get("player_id")))) or fault.row_key.replace(
            " ", ", "
        )
        way_out = f". {with_collection(fault.way_out, collection.folder)}" if fault.way_out else ""
        messages.append(f"{place}: found {fault.shown()}; expected {fault.expected}{way_out}")
    if any(fault.seed != CORRECTIONS.name for fault in faults):
        messages.append("Correct all that is wrong in one call, or withdraw a result")
    raise UserError("\n".join(messages))
