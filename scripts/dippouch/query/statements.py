"""Which SQL is a question: one statement, and one that only reads, as DuckDB's own parser has it."""

from __future__ import annotations

import re

import duckdb

from dippouch.errors import UserError

# Longer ones take the parser minutes.
LONGEST_QUERY = 100_000

_KINDS = {
    "ALTER": "ALTER or COMMENT",
    "CALL": "CALL or CHECKPOINT",
    "DROP": "DROP or DEALLOCATE",
    "LOAD": "LOAD or INSTALL",
    "MERGE_INTO": "MERGE",
    "SET": "SET, RESET or USE",
    "VACUUM": "VACUUM or ANALYZE",
}
# The parser makes several statements of a pivot whose columns it has to find out, and of whatever stands around it.
_OF_SEVERAL = re.compile(r"\W*(pivot|pivot_wider|from|select|with)\b", re.IGNORECASE)
_EXPLAIN = re.compile(r"explain\s+(analy[sz]e\s+)?(verbose\s+)?(\([^()]*\)\s*(?=\w))?", re.IGNORECASE)


def check_text(sql: str) -> None:
    """Check that a text can be a query at all.

    Raises:
        UserError: when it is too long, or is no text.
    """
    if len(sql) > LONGEST_QUERY:
        raise UserError(f"found a query of more than {LONGEST_QUERY:,} characters; expected a shorter one")
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        before = sql[: error.start]
        line, column = before.count("\n") + 1, error.start - (before.rfind("\n") + 1) + 1
        raise UserError(
            f"the query cannot be read: found a byte that is no UTF-8 in line {line}, column {column}; expected a query in UTF-8"
        ) from None


def one_question(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement:
    """The one statement of a text, which reads and does nothing else.

    What it calls can still be meant to write: there the connection refuses (`limits.shut_off`).

    Raises:
        UserError: when there is none, more than one, or it is no question; names the kind and what can be asked.
        duckdb.Error: when it is no SQL.
    """
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise UserError(f"found {len(statements) or 'no'} queries; expected one")
    if kind := _kind_of_no_question(connection, statements[0]):
        raise UserError(
            f"found a statement of the kind {kind}; expected one that only reads: select, from, with, values, pivot, describe,"
            " summarize, show or explain. Nothing can be written from here, neither to the database nor to another file"
        )
    return statements[0]


def _kind_of_no_question(connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement) -> str:
    """The kind of a statement that does not only read; empty for a question."""
    kind = statement.type
    if kind == duckdb.StatementType.SELECT:
        return ""
    if kind == duckdb.StatementType.MULTI:
        return "" if _OF_SEVERAL.match(statement.query) else statement.query.split(maxsplit=1)[0].upper()
    if kind == duckdb.StatementType.EXPLAIN:
        explained = connection.extract_statements(_EXPLAIN.sub("", statement.query, count=1))
        inner = [_kind_of_no_question(connection, one) for one in explained]
        return f"EXPLAIN of {inner[0]}" if inner and inner[0] else ""
    return _KINDS.get(kind.name, kind.name.replace("_", " "))
