"""What must hold between the cells of a tournament: its days in order, its placements within its players."""

from __future__ import annotations

import re
from datetime import date

from dippouch.seeds.checks.findings import Findings, ReadSeeds
from dippouch.seeds.corrected_values import DAYS, LONGEST_DAYS, WITHDRAWN
from dippouch.seeds.corrections import Corrections, current_corrections
from dippouch.seeds.schema import CORRECTIONS, RESULTS, TOURNAMENTS, Row


def check_events(read: ReadSeeds, findings: Findings) -> None:
    """Check every tournament, as its document states it and as corrections leave it; what could not be read is left out."""
    if not read.are_known(TOURNAMENTS.name):
        return
    decided = sorted(read.rows[CORRECTIONS.name], key=lambda numbered: decision_number(numbered[1]))
    corrections = current_corrections(row for _, row in decided)
    for line, row in read.rows[TOURNAMENTS.name]:
        path, tournament_id = read.paths[TOURNAMENTS.name], row["tournament_id"].strip()
        corrected = corrections.get((tournament_id, ""), {})
        if fault := _fault_of_days(row):
            findings.add(path, line, fault)
        elif corrected.keys() & set(DAYS) and (fault := _fault_of_days(row | corrected)):
            at = [number for number, other in decided if other["tournament_id"].strip() == tournament_id]
            findings.add(read.paths[CORRECTIONS.name], at[-1], f"{fault}, as corrections leave {tournament_id}")
        if read.are_known(RESULTS.name) and tournament_id in read.placed and not _moved(corrections, tournament_id):
            _check_placements(read, row, line, findings)


def decision_number(row: Row) -> int:
    """The number of a correction; 0 for what is none."""
    number = row["correction_number"].strip()
    return int(number) if re.fullmatch("[0-9]+", number) else 0


def _fault_of_days(row: Row) -> str:
    try:
        started_on, ended_on = (date.fromisoformat(row[day].strip()) for day in DAYS)
    except ValueError:
        return ""  # Told by its own.
    found = f"found started_on `{started_on}` and ended_on `{ended_on}`"
    if ended_on < started_on:
        return f"{found}; expected the days in order"
    if (ended_on - started_on).days > LONGEST_DAYS:
        return f"{found}; expected them at most three years apart"
    return ""


def _moved(corrections: Corrections, tournament_id: str) -> bool:
    """Whether corrections change how many players or placements there are; dbt tests what they leave."""
    return any(
        where == tournament_id and cells.keys() & {"players", "placement", WITHDRAWN}
        for (where, _), cells in corrections.items()
    )


def _check_placements(read: ReadSeeds, row: Row, line: int | None, findings: Findings) -> None:
    """No more placements than declared players, and none beyond them."""
    tournament_id, players = row["tournament_id"].strip(), row["players"].strip()
    if not re.fullmatch("[1-9][0-9]{0,6}", players):
        return
    placed = read.placed[tournament_id]
    if placed.count > int(players):
        findings.add(
            read.paths[TOURNAMENTS.name],
            line,
            f"found players `{players}` of {tournament_id}; expected at least the {placed.count} that are listed with a placement",
        )
    elif placed.largest > int(players):
        findings.add(
            read.paths[RESULTS.name],
            placed.line,
            f"found placement `{placed.largest}` in {tournament_id}; expected one from 1 to {players}, the players that it declares",
        )
