"""Correct and withdraw statements of documents: a row of ref_corrections with a reason; the statement stays."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from datetime import date

from dippouch.errors import UserError
from dippouch.names import in_capitals, repair_text, shortened
from dippouch.seeds.changes import Scope, faults_of_changes
from dippouch.seeds.checks import with_collection
from dippouch.seeds.schema import CODES, CORRECTIONS, NONE, RESULTS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection

WITHDRAWN = "withdrawn"
DAYS = ("started_on", "ended_on")


@dataclass(frozen=True)
class Decision:
    """A decision of the rating keeper.

    Attributes:
        player_id: the listed player whose result it is about; empty: the tournament itself.
        field: a correctable column of the tournament or the result, or WITHDRAWN.
        value: the value from now on; `true` or `false` for WITHDRAWN. None restores the document's statement.
    """

    tournament_id: str
    player_id: str
    field: str
    value: str | None
    reason: str
    decided_on: date


def corrections_in_force(collection: Collection, tournament_id: str) -> dict[str, dict[str, str]]:
    """Return a tournament's corrected values by field, for every listed player ("": the tournament itself)."""
    current: dict[str, dict[str, str]] = defaultdict(dict)
    sql = "select player_id, field, value from corrections_in_force where tournament_id = ?"
    for player_id, field, value in collection.query(sql, (tournament_id,)):
        current[player_id][field] = value
    return current


def decide(collection: Collection, decisions: list[Decision], *, latest: date | None = None) -> list[Decision]:
    """Record decisions on one tournament; the resulting tournament must pass all rules.

    Args:
        collection: the collection; it is changed.
        decisions: the decisions; later ones override earlier ones.
        latest: the latest allowed day of a decision or a tournament; None for any.

    Returns:
        The recorded decisions, with tidy values: those that change something.

    Raises:
        UserError: when the tournament or player is unknown, a value is invalid, or nothing would change.
    """
    recorded = []
    for stated in decisions:
        decision = replace(stated, value=_tidy_value(stated.field, stated.value), reason=stated.reason.strip())
        _check_days(decision, latest)
        row = corrected_tournament(collection, decision.tournament_id)
        if decision.player_id:
            row = corrected_results(collection, decision.tournament_id).get(decision.player_id, {})
        in_force = corrections_in_force(collection, decision.tournament_id)[decision.player_id]
        is_reverted = decision.value is None and decision.field not in in_force
        if is_reverted or row.get(decision.field) == ("" if decision.value == NONE else decision.value):
            continue
        ((last,),) = collection.query(
            f"select coalesce(max(cast(correction_number as integer)), 0) from {CORRECTIONS.name}"
        )
        cells = asdict(decision) | {"value": decision.value or "", "decided_on": decision.decided_on.isoformat()}
        collection.upsert(CORRECTIONS, {"correction_number": str(last + 1)} | cells)
        recorded.append(decision)
    if not recorded:
        known = (f"{each.field} is {f'`{each.value}`' if each.value else 'as stated'} already" for each in decisions)
        raise UserError(f"{_place(decisions[0])}: {', '.join(known)}; nothing was changed")
    refuse_faulty(collection, {(TOURNAMENTS, decision.tournament_id) for decision in decisions}, decisions=True)
    return recorded


def corrected_tournament(collection: Collection, tournament_id: str) -> Row:
    """Return a tournament after corrections, with the additional cell `withdrawn`.

    Raises:
        UserError: when it is unknown.
    """
    for row in collection.corrected_rows(TOURNAMENTS, "where tournament_id = ?", (tournament_id,)):
        return row
    raise UserError(
        f"{shortened(tournament_id)}: no such tournament in {collection.folder}; expected an id of {TOURNAMENTS.path}"
    )


def corrected_results(collection: Collection, tournament_id: str) -> dict[str, Row]:
    """Return the results of a tournament after corrections, by listed player id, with the additional cell `withdrawn`."""
    rows = collection.corrected_rows(RESULTS, "where tournament_id = ?", (tournament_id,))
    return {row["player_id"]: row for row in rows}


def _check_days(decision: Decision, latest: date | None) -> None:
    """Refuse days in the future."""
    days = {"decided_on": decision.decided_on.isoformat()}
    if decision.field in DAYS:
        days[decision.field] = decision.value or ""
    for name, day in days.items():
        if latest and day > latest.isoformat():
            raise UserError(
                f"{_place(decision)}: found {name} `{day}`; expected no day after {latest}, which is today. If the day is right,"
                " add --future"
            )


def _place(decision: Decision) -> str:
    return ", ".join(filter(None, (decision.tournament_id, shortened(decision.player_id))))


def _tidy_value(name: str, value: str | None) -> str | None:
    """Normalize a corrected value for the seed: single spaces, codes and last names in capitals.

    Raises:
        UserError: when it is empty, which would restore the document's statement.
    """
    if value is None:
        return None
    made = unicodedata.normalize("NFC", " ".join(value.split()) if value.isprintable() else value).strip()
    if not made:
        raise UserError(f"found no value of {name}; expected one. `dptr revert` goes back to what the document states")
    if made.casefold() == NONE and any(table.columns.get(name, {}).get("or_none") for table in (TOURNAMENTS, RESULTS)):
        return NONE
    if name in ("first_name", "last_name"):
        made = repair_text(made)
    return in_capitals(made) if name == "last_name" else made.upper() if name in CODES else made


def refuse_faulty(collection: Collection, scope: Scope, *, decisions: bool = False, instead: str = "") -> None:
    """Refuse decisions that leave tournaments or rankings that break a rule.

    Args:
        collection: the collection with the decisions.
        scope: the tournaments and rankings decided on.
        decisions: whether to check corrections, too.
        instead: a hint to show instead of the commands that mend a recorded decision.

    Raises:
        UserError: with every fault, if there are any.
    """
    faults = faults_of_changes(collection, scope, decisions=decisions)
    messages = []
    for fault in faults:
        correction = collection.get(CORRECTIONS, (fault.row_key,)) if fault.seed == CORRECTIONS.name else None
        place = (correction["tournament_id"], correction["player_id"]) if correction else fault.row_key.split(" ")
        way_out = instead or with_collection(fault.way_out, collection.folder)
        message = f"{', '.join(filter(None, place))}: found {fault.found}; expected {fault.expected}"
        messages.append(f"{message}. {way_out}" if way_out else message)
    if decisions and any(fault.seed != CORRECTIONS.name for fault in faults):
        messages.append("Correct all faults in one call, or withdraw a result")
    if messages:
        raise UserError("\n".join(dict.fromkeys(messages)))
