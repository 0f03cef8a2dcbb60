"""Small documents and what the importer reads of them or says against them, all of it, in golden files.

A case is a name, the document and the outcome. `DPTR_GOLDEN=write pytest ...` writes the outcomes anew: review the difference.
`@facts` stands for four lines of facts and an empty one; characters that nobody sees are written as `\\u202e`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from dippouch.documents import RankingDocument, TournamentDocument
from dippouch.importing.pipeline import import_documents
from dippouch.importing.reader import read_documents
from dippouch.settings import PROJECT

FOLDER = PROJECT / "tests" / "fixtures" / "importing"
FACTS = "name: Small Cup\ndate: 2010-05-01\nplayers: 6\nrounds: 2\n\n"
CASE = re.compile(r"=== (?P<name>.*)\n(?P<document>(?:.*\n)*?)---\n(?P<outcome>(?:(?!===).*\n)*)")


def outcome(path: Path) -> str:
    """What is read of a document, or all that is wrong with it, a line each."""
    refused = import_documents([path], path.parent / "seeds").rejections
    if refused:
        return "".join(f"{fault}\n".replace(f"{path.parent}/", "") for fault in refused)
    lines = []
    for document in read_documents(path):
        if isinstance(document, RankingDocument):
            lines.append(f"{document.ranking_name} | {document.author} | {document.last_update}")
            lines += [f"{row.rank} | {row.player.name} | {row.rating}" for row in document.ranks]
            continue
        assert isinstance(document, TournamentDocument)
        days = f"{document.started_on} - {document.ended_on}"
        counts = [document.players, document.rounds, document.boards]
        lines.append(f"{document.name} | {days} | {document.place} {document.nation_code} | {counts}")
        if document.subtitle or any(document.coefficients):
            lines.append(f"{document.subtitle} | {' '.join(map(str, document.coefficients))}")
        for result in document.results:
            who = result.player
            cells: list[object] = [
                result.placement,
                who.first_name,
                who.last_name,
                who.nation_code,
                who.source_player_id,
            ]
            cells.append(result.published_score)
            lines.append(" | ".join("" if cell is None else str(cell) for cell in cells).rstrip(" |"))
        lines += [f"remark: {remark}" for remark in document.remarks]
    return "".join(f"{line}\n" for line in lines)


def cases() -> list[tuple[str, str, str, str]]:
    """Every case of every file: the file, the name, the document, the outcome."""
    return [
        (path.name, match["name"], match["document"], match["outcome"])
        for path in sorted(FOLDER.glob("*.golden"))
        for match in CASE.finditer(path.read_text(encoding="utf-8"))
    ]


def unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)


@pytest.mark.parametrize(("file", "name", "document", "expected"), cases(), ids=[f"{f}-{n}" for f, n, *_ in cases()])
def test_a_document_is_read_as_the_golden_file_says(
    file: str, name: str, document: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / name.rsplit(": ", maxsplit=1)[-1]
    path.write_text(unescaped(document.replace("@facts\n", FACTS)), encoding="utf-8")
    found = outcome(path)
    if os.environ.get("DPTR_GOLDEN") == "write":
        golden = FOLDER / file
        text = golden.read_text(encoding="utf-8")
        case = f"=== {name}\n{document}---\n"
        golden.write_text(text.replace(case + expected, case + found), encoding="utf-8")
    else:
        assert found == expected


def test_no_case_is_lost() -> None:
    for path in FOLDER.glob("*.golden"):
        text = path.read_text(encoding="utf-8")
        assert "".join(match[0] for match in CASE.finditer(text)) == text
        assert len({name for file, name, *_ in cases() if file == path.name}) == text.count("=== ")
