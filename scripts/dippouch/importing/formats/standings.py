"""One tournament in a table of rows, whether it comes from CSV or from a sheet: facts above, results below a head."""

from __future__ import annotations

from dataclasses import replace

from dippouch.documents import Source, TournamentDocument
from dippouch.errors import DocumentError, Faults
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import Record
from dippouch.importing.formats.facts import check_needed, make_tournament, parse_facts, read_facts, with_options
from dippouch.importing.formats.headings import RESULT_COLUMNS, is_result_head, near_head
from dippouch.importing.formats.result_rows import ResultRows, read_results
from dippouch.importing.formats.table_columns import Columns, read_columns
from dippouch.names import shortened

# Of a table, with what is empty.
MOST_ROWS = 20_000
# The head of a table is no further down.
HEAD_WITHIN = 200


def read_standings(records: list[Record], source: Source, context: Context) -> TournamentDocument:
    """The tournament that rows of cells state, with what was left aside in its remarks."""
    if len(records) > MOST_ROWS:
        raise DocumentError(records[-1].location, f"more than {MOST_ROWS:,} rows", "the standings of one tournament")
    head = next((i for i, record in enumerate(records) if is_result_head(record.texts)), None)
    if head is None:
        raise _headless(records, source)
    faults = Faults()
    facts, remarks = read_facts(records[:head], faults)
    with faults.gathered():
        facts = with_options(facts, context.options, source)
        check_needed(facts, source)
    with faults.gathered():
        parse_facts(facts, context)
    with faults.gathered():
        columns, rows = _read_table(records[head], records[head + 1 :], context)
    faults.raise_any()
    document = make_tournament(facts, rows.results, source, context)
    remarks = [*remarks, *columns.remarks, *rows.remarks(columns)]
    return replace(document, remarks=tuple(remarks), headings=columns.read_as)


def _read_table(head: Record, under: list[Record], context: Context) -> tuple[Columns, ResultRows]:
    columns = read_columns(head, RESULT_COLUMNS)
    rows = read_results(under, columns, context)
    if all(result.placement is None for result in rows.results):
        found = "a table without placements" if rows.results else "a table without rows"
        raise DocumentError(head.location, found, "at least one row with a placement")
    return columns, rows


def _headless(records: list[Record], source: Source) -> DocumentError:
    expected = "a row of headings with `placement`, and `name` or `last_name`"
    if near := near_head(records[:HEAD_WITHIN]):
        return DocumentError(near[0].location, near[1], expected)
    first = next((text for record in records for text in record.texts if text), "")
    return source.fault(f"no headings of a table (it begins with `{shortened(first)}`)", expected)
