"""The format `wdr-json`: a tournament from the API of the World Diplomacy Reference, `api/v1/tournaments/{id}`.

It may omit name and dates, which the rating keeper then gives as options. Other fields are ignored.
"""

from __future__ import annotations

import json
from typing import Any

from dippouch.documents import Document, ListedPlayer, Result, Source
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.standings import Facts, make_tournament, parse_name
from dippouch.importing.formats.table import Cell
from dippouch.names import shortened

FORMAT = "wdr-json"

_STANDINGS = "tournament_classifications"

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
    """Return whether a text begins like a JSON object."""
    return text.lstrip().startswith("{")


def read(text: str, source: Source, context: Context) -> list[Document]:
    """Read the tournament of a file."""
    data = _load(text, source)
    if isinstance(data, dict) and _STANDINGS in data:
        return [_read_tournament(_Fields(source, "", data), context)]
    expected = f"an object with `{_STANDINGS}`, as `api/v1/tournaments` of the World Diplomacy Reference gives"
    raise source.fault("JSON of something else", expected)


def _load(text: str, source: Source) -> object:
    try:
        data: object = json.loads(text, object_pairs_hook=_each_once)
        # A single surrogate (`\ud800`) cannot be encoded.
        json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        found = f"incomplete or invalid JSON ({error.msg})"
        raise DocumentError(Location(source.path, error.lineno), found, "a whole JSON file") from None
    except (RecursionError, ValueError) as error:
        found = f"JSON that cannot be read ({shortened(str(error))})"
        raise source.fault(found, "a file of the World Diplomacy Reference") from None
    return data


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object.

    Raises:
        ValueError: when a field is there twice, of which `json` would drop the first.
    """
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the field `{shortened(name)}` twice in one object")
        found[name] = value
    return found


class _Fields:
    """The fields of one object, with its place."""

    def __init__(self, source: Source, place: str, data: dict[str, Any]) -> None:
        self.source = source
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
        """Return a text with its place, a day without its time; an empty one if the field is null or missing."""
        value = self.data.get(name)
        if value is not None and not isinstance(value, str):
            raise self.fault(name, "a text")
        text = (value or "").strip()
        return Cell(text[:10] if name.endswith("_date") else text, self.at(name))

    def number(self, name: str) -> int | None:
        """Return a whole number from 1; None for the source's values of a missing number."""
        value = self.data.get(name)
        if value in _NONE and not isinstance(value, bool):
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value < 10**9:
            raise self.fault(name, "a whole number from 1, or -1 or null for none")
        return value

    def objects(self, name: str) -> list[_Fields]:
        """Return the objects of a list."""
        value = self.data.get(name)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fault(name, "a list of objects")
        return [_Fields(self.source, f"{name}[{i}]", item) for i, item in enumerate(value)]


def _read_tournament(fields: _Fields, context: Context) -> Document:
    faults = Faults()
    results: list[Result] = []
    facts: Facts = {}
    source_ids: tuple[str, ...] = ()
    with faults.gathered():
        results = faults.each(fields.objects(_STANDINGS), _read_result)
    with faults.gathered():
        facts = {fact: cell for name, fact in _FACTS.items() if (cell := fields.cell(name)).text}
        numbers = (("wdd", fields.number("tournament_wdd_id")), ("wdr", fields.number("tournament_id")))
        source_ids = tuple(f"{source}:{number}" for source, number in numbers if number)
    return make_tournament(facts, results, fields.source, context, faults, source_ids=source_ids)


def _read_result(fields: _Fields) -> Result:
    faults = Faults()
    with faults.gathered():
        name = fields.cell("player_full_name")
        first_name, last_name = name.parsed("the name", parse_name)
    with faults.gathered():
        number = fields.number("player_id")
    with faults.gathered():
        rank = fields.number("player_rank")
    faults.raise_any()
    source_ids = (f"wdr:{number}",) if number else ()
    return Result(ListedPlayer(name.text, first_name, last_name, name.location, source_ids=source_ids), rank)
