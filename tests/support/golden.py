"""Golden files: documents, and the expected outcome of each.

A case is a line `=== NAME`, the document, a line `---` and the outcome. `DPTR_GOLDEN=write pytest -n0 ...` rewrites the outcomes:
review the difference. Invisible characters are written as `\\u202e`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from dippouch.settings import PROJECT

FIXTURES = PROJECT / "tests" / "fixtures"
_CASE = re.compile(r"=== (?P<name>.*)\n(?P<document>(?:.*\n)*?)---\n(?P<outcome>(?:(?!===).*\n)*)")


@dataclass(frozen=True)
class Case:
    """A case of a golden file."""

    path: Path
    name: str
    document: str
    outcome: str

    def check(self, found: str) -> None:
        """Compare an outcome with the expected one, or record it."""
        if os.environ.get("DPTR_GOLDEN") == "write":
            text = self.path.read_text(encoding="utf-8")
            case = f"=== {self.name}\n{self.document}---\n"
            self.path.write_text(text.replace(case + self.outcome, case + found), encoding="utf-8")
        else:
            assert found == self.outcome


def cases(*names: str | Path) -> list[Case]:
    """Return the cases of golden files, by their paths in `tests/fixtures`; reject files with other content."""
    found = []
    for path in (FIXTURES / name for name in names):
        text = path.read_text(encoding="utf-8")
        matches = list(_CASE.finditer(text))
        assert "".join(match[0] for match in matches) == text, f"{path}: not only cases"
        found += [Case(path, match["name"], match["document"], match["outcome"]) for match in matches]
        assert len({match["name"] for match in matches}) == len(matches), f"{path}: two cases of one name"
    return found


def each_case(*names: str) -> pytest.MarkDecorator:
    """Run a test with every case of golden files as its argument `case`."""
    return pytest.mark.parametrize("case", cases(*names), ids=lambda case: f"{case.path.stem}-{case.name}")


def unescaped(text: str) -> str:
    """Replace escapes such as `\\u202e` with their characters, and `\\[1000*text]` with a text a thousand times."""
    text = re.sub(r"\\\[(\d+)\*(.*?)\]", lambda match: int(match[1]) * match[2], text)
    return re.sub(r"\\u([0-9a-f]{4})|\\U([0-9a-f]{8})", lambda match: chr(int(match[1] or match[2], 16)), text)


def edited(text: str, edits: str) -> str:
    """Apply edits to a text: `- OLD` and the `+ NEW` below it replace the first OLD; a single `+ NEW` appends a line."""
    old = ""
    for sign, _, piece in (line.partition(" ") for line in edits.splitlines()):
        assert sign in {"-", "+"}, f"neither `- OLD` nor `+ NEW`: {sign}"
        if sign == "-":
            old = unescaped(piece)
        elif old:
            assert old in text, f"not in the text: {old}"
            text, old = text.replace(old, unescaped(piece), 1), ""
        else:
            text += f"{unescaped(piece)}\n"
    return text


def edit_files(folder: Path, edits: str, encoding: str = "utf-8") -> None:
    """Edit UTF-8 files of a folder; the edits of each file are below a line `@ FILE`."""
    for part in edits.removeprefix("@ ").split("\n@ ") if edits else ():
        name, _, of_file = part.partition("\n")
        path = folder / name
        path.write_text(edited(path.read_text(encoding="utf-8"), of_file), encoding=encoding)
