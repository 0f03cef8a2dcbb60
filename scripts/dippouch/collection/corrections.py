"""Correcting and withdrawing what documents state: a row of corrections.csv with a reason, the statement stays."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dippouch.collection.seeds import CORRECTIONS, Row, read_rows
from dippouch.collection.working import Collection
from dippouch.errors import KeeperError

WITHDRAWN = "withdrawn"
TOURNAMENT_FIELDS = (
    "name",
    "subtitle",
    "kind",
    "started_on",
    "ended_on",
    "place",
    "nation_code",
    "players",
    "rounds",
    "boards",
)
RESULT_FIELDS = ("placement",)


@dataclass(frozen=True)
class Decision:
    """What the keeper decided.

    Attributes:
        tournament_id: the tournament.
        player_id: the listed player whose result it is about; empty: the tournament itself.
        field: one of TOURNAMENT_FIELDS or RESULT_FIELDS, or WITHDRAWN.
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


def decide(collection: Collection, decisions: list[Decision]) -> None:
    """Record decisions on one tournament; what they leave must be a tournament that could be.

    Raises:
        KeeperError: when the tournament or player is unknown, a value cannot be, or nothing would change.
    """
    for decision in decisions:
        _check(collection, decision)
        number = collection.count(CORRECTIONS) + 1
        collection.put(
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
        KeeperError: when it is unknown.
    """
    row = collection.tournament(tournament_id)
    if row is None:
        raise KeeperError(f"{tournament_id}: no such tournament in {collection.folder}; the ids are in its tournaments")
    return row | {WITHDRAWN: "false"} | _current(collection, tournament_id).get("", {})


def corrected_results(collection: Collection, tournament_id: str) -> dict[str, Row]:
    """The results of a tournament as they stand, by listed player id, with the further cell `withdrawn`."""
    current = _current(collection, tournament_id)
    return {
        player_id: row | {WITHDRAWN: "false"} | current.get(player_id, {})
        for player_id, row in collection.results_of(tournament_id).items()
    }


def _current(collection: Collection, tournament_id: str) -> dict[str, dict[str, str]]:
    """The decisions that hold, by listed player id ("": the tournament) and field."""
    current: dict[str, dict[str, str]] = defaultdict(dict)
    for row in collection.corrections_of(tournament_id):
        current[row["player_id"]][row["field"]] = row["value"]
    return current


def _check(collection: Collection, decision: Decision) -> None:
    tournament = corrected_tournament(collection, decision.tournament_id)
    where = decision.tournament_id
    row = tournament
    if decision.player_id:
        where = f"{decision.tournament_id}, {decision.player_id}"
        results = corrected_results(collection, decision.tournament_id)
        if decision.player_id not in results:
            raise KeeperError(f"{where}: no such listed player in this tournament; expected one of its results")
        row = results[decision.player_id]
    fields = RESULT_FIELDS if decision.player_id else TOURNAMENT_FIELDS
    if decision.field not in (*fields, WITHDRAWN):
        raise KeeperError(f"{where}: found the field `{decision.field}`; expected one of {', '.join(fields)}")
    if not decision.reason.strip():
        raise KeeperError(f"{where}: found no reason; expected why the document is wrong")
    if row[decision.field] == decision.value:
        raise KeeperError(f"{where}: {decision.field} is `{decision.value}` already; nothing was changed")
    rule = _RULES.get(decision.field)
    expected = rule(decision.value, collection.folder) if rule else ("" if decision.value.strip() else "some text")
    if expected:
        raise KeeperError(f"{where}: found {decision.field} `{decision.value}`; expected {expected}")


def _check_tournament(collection: Collection, tournament_id: str) -> None:
    """Dates in order, every placement within the declared field, and room for the tied."""
    tournament = corrected_tournament(collection, tournament_id)
    if tournament["ended_on"] < tournament["started_on"]:
        raise KeeperError(
            f"{tournament_id}: found an end ({tournament['ended_on']}) before the start ({tournament['started_on']})"
        )
    rows = [row for row in corrected_results(collection, tournament_id).values() if row[WITHDRAWN] != "true"]
    tied: dict[int, list[str]] = defaultdict(list)
    for row in rows:
        if row["placement"]:
            tied[int(row["placement"])].append(row["player_id"])
    players = int(tournament["players"]) if tournament["players"] else None
    places = sorted(tied)
    for place, after in zip(places, [*places[1:], None], strict=True):
        end = after if after is not None else players + 1 if players is not None else None
        if end is not None and end < place + len(tied[place]):
            what = f"{len(tied[place])} at placement {place} ({', '.join(tied[place])})"
            then = f"{len(tied[after])} at placement {after}" if after is not None else f"{players} players"
            raise KeeperError(
                f"{tournament_id}: found {what} before {then}; expected tied players to share the best placement"
                " (1, 2, 2, 4) within the declared players. Correct all that is wrong in one call, or withdraw a result"
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
        path = folder / "reference" / file
        known = {row[column] for row in read_rows(path)}
        return "" if value in known else f"a {column} of {path}"

    return check


_RULES: dict[str, Callable[[str, Path], str]] = {
    "kind": _one_of("tournament_kinds.csv", "kind"),
    "nation_code": _one_of("nations.csv", "nation_code"),
    "started_on": _day,
    "ended_on": _day,
    "players": _whole_number,
    "rounds": _whole_number,
    "boards": _whole_number,
    "placement": _whole_number,
}
