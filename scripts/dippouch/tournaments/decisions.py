"""Correct and withdraw what documents state: add a row to ref_corrections with a reason. The statements stay."""

from collections.abc import Iterable, Sequence
from datetime import date

from dippouch.collection.checks import refuse_faulty
from dippouch.collection.files import canonical_cells
from dippouch.collection.memory import Collection
from dippouch.collection.schema import CORRECTIONS, Row
from dippouch.errors import UserError

WITHDRAWN = "withdrawn"


def hint_on_lacking(collection: Collection, tournament_id: str, players: Iterable[str]) -> str:
    """Return a hint with the command that withdraws the results that a document lacks; empty without such results."""
    named = [word for player_id in sorted(players) for word in ("--player", player_id)]
    command = collection.command("withdraw", tournament_id, *named)
    return f"Results that the document lacks stay. If somebody did not play: {command}" if named else ""


def decide(
    collection: Collection, tournament_id: str, values: Sequence[tuple[str, str, str]], reason: str, day: date
) -> list[Row]:
    """Record decisions on one tournament; the resulting collection must pass all rules that it passed before.

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
    fields = [" ".join(filter(None, (player_id, field))) for player_id, field, _ in values]
    if twice := [field for field in fields if fields.count(field) > 1]:
        raise UserError(f"{tournament_id}: found `{twice[0]}` twice; expected every field once")
    ((last,),) = collection.query("select coalesce(max(correction_number), 0) from stg_corrections")
    rows = []
    for number, value in enumerate(values, start=last + 1):
        cells = (str(number), tournament_id, *value, reason, day.isoformat())
        rows.append(CORRECTIONS.row(*canonical_cells(CORRECTIONS, cells)))
    collection.append(CORRECTIONS, rows)
    refuse_faulty(collection)
    return rows
