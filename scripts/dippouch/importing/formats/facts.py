"""The facts of a tournament as a rating keeper writes them: above a table, in a row of a table, or on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import TypeVar

from dippouch.documents import Result, Source, TournamentDocument
from dippouch.errors import Location
from dippouch.importing.formats.cells import Cell, Record, column_of
from dippouch.importing.options import TournamentOptions, option_location
from dippouch.importing.parsing.dates import parse_date_span, parse_day
from dippouch.importing.parsing.nations import nations
from dippouch.importing.parsing.numbers import parse_count, parse_decimal
from dippouch.names import repair_text, shortened

T = TypeVar("T")

# The facts of a tournament, and what else they are called.
FACTS: Mapping[str, tuple[str, ...]] = {
    "tournament_id": (),
    "name": ("tournament", "event", "tournament_name"),
    "subtitle": (),
    "kind": ("type",),
    "date": ("dates",),
    "started_on": ("start", "start_date", "from"),
    "ended_on": ("end", "end_date", "until"),
    "place": ("city", "location"),
    "nation_code": ("nation", "country"),
    "players": ("number_of_players",),
    "rounds": ("number_of_rounds",),
    "boards": ("number_of_boards",),
    "coefficient_1": ("coeff_1",),
    "coefficient_2": ("coeff_2",),
    "coefficient_3": ("coeff_3",),
    "wdd_id": ("id_tournament",),
    "last_update": (),
}

# Without these nobody can be rated: the value of a tournament comes from its date, its players and its rounds.
# With each, how it is written.
_NEEDED = {
    "name": "name: WAC 6 2009",
    "date": "date: 2009-01-23 - 2009-01-25",
    "players": "players: 45",
    "rounds": "rounds: 4",
}

_TOURNAMENT_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,99}")
_KIND = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,19}")

Facts = dict[str, Cell]


def read_facts(records: list[Record]) -> Facts:
    """The facts in the lines above a table: `name: WAC 6 2009`, or the fact and its value in two cells.

    A line that begins with `#` is a remark.

    Raises:
        DocumentError: for a line that states no known fact, and for a fact that is stated twice.
    """
    facts: Facts = {}
    for record in records:
        filled = [i for i, text in enumerate(record.texts) if text]
        if not filled or record.texts[filled[0]].startswith("#"):
            continue
        first = record.cell(filled[0])
        label, colon, value = first.text.partition(":")
        # A value with the separator in it fell into several cells.
        rest = [record.texts[i] for i in filled[1:]]
        name = column_of(label, FACTS)
        if name is None or not (colon or rest):
            raise first.fault(
                f"`{shortened(first.text)}` above the table",
                f"one of the facts {', '.join(f for f in FACTS if f != 'tournament_id')}, as `players: 45`, then the"
                " headings of the table, with `placement` and `name` or `last_name` among them",
            )
        if name in facts:
            raise first.fault(f"`{name}` a second time", "every fact once")
        stated = record.cell(filled[1]) if rest and not value.strip() else first
        facts[name] = Cell(", ".join(part for part in (value.strip(), *rest) if part), stated.location)
    return facts


def with_options(facts: Facts, options: TournamentOptions, source: Source) -> Facts:
    """Facts completed with what the command line states.

    Raises:
        DocumentError: when the command line contradicts the document.
    """
    completed = dict(facts)
    for option, text in options.given().items():
        name = "nation_code" if option == "nation" else option
        stated = facts.get(name)
        if stated is not None and stated.text and stated.text.casefold() != text.strip().casefold():
            raise stated.fault(
                f"{name} `{shortened(stated.text)}`", f"`{shortened(text)}`, as `--{option}` says", "One is wrong."
            )
        completed[name] = Cell(text.strip(), option_location(option, source))
    return completed


def check_needed(facts: Facts, source: Source) -> None:
    """Check that the facts without which nobody can be rated are stated.

    Raises:
        DocumentError: with all those that are missing.
    """
    stated = {name for name, cell in facts.items() if cell.text}
    if "started_on" in stated or "ended_on" in stated:
        stated.add("date")
    missing = [name for name in _NEEDED if name not in stated]
    if missing:
        raise source.fault(
            f"no {' and no '.join(missing)} of the tournament",
            "lines above the table such as " + ", ".join(f"`{_NEEDED[name]}`" for name in missing),
            "Or state them as options: " + " ".join(f"--{name} ..." for name in missing),
        )


def make_tournament(facts: Facts, results: list[Result], source: Source) -> TournamentDocument:
    """The tournament that facts and results state.

    Raises:
        DocumentError: for a fact that cannot be read, and when there is no name or no date.
    """

    def parsed(name: str, parse: Callable[[str], T], label: str = "", *, none: tuple[str, ...] = ("",)) -> T | None:
        cell = facts.get(name)
        return cell.parsed(label or f"`{name}`", parse) if cell and cell.text not in none else None

    def coefficient(number: int) -> Decimal | None:
        return parsed(f"coefficient_{number}", parse_decimal, none=("", "-"))

    # A cell to blame for a fact that is missing: any of the same row.
    anywhere = next(iter(facts.values()), Cell("", Location(source.path)))
    name = parsed("name", repair_text)
    if name is None:
        raise anywhere.fault("no name of the tournament", "its name")
    started_on, ended_on = _dates(facts, anywhere)
    return TournamentDocument(
        source=source,
        name=name,
        subtitle=parsed("subtitle", repair_text),
        kind=parsed("kind", _matching(_KIND, "a short code such as `WDC`")),
        started_on=started_on,
        ended_on=ended_on,
        place=parsed("place", repair_text),
        nation_code=parsed("nation_code", nations().of_text, "the nation"),
        players=parsed("players", parse_count),
        rounds=parsed("rounds", parse_count),
        boards=parsed("boards", parse_count),
        coefficients=(coefficient(1), coefficient(2), coefficient(3)),
        tournament_id=parsed("tournament_id", _matching(_TOURNAMENT_ID, "letters, digits and hyphens")),
        source_tournament_id=parsed("wdd_id", _wdd_id),
        last_update=parsed("last_update", _day),
        results=results,
        # An option has no line to name.
        locations={
            ("started_on" if name == "date" else name): cell.location
            for name, cell in facts.items()
            if cell.location.line
        },
    )


def _matching(pattern: re.Pattern[str], expected: str) -> Callable[[str], str]:
    """A parser of texts that a pattern fits."""

    def parse(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(expected)
        return text

    return parse


_number = _matching(re.compile(r"[0-9]{1,9}"), "a number, such as `1480`")


def _wdd_id(text: str) -> str:
    return f"wdd:{_number(text)}"


def _dates(facts: Facts, anywhere: Cell) -> tuple[date, date]:
    """First and last day, from a span or from the two days; one day alone is both."""
    cells = {name: facts[name] for name in ("date", "started_on", "ended_on") if name in facts and facts[name].text}
    if span := cells.get("date"):
        if len(cells) > 1:
            raise span.fault("`date` beside `started_on` or `ended_on`", "either the one or the others")
        return span.parsed("the date", _span)
    if not cells:
        raise anywhere.fault("no date", "the day or days of the tournament, such as `2009-01-23`")
    days = [cell.parsed(f"`{name}`", _day) for name, cell in cells.items()]
    if days[-1] < days[0]:
        raise cells["ended_on"].fault(
            f"the end {days[-1]} before the start {days[0]}", "an end that is not before the start"
        )
    return days[0], days[-1]


def _span(text: str) -> tuple[date, date]:
    try:
        return parse_date_span(text)
    except ValueError as error:
        raise ValueError(f"a date such as `2013-08-23 - 2013-08-25` or `August 23-25, 2013` ({error})") from None


def _day(text: str) -> date:
    try:
        return parse_day(text)
    except ValueError as error:
        raise ValueError(f"a day such as `2013-08-23` ({error})") from None
