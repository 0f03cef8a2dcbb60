"""The facts of a tournament as a keeper writes them: above a table, in a row of a table, or on the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path

from dippouch.errors import DocumentError
from dippouch.importing.dates import parse_date_span, parse_day
from dippouch.importing.documents import Result, Source, TournamentDocument
from dippouch.importing.names import repair_text, shortened
from dippouch.importing.nations import nations
from dippouch.importing.options import TournamentOptions
from dippouch.importing.placements import parse_count
from dippouch.importing.readers.tables import Cell, Record, column_of, parse_decimal

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


def read_facts(records: list[Record], path: Path) -> Facts:
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
                path,
                f"`{shortened(first.text)}` above the table",
                f"one of the facts {', '.join(f for f in FACTS if f != 'tournament_id')}, as `players: 45`, then the"
                " headings of the table, with `placement` and `name` or `last_name` among them",
            )
        if name in facts:
            raise first.fault(path, f"`{name}` a second time", "every fact once")
        stated = record.cell(filled[1]) if rest and not value.strip() else first
        text = ", ".join(part for part in (value.strip(), *rest) if part)
        facts[name] = Cell(text, record.line, stated.place)
    return facts


def with_options(facts: Facts, options: TournamentOptions, path: Path) -> Facts:
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
                path,
                f"{name} `{shortened(stated.text)}`",
                f"`{shortened(text)}`, as `--{option}` says",
                "One is wrong.",
            )
        completed[name] = Cell(text.strip(), 0, f"option --{option}")
    return completed


def check_needed(facts: Facts, path: Path) -> None:
    """Check that the facts without which nobody can be rated are stated.

    Raises:
        DocumentError: with all those that are missing.
    """
    stated = {name for name, cell in facts.items() if cell.text}
    if "started_on" in stated or "ended_on" in stated:
        stated.add("date")
    missing = [name for name in _NEEDED if name not in stated]
    if missing:
        raise DocumentError(
            path,
            None,
            f"no {' and no '.join(missing)} of the tournament",
            "lines above the table such as " + ", ".join(f"`{_NEEDED[name]}`" for name in missing),
            "Or state them as options: " + " ".join(f"--{name} ..." for name in missing),
        )


def make_tournament(facts: Facts, results: list[Result], source: Source) -> TournamentDocument:
    """The tournament that facts and results state.

    Raises:
        DocumentError: for a fact that cannot be read, and when there is no name or no date.
    """
    path = source.path

    def text(name: str) -> str | None:
        cell = facts.get(name)
        return repair_text(cell.text) if cell and cell.text else None

    def count(name: str) -> int | None:
        cell = facts.get(name)
        return cell.parsed(path, f"`{name}`", parse_count) if cell and cell.text else None

    def coefficient(name: str) -> Decimal | None:
        cell = facts.get(name)
        return cell.parsed(path, f"`{name}`", parse_decimal) if cell and cell.text not in ("", "-") else None

    name = text("name")
    if name is None:
        raise _anywhere(facts).fault(path, "no name of the tournament", "its name")
    started_on, ended_on = _dates(facts, path)
    nation = facts.get("nation_code")
    last_update = facts.get("last_update")
    return TournamentDocument(
        source=source,
        name=name,
        subtitle=text("subtitle"),
        kind=_matched(facts, "kind", _KIND, "a short code such as `WDC`", path),
        started_on=started_on,
        ended_on=ended_on,
        place=text("place"),
        nation_code=nation.parsed(path, "the nation", nations().of_text) if nation else None,
        players=count("players"),
        rounds=count("rounds"),
        boards=count("boards"),
        coefficients=(coefficient("coefficient_1"), coefficient("coefficient_2"), coefficient("coefficient_3")),
        tournament_id=_matched(facts, "tournament_id", _TOURNAMENT_ID, "letters, digits and hyphens", path),
        source_tournament_id=_wdd_id(facts, path),
        last_update=last_update.parsed(path, "`last_update`", _day) if last_update and last_update.text else None,
        results=results,
        field_lines={
            ("started_on" if name == "date" else name): cell.line for name, cell in facts.items() if cell.line
        },
    )


def _anywhere(facts: Facts) -> Cell:
    """A cell to blame for a fact that is missing: any of the same row."""
    return next(iter(facts.values()), Cell("", 0))


def _matched(facts: Facts, name: str, pattern: re.Pattern[str], expected: str, path: Path) -> str | None:
    cell = facts.get(name)
    if cell is None or not cell.text:
        return None
    if not pattern.fullmatch(cell.text):
        raise cell.fault(path, f"`{name}` `{shortened(cell.text)}`", expected)
    return cell.text


def _wdd_id(facts: Facts, path: Path) -> str | None:
    number = _matched(facts, "wdd_id", re.compile(r"[0-9]{1,9}"), "a number, such as `1480`", path)
    return f"wdd:{number}" if number else None


def _dates(facts: Facts, path: Path) -> tuple[date, date]:
    """First and last day, from a span or from the two days; one day alone is both."""
    cells = {name: facts[name] for name in ("date", "started_on", "ended_on") if name in facts and facts[name].text}
    if span := cells.get("date"):
        if len(cells) > 1:
            raise span.fault(path, "`date` beside `started_on` or `ended_on`", "either the one or the others")
        return span.parsed(path, "the date", _span)
    if not cells:
        raise _anywhere(facts).fault(path, "no date", "the day or days of the tournament, such as `2009-01-23`")
    days = [cell.parsed(path, f"`{name}`", _day) for name, cell in cells.items()]
    if days[-1] < days[0]:
        raise cells["ended_on"].fault(
            path, f"the end {days[-1]} before the start {days[0]}", "an end that is not before the start"
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
