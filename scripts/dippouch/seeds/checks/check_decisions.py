"""Checks of the seeds that no declaration of dbt says: kinds, corrections, aliases, and the published rules."""

from __future__ import annotations

from pathlib import Path

from dippouch.names import shortened
from dippouch.seeds.checks.check_events import decision_number
from dippouch.seeds.checks.findings import Findings, ReadSeeds
from dippouch.seeds.corrected_values import PARTS_OF_A_NAME, WITHDRAWN, KnownCodes, canonical_value, fields_of
from dippouch.seeds.corrections import current_corrections
from dippouch.seeds.not_people import NotPeople
from dippouch.seeds.schema import (
    ALIASES,
    CORRECTIONS,
    DISTINCTIONS,
    NATION_NAMES,
    NATIONS,
    NOT_PEOPLE,
    PUBLISHED_RANKINGS,
    RATING_SYSTEMS,
    RESULTS,
    TOURNAMENT_KINDS,
    TOURNAMENTS,
    Row,
)
from dippouch.settings import project_variable
from dippouch.suggested import did_you_mean, suggested_command

_NATIONS, _NATION_NAMES, _SYSTEMS = (Path(name).stem for name in (NATIONS, NATION_NAMES, RATING_SYSTEMS))
# The row that holds the published rules, in a collection that has them.
_PUBLISHED = "dptr"
_EFFECT = "expected a decision that changes something"


def check_decisions(read: ReadSeeds, findings: Findings) -> None:
    """Check what the rating keeper decided, and the kinds of tournaments after it; what could not be read is left out."""
    _check_distinctions(read, findings)
    if read.are_known(_SYSTEMS):
        _check_published_rules(read, findings)
    if not read.are_known(CORRECTIONS.name, _NATIONS, TOURNAMENT_KINDS.name, TOURNAMENTS.name):
        return
    codes = KnownCodes.of_rows(
        *([row for _, row in read.rows[name]] for name in (TOURNAMENT_KINDS.name, _NATIONS, _NATION_NAMES))
    )
    _check_kinds(read, codes, findings)
    faulty = set()
    for line, row in read.rows[CORRECTIONS.name]:
        if fault := _fault_of_correction(read, row, codes):
            findings.add(read.paths[CORRECTIONS.name], line, fault)
            faulty.add(line)
    _check_effects(read, codes, faulty, findings)
    _check_corrected_names(read, findings)
    if read.are_known(ALIASES.name, RESULTS.name, PUBLISHED_RANKINGS.name):
        _check_aliases(read, findings)


def _check_published_rules(read: ReadSeeds, findings: Findings) -> None:
    """The row of the published rules, where there is one, holds them."""
    path = read.paths[_SYSTEMS]
    rows = [(line, row) for line, row in read.rows[_SYSTEMS] if row["rating_system_id"] == _PUBLISHED]
    for line, row in rows:
        for column, rule in project_variable("published_rules").items():
            value = "" if rule is None else str(rule)
            if not _is_same(row[column].strip(), value):
                found = f"`{shortened(row[column])}`" if row[column] else "nothing"
                expected = f"`{value}`" if value else "nothing"
                findings.add(
                    path,
                    line,
                    f"found {column} {found} in the published rules; expected {expected}. A variant of the rules is a row"
                    " with an id of its own",
                )


def _is_same(found: str, expected: str) -> bool:
    try:
        return float(found) == float(expected)
    except ValueError:
        return found == expected


def _check_kinds(read: ReadSeeds, codes: KnownCodes, findings: Findings) -> None:
    """The kind of every tournament, where no correction goes before it."""
    corrected: dict[str, str] = {}
    for _, row in sorted(read.rows[CORRECTIONS.name], key=lambda numbered: decision_number(numbered[1])):
        if row["field"].strip() == "kind" and not row["player_id"].strip():
            corrected[row["tournament_id"].strip()] = row["value"].strip()
    for line, row in read.rows[TOURNAMENTS.name]:
        kind, tournament_id = row["kind"].strip(), row["tournament_id"].strip()
        if kind and kind.upper() not in codes.kinds and not corrected.get(tournament_id):
            command = suggested_command(
                *("edit_tournament.py", "correct", tournament_id, "kind=KIND", "--reason", "..."), seeds=read.folder
            )
            findings.add(
                read.paths[TOURNAMENTS.name],
                line,
                f"found kind `{shortened(kind)}` of {tournament_id}; expected one of {', '.join(sorted(codes.kinds))}"
                f"{did_you_mean(kind, codes.kinds)}. A further kind is a row of {read.paths[TOURNAMENT_KINDS.name]};"
                f" another kind of this tournament: {command}",
            )


def _check_effects(read: ReadSeeds, codes: KnownCodes, faulty: set[int | None], findings: Findings) -> None:
    """Every decision changes what the earlier ones left; one that does not is a slip.

    What a document states is not looked at: it may have come to state what a correction says since the decision.
    """
    path = read.paths[CORRECTIONS.name]
    in_force: dict[tuple[str, str, str], tuple[str, int | None]] = {}
    for line, row in sorted(read.rows[CORRECTIONS.name], key=lambda numbered: decision_number(numbered[1])):
        tournament_id, player_id, name, value = (
            row[column].strip() for column in ("tournament_id", "player_id", "field", "value")
        )
        if line in faulty or not name:
            continue
        key = (tournament_id, player_id, name)
        value = canonical_value(name, value, codes) if value else ""
        before, at = in_force.get(key, ("", None))
        if value == before and at:
            findings.add(path, line, f"found {name} `{shortened(value)}` again, as in line {at}; {_EFFECT}")
        elif not value and not before:
            findings.add(path, line, f"found no value of {name}, which no correction before changes; {_EFFECT}")
        elif name == WITHDRAWN and value == "false" and not before:
            findings.add(path, line, f"found withdrawn `false` of what was not withdrawn before; {_EFFECT}")
        in_force[key] = (value, line if value else None)


def _check_corrected_names(read: ReadSeeds, findings: Findings) -> None:
    """A name as corrections leave it is somebody's."""
    if not read.are_known(RESULTS.name, Path(NOT_PEOPLE).stem):
        return
    not_people = NotPeople.of_rows(row for _, row in read.rows[Path(NOT_PEOPLE).stem])
    decided = sorted(read.rows[CORRECTIONS.name], key=lambda numbered: decision_number(numbered[1]))
    current = current_corrections(row for _, row in decided)
    for line, row in decided:
        tournament_id, player_id, name = (row[column].strip() for column in ("tournament_id", "player_id", "field"))
        corrected = current.get((tournament_id, player_id), {})
        if name in PARTS_OF_A_NAME and corrected.get(name) == row["value"].strip():
            stated = dict(zip(PARTS_OF_A_NAME, read.players_of[tournament_id].get(player_id, ("", "")), strict=True))
            if fault := not_people.fault_of({**stated, **corrected}):
                findings.add(read.paths[CORRECTIONS.name], line, fault)


def _fault_of_correction(read: ReadSeeds, row: Row, codes: KnownCodes) -> str:
    """What is wrong with a correction, beside what is declared; empty when nothing is."""
    tournament_id, player_id, name = (row[column].strip() for column in ("tournament_id", "player_id", "field"))
    if player_id and read.are_known(RESULTS.name) and tournament_id in read.values[TOURNAMENTS.name, "tournament_id"]:
        listed = read.players_of[tournament_id]
        if player_id not in listed:
            expected = f"a listed player of {tournament_id}{did_you_mean(player_id, sorted(listed))}"
            return f"found player_id `{shortened(player_id)}`; expected {expected}"
    fields = (*fields_of(player_id), WITHDRAWN)
    if name and name not in fields:
        return f"found field `{shortened(name)}`; expected one of {', '.join(fields)}{did_you_mean(name, fields)}"
    if name and (row["value"].strip() or name == WITHDRAWN):
        try:
            canonical_value(name, row["value"].strip(), codes)
        except ValueError as error:
            return str(error)
    return ""


def _check_distinctions(read: ReadSeeds, findings: Findings) -> None:
    """A pair stands once, in the order of the alphabet."""
    for line, row in read.rows[DISTINCTIONS.name]:
        one, other = row["player_id"].strip(), row["other_player_id"].strip()
        if other and one >= other:
            findings.add(
                read.paths[DISTINCTIONS.name],
                line,
                f"found player_id `{shortened(one)}` before `{shortened(other)}`; expected the pair in order, two people",
            )


def _check_aliases(read: ReadSeeds, findings: Findings) -> None:
    """An alias is of somebody who is listed, and leads to somebody who is no alias."""
    path = read.paths[ALIASES.name]
    everywhere = {
        row["listed_player_id"].strip(): row["player_id"].strip()
        for _, row in read.rows[ALIASES.name]
        if not row["tournament_id"].strip()
    }
    for line, row in read.rows[ALIASES.name]:
        columns = ("listed_player_id", "tournament_id", "player_id")
        listed_id, tournament_id, player_id = (row[column].strip() for column in columns)
        listed = read.players_of[tournament_id] if tournament_id else read.listed
        if listed_id and listed_id not in listed:
            where = tournament_id or "a result or a published ranking"
            meant = did_you_mean(listed_id, sorted(listed))
            findings.add(
                path, line, f"found listed_player_id `{shortened(listed_id)}`; expected an id that {where} lists{meant}"
            )
        if player_id == listed_id:
            findings.add(path, line, f"found an alias of `{shortened(listed_id)}` to itself; expected another person")
        elif player_id in everywhere:
            findings.add(
                path,
                line,
                f"found player_id `{shortened(player_id)}`, which is itself an alias of `{everywhere[player_id]}`;"
                f" expected `{everywhere[player_id]}`",
            )
