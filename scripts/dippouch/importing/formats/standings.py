"""One tournament in a table of rows, whether it comes from CSV or from a sheet: facts above, results below a head."""

from __future__ import annotations

from dippouch.documents import Source, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.importing.formats.cells import RESULT_COLUMNS, Record, is_result_head, read_columns, read_results
from dippouch.importing.formats.facts import check_needed, make_tournament, read_facts, with_options
from dippouch.importing.options import TournamentOptions
from dippouch.names import shortened


def read_standings(records: list[Record], source: Source, options: TournamentOptions) -> TournamentDocument:
    """The tournament that rows of cells state.

    Raises:
        DocumentError: when a fact is missing or anything cannot be read.
    """
    head = next((i for i, record in enumerate(records) if is_result_head(record.texts)), None)
    if head is None:
        first = next((text for record in records for text in record.texts if text), "")
        raise source.fault(
            f"no headings of a table (it begins with `{shortened(first)}`)",
            "a row of headings with `placement`, and `name` or `last_name`",
        )
    facts = with_options(read_facts(records[:head]), options, source)
    check_needed(facts, source)
    columns = read_columns(records[head], RESULT_COLUMNS)
    results = read_results(records[head + 1 :], columns)
    if all(result.placement is None for result in results):
        raise DocumentError(records[head].location, "a table without placements", "at least one row with a placement")
    return make_tournament(facts, results, source)
