"""The report of an import, document by document."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from rich.console import RenderableType
from rich.markup import escape

from dippouch.collection.schema import Seed, SeedRow
from dippouch.console import err, out, table_of
from dippouch.importing.files import STATEMENTS, Stated
from dippouch.importing.outcome import Outcome
from dippouch.messages import counted, in_own_words, listed, visible_line
from dippouch.reading.documents import Document, PlayerDocument, RankingDocument, TournamentDocument
from dippouch.settings import is_default, suggested_command

STATUSES = ("new", "unchanged", "changed")
# For a larger run, show the counts, and only the documents that need attention.
_SHOWN_DOCUMENTS = 40
_SHOWN_PEOPLE = 20
_COLOURS = {"+": "green", "-": "red", "~": "yellow"}


def print_report(
    outcome: Outcome, folder: Path, words: Mapping[str, str], *, dry_run: bool, moves: Iterable[RenderableType]
) -> None:
    """Print every changed row, a line for every document, its people, every rejection, the totals, and the command that publishes.

    Args:
        outcome: the result of the run.
        folder: the collection.
        words: its settings, such as its word for a tournament.
        dry_run: whether the changes were not written.
        moves: the expected moves in the ranking, for a dry run.
    """
    rows = []
    for stated in outcome.stated:
        if lines := list(_changes(stated, every_row=dry_run)):
            out.print(f"{escape(stated.title)} ({stated.status})")
        for line in lines:
            out.print(line, soft_wrap=True)
        named = {"document": stated.document.source.path.name, "status": stated.status, "title": stated.title}
        rows.append(named | {"states": _states(stated, words), "read as": _read_as(stated.document)})
    if rows and (len(rows) <= _SHOWN_DOCUMENTS or dry_run):
        out.print(table_of(rows, {name: name for name in rows[0]}))
    for stated in outcome.stated:
        name = visible_line(stated.document.source.path.name)
        for note in stated.notes:
            err.print(f"[yellow]{escape(name)}:[/] {escape(visible_line(note))}")
    _print_people(outcome, folder)
    for moved in moves:
        out.print(moved)
    for label, errors in (("yellow]skipped", outcome.skipped), ("bold red]rejected", outcome.rejections)):
        for error in errors:
            err.print(f"[{label}:[/] {escape(str(error))}")
    _print_sum(outcome, folder, dry_run=dry_run)


def _changes(stated: Stated, *, every_row: bool) -> Iterator[str]:
    """Yield a line for every row that a document changes; for a dry run, also for all rows of a new one."""
    if every_row and stated.status == "new":
        yield from (_line("+", seed, _cells(seed, row)) for seed in STATEMENTS for row in stated.rows(seed))
    for seed, mark, facts, replaces in stated.changes:
        # Thousands of pages of an archive add rows, but few replace what was stated.
        if every_row or replaces or not isinstance(stated.document, PlayerDocument):
            yield _line(mark, seed, facts)


def _print_sum(outcome: Outcome, folder: Path, *, dry_run: bool) -> None:
    """Print the totals, and the command that publishes the changes."""
    statuses = Counter(stated.status for stated in outcome.stated)
    counts = [f"{statuses[status]:,} {status}" for status in STATUSES]
    skipped = [f"{len(outcome.skipped):,} skipped"] if outcome.skipped else []
    out.print(", ".join([*counts, *skipped, f"{outcome.rejected_files:,} rejected"]))
    _print_gaps(outcome)
    place, rows = escape(str(folder)), counted(outcome.changed_rows, "row", "rows")
    if outcome.written:
        of = "" if is_default(folder) else f"DPTR_SEEDS={escape(shlex.quote(str(folder)))} "
        out.print(f"{rows} changed in {place}. Publish: {of}dptr refresh")
    elif dry_run:
        out.print(f"{rows} would change in {place}; nothing was written.")
    else:
        out.print(f"Nothing was written; {place} did not change.")


def _print_gaps(outcome: Outcome) -> None:
    """Print what the documents of a run do not state: a line for marks such as `?`, and one for results."""
    documents = [one.document for one in outcome.stated if not isinstance(one.document, PlayerDocument)]
    if marked := Counter(chain.from_iterable(document.unknown for document in documents)):
        columns = ", ".join(f"{name} {count:,}" for name, count in sorted(marked.items()))
        out.print(f"{counted(marked.total(), 'cell', 'cells')} taken as not stated: {columns}")
    tables = (document for document in documents if isinstance(document, TournamentDocument))
    missing = [count for table in tables if (count := (table.players or 0) - len(table.results)) > 0]
    # Of a single table, its line says so.
    if len(missing) > 1:
        out.print(f"only some results are stated of {len(missing):,} tables: {sum(missing):,} are missing")


def _print_people(outcome: Outcome, folder: Path) -> None:
    """Print the number of people, the new ones, suspicious names, and decisions on them."""
    names = [one.person.name for one in outcome.newcomers if not one.matches]
    if outcome.people:
        known = counted(outcome.people - len(names), "known person", "known people")
        out.print(f"{known}, {len(names):,} new")
    if names:
        out.print(escape(f"new: {listed(names, _SHOWN_PEOPLE)}"))
    for reason, names in outcome.suspicious:
        err.print(f"[yellow]suspicious:[/] {escape(f'{listed(names, 5)} ({reason})')}")
    for seed, row in (decision for one in outcome.newcomers for decision in one.decisions):
        out.print(_line("+", seed, _cells(seed, row)), soft_wrap=True)
    if likely := sum(len(one.likely) for one in outcome.newcomers if not one.decisions):
        pairs, command = counted(likely, "pair", "pairs"), suggested_command("duplicates", seeds=folder)
        err.print(escape(f"{pairs} may be one person; `{command}` lists them"))


def _line(mark: str, seed: Seed, facts: str) -> str:
    """Return a line of markup on a row: one that was added (`+`), that is gone (`-`), or whose facts changed (`~`)."""
    return f"  [{_COLOURS[mark]}]{mark}[/] {seed.path} {escape(facts)}"


def _cells(seed: Seed, row: SeedRow) -> str:
    return ", ".join(f"{column}={row[column]}" for column in seed.columns if row.get(column))


def _read_as(document: Document) -> str:
    read_as = " in ".join(filter(None, [document.source.format, document.source.encoding.upper()]))
    headings = document.headings if isinstance(document, TournamentDocument) else ()
    named = ", ".join(f"`{heading}` as {column}" for heading, column in headings if heading != column)
    return f"{read_as}; {named}" if named else read_as


def _states(stated: Stated, words: Mapping[str, str]) -> str:
    """Return what a document states, in numbers, in the words of the collection; with the value of its tournament."""
    document = stated.document
    if isinstance(document, PlayerDocument):
        return in_own_words(f"{counted(len(document.appearances), 'tournament', 'tournaments')} of a player", words)
    if isinstance(document, RankingDocument):
        return in_own_words(counted(len(document.ranks), "published rating", "published ratings"), words)
    listed, players = len(document.results), document.players
    without = sum(result.placement is None for result in document.results)
    declared = f" of {counted(players, 'player', 'players')}" if players else ", players not declared"
    missing = f", {players - listed} missing" if players and players > listed else ""
    states = f"{counted(listed, 'result', 'results')}{declared}, {without} without a placement{missing}"
    states = in_own_words(states, words)
    if stated.value:
        kind, value, rule = stated.value
        states += f"; {kind or 'no kind'}, value {value:.2f} ({in_own_words(rule, words)})"
    return states
