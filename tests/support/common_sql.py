"""The SQL that DuckDB and Spark read alike, and what a query has beyond it: it fails on one of them, or, worse, means something else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sqlfluff.core import Linter
from sqlfluff.core.parser.segments.base import BaseSegment

# Functions that give the same on both, for nulls, too.
FUNCTIONS = frozenset(
    "abs avg bit_length cast coalesce concat_ws count dense_rank first_value greatest lag lead least length lower make_date max max_by"
    " min min_by nullif range rank round row_number sum translate trim upper year".split()
)
# `varchar` needs a length on Spark, `text` is unknown there.
TYPES = frozenset(["boolean", "date", "decimal(9, 2)", "double", "integer", "string"])

# Without a word on nulls DuckDB has them last, and Spark first where the order ascends. These are never null.
_NEVER_NULL = frozenset(
    "rating_system_id tournament_id player_id nation_code event_number update_number correction_number year ended_on rank"
    " national_rank preference precedence".split()
)

# Spark's takes a null, DuckDB's passes it over.
_CHOICE = re.compile(r"\b(?:min|max)_by\(\s*([\w.]+)\s*,[^)]*\)(?!\s*filter\s*\(where \1 is not null\))")


def beyond_common(sql: str) -> list[str]:
    """What a query has that one of the engines lacks, or understands otherwise; empty for one that suits both.

    Args:
        sql: the query, as dbt compiles it.
    """
    # The names of tables in quotes, which are texts on Spark.
    tree, unread = _parsed(sql.replace('"', "`"))
    if tree is None or unread:
        return [f"Spark cannot read it: {'; '.join(unread)}"]
    found = [f"function {name}" for name in _names(tree, "function_name") if name not in FUNCTIONS]
    found += [f"type {name}" for name in _names(tree, "data_type") if name not in TYPES]
    found += [f"no word on nulls in: order by {item}" for item in _orders(tree) if _may_differ(item)]
    found += [f"a null that may be chosen: {choice[0]}" for choice in _CHOICE.finditer(sql)]
    return found


@cache
def _parsed(sql: str) -> tuple[BaseSegment | None, list[str]]:
    """A query as Spark's grammar has it, and what it has no place for."""
    parsed = Linter(dialect="sparksql").parse_string(sql)
    return parsed.tree, [violation.desc() for violation in parsed.violations]


def _names(tree: BaseSegment, kind: str) -> Iterator[str]:
    for segment in tree.recursive_crawl(kind):
        yield segment.raw.lower()


def _orders(tree: BaseSegment) -> Iterator[str]:
    """What rows are ordered by, each as it is written."""
    for clause in tree.recursive_crawl("orderby_clause"):
        text = re.sub(r"--[^\n]*", "", clause.raw)
        items = " ".join(text.split()).removeprefix("order by ")
        # A comma within brackets is of a function.
        yield from (item.strip() for item in re.split(r",(?![^(]*\))", items))


def _may_differ(item: str) -> bool:
    if re.search(r" nulls (?:first|last)$", item) or item.endswith(" desc"):
        return False
    return item.removesuffix(" asc").rpartition(".")[2] not in _NEVER_NULL
