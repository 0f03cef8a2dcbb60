"""Correcting and withdrawing what documents state: a row of ref_corrections with a reason, the statement stays."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dippouch.errors import UserError
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import CORRECTIONS, NATIONS, TOURNAMENT_FACTS, TOURNAMENT_KINDS, Row
from dippouch.seeds.store import Collection
from dippouch.ties import crowding

WITHDRAWN = "withdrawn"
RESULT_FIELDS = ("placement",)

# Corrected values by field, for a (tournament id, listed player id, or "" for the tournament itself).
Corrections = dict[tuple[str, str], dict[str, str]]


@dataclass(frozen=True)
class Decision:
    """What the rating keeper decided.

    Attributes:
        tournament_id: the tournament.
        player_id: the listed player whose result it is about; empty: the tournament itself.
        field: one of TOURNAMENT_FACTS or RESULT_FIELDS, or WITHDRAWN.
        value: what holds from now on; `true` or `false` for WITHDRAWN.
        reason: why.
        decided_on: when.
    """

    tournament_id: str
    player_id: str
    field: str
    value: str
    reason: str
    decided_on: date


def current_corrections(rows: Iterable[Row]) -> Corrections:
    """The corrections in force: of several decisions on one field the last.

    Args:
        rows: corrections in the order in which they were decided.
    """
    current: Corrections = defaultdict(dict)
    for row in rows:
        key = (row["tournament_id"].strip(), row["player_id"].strip())
        current[key][row["field"].strip()] = row["value"].strip()
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


def decide(collection: Collection, decisions: list[Decision]) -> None:
    """Record decisions on one tournament; what they leave must be a tournament that could be.

    Raises:
        UserError: when the tournament or player is unknown, a value cannot be, or nothing would change.
    """
    for decision in decisions:
        _check(collection, decision)
        number = collection.count(CORRECTIONS) + 1
        collection.upsert(
            CORRECTIONS,
            {
                "correction_number": str(number),
                "tournament_id": decision.tournament_id,
                "player_id": decision.player_id,
                "field": decision.field,
                "value": decision.value,
                "reason": decision.reason.strip(),
                "decided_on": decision.decided_on.isoformat(),
            },
        )
    for tournament_id in dict.fromkeys(decision.tournament_id for decision in decisions):
        _check_tournament(collection, tournament_id)


def corrected_tournament(collection: Collection, tournament_id: str) -> Row:
    """A tournament as it stands, with the further cell `withdrawn`.

    Raises:
        UserError: when it is unknown.
    """
    row = collection.tournament(tournament_id)
    if row is None:
        raise UserError(f"{tournament_id}: no such tournament in {collection.folder}; the ids are in its tournaments")
    current = current_corrections(corrections_of(collection, tournament_id))
    return row | {WITHDRAWN: "false"} | current.get((tournament_id, ""), {})


def corrected_results(collection: Collection, tournament_id: str) -> dict[str, Row]:
    """The results of a tournament as they stand, by listed player id, with the further cell `withdrawn`."""
    current = current_corrections(corrections_of(collection, tournament_id))
    return {
        player_id: row | {WITHDRAWN: "false"} | current.get((tournament_id, player_id), {})
        for player_id, row in collection.results_of(tournament_id).items()
    }


def _check(collection: Collection, decision: Decision) -> None:
    row = corrected_tournament(collection, decision.tournament_id)
    where = decision.tournament_id
    if decision.player_id:
        where = f"{decision.tournament_id}, {decision.player_id}"
        results = corrected_results(collection, decision.tournament_id)
        if decision.player_id not in results:
            raise UserError(f"{where}: no such listed player in this tournament; expected one of its results")
        row = results[decision.player_id]
    fields = RESULT_FIELDS if decision.player_id else TOURNAMENT_FACTS
    if decision.field not in (*fields, WITHDRAWN):
        raise UserError(f"{where}: found the field `{decision.field}`; expected one of {', '.join(fields)}")
    if not decision.reason.strip():
        raise UserError(f"{where}: found no reason; expected why the document is wrong")
    if row[decision.field] == decision.value:
        raise UserError(f"{where}: {decision.field} is `{decision.value}` already; nothing was changed")
    rule = _RULES.get(decision.field)
    expected = rule(decision.value, collection.folder) if rule else ("" if decision.value.strip() else "some text")
    if expected:
        raise UserError(f"{where}: found {decision.field} `{decision.value}`; expected {expected}")


def _check_tournament(collection: Collection, tournament_id: str) -> None:
    """Dates in order, every placement within the declared field, and room for the tied."""
    tournament = corrected_tournament(collection, tournament_id)
    if tournament["ended_on"] < tournament["started_on"]:
        raise UserError(
            f"{tournament_id}: found an end ({tournament['ended_on']}) before the start ({tournament['started_on']})"
        )
    placements = {
        player_id: int(row["placement"])
        for player_id, row in corrected_results(collection, tournament_id).items()
        if row[WITHDRAWN] != "true" and row["placement"]
    }
    declared = int(tournament["players"]) if tournament["players"] else None
    tied = Counter(placements.values())
    for placement, players, following in crowding(tied, declared):
        there = ", ".join(player_id for player_id, theirs in placements.items() if theirs == placement)
        then = f"{declared} players" if following is None else f"{tied[following]} at placement {following}"
        raise UserError(
            f"{tournament_id}: found {players} at placement {placement} ({there}) before {then}; expected tied players"
            " to share the best placement (1, 2, 2, 4) within the declared players. Correct all that is wrong in one"
            " call, or withdraw a result"
        )


def _whole_number(value: str, folder: Path) -> str:
    del folder
    return "" if re.fullmatch(r"[1-9][0-9]{0,6}", value) else "a whole number above 0"


def _day(value: str, folder: Path) -> str:
    del folder
    try:
        date.fromisoformat(value)
    except ValueError:
        return "a day as YYYY-MM-DD"
    return ""


def _one_of(file: str, column: str) -> Callable[[str, Path], str]:
    def check(value: str, folder: Path) -> str:
        known = {row[column] for row in read_rows(folder / file)}
        return "" if value in known else f"a {column} of {folder / file}"

    return check


# What is expected of a corrected value, when it is not what it should be.
_RULES: dict[str, Callable[[str, Path], str]] = {
    "kind": _one_of(TOURNAMENT_KINDS, "kind"),
    "nation_code": _one_of(NATIONS, "nation_code"),
    **dict.fromkeys(("started_on", "ended_on"), _day),
    **dict.fromkeys(("players", "rounds", "boards", "placement"), _whole_number),
}
