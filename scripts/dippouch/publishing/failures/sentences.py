"""The sentence of a test: what it holds the tables to, in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from dippouch.publishing.failures.artefacts import Node

Arguments = dict[str, Any]


def sentence_of(test: Node, model: Node | None) -> str:
    """What a data test says.

    Args:
        test: the test.
        model: the model or seed that it is about; None when it is about several.
    """
    stated = test.get("test_metadata")
    if stated is None:
        why = test["description"] or _leading_comment(test["raw_code"])
        return f"{_words(test['name'])}: {_one_line(why)}" if why else _words(test["name"])
    name, arguments = stated["name"], stated["kwargs"]
    table = model["name"] if model else "a table"
    sentence = _SENTENCES[name](table, arguments) if name in _SENTENCES else f"{_words(test['name'])}, in {table}"
    if name == "holds" and not test["name"].startswith("holds_"):
        sentence = f"{_words(test['name'])}: {sentence}"
    column = model["columns"].get(test["column_name"]) if model and test["column_name"] else None
    meaning = _one_line(column["description"]) if column else ""
    return f"{sentence}. {test['column_name']}: {meaning}" if meaning else sentence


def _unique(table: str, arguments: Arguments) -> str:
    return f"no two rows of {table} have the same {arguments['column_name']}"


def _unique_key(table: str, arguments: Arguments) -> str:
    may_be_empty = arguments.get("may_be_null", [])
    rest = f", of which only {_listed(may_be_empty)} may be empty" if may_be_empty else ""
    return f"no two rows of {table} have the same {_listed(arguments['columns'])}{rest}"


def _never_null(table: str, arguments: Arguments) -> str:
    return f"every row of {table} has {_listed(arguments['columns'])}"


def _not_null(table: str, arguments: Arguments) -> str:
    return f"every row of {table} has {arguments['column_name']}"


def _holds(table: str, arguments: Arguments) -> str:
    return f"in every row of {table}: {_one_line(arguments['expression'])}"


def _accepted_values(table: str, arguments: Arguments) -> str:
    values = [str(value) for value in arguments["values"]]
    return f"every {arguments['column_name']} of {table} is one of {', '.join(values)}"


def _relationships(table: str, arguments: Arguments) -> str:
    target = re.sub(r"ref\('(\w+)'\)", r"\1", arguments["to"])
    return f"every {arguments['column_name']} of {table} is a {arguments['field']} of {target}"


_SENTENCES: dict[str, Callable[[str, Arguments], str]] = {
    "unique": _unique,
    "unique_key": _unique_key,
    "never_null": _never_null,
    "not_null": _not_null,
    "holds": _holds,
    "accepted_values": _accepted_values,
    "relationships": _relationships,
}


def _listed(columns: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(columns[:-1]), columns[-1]]))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _leading_comment(sql: str) -> str:
    """The comment that a test begins with."""
    lines = []
    for line in sql.strip().splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").strip())
    return " ".join(lines)
