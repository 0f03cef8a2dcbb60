"""The facts of a tournament as a rating keeper writes them: above a table, in a row of a table, or on the command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from datetime import date
from typing import Any

from dippouch.documents import Document, Result, Source, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.ids import readable_id_or_empty
from dippouch.importing.context import Context, TournamentOptions
from dippouch.importing.formats.cells import AS_REMARK, Cell, Record, listed
from dippouch.importing.formats.headings import TOURNAMENT, column_like
from dippouch.importing.parsing.dates import is_date, parse_date_span, parse_day
from dippouch.importing.parsing.numbers import parse_count, parse_decimal, parse_wdd_id
from dippouch.importing.parsing.words import heading, words
from dippouch.names import shortened, tidy_text

# The facts of a tournament, and other lines above a table, by their labels.
_LABELS: Mapping[str, str] = words("fact")
_ASIDE = "aside"
FACTS: Mapping[str, str] = {word: fact for word, fact in _LABELS.items() if fact != _ASIDE}

# Facts that a rating requires: the value of a tournament comes from its date, its players and its rounds.
# Each with its notation.
NEEDED = {
    "name": "name: WAC 6 2009",
    "date": "date: 2009-01-23 - 2009-01-25",
    "players": "players: 45",
    "rounds": "rounds: 4",
}

# Maximum number of words in a label; longer texts are prose.
_MOST_WORDS = 4
# `24 players, 3 rounds`
_COUNTED = ("players", "rounds", "boards")
_COUNT = re.compile(r"([0-9]{1,7}) +([^0-9:]+)")
# A placeholder for an unreadable day of a tournament.
_UNREAD = date(2000, 1, 1)
_YEAR = re.compile(r"\b(?:19|20)[0-9]{2}\b")
_DAYS = ("date", "started_on", "ended_on")
_COEFFICIENTS = ("coefficient_1", "coefficient_2", "coefficient_3")

_OPTIONS = frozenset(field.name for field in fields(TournamentOptions))

Facts = dict[str, Cell]


def read_facts(records: list[Record], faults: Faults) -> tuple[Facts, Facts, list[str]]:
    """Read the lines above a table: their facts, the possible facts of unknown labels, and remarks on other lines.

    A line is `name: WAC 6 2009`, or the fact and its value in two cells, or counts (`24 players, 3 rounds`). A line that begins with
    `#` is a remark; a text alone in its line is a title. Faults are gathered.
    """
    stated: Facts = {}
    meant: Facts = {}
    aside: dict[str, list[str]] = {"lines above the table skipped": [], "no value": []}
    for cells in (part for record in records if not record.is_remark for part in _side_by_side(record)):
        first = cells[0]
        label, _, value = first.text.partition(":")
        name = _LABELS.get(heading(label))
        # A value that contains the separator is spread over several cells.
        parts = [part for part in (value.strip(), *(cell.text for cell in cells[1:])) if part]
        counted = counts(first.text, *parts) if name is None else {}
        is_prose = name is None and len(label.split()) > _MOST_WORDS and len(cells) == 1
        # An e-mail begins so: `From: Ann Archer`.
        if heading(label) == "from" and not re.search("[0-9]", value):
            name = _ASIDE
        if name == _ASIDE or is_prose or not (parts or counted):
            why = "no value" if name and name != _ASIDE else "lines above the table skipped"
            whole = " ".join(cell.text for cell in cells)
            aside[why].append(f"`{shortened(whole)}` ({first.location.in_file})")
            continue
        location = (first if value.strip() or len(cells) == 1 else cells[1]).location
        # A date in two cells is a span of two days, unless the second cell is only the year.
        of_date = " - " if len(parts) == 2 and len(parts[1]) > 4 else " "
        found = counted or {name: (of_date if name == "date" else ", ").join(parts)}
        for fact, text in found.items():
            with faults.gathered():
                if name and name not in _DAYS and len(parts) > 1 and cells[0].location.place:
                    raise cells[-1].fault(
                        f"`{shortened(cells[-1].text)}` beside the value of `{name}`", "one cell for each value"
                    )
                if fact is None:
                    raise _unknown(first, parts, stated, meant)
                if fact in stated:
                    raise first.fault(f"`{fact}` a second time", "every fact once")
                stated[fact] = Cell(text, location)
    return stated, meant, [f"{why}: {listed(texts)}" for why, texts in aside.items() if texts]


def _side_by_side(record: Record) -> Iterator[list[Cell]]:
    """Yield the facts in a row of a sheet, such as `Date`, `2012-05-12`, `Players`, `24`: the cells of each.

    A known label begins a fact, and so does a text that an empty cell separates from a value.
    """
    part: list[Cell] = []
    last = len(record.texts) - 1
    for i, text in enumerate(record.texts):
        label, colon, _ = text.partition(":")
        own_label, _, own_value = part[0].text.partition(":") if part else ("", "", "")
        has_value = bool(own_value.strip()) or len(part) > 1
        is_label = heading(label) in FACTS and (colon or (has_value and i < last))
        is_apart = has_value and not record.texts[i - 1] and _LABELS.get(heading(own_label)) not in _DAYS
        if text and part and (is_label or is_apart):
            yield part
            part = []
        if text:
            part.append(record.cell(i))
    if part:
        yield part


def counts(*texts: str) -> dict[str | None, str]:
    """Return the counts in a line such as `24 players, 3 rounds`; none if it has other content."""
    matches = [_COUNT.fullmatch(part.strip()) for text in texts for part in re.split("[,;]", text)]
    found: dict[str | None, str] = {FACTS.get(heading(match[2])): match[1] for match in matches if match}
    return found if len(found) == len(matches) and set(found) <= set(_COUNTED) else {}


def is_fact(line: str) -> bool:
    """Return whether a line begins with the label of a fact, or states counts."""
    return heading(line.partition(":")[0]) in FACTS if ":" in line else bool(counts(line))


def _unknown(first: Cell, parts: list[str], stated: Facts, meant: Facts) -> DocumentError:
    """Return the error for an unknown label; add its likely meanings, by the label or else by the value, to `meant`."""
    label, value = first.text.partition(":")[0], " ".join(parts)
    likely = [column_like(label, {word: fact for word, fact in FACTS.items() if fact not in stated})]
    if likely == [None]:
        likely = [name for name in _COUNTED if name not in stated and value.isdecimal()]
        likely += ["date"] if not value.isdecimal() and is_date(value) and not stated.keys() & _DAYS else []
    meant |= {name: first for name in likely if name}
    shown = " or ".join(f"`{name}`" for name in likely if name)
    return first.fault(
        f"`{shortened(first.text)}` above the table",
        "facts such as `players: 45`, then the headings of the table",
        f"Did you mean {shown}? {AS_REMARK}" if shown else f"{AS_REMARK} docs/import_formats.md lists the facts.",
    )


def with_options(facts: Facts, options: TournamentOptions, source: Source) -> tuple[Facts, list[str]]:
    """Complete facts from the command line; return them with remarks on overridden ones."""
    completed, remarks = dict(facts), []
    for option, text in options.given().items():
        name = "nation_code" if option == "nation" else option
        stated = [fact for fact in (_DAYS if name == "date" else (name,)) if _text(facts, fact)]
        if stated and not options.override and _text(facts, name) != text.strip():
            continue
        for fact in stated:
            cell = completed.pop(fact)
            if cell.text != text.strip():
                remarks.append(_overridden(option, text, fact, cell.text, cell.location.in_file))
        completed[name] = Cell(text.strip(), Location(source.path, place=f"option --{option}"))
    return completed, remarks


def _overridden(option: str, value: object, fact: str, stated: object, place: str) -> str:
    where = f" in {place}" if place else ""
    return f"--{option} overrides the document: `{value}` instead of `{stated}` for `{fact}`{where}"


def with_left_out_facts(document: Document, context: Context) -> Document:
    """Complete a document from the command line; refuse options that contradict it, unless they override."""
    options = context.options
    if not options.given() or (isinstance(document, TournamentDocument) and document.is_partial):
        return document
    source = document.source
    if not isinstance(document, TournamentDocument):
        raise source.fault("facts of a tournament as options", "a document of one tournament", "Leave the options out.")
    new: dict[str, Any] = {}
    remarks = []
    faults = Faults()
    values = parse_facts(with_options({}, options, source)[0], context, faults)
    for name, value in values.items():
        stated, location = getattr(document, name), document.location_of(name)
        if stated is None:
            new[name] = value
        elif name != "coefficients" and value and str(stated).casefold() != str(value).casefold():
            if not options.override:
                expected = f"`{value}`, as the option says"
                hint = "One is wrong. With --override the option applies."
                faults.add(DocumentError(location, f"{name} `{stated}`", expected, hint))
            new[name] = value
            option = {"nation_code": "nation", "started_on": "date", "ended_on": "date"}.get(name, name)
            remarks.append(_overridden(option, value, name, stated, location.in_file))
    faults.raise_any()
    return replace(document, **new, remarks=(*remarks, *document.remarks))


def check_needed(facts: Facts, source: Source, *, in_columns: bool = False, title: Cell | None = None) -> None:
    """Check that all facts that a rating requires are stated.

    Args:
        facts: the stated ones.
        source: the document.
        in_columns: whether columns of the table state them, because it has several tournaments.
        title: the text above the table that may be the tournament's name.
    """
    missing = missing_facts(facts, NEEDED)
    if not missing:
        return
    shown = ", ".join(f"`{NEEDED[name]}`" for name in missing)
    if in_columns and TOURNAMENT in facts:
        of_one = facts[TOURNAMENT]
        raise of_one.fault(
            f"no {' and no '.join(missing)} of `{shortened(of_one.text)}`",
            f"{' and '.join(f'`{name}`' for name in missing)} as columns, or lines above the table such as {shown} for all",
        )
    raise source.fault(
        f"no {' and no '.join(missing)} of the tournament",
        f"lines above the table such as {shown}",
        "Or state them as options: "
        + " ".join(f"--{name} {shlex.quote(title.text) if title and name == 'name' else '...'}" for name in missing),
    )


def likely_title(above: Iterable[Record]) -> Cell | None:
    """Return the text above a table that may be its tournament's name: alone in its line, preferably with a year, but no date."""
    alone = [record.filled[0] for record in above if len(record.filled) == 1 and not record.is_remark]
    titles = [cell for cell in alone if ":" not in cell.text and cell.text[-1] not in ",.!?"]
    titles = [cell for cell in titles if heading(cell.text) not in _LABELS and not counts(cell.text)]
    titles = [cell for cell in titles if not _ends_with_date(cell.text)] or titles
    return next((cell for cell in titles if _YEAR.search(cell.text)), next(iter(titles), None))


def _ends_with_date(text: str) -> bool:
    """Return whether a line ends with its day, as in `Chapel Hill, NC  May 24-26, 2013`."""
    parts = text.split()
    return any(is_date(" ".join(parts[i:])) for i in range(len(parts)))


def missing_facts(facts: Facts, needed: Iterable[str]) -> list[str]:
    """Return the required facts that are missing; a first or a last day counts as a date."""
    stated = {"date" if name in _DAYS else name for name in facts if _text(facts, name)}
    return [name for name in needed if name not in stated]


def make_tournament(
    facts: Facts, results: list[Result], source: Source, context: Context, faults: Faults
) -> TournamentDocument:
    """Make a tournament from facts and results; with faults, a partial one."""
    values = parse_facts(facts, context, faults)
    if faults:
        # Printed figures can only be checked with all facts. Without name or day, a placeholder id replaces the lookup.
        values |= {"is_partial": True, "coefficients": (None, None, None)}
        if "name" not in values or "started_on" not in values:
            name = values.setdefault("name", "tournament")
            values |= {"tournament_id": readable_id_or_empty(name) or "tournament"}
            values |= dict.fromkeys({"started_on", "ended_on"} - values.keys(), _UNREAD)
    return TournamentDocument(
        source=source,
        results=results,
        # Options have no line to name.
        locations={
            ("started_on" if name == "date" else name): cell.location
            for name, cell in facts.items()
            if cell.location.line
        },
        **values,
    )


def parse_facts(facts: Facts, context: Context, faults: Faults) -> dict[str, Any]:
    """Return the values of all readable facts, by the field of the tournament."""
    values: dict[str, Any] = {}
    for name, parse in _PARSERS.items():
        if text := _text(facts, name):
            is_absent = text == "-" and name in _COEFFICIENTS
            with faults.gathered():
                values[name] = None if is_absent else _parsed(facts, name, parse)
    with faults.gathered():
        if _text(facts, "nation_code"):
            values["nation_code"] = facts["nation_code"].parsed("the nation", context.nations.of_text)
    with faults.gathered():
        if any(_text(facts, name) for name in _DAYS):
            values["started_on"], values["ended_on"] = _parse_days(facts)
    values["coefficients"] = tuple(values.pop(name, None) for name in _COEFFICIENTS)
    values["source_ids"] = (values.pop("wdd_id"),) if "wdd_id" in values else ()
    return values


def _parsed(facts: Facts, name: str, parse: Callable[[str], Any]) -> Any:  # noqa: ANN401 (each fact has its type)
    cell = facts[name]
    try:
        return parse(cell.text)
    except ValueError as error:
        # A document of several tournaments takes no options.
        is_optional = name in _OPTIONS and cell.location.line and not facts.keys() & {"tournament_id", TOURNAMENT}
        hint = f"Mend it, or state it with --{name} ... --override." if is_optional else ""
        raise cell.fault(f"`{shortened(cell.text)}` for `{name}`", str(error), hint) from None


def _text(facts: Facts, name: str) -> str:
    return facts[name].text if name in facts else ""


def _parse_days(facts: Facts) -> tuple[date, date]:
    """Return first and last day, from a span or from the two days; a single day is both."""
    cells = {name: facts[name] for name in _DAYS if _text(facts, name)}
    if span := cells.get("date"):
        if len(cells) > 1:
            raise span.fault("`date` beside `started_on` or `ended_on`", "either the one or the others")
        found: tuple[date, date] = _parsed(facts, "date", parse_date_span)
        return found
    days = [_parsed(facts, name, parse_day) for name in cells]
    if days[-1] < days[0]:
        raise cells["ended_on"].fault(f"the end {days[-1]} before the start {days[0]}", "an end on or after the start")
    return days[0], days[-1]


def _matching(pattern: str, expected: str) -> Callable[[str], str]:
    """Return a parser of texts that match a pattern."""

    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(expected)
        return text

    return parse


# The parsers of facts; nations need those of the collection, and the days are parsed together.
_PARSERS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("name", "subtitle", "place"), tidy_text),
    **dict.fromkeys(("players", "rounds", "boards"), parse_count),
    **dict.fromkeys(_COEFFICIENTS, parse_decimal),
    "kind": _matching("[A-Za-z0-9][A-Za-z0-9 _-]{0,59}", "the code or the name of a kind, such as `WDC`"),
    "tournament_id": _matching(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,99}", "letters, digits and hyphens"),
    "wdd_id": parse_wdd_id,
    "last_update": parse_day,
}
