"""The format `wdr-json`: tournaments and players from the API of the World Diplomacy Reference.

`api/v1/tournaments/{id}` has the standings; it may omit name and dates, which the rating keeper then gives as options.
`api/v1/players/{id}` has a person and their tournaments. Other fields are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from dippouch.documents import Appearance, Document, ListedPlayer, PlayerDocument, Result, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Cell
from dippouch.importing.formats.facts import Facts, make_tournament, missing_facts, with_options
from dippouch.importing.formats.leagues import is_league, left_aside
from dippouch.importing.formats.result_rows import parse_full_name
from dippouch.importing.parsing.dates import parse_day
from dippouch.names import in_capitals, repair_text, shortened, tidy_text

FORMAT = "wdr-json"

_STANDINGS = "tournament_classifications"
_PLAYED = "player_tournaments_played"

# The beginning of an object, or of lists that contain an object or nothing.
_BEGINNING = re.compile(r"\s*(?:\{\s*(?:[\"}]|$)|(?:\[\s*+)++(?:\{|\]\s*(?:[\],]|$)))")

# The World Diplomacy Reference's values for a missing number.
_NONE = (None, -1, 0, "")

# The fact in each field of a tournament's file.
_FACTS = {
    "tournament_name": "name",
    "tournament_start_date": "started_on",
    "tournament_end_date": "ended_on",
    "tournament_kind": "kind",
}


def detect(text: str) -> bool:
    """Return whether a text begins like JSON, and not like a table with a bracket in its first cell."""
    return _BEGINNING.match(text) is not None


def read(text: str, source: Source, context: Context) -> Iterator[Document]:
    """Read the tournament or the player of a file."""
    data = _load(text, source)
    if isinstance(data, dict) and _STANDINGS in data:
        yield from _read_tournament(_Fields(source, context, "", data))
    elif isinstance(data, dict) and _PLAYED in data:
        yield _read_player(_Fields(source, context, "", data))
    else:
        raise source.fault(
            "JSON of something else",
            f"an object with `{_STANDINGS}` or `{_PLAYED}`, as the World Diplomacy Reference's API gives",
        )


class _Fields:
    """The fields of one object, with its place."""

    def __init__(self, source: Source, context: Context, place: str, data: dict[str, Any]) -> None:
        self.source = source
        self.context = context
        self.place = place
        self.data = data

    def at(self, name: str) -> Location:
        """Return the place of a field."""
        return Location(self.source.path, place=f"{self.place}.{name}" if self.place else name)

    def fault(self, name: str, expected: str) -> DocumentError:
        """Return the error for a fault in a field."""
        found = f"`{shortened(json.dumps(self.data[name]))}`" if name in self.data else "nothing"
        return DocumentError(self.at(name), found, expected)

    def cell(self, name: str) -> Cell:
        """Return a text with its place; an empty one if the field is null or missing."""
        value = self.data.get(name)
        if value is not None and not isinstance(value, str):
            raise self.fault(name, "a text")
        return Cell((value or "").strip(), self.at(name))

    def text(self, name: str) -> str | None:
        """Return a text; None if the field is null, empty or missing."""
        return self.cell(name).text or None

    def number(self, name: str) -> int | None:
        """Return a whole number from 1; None for the source's values of a missing number."""
        value = self.data.get(name)
        if value in _NONE and not isinstance(value, bool):
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value < 10**9:
            raise self.fault(name, "a whole number from 1, or -1 or null for none")
        return value

    def day(self, name: str) -> date | None:
        """Return a day, or None."""
        cell = self.cell(name)
        return cell._replace(text=cell.text[:10]).parsed("the day", parse_day) if cell.text else None

    def nation(self, name: str) -> str | None:
        """Return a nation's code, or None."""
        return self.cell(name).parsed("the nation", self.context.nations.of_text)

    def objects(self, name: str) -> list[_Fields]:
        """Return the objects of a list."""
        value = self.data.get(name)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fault(name, "a list of objects")
        return [_Fields(self.source, self.context, f"{self.at(name).place}[{i}]", item) for i, item in enumerate(value)]


def _load(text: str, source: Source) -> object:
    try:
        data: object = json.loads(text, object_pairs_hook=_each_once)
        # A single surrogate (`\ud800`) cannot be encoded.
        json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        location = Location(source.path, error.lineno)
        found = f"incomplete or invalid JSON ({error.msg})"
        raise DocumentError(location, found, "a whole JSON file") from None
    except RecursionError:
        raise source.fault("JSON nested too deeply", "a file of the World Diplomacy Reference") from None
    except ValueError as error:
        raise source.fault(str(error), "JSON as the World Diplomacy Reference gives") from None
    return data


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise ValueError(f"the field `{shortened(name)}` twice in one object")
        made[name] = value
    return made


def _read_tournament(fields: _Fields) -> Iterator[TournamentDocument]:
    faults = Faults()
    listed: list[_Fields] = []
    with faults.gathered():
        listed = fields.objects(_STANDINGS)
    results = faults.each(listed, _read_result)
    with faults.gathered():
        document = _described(fields, results, faults)
        if results or not faults:
            yield document
    faults.raise_any()


def _described(fields: _Fields, results: list[Result], faults: Faults) -> TournamentDocument:
    facts: Facts = {}
    for name, fact in _FACTS.items():
        cell = fields.cell(name)
        if cell.text:
            facts[fact] = cell._replace(text=cell.text[:10]) if fact.endswith("_on") else cell
    facts, overridden = with_options(facts, fields.context.options, fields.source)
    if missing := missing_facts(facts, ("name", "date")):
        raise fields.source.fault(
            f"no {' and no '.join(missing)} of the tournament",
            "what the file leaves out as options: " + " ".join(f"--{name} ..." for name in missing),
        )
    source_ids = _source_ids(fields, "tournament_wdd_id", "tournament_id")
    document = make_tournament(facts, results, fields.source, fields.context, faults)
    return replace(document, source_ids=source_ids, remarks=tuple(overridden))


def _read_result(fields: _Fields) -> Result:
    faults = Faults()
    with faults.gathered():
        name = fields.cell("player_full_name")
        first_name, last_name = name.parsed("the name", parse_full_name)
    with faults.gathered():
        number = fields.number("player_id")
    with faults.gathered():
        rank = fields.number("player_rank")
    faults.raise_any()
    source_ids = (f"wdr:{number}",) if number else ()
    player = ListedPlayer(name.text, first_name, last_name, name.location, source_ids=source_ids)
    return Result(player, rank)


def _read_player(fields: _Fields) -> PlayerDocument:
    faults = Faults()
    with faults.gathered():
        player = _person(fields)
    leagues: list[str] = []
    played: list[_Fields] = []
    with faults.gathered():
        played = fields.objects(_PLAYED)
    read = faults.each(played, lambda item: _read_appearance(item, leagues))
    faults.raise_any()
    appearances = [appearance for appearance in read if appearance is not None]
    return PlayerDocument(fields.source, player, appearances, remarks=left_aside(leagues))


def _person(fields: _Fields) -> ListedPlayer:
    first_name, last_name = fields.text("player_first_name") or "", fields.text("player_last_name")
    if last_name is None:
        raise fields.fault("player_last_name", "the last name of the player")
    return ListedPlayer(
        f"{first_name} {last_name}".strip(),
        repair_text(first_name),
        in_capitals(repair_text(last_name)),
        fields.at("player_last_name"),
        nation_code=fields.nation("player_nationality"),
        location_code=fields.nation("player_location"),
        source_ids=_source_ids(fields, "player_wdd_id", "player_id"),
    )


def _read_appearance(fields: _Fields, leagues: list[str]) -> Appearance | None:
    """Read one tournament of a player; note a league and return None."""
    name, kind = fields.text("tournament_name"), fields.text("tournament_kind")
    if is_league(kind):
        leagues.append(name or fields.place)
        return None
    if name is None:
        raise fields.fault("tournament_name", "the name of a tournament")
    started_on = fields.day("tournament_start_date") or fields.day("tournament_end_date")
    if started_on is None:
        raise fields.fault("tournament_start_date", "the first day of the tournament")
    ended_on = fields.day("tournament_end_date") or started_on
    if ended_on < started_on:
        raise fields.fault("tournament_end_date", f"a day on or after the start, {started_on}")
    return Appearance(
        name=tidy_text(name),
        started_on=started_on,
        ended_on=ended_on,
        placement=fields.number("tournament_player_rank"),
        location=Location(fields.source.path, place=fields.place),
        kind=kind,
        source_ids=_source_ids(fields, "tournament_wdd_id", "tournament_id"),
    )


def _source_ids(fields: _Fields, wdd: str, wdr: str) -> tuple[str, ...]:
    """Return the ids that the file states, that of the World Diplomacy Database first."""
    numbers = (("wdd", fields.number(wdd)), ("wdr", fields.number(wdr)))
    return tuple(f"{source}:{number}" for source, number in numbers if number)
