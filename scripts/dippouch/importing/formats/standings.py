"""One tournament in a table of rows, from CSV or from a sheet: facts above, results below a head.

With a column `Tournament` there may be several: each row names the tournament, with facts in columns such as `Date` and `Players`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from dippouch.documents import Source, TournamentDocument
from dippouch.errors import DocumentError, Faults
from dippouch.ids import readable_id_or_empty
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Record
from dippouch.importing.formats.facts import (
    FACTS,
    NEEDED,
    Facts,
    check_needed,
    likely_title,
    make_tournament,
    read_facts,
    with_options,
)
from dippouch.importing.formats.headings import (
    PEOPLE,
    POINTS,
    RESULT_COLUMNS,
    TOURNAMENT,
    column_like,
    column_of,
    is_result_head,
    near_head,
)
from dippouch.importing.formats.result_rows import ResultRows, read_results
from dippouch.importing.formats.table_columns import CALL_SO, ONE_TABLE, OTHER_TABLE, Columns, read_columns
from dippouch.importing.parsing.words import heading
from dippouch.names import shortened
from dippouch.seeds.not_people import TOTAL

# Maximum number of rows in a table, with empty ones.
MOST_ROWS = 20_000
# Maximum row of a table's head.
HEAD_WITHIN = 200

_STARTS_WITH_NUMBER = re.compile("[=T]?[0-9]")
# `Player 1`, `Player 2`
_NUMBER = re.compile(" ?[0-9]$")

# The facts in columns of a table of several tournaments.
_IN_COLUMNS = ("date", "started_on", "ended_on", "place", "kind", "subtitle", "players", "rounds", "boards")
_SEASON_COLUMNS = {**{word: fact for word, fact in FACTS.items() if fact in _IN_COLUMNS}, **RESULT_COLUMNS}


def read_standings(records: list[Record], source: Source, context: Context) -> Iterator[TournamentDocument]:
    """Read the tournament in rows of cells, with skipped input in its remarks; several if a column names them.

    Raises:
        DocumentError: after the documents, with all faults.
    """
    if len(records) > MOST_ROWS:
        raise DocumentError(records[-1].location, f"more than {MOST_ROWS:,} rows", "the standings of one tournament")
    faults = Faults()
    heads = [i for i, record in enumerate(records) if is_result_head(record.texts)]
    if not heads:
        records, heads = _with_head(records, source, faults)
    head = records[heads[0]]
    facts, meant, remarks = read_facts(records[: heads[0]], faults)
    is_season = any(column_of(text, RESULT_COLUMNS) == TOURNAMENT for text in head.texts)
    columns = read_columns(head, _SEASON_COLUMNS if is_season else RESULT_COLUMNS, faults, records[heads[0] + 1 :])
    under = records[heads[0] + 1 :]
    if heads[1:]:
        under = _above_second_table(records, heads, columns, faults)
    remarks += columns.remarks
    stated = _tournaments(facts, under, columns, context, faults) if is_season else [(facts, under)]
    options = context.options
    if len(stated) > 1 and options.given():
        faults.add(source.fault(f"options with {len(stated)} tournaments", "facts of each in columns of the table"))
    title = None if is_season else likely_title(records[: heads[0]])
    nowhere = {name for name in NEEDED if is_season and all(name not in facts for facts, _ in stated)}
    for number, (facts_of_one, records_of_one) in enumerate(stated):
        completed, overridden = with_options(facts_of_one, options, source)
        with faults.gathered():
            known = {**meant, **(dict.fromkeys(nowhere, head.cell(0)) if number else {}), **completed}
            check_needed(known, source, in_columns=is_season, title=title)
        if title and "name" not in known:
            # The further checks assume the name that the refusal proposes.
            completed["name"] = title
        rows = _read_rows(head, records_of_one, columns, context, faults)
        document = make_tournament(completed, rows.results, source, context, faults)
        if rows.results:
            told = (*overridden, *remarks, *rows.remarks(columns))
            yield replace(document, remarks=told, headings=columns.read_as)
            remarks = []
    faults.raise_any()


def _above_second_table(records: list[Record], heads: list[int], columns: Columns, faults: Faults) -> list[Record]:
    """Return the rows of the first of several tables; lines between two tables belong to the second."""
    first, second = (records[i] for i in heads[:2])
    goes_on = "If the same table continues, delete the row. " if first.texts == second.texts else ""
    found = f"a second table (the first begins in {first.location.in_file})"
    faults.add(second.filled[0].fault(found, ONE_TABLE, goes_on + OTHER_TABLE))
    between = range(heads[0] + 1, heads[1])
    placed = [i for i in between if _STARTS_WITH_NUMBER.match(columns.text(records[i], "placement"))]
    return records[heads[0] + 1 : max(placed, default=heads[0]) + 1]


def _tournaments(
    above: Facts, records: list[Record], columns: Columns, context: Context, faults: Faults
) -> list[tuple[Facts, list[Record]]]:
    """Return the tournaments in the rows of a table, each with its facts and its rows, in order of their first rows."""
    found: dict[str, tuple[Facts, list[Record]]] = {}
    rows: list[Record] = []
    for record in records:
        cell = columns.cell(record, TOURNAMENT)
        if cell.text and context.not_people.meaning_of(cell.text) != TOTAL:
            key = readable_id_or_empty(cell.text) or cell.text
            own = {"name": cell, TOURNAMENT: cell}
            facts, rows = found.setdefault(key, ({**above, **own}, []))
            for name in _IN_COLUMNS:
                stated = columns.cell(record, name)
                if stated.text and facts.get(name, stated).text != stated.text and name not in above:
                    other = facts[name].location.in_file
                    expected = f"`{shortened(facts[name].text)}`, as in {other}, or another name of the tournament"
                    what = f"`{shortened(stated.text)}` for `{name}` of `{shortened(cell.text)}`"
                    faults.add(stated.fault(what, expected))
                elif stated.text:
                    facts[name] = stated
        elif record.filled and not record.is_remark and columns.text(record, "placement"):
            faults.add(cell.fault("no tournament", "the name of the tournament in every row"))
            continue
        rows.append(record)
    return list(found.values())


def _read_rows(head: Record, under: list[Record], columns: Columns, context: Context, faults: Faults) -> ResultRows:
    of_rows, rows = Faults(), ResultRows()
    with faults.gathered():
        rows = read_results(under, columns, context, of_rows)
        if not of_rows and columns.has_names and all(result.placement is None for result in rows.results):
            found = "a table without placements" if rows.results else "a table without rows"
            raise DocumentError(head.location, found, "at least one row with a placement")
        of_rows.raise_any()
    return rows


def _with_head(records: list[Record], source: Source, faults: Faults) -> tuple[list[Record], list[int]]:
    """Replace misspelt headings by those that they mean, to find further faults; return the rows and the index of the head.

    Raises:
        DocumentError: if no row has headings, with the faults of facts above the row most like one.
    """
    expected = "a row of headings with `placement`, and `name` or `last_name`"
    near = near_head(records[:HEAD_WITHIN])
    if near is None:
        first = next((text for record in records for text in record.texts if text), "")
        raise source.fault(f"no headings of a table (it begins with `{shortened(first)}`)", expected)
    at, head = records.index(near[0]), near[0]
    seen: set[str | None] = set()
    for cell in head.filled:
        column = column_of(_NUMBER.sub("", cell.text), RESULT_COLUMNS)
        if column in seen:
            raise cell.fault(
                f"a second player in a row, under `{shortened(cell.text)}`",
                "one player in a row",
                "Teams are not rated: list each player in a row.",
            )
        seen |= {column} & {*PEOPLE}
    texts, under = list(head.texts), records[at + 1 :]
    known = {column_of(text, RESULT_COLUMNS) for text in texts}
    for i, text in enumerate(head.texts):
        if meant := _meant_heading(text, [record.cell(i).text for record in under], known):
            faults.add(head.cell(i).fault(f"the heading `{shortened(text)}`", f"`{meant}`", CALL_SO))
            texts[i] = meant
            known.add(meant)
    if not is_result_head(texts):
        faults = Faults()
        faults.add(DocumentError(head.location, near[1], expected))
        read_facts(records[:at], faults)
        faults.raise_any()
    return [*records[:at], replace(head, texts=texts), *records[at + 1 :]], [at]


def _meant_heading(text: str, under: list[str], known: set[str | None]) -> str | None:
    """Return the required column that an unknown heading means, by its letters or the numbers below it; else None."""
    missing = {"placement"} - known if known & {*PEOPLE} else {"placement", *PEOPLE} - known
    if not text or not missing or column_of(text, RESULT_COLUMNS):
        return None
    if meant := column_like(text, {word: column for word, column in RESULT_COLUMNS.items() if column in missing}):
        return meant
    cells = [cell for cell in under if cell]
    placed = [cell for cell in cells if _STARTS_WITH_NUMBER.match(cell)]
    is_placement = "placement" in missing and heading(text) not in POINTS and 2 * len(placed) > len(cells)
    return "placement" if is_placement else None
