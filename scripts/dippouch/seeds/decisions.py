"""Correct and withdraw statements of documents: a row of ref_corrections with a reason; the statement stays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from datetime import date

from dippouch.errors import UserError
from dippouch.seeds.checks import Scope, faults_of_changes
from dippouch.seeds.files import canonical_cells
from dippouch.seeds.schema import CORRECTIONS, TOURNAMENT_KINDS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection

WITHDRAWN = "withdrawn"


def corrections_in_force(collection: Collection, tournament_id: str) -> dict[str, dict[str, str]]:
    """Return a tournament's corrected values by field, for every listed player ("": the tournament itself)."""
    current: dict[str, dict[str, str]] = defaultdict(dict)
    sql = "select player_id, field, value from corrections_in_force where tournament_id = ?"
    for player_id, field, value in collection.query(sql, (tournament_id,)):
        current[player_id][field] = value
    return current


def people_behind(collection: Collection, tournament_id: str = "") -> dict[str, str]:
    """Return the persons of ids that are aliases in a tournament; by default, of those that are aliases in every one."""
    # An alias for one tournament overrides one for all.
    sql = "select listed_player_id, player_id from persons where tournament_id in ('', ?) order by tournament_id"
    return dict(collection.query(sql, (tournament_id,)))


def id_in_tournament(collection: Collection, player_id: str, tournament_id: str, listed: Container[str]) -> str:
    """Return the one of the ids listed in a tournament that belongs to a person there; the given id if none does."""
    if player_id in listed:
        return player_id
    behind = people_behind(collection, tournament_id)
    person = behind.get(player_id, player_id)
    theirs = [person, *sorted(one for one in behind if behind[one] == person)]
    return next((one for one in theirs if one in listed and behind.get(one, one) == person), player_id)


def hint_on_lacking(collection: Collection, tournament_id: str, players: Iterable[str]) -> str:
    """Return the command that withdraws results that a document of a tournament lacks; empty without any."""
    named = [word for player_id in sorted(players) for word in ("--player", player_id)]
    command = collection.command("withdraw", tournament_id, *named)
    return f"Results that the document lacks stay. If somebody did not play: {command}" if named else ""


def decide(
    collection: Collection, tournament_id: str, values: Iterable[tuple[str, str, str]], reason: str, day: date
) -> list[Row]:
    """Record decisions on one tournament; the resulting tournament must pass all rules.

    Args:
        collection: the collection; it is changed.
        tournament_id: the tournament.
        values: for each decision the listed player whose result it is about (empty: the tournament itself), the field (WITHDRAWN or a
            correctable column) and the value from now on; an empty value restores the document's statement.
        reason: the reason of all decisions.
        day: the day of all decisions.

    Returns:
        The recorded rows.

    Raises:
        UserError: when a field is stated twice, or a decision breaks a rule of macros/checks.
    """
    values = list(values)
    fields = [" ".join(filter(None, (player_id, field))) for player_id, field, _ in values]
    if twice := [field for field in fields if fields.count(field) > 1]:
        raise UserError(f"{tournament_id}: found `{twice[0]}` twice; expected every field once")
    last_number = f"select coalesce(max(cast(correction_number as integer)), 0) from {CORRECTIONS.name}"
    ((last,),) = collection.query(last_number)
    rows = []
    for number, value in enumerate(values, start=last + 1):
        cells = canonical_cells(CORRECTIONS, (str(number), tournament_id, *value, reason, day.isoformat()))
        rows.append(dict(zip(CORRECTIONS.columns, cells, strict=True)))
        collection.upsert(CORRECTIONS, rows[-1])
    refuse_faulty(collection, {(TOURNAMENTS, tournament_id)})
    return rows


def corrected_tournament(collection: Collection, tournament_id: str) -> Row:
    """Return a known tournament after corrections, with the additional cell `withdrawn`."""
    (row,) = collection.rows(TOURNAMENTS, "where tournament_id = ?", (tournament_id,), corrected=True)
    return row


def refuse_faulty(collection: Collection, scope: Scope, *, instead: Mapping[str, str] | None = None) -> None:
    """Refuse decisions that leave tournaments or rankings that break a rule.

    Args:
        collection: the collection with the decisions.
        scope: the tournaments and rankings decided on.
        instead: hints to show instead of the commands that mend a recorded decision, by the code of the fault.

    Raises:
        UserError: with every fault, if there are any.
    """
    messages = []
    for fault in faults_of_changes(collection, scope):
        correction = collection.get(CORRECTIONS, (fault.row_key,)) if fault.seed == CORRECTIONS.name else None
        place = (correction["tournament_id"], correction["player_id"]) if correction else fault.row_key.split(" ")
        found, expected, way_out = fault.explained(collection.folder)
        if fault.column == "kind":
            expected += f": {', '.join(row['kind'] for row in collection.all(TOURNAMENT_KINDS))}"
        message = f"{', '.join(filter(None, place))}: found {found}; expected {expected}"
        otherwise = "" if correction else "Correct all faults in one call, or withdraw a result"
        way_out = (instead or {}).get(fault.code, way_out or otherwise)
        messages.append(f"{message}. {way_out}" if way_out else message)
    if messages:
        raise UserError("\n".join(dict.fromkeys(messages)))
