"""The format `wdr-json`: tournaments and players from the API of the World Diplomacy Reference.

`api/v1/tournaments/{id}` has the standings; it may omit name and dates, which the rating keeper then gives as options.
`api/v1/players/{id}` has a person and their tournaments. Other fields are ignored.
"""

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from dippouch.messages import DocumentError, Faults, Location, shortened
from dippouch.names import in_capitals, repair_text, split_name, tidy_text
from dippouch.reading.context import Context
from dippouch.reading.documents import Document, ListedPlayer, PlayerDocument, Result, Source, TournamentDocument
from dippouch.reading.standings import WITHOUT_DAY, Facts, make_tournament, without_leagues
from dippouch.reading.table import Cell, skipped
from dippouch.reading.values import is_unknown, parse_day_or_period

_STANDINGS = "tournament_classifications"
_PLAYED = "player_tournaments_played"

# The World Diplomacy Reference's values for a missing number.
_NONE = (None, -1, 0, "", "-1", "0")

# The fact in each field of a tournament's file.
_FACTS = {"tournament_name": "name", "tournament_start_date": "started_on", "tournament_end_date": "ended_on"}
# The kind of circuits, which a stated type makes of any kind.
_CIRCUIT = "CIR"


def read(text: str, source: Source, context: Context) -> Document:
    """Read the tournament or the player of a file."""
    try:
        data = json.loads(text)
        # A single surrogate (`\ud800`) cannot be encoded.
        json.dumps(data, ensure_ascii=False).encode()
    except (RecursionError, ValueError) as error:
        found = f"JSON that cannot be read ({shortened(str(error), 100)})"
        raise source.fault(found, "a file of the World Diplomacy Reference") from None
    if isinstance(data, dict) and (_STANDINGS in data or _PLAYED in data):
        fields = _Fields(source, context, "", data)
        return _read_tournament(fields) if _STANDINGS in data else _read_player(fields)
    expected = f"an object with `{_STANDINGS}` or `{_PLAYED}`, as the World Diplomacy Reference's API gives"
    raise source.unknown("JSON of something else", expected)


@dataclass(frozen=True)
class _Fields:
    """The fields of one object, with its place."""

    source: Source
    context: Context
    place: str
    data: dict[str, Any]

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
        text = "" if is_unknown(value or "") else (value or "").strip()
        return Cell(text[:10] if name.endswith("_date") else text, self.at(name))

    def number(self, name: str) -> int | None:
        """Return a whole number from 1; None for the source's values of a missing number."""
        value = self.data.get(name)
        if value in _NONE and not isinstance(value, bool):
            return None
        if isinstance(value, str) and re.fullmatch("[0-9]{1,9}", value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value < 10**9:
            raise self.fault(name, "a whole number from 1, or -1 or null for none")
        return value

    def kind(self) -> Cell:
        """Return the kind of a tournament, without the stars that rank it; a circuit by its stated type is one, whatever its kind."""
        kind = self.cell("tournament_kind")
        is_circuit = self.cell("tournament_event_type").text.casefold() == "circuit"
        return kind._replace(text=_CIRCUIT if is_circuit else kind.text.rstrip("☆★ "))

    def source_ids(self, of: str) -> tuple[str, ...]:
        """Return the ids of a `tournament` or `player`, that of the World Diplomacy Database first."""
        numbers = (("wdd", self.number(f"{of}_wdd_id")), ("wdr", self.number(f"{of}_id")))
        return tuple(f"{source}:{number}" for source, number in numbers if number)

    def objects(self, name: str, faults: Faults) -> list["_Fields"]:
        """Return the objects of a list; gather the fault of anything else, and return none."""
        value = self.data.get(name)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            faults.add(self.fault(name, "a list of objects"))
            return []
        return [_Fields(self.source, self.context, f"{name}[{i}]", item) for i, item in enumerate(value)]


def _read_tournament(fields: _Fields) -> Document:
    faults = Faults()
    facts: Facts = {}
    source_ids: tuple[str, ...] = ()
    results = faults.each(fields.objects(_STANDINGS, faults), _read_result)
    with faults.gathered():
        cells = {fact: fields.cell(name) for name, fact in _FACTS.items()} | {"kind": fields.kind()}
        facts = {fact: cell for fact, cell in cells.items() if cell.text}
        source_ids = fields.source_ids("tournament")
    return make_tournament(facts, results, fields.source, fields.context, faults, source_ids=source_ids)


def _read_result(fields: _Fields) -> Result:
    faults = Faults()
    with faults.gathered():
        name = fields.cell("player_full_name")
        first_name, last_name = name.parsed("the name", split_name)
    numbers = faults.each(("player_id", "player_rank"), fields.number)
    faults.raise_any()
    number, rank = numbers
    source_ids = (f"wdr:{number}",) if number else ()
    return Result(ListedPlayer(name.text, first_name, last_name, name.location, source_ids=source_ids), rank)


def _read_player(fields: _Fields) -> Document:
    faults = Faults()
    # With a fault of the person, the tournaments are read for their faults only.
    player = ListedPlayer("", "", "", fields.at(_PLAYED))
    with faults.gathered():
        first, last = fields.cell("player_first_name").text, fields.cell("player_last_name")
        if not last.text:
            raise fields.fault("player_last_name", "the last name of the player")
        player = ListedPlayer(
            f"{first} {last.text}".strip(),
            repair_text(first),
            in_capitals(repair_text(last.text)),
            last.location,
            fields.cell("player_nationality").parsed("the nation", fields.context.nations.of_text),
            fields.cell("player_location").parsed("the nation", fields.context.nations.of_text),
            fields.source_ids("player"),
        )
    played = fields.objects(_PLAYED, faults)
    rated, remarks = without_leagues(played, lambda item: (str(item.data.get("tournament_name")), item.kind().text))
    dated = [item for item in rated if any(item.cell(f"tournament_{end}_date").text for end in ("start", "end"))]
    undated = [f"`{shortened(str(item.data.get('tournament_name')))}`" for item in rated if item not in dated]
    appearances = faults.each(dated, lambda item: _read_appearance(item, player))
    faults.raise_any()
    if not appearances:
        raise fields.source.unknown("a player without a tournament that has a day", "at least one")
    return PlayerDocument(fields.source, player, appearances, (*remarks, *skipped(WITHOUT_DAY, undated)))


def _read_appearance(fields: _Fields, player: ListedPlayer) -> TournamentDocument:
    """Read one tournament of a player."""
    name, started, ended = (fields.cell(f"tournament_{field}") for field in ("name", "start_date", "end_date"))
    if not name.text:
        raise fields.fault("tournament_name", "the name of a tournament")
    days = [cell.parsed("the day", parse_day_or_period) for cell in (started, ended) if cell.text]
    (first, _), (_, last) = days[0], days[-1]
    if last < first:
        raise fields.fault("tournament_end_date", f"a day on or after the start, {first}")
    place = Location(fields.source.path, place=fields.place)
    return TournamentDocument(
        fields.source,
        tidy_text(name.text),
        first,
        last,
        [Result(replace(player, location=place), fields.number("tournament_player_rank"))],
        kind=fields.kind().text or None,
        source_ids=fields.source_ids("tournament"),
        locations={"name": place},
    )
