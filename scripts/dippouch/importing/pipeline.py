"""One run of the importer: reads files, applies their changes to a collection, checks the rows, and writes all of it at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from dippouch.documents import Document, ListedPlayer, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location, SkippedError, UserError
from dippouch.importing.change import Change, CollectionRow
from dippouch.importing.context import Choices, read_context
from dippouch.importing.plan import plan_change
from dippouch.importing.reader import read_documents
from dippouch.importing.report import Outcome, ReportedDocument, describe_outcome, reported
from dippouch.matching.identities import identify_tournament
from dippouch.matching.newcomers import Review
from dippouch.rating.printed import contradicted_figures
from dippouch.rating.systems import read_default_rules
from dippouch.seeds.checks import Scope, faults_of_changes, scope_of, scope_of_row
from dippouch.seeds.decisions import WITHDRAWN, hint_on_lacking
from dippouch.seeds.faults import Fault
from dippouch.seeds.folder import check_is_collection, is_new, lay_out, locked
from dippouch.seeds.schema import PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS
from dippouch.seeds.store import Collection


def import_documents(
    paths: list[Path],
    folder: Path,
    choices: Choices | None = None,
    *,
    on_file: Callable[[Path], None] = lambda path: None,
    on_changed: Callable[[Path], None] = lambda folder: None,
) -> Outcome:
    """Import documents into a collection as one change, without any part of rejected files.

    Args:
        paths: the files, as returned by `group_inputs`.
        folder: the collection; a missing or empty one becomes a new collection.
        choices: the rating keeper's choices.
        on_file: called with every path before it is read, for progress.
        on_changed: called in a dry run with changes, with a copy of the collection that has them.

    Raises:
        UserError: when the collection cannot be read, is in use, or cannot be written, or no document lists the name in an answer.
    """
    choices = choices or Choices()
    with ExitStack() as held:
        if not choices.dry_run:
            held.enter_context(locked(folder))
        if not is_new(folder):
            check_is_collection(folder)
        collection = held.enter_context(Collection.opened(folder))
        run = _Run(collection, choices, on_file)
        outcome = run.apply(paths)
        # A rejected file may list the other names.
        unused = choices.answers.people.keys() - choices.answers.used - {"all"}
        if unused and not outcome.rejections:
            name = choices.answers.names[min(unused)]
            raise UserError(f"options --same and --new: found `{name}`; expected a listed name")
        outcome.changed_rows = len(outcome.decisions()) + sum(one.changed_rows for one in outcome.documents)
        describe_outcome(collection, run.rules, outcome)
        if choices.dry_run:
            # A new collection has nothing to compare.
            if outcome.changed_rows and not is_new(folder):
                copy = Path(held.enter_context(TemporaryDirectory(prefix="dip-pouch-dry-run-")), "seeds")
                lay_out(folder, copy, collection.files())
                on_changed(copy)
        elif (
            not (outcome.rejections and choices.strict)
            and (outcome.documents or not (outcome.rejections or outcome.skipped))
            and (outcome.changed_rows or is_new(folder))
        ):
            collection.write()
            outcome.written = True
        else:
            outcome.changed_rows = 0
    return outcome


# The ways out of a conflict: with the collection, also of a tournament, and with another file of the run.
_REPLACE = "If this document is right: --replace"
_ANOTHER = "; if it is about another tournament: --another-event"
_ONE_ALONE = "Import only the right one"


class _File:
    """One file of a run, with its changes and all faults."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults = Faults()
        self.stated, self.changed = Scope(), Scope()
        # The places of rows, with those of the facts of a tournament.
        self.places: dict[CollectionRow, tuple[Location, Mapping[str, Location]]] = {}
        # The rows that this file changes; with `--replace` all rows that it states.
        self.decided: set[CollectionRow] = set()
        self.documents: list[ReportedDocument] = []
        self.new_people: dict[str, ListedPlayer] = {}
        self.people: set[str] = set()

    def location_of(self, row: CollectionRow, column: str) -> Location:
        """Return the place of a cell in the file; the whole file if the place is unknown."""
        place, facts = self.places.get(row, (Location(self.path), {}))
        return facts.get(column, place)


class _AgainError(Exception):
    """The run must start again: with more suspects, or without more files."""


class _Run:
    """The files of one run, applied to a collection; a file with a fault is left out as a whole.

    All rows are checked at once at the end, which hardly takes longer than the check of one document. Only if there are faults, the run
    starts again, and checks the files about these suspects one by one; it also starts again without files that contradict each other.
    """

    def __init__(self, collection: Collection, choices: Choices, on_file: Callable[[Path], None]) -> None:
        self.rules = read_default_rules(collection.reference)
        # Pages print values whatever ranking a system continues, but not those of a variant of the rules.
        is_printed = bool(self.rules["reproduced_ranking"] or self.rules["opening_ranking"])
        self._printed = {**self.rules, "opened_on": date.min, "is_printed": is_printed}
        self._collection, self._choices, self._on_file = collection, choices, on_file
        self._context = read_context(collection.reference, choices)
        self._suspects = Scope()
        # The faults of files that contradict another one.
        self._rivals: dict[Path, Faults] = defaultdict(Faults)

    def apply(self, paths: list[Path]) -> Outcome:
        """Apply all valid files to the collection, and return the outcome."""
        while True:
            with suppress(_AgainError), self._collection.all_or_nothing():
                return self._attempt(paths)

    def _attempt(self, paths: list[Path]) -> Outcome:
        outcome, changed, found = Outcome(), Scope(), list[Fault]()
        self._decided: dict[CollectionRow, _File] = {}
        rivals = set(self._rivals)
        review = Review(self._collection, self._choices.answers)
        for path in paths:
            self._on_file(path)
            file = _File(path)
            try:
                with self._collection.all_or_nothing():
                    if path in rivals:
                        self._rivals[path].raise_any()
                    with file.faults.gathered():
                        for document in read_documents(path, self._context):
                            with file.faults.gathered():
                                self._apply_document(file, document)
                    self._check_rows(file)
                    with file.faults.gathered():
                        newcomers = review.newcomers(file.new_people, file.faults)
                    if file.faults:
                        found += faults_of_changes(self._collection, file.changed - self._suspects)
                    file.faults.raise_any()
            except SkippedError as remark:
                outcome.skipped.append(remark)
            except DocumentError as error:
                outcome.rejections += [error, *error.further]
                outcome.rejected_files += 1
            else:
                outcome.documents += file.documents
                outcome.new_people |= file.new_people.keys()
                outcome.people |= file.people
                review.accept(newcomers)
                changed |= file.changed
                self._decided |= dict.fromkeys(file.decided, file)
        if self._rivals.keys() - rivals:
            raise _AgainError
        if found := [*found, *faults_of_changes(self._collection, changed)]:
            self._suspect(scope_of(self._collection, found), found[0])
        outcome.newcomers = review.accepted
        return outcome

    def _suspect(self, scope: Scope, fault: Fault) -> None:
        """Start again with further suspects.

        Raises:
            UserError: when no document can be the cause of a fault.
        """
        if not scope - self._suspects:
            found, expected, _ = fault.explained(self._collection.folder)
            raise UserError(f"{self._collection.folder}: found {found}; expected {expected}")
        self._suspects |= scope
        raise _AgainError

    def _apply_document(self, file: _File, document: Document) -> None:
        """Plan the change of a document, gather its conflicts, and apply it."""
        change = plan_change(self._collection, document, self._choices, self._printed, file.faults)
        self._refuse(file, change)
        for (table, key), place in change.locations.items():
            facts = document.locations if table is TOURNAMENTS and isinstance(document, TournamentDocument) else {}
            file.places[table.name, " ".join(key)] = (place, facts)
            file.stated |= scope_of_row(table, key)
        for difference in change.differences:
            self._collection.upsert(difference.table, difference.after)
            file.changed |= scope_of_row(difference.table, difference.key)
            file.decided.add((difference.table.name, " ".join(difference.key)))
        if self._choices.replace:
            file.decided |= file.places.keys()
        self._check_figures(file, change)
        file.documents.append(reported(change, every_row=self._choices.dry_run))
        file.new_people.update(change.new_people)
        file.people |= change.people

    def _refuse(self, file: _File, change: Change) -> None:
        """Gather the conflicts of a document with the collection; those with an earlier file of the run are faults of both files."""
        for conflict in change.conflicts:
            if other := self._decided.get(conflict.row):
                fault = conflict.refusal(f"`{other.path.name}` of the same import", _ONE_ALONE)
                self._rivals[file.path].add(fault)
                file.faults.add(fault)
                found = f"{conflict.has}, but `{file.path.name}` of the same import states {conflict.found}"
                place = other.location_of(conflict.row, conflict.column)
                self._rivals[other.path].add(DocumentError(place, found, "one statement", _ONE_ALONE))
            elif not change.replace:
                last = f" (last document: `{conflict.by}`)" if conflict.by else ""
                event = change.document
                # A tournament identified by its source's id cannot be another one.
                is_named = isinstance(event, TournamentDocument) and change.tournament_id != identify_tournament(
                    self._collection, event, is_another=True
                )
                way_out = _REPLACE + (_ANOTHER if is_named else "")
                file.faults.add(conflict.refusal(f"the collection{last}", way_out))

    def _check_figures(self, file: _File, change: Change) -> None:
        """Gather printed figures that contradict the facts with a document's changes."""
        for (tournament_id,) in [found.key for found in change.differences if found.table is TOURNAMENTS]:
            for player_id, figure, right in contradicted_figures(self._collection, self._printed, tournament_id):
                row = (RESULTS.name, f"{tournament_id} {player_id}") if player_id else (TOURNAMENTS.name, tournament_id)
                way_out = "One of these is wrong"
                if change.known:
                    correct = self._collection.command("correct", tournament_id, "FIELD=VALUE")
                    way_out += f". If it is another document's: {correct}"
                file.faults.add(DocumentError(file.location_of(row, "coefficient_1"), figure, right, way_out))

    def _check_rows(self, file: _File) -> None:
        """Gather the faults of the rows about suspects, with their places in the file."""
        for fault in faults_of_changes(self._collection, file.stated & self._suspects):
            location = file.location_of((fault.seed, fault.row_key), fault.column)
            of_collection = fault.seed in (RESULTS.name, PUBLISHED_RANKINGS.name) and not location.in_file
            found, expected, way_out = fault.explained(self._collection.folder)
            found += f" (`{fault.row_key}` of the collection)" if of_collection else ""
            if fault.code in ("crowded_placement", "tie_beyond_players"):
                tournament_id = fault.row_key.partition(" ")[0]
                played = self._collection.results_of(tournament_id, corrected=True).values()
                tied = [row for row in played if row["placement"] in (fault.value, fault.other)]
                counted = {row["player_id"] for row in tied if row[WITHDRAWN] != "true"}
                lacking = [one for one in counted if (RESULTS.name, f"{tournament_id} {one}") not in file.places]
                way_out = hint_on_lacking(self._collection, tournament_id, lacking)
            file.faults.add(DocumentError(location, found, expected, way_out))
