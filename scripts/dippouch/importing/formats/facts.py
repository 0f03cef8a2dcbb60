"""The facts of a tournament: as a document states them, and as the rating keeper states them on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dippouch.documents import Result, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.context import Context
from dippouch.importing.formats.table import AS_REMARK, Cell, Row, skipped
from dippouch.importing.parsing.dates import parse_date_span, parse_day
from dippouch.importing.parsing.numbers import parse_count, parse_decimal, parse_wdd_id
from dippouch.importing.parsing.words import heading, words
from dippouch.names import shortened, tidy_text

# Facts that a rating requires, because a tournament's value comes from them; each with its notation.
NEEDED = {
    "name": "name: WAC 6 2009",
    "date": "date: 2009-01-23 - 2009-01-25",
    "players": "players: 45",
    "rounds": "rounds: 4",
}
_COEFFICIENTS = ("coefficient_1", "coefficient_2", "coefficient_3")

# Kinds of leagues, circuits and the like, which players' pages list beside tournaments, and which are not rated.
_LEAGUES = frozenset({"LEAGUE", "EGP", "NAGP", "BIC", "CIR", "GHOST"})

Facts = dict[str, Cell]


def read_facts(rows: Iterable[Row], faults: Faults) -> tuple[Facts, list[str]]:
    """Read the rows above a table, and a remark on those that state no fact.

    A row is `name: WAC 6 2009`, or a label and its value in two cells. Faults are gathered.
    """
    facts: Facts = {}
    others = []
    for row in rows:
        if row.is_blank or row.is_remark:
            continue
        first, *further = row.filled
        label, colon, value = first.text.partition(":")
        name = words("label").get(heading(label))
        parts = [part for part in (value.strip(), *(cell.text for cell in further)) if part]
        if name is None or not parts:
            others.append(f"`{shortened(' '.join(cell.text for cell in row.filled))}` ({row.location.in_file})")
        # The separator of a text file may be part of the value: `date: January 23-25, 2009`.
        elif len(parts) > 1 and (row.in_sheet or not colon):
            found = f"`{shortened(further[-1].text)}` beside the value of `{name}`"
            faults.add(further[-1].fault(found, "one fact in a row, and one cell for its value"))
        elif name in facts:
            faults.add(first.fault(f"`{name}` a second time", "every fact once", AS_REMARK))
        else:
            facts[name] = Cell(", ".join(parts), first.location if value.strip() else further[0].location)
    return facts, skipped("lines above the table", others)


def make_tournament(
    facts: Facts,
    results: list[Result],
    source: Source,
    context: Context,
    faults: Faults,
    needed: Iterable[str] = ("name", "date"),
    **further: Any,  # noqa: ANN401 (fields of the document)
) -> TournamentDocument:
    """Make a tournament from the facts and results of a document, and from options of the command line.

    Raises:
        DocumentError: with all faults: the given ones and those of the facts.
    """
    options: Facts = {}
    for option, text in context.options.given().items():
        name = "nation_code" if option == "nation" else option
        options[name] = Cell(text.strip(), Location(source.path, place=f"option --{option}"))
    if missing := [name for name in needed if name not in _stated(facts) | _stated(options)]:
        faults.add(_no_facts(missing, facts, source))
    values = _values(options, context, faults)
    overridden = {name for name in facts if context.options.override and _fields(name) & values.keys()}
    stated = _values({name: cell for name, cell in facts.items() if name not in overridden}, context, faults)
    for name, value in values.items():
        if str(value).casefold() != str(stated.get(name, value)).casefold():
            place = next(cell for fact, cell in facts.items() if name in _fields(fact))
            hint = "One is wrong. With --override the option applies."
            faults.add(place.fault(f"{name} `{stated[name]}`", f"`{value}`, as the option says", hint))
    faults.raise_any()
    shown = [f"`{name}` `{shortened(facts[name].text)}`" for name in facts if name in overridden]
    values |= stated
    coefficients = [values.pop(name, None) for name in _COEFFICIENTS]
    wdd_id = values.pop("wdd_id", None)
    made = {"source_ids": (wdd_id,) if wdd_id else (), "coefficients": tuple(coefficients), **values, **further}
    made["remarks"] = (*skipped("facts that an option overrides", shown), *further.get("remarks", ()))
    # An option confirms a fact; then no message asks to correct the document.
    asked = {name: cell for name, cell in facts.items() if name not in options}
    locations = {("started_on" if name == "date" else name): cell.location for name, cell in asked.items()}
    return TournamentDocument(source=source, results=results, locations=locations, **made)


def _stated(facts: Facts) -> set[str]:
    """Return the names of facts with a value; a first or a last day is a date."""
    return {"date" if name.endswith("ed_on") else name for name, cell in facts.items() if cell.text}


def _fields(fact: str) -> set[str]:
    """Return the fields of the document that a fact states."""
    return {"started_on", "ended_on"} if fact == "date" else {fact}


def _no_facts(missing: list[str], facts: Facts, source: Source) -> DocumentError:
    found = f"no {' and no '.join(missing)} of the tournament"
    shown = ", ".join(f"`{NEEDED[name]}`" for name in missing)
    if "tournament_id" in facts:
        return facts["tournament_id"].fault(found, f"columns with them, such as {shown}")
    hint = "Or state them as options: " + " ".join(f"--{name} ..." for name in missing)
    return source.fault(found, f"lines above the table such as {shown}", hint)


def _values(facts: Facts, context: Context, faults: Faults) -> dict[str, Any]:
    """Return the values of all readable facts, by the field of the document; gather faults of the others."""
    parsers = {**_PARSERS, "nation_code": context.nations.of_text}
    values: dict[str, Any] = {}
    for name, cell in facts.items():
        if cell.text:
            # A document of several tournaments takes no options, and an option needs no other.
            option = {"nation_code": "nation", "started_on": "date", "ended_on": "date"}.get(name, name)
            is_asked = (
                "tournament_id" not in facts and "--" not in cell.location.place and hasattr(context.options, option)
            )
            hint = f"Correct it, or state it with --{option} ... --override." if is_asked else ""
            with faults.gathered():
                value = cell.parsed(f"`{name}`", parsers[name], hint)
                values |= {"started_on": value[0], "ended_on": value[1]} if name == "date" else {name: value}
    if "date" in facts and not facts.keys().isdisjoint(("started_on", "ended_on")):
        faults.add(facts["date"].fault("`date` beside `started_on` or `ended_on`", "either the one or the others"))
    if not values.keys().isdisjoint(("started_on", "ended_on")):
        first, last = values.get("started_on") or values["ended_on"], values.get("ended_on") or values["started_on"]
        if last < first:
            faults.add(facts["ended_on"].fault(f"the last day {last}", f"a day from {first}, the first, or --date"))
        values |= {"started_on": first, "ended_on": last}
    return values


def _parse_id(text: str) -> str:
    """Return the id of a tournament as it is.

    Raises:
        ValueError: for an unusual one; the message says what was expected.
    """
    if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,99}", text):
        raise ValueError("letters, digits and hyphens")
    return text


# The parsers of facts; nations need those of the collection.
_PARSERS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("name", "subtitle", "place", "kind"), tidy_text),
    **dict.fromkeys(("players", "rounds", "boards"), parse_count),
    **dict.fromkeys(_COEFFICIENTS, parse_decimal),
    **dict.fromkeys(("started_on", "ended_on", "last_update"), parse_day),
    "date": parse_date_span,
    "tournament_id": _parse_id,
    "wdd_id": parse_wdd_id,
}


def is_league(kind: str | None) -> bool:
    """Return whether a kind is that of a league or a circuit."""
    return (kind or "").strip().upper() in _LEAGUES


def skipped_leagues(names: list[str]) -> list[str]:
    """Return the remark on the leagues and circuits of a player's page; none without any."""
    return skipped("leagues and circuits, which are not tournaments,", [f"`{shortened(name)}`" for name in names])
