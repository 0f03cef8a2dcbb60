"""The format `wdr-json`: tournaments and players as the World Diplomacy Reference's API gives them.

`api/v1/tournaments/{id}` has the standings; it may leave out name and dates, which the rating keeper then states as options.
`api/v1/players/{id}` has a person and their tournaments. Fields that are not named here are left aside.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from dippouch.documents import Appearance, Document, ListedPlayer, PlayerDocument, Result, Source
from dippouch.errors import DocumentError, Location
from dippouch.importing.formats.cells import Cell
from dippouch.importing.formats.facts import Facts, make_tournament, with_options
from dippouch.importing.options import TournamentOptions
from dippouch.importing.parsing.dates import parse_day
from dippouch.importing.parsing.nations import nations
from dippouch.names import in_capitals, repair_text, shortened, split_full_name

FORMAT = "wdr-json"

_STANDINGS = "tournament_classifications"
_PLAYED = "player_tournaments_played"

# How the World Diplomacy Reference says that there is no such number.
_NONE = (None, -1, 0, "")

# The fact that a field of a tournament's file states.
_FACTS = {
    "tournament_name": "name",
    "tournament_start_date": "started_on",
    "tournament_end_date": "ended_on",
    "tournament_kind": "kind",
}


def detect(text: str) -> bool:
    """Whether a text is of this format: it begins as JSON does."""
    return text.lstrip().startswith(("{", "["))


def read(text: str, source: Source, options: TournamentOptions) -> Iterator[Document]:
    """The tournament or the player that a file states.

    Raises:
        DocumentError: when it is no JSON, is of neither kind, or a field cannot be read.
    """
    data = _load(text, source)
    if isinstance(data, dict) and _STANDINGS in data:
        yield _read_tournament(_Fields(source, "", data), source, options)
    elif isinstance(data, dict) and _PLAYED in data:
        yield _read_player(_Fields(source, "", data), source)
    else:
        raise source.fault(
            "JSON of something else",
            f"an object with `{_STANDINGS}` or `{_PLAYED}`, as the World Diplomacy Reference's API gives",
        )


class _Fields:
    """The fields of one object, with the place where it stands."""

    def __init__(self, source: Source, place: str, data: dict[str, Any]) -> None:
        self.source = source
        self.place = place
        self.data = data

    def at(self, name: str) -> Location:
        """Where a field stands."""
        return Location(self.source.path, place=f"{self.place}.{name}" if self.place else name)

    def fault(self, name: str, expected: str, hint: str = "") -> DocumentError:
        """The error of a document with something wrong in a field."""
        value = self.data.get(name)
        if name not in self.data:
            found = "nothing"
        elif isinstance(value, dict | list):
            found = f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
        else:
            found = f"`{shortened('null' if value is None else str(value))}`"
        return DocumentError(self.at(name), found, expected, hint)

    def text(self, name: str) -> str | None:
        """A text; None when the field is null, empty or not there."""
        value = self.data.get(name)
        if value is not None and not isinstance(value, str):
            raise self.fault(name, "a text")
        return value.strip() or None if value is not None else None

    def number(self, name: str) -> int | None:
        """A whole number from 1; None for what the source writes when there is none."""
        value = self.data.get(name)
        if value in _NONE and not isinstance(value, bool):
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value < 10**9:
            raise self.fault(name, "a whole number from 1, or -1 or null for none")
        return value

    def day(self, name: str) -> date | None:
        """A day; None when there is none."""
        text = self.text(name)
        if text is None:
            return None
        try:
            return parse_day(text[:10])
        except ValueError as error:
            raise self.fault(name, f"a day such as `2013-08-23` ({error})") from None

    def nation(self, name: str) -> str | None:
        """A nation's code; None when there is none."""
        try:
            return nations().of_text(self.text(name) or "")
        except ValueError as error:
            raise self.fault(name, str(error)) from None

    def objects(self, name: str) -> list[_Fields]:
        """The objects of a list."""
        value = self.data.get(name)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fault(name, "a list of objects")
        return [_Fields(self.source, f"{self.at(name).place}[{i}]", item) for i, item in enumerate(value)]


def _load(text: str, source: Source) -> object:
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse, object_pairs_hook=_each_once)
    except json.JSONDecodeError as error:
        location = Location(source.path, error.lineno)
        found = f"JSON that breaks off or is broken ({error.msg})"
        raise DocumentError(location, found, "a whole JSON file") from None
    except RecursionError:
        raise source.fault("JSON nested too deep", "a file of the World Diplomacy Reference") from None
    except ValueError as error:
        raise source.fault(str(error), "JSON as the World Diplomacy Reference gives") from None


def _refuse(constant: str) -> object:
    raise ValueError(f"the number `{constant}`")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field `{shortened(twice)}` twice in one object")
    return made


def _read_tournament(fields: _Fields, source: Source, options: TournamentOptions) -> Document:
    facts: Facts = {}
    for name, fact in _FACTS.items():
        if text := fields.text(name):
            facts[fact] = Cell(text[:10] if fact.endswith("_on") else text, fields.at(name))
    facts = with_options(facts, options, source)
    dated = facts.keys() & {"date", "started_on", "ended_on"}
    if missing := [fact for fact, there in (("name", "name" in facts), ("date", dated)) if not there]:
        raise source.fault(
            f"no {' and no '.join(missing)} of the tournament",
            "what the file leaves out as options: " + " ".join(f"--{name} ..." for name in missing),
        )
    results = [_read_result(item) for item in fields.objects(_STANDINGS)]
    document = make_tournament(facts, results, source)
    return replace(document, source_tournament_id=_source_id(fields, "tournament_wdd_id", "tournament_id"))


def _read_result(fields: _Fields) -> Result:
    full_name = fields.text("player_full_name")
    if full_name is None:
        raise fields.fault("player_full_name", "the name of a player")
    try:
        first_name, last_name = split_full_name(full_name)
    except ValueError as error:
        raise fields.fault("player_full_name", f"a name such as `Edi Birsan`, not {error}") from None
    number = fields.number("player_id")
    return Result(
        ListedPlayer(
            full_name,
            first_name,
            in_capitals(last_name),
            fields.at("player_full_name"),
            source_player_id=f"wdr:{number}" if number else None,
        ),
        fields.number("player_rank"),
    )


def _read_player(fields: _Fields, source: Source) -> PlayerDocument:
    first_name, last_name = fields.text("player_first_name") or "", fields.text("player_last_name")
    if last_name is None:
        raise fields.fault("player_last_name", "the last name of the player")
    player = ListedPlayer(
        f"{first_name} {last_name}".strip(),
        repair_text(first_name),
        in_capitals(repair_text(last_name)),
        fields.at("player_last_name"),
        nation_code=fields.nation("player_nationality"),
        location_code=fields.nation("player_location"),
        source_player_id=_source_id(fields, "player_wdd_id", "player_id"),
    )
    return PlayerDocument(source, player, [_read_appearance(item) for item in fields.objects(_PLAYED)])


def _read_appearance(fields: _Fields) -> Appearance:
    name = fields.text("tournament_name")
    if name is None:
        raise fields.fault("tournament_name", "the name of a tournament")
    started_on = fields.day("tournament_start_date") or fields.day("tournament_end_date")
    if started_on is None:
        raise fields.fault("tournament_start_date", "the first day of the tournament")
    return Appearance(
        name=repair_text(name),
        started_on=started_on,
        ended_on=fields.day("tournament_end_date") or started_on,
        placement=fields.number("tournament_player_rank"),
        location=Location(fields.source.path, place=fields.place),
        kind=fields.text("tournament_kind"),
        source_tournament_id=_source_id(fields, "tournament_wdd_id", "tournament_id"),
    )


def _source_id(fields: _Fields, wdd: str, wdr: str) -> str | None:
    """The id that the World Diplomacy Database gives, or else the reference's own."""
    if number := fields.number(wdd):
        return f"wdd:{number}"
    number = fields.number(wdr)
    return f"wdr:{number}" if number else None
