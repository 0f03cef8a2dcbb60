"""The facts of a tournament as a rating keeper writes them: above a table, in a row of a table, or on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from dippouch.documents import Document, Result, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.context import Context, TournamentOptions
from dippouch.importing.formats.cells import AS_REMARK, Cell, Record, listed
from dippouch.importing.formats.headings import column_like, column_of
from dippouch.importing.parsing.dates import parse_date_span, parse_day
from dippouch.importing.parsing.numbers import parse_count, parse_decimal
from dippouch.names import shortened, tidy_text

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

_DAYS = ("date", "started_on", "ended_on")
_COEFFICIENTS = ("coefficient_1", "coefficient_2", "coefficient_3")

Facts = dict[str, Cell]


def read_facts(records: list[Record], faults: Faults) -> tuple[Facts, list[str]]:
    """The facts in the lines above a table, `name: WAC 6 2009` or the fact and its value in two cells, and remarks on what is no fact.

    A line that begins with `#` is a remark; a text alone in its line is a title. What cannot be read is gathered, and a
    fact that is misspelt counts as stated, so that nobody is told that it is missing, too.
    """
    stated: Facts = {}
    guessed: Facts = {}
    aside: dict[str, list[str]] = {"lines above the table left aside": [], "no value": []}
    for record in records:
        cells = record.filled
        if not cells or record.is_remark:
            continue
        first = cells[0]
        label, colon, value = first.text.partition(":")
        # A value with the separator in it fell into several cells.
        parts = [part for part in (value.strip(), *(cell.text for cell in cells[1:])) if part]
        name = column_of(label, FACTS)
        if not colon and not parts:
            why = "no value" if name else "lines above the table left aside"
            aside[why].append(f"`{shortened(first.text)}` ({first.location.in_file})")
            continue
        location = (first if value.strip() or len(cells) == 1 else cells[1]).location
        with faults.gathered():
            if name in stated:
                raise first.fault(f"`{name}` a second time", "every fact once")
            meant = name or column_like(label, {fact: others for fact, others in FACTS.items() if fact not in stated})
            if meant:
                # Two cells of a date are two days, unless the second is only the year.
                of_date = " - " if len(parts) == 2 and len(parts[1]) > 4 else " "
                (stated if name else guessed)[meant] = Cell(
                    (of_date if meant == "date" else ", ").join(parts), location
                )
            if name is None:
                raise first.fault(
                    f"`{shortened(first.text)}` above the table",
                    f"one of the facts {', '.join(f for f in FACTS if f != 'tournament_id')}, as `players: 45`, then the"
                    " headings of the table, with `placement` and `name` or `last_name` among them",
                    (f"Did you mean `{meant}`? " if meant else "") + AS_REMARK,
                )
    return {**guessed, **stated}, [f"{why}: {listed(texts)}" for why, texts in aside.items() if texts]


def with_options(facts: Facts, options: TournamentOptions, source: Source) -> Facts:
    """Facts completed with what they leave out and the command line states."""
    completed = dict(facts)
    for option, text in options.given().items():
        name = "nation_code" if option == "nation" else option
        if name not in facts or not facts[name].text:
            completed[name] = Cell(text.strip(), Location(source.path, place=f"option --{option}"))
    return completed


def with_left_out_facts(document: Document, context: Context) -> Document:
    """Complete a document with what it leaves out and the command line states; refuse options that contradict it."""
    if not context.options.given():
        return document
    source = document.source
    if not isinstance(document, TournamentDocument):
        raise source.fault("facts of a tournament as options", "a document of one tournament", "Leave the options out.")
    new: dict[str, Any] = {}
    for name, value in parse_facts(with_options({}, context.options, source), context).items():
        stated = getattr(document, name)
        if stated is None:
            new[name] = value
        elif name != "coefficients" and value and str(stated).casefold() != str(value).casefold():
            expected = f"`{value}`, as the option says"
            raise DocumentError(document.location_of(name), f"{name} `{stated}`", expected, "One is wrong.")
    return replace(document, **new)


def check_needed(facts: Facts, source: Source) -> None:
    """Check that the facts without which nobody can be rated are stated."""
    stated = {name for name, cell in facts.items() if cell.text}
    if "started_on" in stated or "ended_on" in stated:
        stated.add("date")
    if missing := [name for name in _NEEDED if name not in stated]:
        raise source.fault(
            f"no {' and no '.join(missing)} of the tournament",
            "lines above the table such as " + ", ".join(f"`{_NEEDED[name]}`" for name in missing),
            "Or state them as options: " + " ".join(f"--{name} ..." for name in missing),
        )


def make_tournament(facts: Facts, results: list[Result], source: Source, context: Context) -> TournamentDocument:
    """Make the tournament that facts and results state."""
    # A cell to blame for a fact that is missing: any of the same row.
    anywhere = next(iter(facts.values()), Cell("", Location(source.path)))
    faults = Faults()
    if not _text(facts, "name"):
        faults.add(anywhere.fault("no name of the tournament", "its name"))
    if not any(_text(facts, name) for name in _DAYS):
        faults.add(anywhere.fault("no date", "the day or days of the tournament, such as `2009-01-23`"))
    with faults.gathered():
        values = parse_facts(facts, context)
    faults.raise_any()
    return TournamentDocument(
        source=source,
        results=results,
        # An option has no line to name.
        locations={
            ("started_on" if name == "date" else name): cell.location
            for name, cell in facts.items()
            if cell.location.line
        },
        **values,
    )


def parse_facts(facts: Facts, context: Context) -> dict[str, Any]:
    """Return the values of the facts that are stated, by the field of a tournament that each is for."""
    faults = Faults()
    values: dict[str, Any] = {}
    for name, parse in _PARSERS.items():
        if text := _text(facts, name):
            is_absent = text == "-" and name in _COEFFICIENTS
            with faults.gathered():
                values[name] = None if is_absent else facts[name].parsed(f"`{name}`", parse)
    with faults.gathered():
        if _text(facts, "nation_code"):
            values["nation_code"] = facts["nation_code"].parsed("the nation", context.nations.of_text)
    with faults.gathered():
        if any(_text(facts, name) for name in _DAYS):
            values["started_on"], values["ended_on"] = _parse_days(facts)
    faults.raise_any()
    values["coefficients"] = tuple(values.pop(name, None) for name in _COEFFICIENTS)
    values["source_tournament_id"] = values.pop("wdd_id", None)
    return values


def _text(facts: Facts, name: str) -> str:
    return facts[name].text if name in facts else ""


def _parse_days(facts: Facts) -> tuple[date, date]:
    """First and last day, from a span or from the two days; one day alone is both."""
    cells = {name: facts[name] for name in _DAYS if _text(facts, name)}
    if span := cells.get("date"):
        if len(cells) > 1:
            raise span.fault("`date` beside `started_on` or `ended_on`", "either the one or the others")
        return span.parsed("the date", parse_date_span)
    days = [cell.parsed(f"`{name}`", parse_day) for name, cell in cells.items()]
    if days[-1] < days[0]:
        raise cells["ended_on"].fault(
            f"the end {days[-1]} before the start {days[0]}", "an end that is not before the start"
        )
    return days[0], days[-1]


def _matching(pattern: str, expected: str) -> Callable[[str], str]:
    """A parser of texts that a pattern fits."""

    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(expected)
        return text

    return parse


_number = _matching("0*[1-9][0-9]{0,8}", "a number, such as `1480`")

# How each fact becomes a value; a nation needs the nations of the collection, and the days are read together.
_PARSERS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("name", "subtitle", "place"), tidy_text),
    **dict.fromkeys(("players", "rounds", "boards"), parse_count),
    **dict.fromkeys(_COEFFICIENTS, parse_decimal),
    "kind": _matching("[A-Za-z0-9][A-Za-z0-9 _-]{0,19}", "a short code such as `WDC`"),
    "tournament_id": _matching(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,99}", "letters, digits and hyphens"),
    "wdd_id": lambda text: f"wdd:{int(_number(text))}",
    "last_update": parse_day,
}
