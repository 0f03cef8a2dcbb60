"""The results and the facts of a tournament in rows of cells: facts above, results below a row of headings."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from dippouch.messages import DocumentError, Faults, Location, SkippedError, listed, shortened
from dippouch.names import VALID_ID, in_capitals, is_valid_id, readable_id_or_empty, repair_text, split_name, tidy_text
from dippouch.reading import values
from dippouch.reading.context import OPTIONS, RESULTS_FILE, TOURNAMENTS_FILE, Context
from dippouch.reading.documents import ListedPlayer, RankingDocument, Result, Source, TournamentDocument
from dippouch.reading.table import NAME_COLUMNS, Cell, Columns, TableRow, find_head, skipped, split_table

_AS_REMARK = "Begin the row with `#` if it is a remark."
# Facts that every tournament needs, each with its notation. The day may be a month or a year.
_NEEDED = {"name": "name: WAC 6 2009", "date": "date: 2009-01-23 - 2009-01-25"}
_DAYS = ("started_on", "ended_on")
_COEFFICIENTS = ("coefficient_1", "coefficient_2", "coefficient_3")

# Kinds of leagues, circuits and the like, which sources list beside tournaments, and which are not rated.
_LEAGUES = frozenset({"LEAGUE", "EGP", "NAGP", "BIC", "CIR", "NCIR", "GHOST"})
# The standings that tournament directors upload to the World Diplomacy Database have the headings FIRST NAME, NAME, HOMONYME, RANK and
# EXAEQUO: HOMONYME numbers people of one name from 1, EXAEQUO is the number of people who share the placement, RANK 999 is no placement,
# and nations are the codes of the database (`SA` is South Africa). A file of boards has ROUND, BOARD and COUNTRY, too.
_NAMESAKE, _TIE_SIZE = "namesake", "tie_size"
_BOARDS = {"round", "board", "country"}
_NOT_PLACED = "999"

# What the remark on tournaments of a player's page without a day calls them.
WITHOUT_DAY = "tournaments without a day"

Facts = dict[str, Cell]
T = TypeVar("T")


def read_facts(rows: Iterable[TableRow], faults: Faults) -> tuple[Facts, list[str]]:
    """Read the rows above a table, and a remark on those that state no fact.

    A row is `name: WAC 6 2009`, or a label and its value in two cells. Faults are gathered.
    """
    facts: Facts = {}
    others = []
    for row in rows:
        if not row.filled or row.is_remark:
            continue
        first, *further = row.filled
        label, colon, value = first.text.partition(":")
        name = values.words("label").get(values.heading(label))
        parts = [part for part in (value.strip(), *(cell.text for cell in further)) if part]
        if name and not parts:
            continue  # Empty, as in the template.
        if name is None:
            others.append(f"`{shortened(' '.join(cell.text for cell in row.filled))}` ({row.location.in_file})")
        # The separator of a text file may be part of the value: `date: January 23-25, 2009`.
        elif len(parts) > 1 and (row.in_sheet or not colon):
            found = f"`{shortened(further[-1].text)}` beside the value of `{name}`"
            faults.add(further[-1].fault(found, "one fact in a row, and one cell for its value"))
        elif name in facts:
            faults.add(first.fault(f"`{name}` a second time", "every fact once", _AS_REMARK))
        else:
            facts[name] = Cell(", ".join(parts), first.location if value.strip() else further[0].location)
    return facts, skipped("lines above the table", others)


def make_tournament(
    facts: Facts,
    results: list[Result],
    source: Source,
    context: Context,
    faults: Faults,
    needed: Iterable[str] = tuple(_NEEDED),
    **further: Any,  # noqa: ANN401 (fields of the document)
) -> TournamentDocument:
    """Make a tournament from the facts and results of a document, and from options of the command line.

    Raises:
        DocumentError: with all faults: the given ones and those of the facts.
    """
    options: Facts = {}
    for option, text in context.choices.options.items():
        name = "nation_code" if option == "nation" else option
        options[name] = Cell(text.strip(), Location(source.path, place=f"option --{option}"))
    cells = (*facts.items(), *options.items())
    # A first or a last day is a date.
    stated = {"date" if name in _DAYS else name for name, cell in cells if not values.is_unknown(cell.text)}
    if missing := [name for name in needed if name not in stated]:
        faults.add(_no_facts(missing, facts, source))
    parsed = _parsed(options, context, faults)
    overridden = {name: cell for name, cell in facts.items() if _fields(name) & parsed.keys()}
    parsed |= _parsed({name: cell for name, cell in facts.items() if name not in overridden}, context, faults)
    faults.raise_any()
    shown = [f"`{name}` `{shortened(cell.text)}`" for name, cell in overridden.items()]
    coefficients = [parsed.pop(name, None) for name in _COEFFICIENTS]
    wdd_id = parsed.pop("wdd_id", None)
    if parsed.get("kind", "").upper() in _LEAGUES:
        stated_at = facts["kind"].location if "kind" in facts else Location(source.path)
        raise SkippedError(stated_at, f"a league or circuit (`{parsed['kind']}`)", "a tournament")
    made = {"source_ids": (wdd_id,) if wdd_id else (), "coefficients": tuple(coefficients), **parsed, **further}
    made["remarks"] = (*skipped("facts overridden by options and", shown), *further.get("remarks", ()))
    made["unknown"] = (*_marked(facts), *further.get("unknown", ()))
    locations = {part: cell.location for name, cell in {**facts, **options}.items() for part in _fields(name)}
    return TournamentDocument(source=source, results=results, locations=locations, **made)


def _marked(cells: Mapping[str, Cell]) -> list[str]:
    """Return the names of cells with a mark for what nobody knows."""
    return [name for name, cell in cells.items() if cell.text and values.is_unknown(cell.text)]


def _fields(fact: str) -> set[str]:
    """Return the fields of the document that a fact states."""
    return set(_DAYS) if fact == "date" else {fact}


def _no_facts(missing: list[str], facts: Facts, source: Source) -> DocumentError:
    found = f"no {' or '.join(missing)} of the tournament"
    shown = ", ".join(f"`{_NEEDED[name]}`" for name in missing)
    if "tournament_id" in facts:
        columns = ", ".join(missing).replace("date", "date, or in started_on")
        return facts["tournament_id"].fault(found, f"a value in {columns}")
    options = " ".join(f"--{name} ..." for name in missing)
    file = {TOURNAMENTS_FILE: RESULTS_FILE, RESULTS_FILE: TOURNAMENTS_FILE}.get(source.path.name)
    hint = f"A table of several tournaments needs {file} beside it; then dptr import FOLDER reads both." if file else ""
    return source.fault(found, f"facts such as {shown}, or the options {options}", hint)


def _parsed(facts: Facts, context: Context, faults: Faults) -> dict[str, Any]:
    """Return the values of all readable facts, by the field of the document; gather faults of the others."""
    parsers = {**_PARSERS, "nation_code": context.nations.of_text}
    parsed: dict[str, Any] = {}
    for name, cell in facts.items():
        if not values.is_unknown(cell.text):
            # A document of several tournaments takes no options, and an option needs no other.
            option = {"nation_code": "nation", "started_on": "date", "ended_on": "date"}.get(name, name)
            is_asked = "tournament_id" not in facts and "--" not in cell.location.place and option in OPTIONS
            hint = f"Correct it, or state it with --{option} ..." if is_asked else ""
            with faults.gathered():
                value = cell.parsed(f"`{name}`", parsers[name], hint)
                parsed |= dict(zip(_DAYS, value, strict=True)) if name == "date" else {name: value}
    if "date" in facts:
        if not facts.keys().isdisjoint(_DAYS):
            faults.add(facts["date"].fault("`date` beside `started_on` or `ended_on`", "either the one or the others"))
    elif not parsed.keys().isdisjoint(_DAYS):
        # Each is a day, or the first and the last day of a month or a year.
        start, end = (parsed.get("started_on") or parsed["ended_on"]), (parsed.get("ended_on") or parsed["started_on"])
        first, last = start[0], end[1]
        if start != end and (start[0] < start[1] or end[0] < end[1]):
            stated = " and ".join(f"`{facts[name].text}`" for name in _DAYS)
            faults.add(facts["ended_on"].fault(f"the days {stated}", "two days, or the same month or year twice"))
        elif last < first:
            faults.add(facts["ended_on"].fault(f"the last day {last}", f"a day on or after the first day, {first}"))
        parsed |= {"started_on": first, "ended_on": last}
    return parsed


def _parse_id(text: str) -> str:
    """Return the id of a tournament or a person as it is: normalizing it could give another one's id.

    Raises:
        ValueError: for an invalid one; the message says what was expected.
    """
    if not is_valid_id(text):
        raise ValueError(VALID_ID)
    return text


# The parsers of facts; nations need those of the collection.
_PARSERS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("name", "subtitle", "place", "kind"), tidy_text),
    **dict.fromkeys(("players", "rounds", "boards"), values.parse_count),
    **dict.fromkeys(_COEFFICIENTS, values.parse_decimal),
    **dict.fromkeys(_DAYS, values.parse_day_or_period),
    "last_update": values.parse_day,
    "date": values.parse_date_span,
    "tournament_id": _parse_id,
    "wdd_id": values.parse_wdd_id,
}


def without_leagues(played: Sequence[T], described: Callable[[T], tuple[str, str]]) -> tuple[list[T], list[str]]:
    """Return the tournaments that a player played, and the remark on leagues and circuits among them, which are not tournaments.

    Args:
        played: the lines of a player's page.
        described: returns the name and the kind of a line.
    """
    leagues = [line for line in played if described(line)[1].upper() in _LEAGUES]
    names = [f"`{shortened(described(line)[0])}`" for line in leagues]
    rated = [line for line in played if line not in leagues]
    return rated, skipped("leagues and circuits, which are not tournaments,", names)


def read_table(
    rows: Sequence[TableRow], remarks: Sequence[str], known: Mapping[str, str], source: Source, context: Context
) -> TournamentDocument | RankingDocument:
    """Read the tournament in rows of cells, or, with the option `--ranking`, the published ranking: rank, name and rating.

    The remarks of the document name skipped input, after the given ones.

    Raises:
        DocumentError: with all faults.
    """
    faults, choices = Faults(), context.choices
    labels = (row.filled[0].text.partition(":")[0] for row in rows[: find_head(rows, known) or 0] if row.filled)
    if choices.ranking:
        # A ranking has no game scores: the report names such a column as skipped.
        known = {values.heading("rating"): "published_score", **known}
        known = {text: column for text, column in known.items() if column != "game_score"}
    elif "tournament_id" in (values.words("label").get(values.heading(label)) for label in labels):
        # Such a document has ids of this project; in others, `player_id` may be a source's number.
        known = {"player_id": "player_id", **known}
    above, columns, under = split_table(rows, known, source, faults)
    if {_NAMESAKE, _TIE_SIZE} <= columns.index.keys():
        under = _uploaded_rows(under, columns, context, faults)
    if choices.ranking:
        results, further, unknown = read_results(under, columns, context, faults, refuse_lone=True)
        ranks = faults.each(results, checked_rank)
        stated = Cell(choices.options.get("date", ""), Location(source.path, place="option --date"))
        last_update = stated.read("the day of the ranking", values.parse_day, faults)
        faults.raise_any()
        assert last_update
        others = skipped("lines above the table", [f"`{shortened(row.filled[0].text)}`" for row in above if row.filled])
        name = tidy_text(choices.ranking)
        remarks = (*remarks, *others, *columns.remarks, *further)
        return RankingDocument(source, name, name, last_update, ranks, remarks, unknown=tuple(unknown))
    facts, others = read_facts(above, faults)
    results, further, unknown = read_results(under, columns, context, faults, refuse_lone=True)
    if not faults and all(result.placement is None for result in results):
        what = "a table without placements" if results else "a table without rows"
        faults.add(columns.head.cell(0).fault(what, "at least one row with a placement"))
    _check_blanks([columns.cell(row, "placement") for row in under if len(row.filled) > 1], faults)
    remarks = (*remarks, *others, *columns.remarks, *further)
    read: dict[str, Any] = {"remarks": remarks, "headings": columns.read_as, "unknown": unknown}
    return make_tournament(facts, results, source, context, faults, **read)


def _uploaded_rows(rows: Sequence[TableRow], columns: Columns, context: Context, faults: Faults) -> list[TableRow]:
    """Return the rows of uploaded standings with ISO codes, and `-` for no placement; gather unknown codes and wrong sizes of ties.

    Raises:
        DocumentError: for a file of boards.
    """
    if {values.heading(text) for text in columns.head.texts} >= _BOARDS:
        found = "the file of boards of the World Diplomacy Database"
        raise DocumentError(columns.head.location, found, "its file of standings, a row for each player")
    sizes = Counter(columns.text(row, "placement") for row in rows)
    read = []
    for row in rows:
        texts = list(row.texts)
        placement, tied = columns.cell(row, "placement"), columns.cell(row, _TIE_SIZE)
        if placement.text == _NOT_PLACED:
            texts[columns.index["placement"]] = "-"
        elif placement.text.isdigit() and tied.text != str(sizes[placement.text]):
            found = f"EXAEQUO `{tied.text}` at placement {placement.text}"
            faults.add(tied.fault(found, f"{sizes[placement.text]}, the number of people there"))
        for at in (columns.index[name] for name in ("nation_code", "location_code") if name in columns.index):
            if at < len(texts):
                texts[at] = row.cell(at).read("the nation", context.nations.of_flag, faults) or ""
        read.append(replace(row, texts=texts))
    return read


def checked_rank(result: Result) -> Result:
    """Return a row of a published ranking; raise a DocumentError if it has no rank or no rating."""
    if result.placement is None or result.published_score is None:
        expected = "a rank and a rating in every row of a ranking"
        raise DocumentError(result.player.location, "no rank or no rating", expected)
    return result


def _check_blanks(stated: list[Cell], faults: Faults) -> None:
    """Gather a fault of blank placements above others: often they mean a tie with the placement above, not a missing placement."""
    last = max((i for i, cell in enumerate(stated) if re.search("[0-9]", cell.text)), default=0)
    if blank := [cell for cell in stated[:last] if not cell.text]:
        places = listed([cell.location.in_file for cell in blank])
        found = f"no placement in {places}, above placement `{shortened(stated[last].text)}`"
        hint = "Repeat the placement of a tie in each row, or write `-` for a player without a placement."
        faults.add(blank[0].fault(found, "a placement in every row above others", hint))


def read_results(
    rows: Iterable[TableRow], columns: Columns, context: Context, faults: Faults, *, refuse_lone: bool = False
) -> tuple[list[Result], list[str], list[str]]:
    """Read the rows of a table, except remarks, totals and empty rows; faults are gathered.

    With `refuse_lone`, a single text in a row is a fault: it may be a note, or a player without a placement.

    Returns:
        The results in the order of the rows; remarks on skipped rows, skipped cells of columns without a heading, and players without a
        placement; and the column of every cell with a mark for what nobody knows.
    """
    results = list[Result]()
    without, others, beside, unknown = (list[str]() for _ in range(4))
    expected = "a placement and a name, in a list `3. Ann Lee`; `-` is the placement of a player without one"
    for row in rows:
        filled = row.filled
        if row.is_remark or (filled and _is_total(row, columns, context)):
            others.append(f"`{shortened(filled[0].text)}` ({row.location.in_file})")
        elif refuse_lone and len(filled) == 1:
            alone = f"`{shortened(filled[0].text)}` alone in a row of the table"
            faults.add(filled[0].fault(alone, expected, _AS_REMARK))
        elif filled:
            with faults.gathered():
                results.append(result := _result(row, columns, context, faults))
                texts = (text for text, head in zip(row.texts, columns.head.texts, strict=False) if text and not head)
                beside += [f"`{shortened(text)}`" for text in texts]
                marked = _marked({name: columns.cell(row, name) for name in columns.index})
                unknown += [name for name in marked if name not in ("placement", "last_name", "name")]
                if result.placement is None:
                    mark = columns.text(row, "placement")
                    meaning = values.meaning_of_no_placement(mark) or ""
                    shown = f"`{shortened(mark)}` {meaning}".rstrip() if mark else "blank"
                    without.append(f"`{shortened(result.player.listed_name)}` ({shown}, {row.location.in_file})")
    remarks = [*skipped("rows", others), *skipped("cells of columns without a heading", beside)]
    if without:
        remarks.append(f"listed without a placement: {listed(without)}")
    return results, remarks, unknown


def _result(row: TableRow, columns: Columns, context: Context, faults: Faults) -> Result:
    columns.check_width(row)
    placement = columns.cell(row, "placement").read("the placement", values.parse_placement, faults)
    score = columns.cell(row, "published_score").read("the score", values.parse_decimal, faults)
    player = _player(row, columns, context, faults)
    points = tidy_text(columns.text(row, "game_score"))
    return Result(player, placement, score, None if values.is_unknown(points) else points)


def _is_total(row: TableRow, columns: Columns, context: Context) -> bool:
    """Return whether a row has a total instead of a player."""
    first, last, name = (columns.text(row, column) for column in NAME_COLUMNS)
    placement = columns.text(row, "placement")
    labels = () if first and last else (last, name, placement, next(filter(None, row.texts), ""))
    return any(label.casefold() in context.totals for label in labels)


def _player(row: TableRow, columns: Columns, context: Context, faults: Faults) -> ListedPlayer:
    first, last, full = (columns.cell(row, name) for name in NAME_COLUMNS)
    if values.is_unknown(first.text):
        first = first._replace(text="")
    if last.text:
        listed_name = f"{first.text} {last.text}".strip()
        first_name, last_name = repair_text(first.text), in_capitals(repair_text(last.text))
    else:
        named = full if "name" in columns.index else last
        if first.text or not named.text:
            found = f"`{shortened(first.text)}` without a last name" if first.text else "no name"
            raise named.fault(found, "a last name in every row of the table", _AS_REMARK)
        listed_name, last = full.text, full
        parse = partial(split_name, last_first=context.choices.last_first)
        first_name, last_name = full.parsed("the name", parse)
    wdd_id, namesake = columns.cell(row, "wdd_id"), columns.cell(row, _NAMESAKE)
    source_ids = [] if values.is_unknown(wdd_id.text) else [wdd_id.parsed("the id", values.parse_wdd_id)]
    if not values.is_unknown(namesake.text):
        number = namesake.parsed("the number among namesakes", values.parse_count)
        source_ids.append(f"{_NAMESAKE}:{readable_id_or_empty(f'{first_name} {last_name}')}-{number}")
    stated_id = columns.cell(row, "player_id")
    player_id = stated_id.parsed("the player_id", _parse_id) if "player_id" in columns.index else None
    nation = columns.cell(row, "nation_code").read("the nation", context.nations.of_text, faults)
    home = columns.cell(row, "location_code").read("the location", context.nations.of_text, faults)
    ids = tuple(source_ids)
    return ListedPlayer(listed_name, first_name, last_name, last.location, nation, home, ids, player_id)
