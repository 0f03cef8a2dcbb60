"""Small documents, and everything that the importer reads from them or reports about them, in golden files.

Notation of the documents:
- `@facts` is replaced by four lines of facts and an empty one;
- a first line `@page`, or another of SAMPLES, is replaced by a document with every fact of its format: edits follow, and the outcome is the
  difference from the document without edits;
- `@pair` is replaced by the two files of two-tables: the edits of each follow below its name;
- `\\[1000*text]` is a text a thousand times;
- the lines of an .xlsx are the rows of its sheet; `@sheet NAME` begins another one, `@hide` hides the sheet;
- `@options name=value ...` are the options of the command line;
- `@encoded cp1250` is the encoding of the file, else UTF-8; in `latin-1` every character is the byte of its number.
"""

from __future__ import annotations

import csv
import difflib
import io
import shlex
from contextlib import chdir
from datetime import date
from pathlib import Path
from typing import Any

from openpyxl import Workbook, load_workbook

from dippouch.importing.files import Choices
from dippouch.importing.run import import_documents
from dippouch.reading.context import OPTIONS, ReadingChoices, read_context
from dippouch.reading.documents import Document, ListedPlayer, PlayerDocument, RankingDocument, TournamentDocument
from dippouch.reading.reader import read_documents
from dippouch.reading.table import stated_columns
from dippouch.settings import PROJECT
from support import samples
from support.advice import circles
from support.golden import Case, each_case, edit_files, edited, unescaped

TEMPLATE = PROJECT / "scripts" / "dippouch" / "commands" / "template.csv"
FACTS = "name: Small Cup\ndate: 2010-05-01\nplayers: 6\nrounds: 2\n\n"
EVENT, LARGE = samples.stored_tournaments()[0], samples.stored_tournaments()[-1]
SAMPLES = {
    "@page": samples.tournament_html(EVENT),
    "@large": samples.tournament_html(LARGE),
    "@tabs": samples.tournament_tabs(EVENT),
    "@json": samples.tournament_json(EVENT),
    "@player": samples.PLAYER_HTML.read_text(encoding="utf-8"),
    "@player-json": samples.PLAYER_JSON.read_text(encoding="utf-8"),
    "@text": (samples.STORED_PAGES / "wac-6-2009.txt").read_text(encoding="utf-8"),
    "@ranking": (samples.STORED_PAGES / "international-ranking-2017-08-06.txt").read_text(encoding="utf-8"),
}


def faults(path: Path, **options: Any) -> str:  # noqa: ANN401 (as the importer takes them)
    """Return all faults of a document at its import, one per line."""
    rejections = import_documents(
        [path], path.parent / "seeds", Choices(**options), on_file=print, on_changed=print
    ).rejections
    return "".join(f"{fault}\n".replace(f"{path.parent}/", "") for fault in rejections)


def read(path: Path, **options: Any) -> str:  # noqa: ANN401 (of a context)
    """Return everything read from a document, one fact per line."""
    context = read_context(PROJECT / "seeds", ReadingChoices(**options))
    return "".join(f"{line}\n" for document in read_documents(path, context=context) for line in lines_of(document))


def lines_of(document: Document) -> list[str]:
    """Return all facts of a document, without their places."""
    if isinstance(document, RankingDocument):
        lines = [f"{document.ranking_name} | {document.author} | {document.last_update}"]
        lines += [f"{row.placement} | {row.player.name} | {row.published_score}" for row in document.ranks]
    elif isinstance(document, PlayerDocument):
        lines = [_cells(*_person(document.player), document.player.location_code)]
        lines += [_cells(*_appearance(played)) for played in document.appearances]
    else:
        days = f"{document.started_on} - {document.ended_on}"
        counts = [document.players, document.rounds, document.boards]
        lines = [f"{document.name} | {days} | {document.place} {document.nation_code} | {counts}"]
        further = (document.kind, next(iter(document.source_ids), ""), document.last_update)
        if any(further):
            lines.append(_cells("kind, id, update", *further))
        if document.subtitle or any(document.coefficients):
            lines.append(f"{document.subtitle} | {' '.join(map(str, document.coefficients))}")
        lines += [
            _cells(result.placement, *_person(result.player), result.published_score, result.game_score)
            for result in document.results
        ]
    return [*lines, *(f"remark: {remark}" for remark in document.remarks)]


def _person(player: ListedPlayer) -> tuple[object, ...]:
    return player.first_name, player.last_name, player.nation_code, next(iter(player.source_ids), "")


def _appearance(played: TournamentDocument) -> tuple[object, ...]:
    days = f"{played.started_on} - {played.ended_on}"
    facts = (played.name, days, played.kind, next(iter(played.source_ids), ""), played.players)
    return played.results[0].placement, *facts


def _cells(*cells: object) -> str:
    return " | ".join("" if cell is None else str(cell) for cell in cells).rstrip(" |")


def workbook(text: str) -> Workbook:
    """Return a workbook with the rows of a text, numbers as numbers, and `@day 2010-05-01` as a day."""
    book = Workbook()
    sheet = book.worksheets[0]
    for row in csv.reader(text.splitlines()):
        if row and row[0].startswith("@sheet "):
            sheet = book.create_sheet(row[0].removeprefix("@sheet "))
        elif row and row[0] == "@hide":
            sheet.sheet_state = "hidden"
        else:
            sheet.append([_number(cell) for cell in row])
    return book


def _number(cell: str) -> object:
    if cell.startswith("@day "):
        return date.fromisoformat(cell.removeprefix("@day "))
    try:
        return float(cell) if "." in cell else int(cell)
    except ValueError:
        return cell or None


def stated(words: list[str]) -> dict[str, Any]:
    """Parse the words of a line `@options` to arguments of the importer."""
    given: dict[str, Any] = dict(word.split("=", 1) for word in words)
    of_importer = {name: given.pop(name) for name in ("encoding", "last_first") if name in given}
    if "column" in given:
        of_importer["columns"] = stated_columns([given.pop("column")])
    assert given.keys() <= set(OPTIONS)
    return of_importer | {"options": given}


NAMES = ("refused", "encodings", "costly", "standings", "text_pages", "pages", "json", "workbooks", "pairs")


def test_both_templates_have_the_same_rows() -> None:
    cells = [row for row in csv.reader(TEMPLATE.read_text(encoding="utf-8-sig").splitlines()) if row]
    (sheet,) = load_workbook(TEMPLATE.with_suffix(".xlsx")).worksheets
    rows = [[str(cell or "") for cell in row] for row in sheet.iter_rows(values_only=True) if any(row)]
    assert [row[: len(of_csv)] for row, of_csv in zip(rows, cells, strict=True)] == cells


@each_case(*(f"importing/{name}.golden" for name in NAMES))
def test_a_document_is_read_as_the_golden_file_says(case: Case, tmp_path: Path) -> None:
    # Python's own limit: dbt raises it in the process of other tests.
    csv.field_size_limit(131_072)
    path = tmp_path / unescaped(case.name.rsplit(": ", maxsplit=1)[-1])
    document = case.document.replace("@facts\n", FACTS)
    words: list[str] = []
    if document.startswith("@options "):
        line, _, document = document.partition("\n")
        words = shlex.split(line)[1:]
    options = stated(words)
    encoding = ""
    if document.startswith("@encoded "):
        line, _, document = document.partition("\n")
        encoding = line.removeprefix("@encoded ")
    first, _, edits = document.partition("\n")
    if first == "@pair":
        for name, text in samples.PAIR.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        edit_files(tmp_path, edits, encoding or "utf-8")
    elif path.suffix == ".xlsx" and not encoding:
        made = io.BytesIO()
        workbook(document).save(made)
        path.write_bytes(made.getvalue())
    else:
        text = edited(SAMPLES[first], edits) if first in SAMPLES else unescaped(document)
        path.write_text(text, encoding=encoding or "utf-8")
    if found := faults(path, **options):
        words = ["import", path.name, *(f"--{word}" for word in words)]
        with chdir(tmp_path):
            assert not circles(words, [f"rejected: {fault}" for fault in found.splitlines()])
    else:
        found = read(path, **options)
        if first in SAMPLES and edits:
            path.write_text(SAMPLES[first], encoding="utf-8")
            changes = difflib.ndiff(read(path).splitlines(keepends=True), found.splitlines(keepends=True))
            found = "".join(line for line in changes if line.startswith(("- ", "+ "))) or "as without the edits\n"
    case.check(found)
