"""The import report: what a run found, document by document. It is kept on disk, because a run may be large."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from dippouch.documents import Document, PlayerDocument, TournamentDocument
from dippouch.importing.plan import Change
from dippouch.seeds.schema import Row


@dataclass(frozen=True)
class ReportedRow:
    """A seed row that a document adds or changes: its file, its key, and the cells that differ."""

    table: str
    key: tuple[str, ...]
    before: Row | None
    after: Row


@dataclass(frozen=True)
class ReportedDocument:
    """One imported document: the file, its status (`new`, `unchanged`, `changed`), what it states, and notes on people."""

    number: int
    file: str
    status: str
    title: str
    states: str
    changed_rows: int
    notes: list[str]


class ImportReport:
    """A record of changes; files that are rejected leave nothing in it.

    Args:
        every_row: whether to record the rows of new documents too, as a dry run shows them.
    """

    def __init__(self, *, every_row: bool) -> None:
        self._every_row = every_row
        # An empty name is a temporary file of SQLite's own.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.execute(
            "create table documents (number integer primary key, file text, status text, title text, states text,"
            " changed_rows integer, notes text)"
        )
        self._database.execute("create table rows (document integer, seed text, key text, before text, after text)")
        self._database.execute("create index rows_by_document on rows (document)")
        self._database.execute("create table new_people (player_id text)")
        self._database.execute("begin")
        self._database.execute("savepoint file")

    def add(self, change: Change) -> None:
        """Record one document of the file under way."""
        cells = (
            str(change.document.source.path),
            change.status,
            change.title,
            _states(change.document),
            len(change.differences),
            json.dumps(change.notes),
        )
        new_people = [(player_id,) for player_id in change.new_people]
        self._database.executemany("insert into new_people values (?)", new_people)
        number = self._database.execute("insert into documents values (null, ?, ?, ?, ?, ?, ?)", cells).lastrowid
        if self._every_row or change.status == "changed":
            for difference in change.differences:
                columns = difference.changed_columns()
                before = difference.before and {column: difference.before[column] for column in columns}
                after = {column: difference.after[column] for column in columns}
                row = (number, difference.table.path, json.dumps(difference.key), json.dumps(before), json.dumps(after))
                self._database.execute("insert into rows values (?, ?, ?, ?, ?)", row)

    def keep(self) -> None:
        """The file is imported: what was recorded of it holds."""
        self._database.execute("release file")
        self._database.execute("savepoint file")

    def forget(self) -> None:
        """The file is rejected: what was recorded of it does not hold."""
        self._database.execute("rollback to file")

    def documents(self, *statuses: str) -> Iterator[ReportedDocument]:
        """The documents of some statuses (of all, without any named), in the order in which they were read."""
        condition = f"where status in ({', '.join('?' for _ in statuses)})" if statuses else ""
        found = self._database.execute(f"select * from documents {condition} order by number", statuses)
        for number, file, status, title, states, changed_rows, notes in found:
            yield ReportedDocument(number, file, status, title, states, changed_rows, json.loads(notes))

    def new_people(self) -> list[str]:
        """The ids of everybody whom nobody knew before this run, as often as a document brought them."""
        return [player_id for (player_id,) in self._database.execute("select player_id from new_people order by rowid")]

    def rows(self, document: ReportedDocument) -> Iterator[ReportedRow]:
        """The rows that a document adds or changes, as far as they were recorded."""
        found = self._database.execute(
            "select seed, key, before, after from rows where document = ? order by rowid", (document.number,)
        )
        for seed, key, before, after in found:
            yield ReportedRow(seed, tuple(json.loads(key)), json.loads(before), json.loads(after))


def _states(document: Document) -> str:
    if isinstance(document, TournamentDocument):
        listed = len(document.results)
        if document.players is None:
            return f"{listed} results, players not declared"
        placed = sum(result.placement is not None for result in document.results)
        missing = document.players - placed
        return f"{listed} results of {document.players} players" + (f", {missing} missing" if missing else "")
    if isinstance(document, PlayerDocument):
        return f"{len(document.appearances)} tournaments of a player"
    return f"{len(document.ranks)} published ratings"
