"""Ask the models of a collection what is wrong with the files that were appended, and say it at their places."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from dippouch.collection.checks import added_faults
from dippouch.collection.faults import Fault
from dippouch.collection.memory import Collection
from dippouch.collection.schema import CORRECTIONS, DOCUMENTS, NONE, PUBLISHED_RANKINGS, RESULTS, SEEDS
from dippouch.collection.systems import read_settings
from dippouch.errors import DocumentError, UserError
from dippouch.importing.choices import Choices
from dippouch.importing.files import ImportedFile, Stated
from dippouch.importing.identify import Fold
from dippouch.names import shortened
from dippouch.printable import counted
from dippouch.reading.documents import TournamentDocument
from dippouch.tournaments.decisions import hint_on_lacking
from dippouch.tournaments.which import sounds_like_championship

# The ways out of a contradiction: with the collection, also of a tournament, and with another file of the run.
_REPLACE = "If this document is right: --replace"
_ANOTHER = "; if it is about another tournament: --another-event"
_ONE_ALONE = "Import only the right one"

# What a tournament would be worth as a championship, and as an ordinary one; none where a statement or a printed value says what it is.
_VALUES = """
    select
        championships.kind as championship,
        systems.world_championship_value as value_of_championship,
        ordinary.tournament_value
    from int_tournaments as tournaments
    inner join int_tournament_values as ordinary using (tournament_id)
    inner join stg_rating_systems as systems using (rating_system_id)
    inner join stg_settings as settings on systems.rating_system_id = settings.rating_system
    inner join stg_tournament_kinds as championships on championships.is_world_championship
    where tournaments.tournament_id = $tournament_id
        and tournaments.kind is null
        and not exists (
            select 1 from int_tournament_statements as stated
            where stated.tournament_id = tournaments.tournament_id and (
                stated.kind is not null
                or (stated.coefficient_1 is not null and coalesce(systems.reproduced_ranking, systems.opening_ranking) is not null)
                -- An earlier import answered the question.
                or (stated.players is not null and stated.document_id not in (select unnest($run)))
            )
        )
    order by championships.kind
"""


# The kind of some tournaments, their value, and the rule that gives it, under the default rating system.
VALUES_OF = """
    select tournament_id, tournaments.kind, tournament_value, value_rule
    from int_tournaments as tournaments
    inner join int_tournament_values as worth using (tournament_id)
    inner join stg_settings as settings on worth.rating_system_id = settings.rating_system
    where tournament_id in (select unnest($1))
"""


class Asking:
    """The questions about the files of a run, once all their rows are in the collection."""

    def __init__(self, collection: Collection, files: Sequence[ImportedFile], choices: Choices, fold: Fold) -> None:
        self._collection, self._files, self._choices, self._fold = collection, files, choices, fold
        self._asked: set[ImportedFile] = set()
        self._by_document = {file.document_id: file for file in files}
        # The last file about a tournament or a published ranking: whoever comes later has to agree.
        self._by_owner = {_owner(seed, key): file for file in files for seed, key in file.places}

    def find_faults(self, asked: Sequence[ImportedFile]) -> None:
        """Gather the faults of some of the files.

        Raises:
            UserError: when no file can be the cause of a fault.
        """
        self._asked = set(asked)
        faults = added_faults(self._collection)
        contradictions = [fault for fault in faults if fault.code in ("undecided", "rival")]
        for fault in contradictions:
            self._add_contradiction(fault)
        # Two tables that contradict each other make a crowd of no further interest.
        contested = {self._owner_of(fault) for fault in contradictions}
        for fault in (fault for fault in faults if self._owner_of(fault) not in contested):
            self._add(fault)
        # Models need cells of the right types.
        if not any(fault.bars_models for fault in faults):
            self._ask_about_figures()
            self._ask_about_titles()
            if not self._choices.another_event:
                self._ask_about_other_names()

    def _add(self, fault: Fault) -> None:
        """Add a fault of a row to the file that states it, or to the last one about its tournament or ranking."""
        document_id, _, key = fault.row_key.partition(" ")
        file = self._by_document.get(document_id) or self._by_owner.get(self._owner_of(fault))
        found, expected, way_out = fault.explained(self._collection.folder)
        if file is None:
            raise UserError(f"{self._collection.folder}: found {found}; expected {expected}")
        location = file.location_of(fault.seed, key, fault.column)
        if fault.seed in (RESULTS.name, PUBLISHED_RANKINGS.name) and not location.in_file:
            found += f" (`{key}` of the collection)"
        if fault.code in ("crowded_placement", "tie_beyond_players"):
            way_out = self._hint_on_tied(file, fault)
        if fault.code == "listed_twice" and any(newcomer.matches for newcomer in file.newcomers):
            # An answer of this run made them one.
            way_out = "One list has both; nothing was recorded"
        self._refuse(file, DocumentError(location, found, expected, way_out))

    def _refuse(self, file: ImportedFile, fault: DocumentError) -> None:
        if file in self._asked:
            file.add_fault(fault)

    def _owner_of(self, fault: Fault) -> str:
        """Return the tournament or the ranking of a fault; of a decision on a tournament, that tournament."""
        if fault.seed == CORRECTIONS.name:
            correction = self._collection.get(CORRECTIONS, (fault.row_key,))
            return correction["tournament_id"] if correction else ""
        return _owner(fault.seed, " ".join(fault.owner))

    def _add_contradiction(self, fault: Fault) -> None:
        """Add a contradiction of two documents to the file of each that is of this run."""
        document_id, _, key = fault.row_key.partition(" ")
        denied, holding = self._by_document.get(document_id), self._by_document.get(fault.further or "")
        column = "started_on" if fault.column == "days" else fault.column
        value, has, holding_key = _plain(fault.value), _plain(fault.other), key
        if fault.code == "rival":
            has, holding_key = f"`{fault.other}` there", f"{fault.owner[0]} {fault.other}"
        if denied and holding:
            found = f"{fault.column} {value} of {self._named(denied, fault.seed, key)}"
            expected = f"{has}, as `{holding.path.name}` of the same import states"
            self._refuse(
                denied, DocumentError(denied.location_of(fault.seed, key, column), found, expected, _ONE_ALONE)
            )
            found = f"{has}, but `{denied.path.name}` of the same import states {found}"
            place = holding.location_of(fault.seed, holding_key, column)
            self._refuse(holding, DocumentError(place, found, "one statement", _ONE_ALONE))
            return
        if denied is None:
            # The statement of the collection is the one that does not hold.
            value, has, key = has, value, holding_key
        file, other_id = (denied, fault.further) if denied else (holding, document_id)
        if file is None:
            return
        (known,) = self._collection.stated(DOCUMENTS, "document_id = ?", [other_id])
        stated = next((one for one in file.stated if one.tournament_id == fault.owner[0]), None)
        way_out = _REPLACE + (_ANOTHER if stated and stated.by_name else "")
        found = f"{fault.column} {value} of {self._named(file, fault.seed, key)}"
        expected = f"{has}, as `{known['source_document']}` of the collection states"
        self._refuse(file, DocumentError(file.location_of(fault.seed, key, column), found, expected, way_out))

    def _named(self, file: ImportedFile, seed_name: str, key: str) -> str:
        """Return the listed name of a row of a file, or the id of its tournament."""
        seed = SEEDS[seed_name]
        for row in file.rows(seed):
            if " ".join(row[column] for column in seed.key[1:]) == key:
                return row.get("listed_name") or f"`{row['tournament_id']}`"
        return f"`{key}`"

    def _hint_on_tied(self, file: ImportedFile, fault: Fault) -> str:
        """Return the command that withdraws those of tied people whom the file does not list."""
        tournament_id = fault.owner[0]
        tied = self._collection.query(
            "select listed_player_id from int_results where tournament_id = ? and placement in (?, ?) and not is_withdrawn",
            [tournament_id, int(fault.value or 0), int(fault.other or 0)],
        )
        lacking = [one for (one,) in tied if not file.states(RESULTS.name, f"{tournament_id} {one}")]
        return hint_on_lacking(self._collection, tournament_id, lacking)

    def _ask_about_figures(self) -> None:
        """Gather printed figures that contradict the facts of a tournament."""
        for fault in self._collection.find_faults("{{ contradicted_figures() }}"):
            tournament_id = fault.owner[0]
            if file := self._by_owner.get(tournament_id):
                figure, right = self._explain_figure(file, fault)
                way_out = "One of these is wrong"
                if self._is_stated_before(tournament_id):
                    correct = self._collection.command("correct", tournament_id, "FIELD=VALUE")
                    way_out += f". If it is another document's: {correct}"
                location = file.location_of(fault.seed, " ".join(fault.owner), "coefficient_1")
                self._refuse(file, DocumentError(location, figure, right, way_out))

    def _is_stated_before(self, tournament_id: str) -> bool:
        """Return whether a document of the collection states a tournament."""
        documents = self._collection.query(
            "select document_id from stg_tournaments where tournament_id = ?", [tournament_id]
        )
        return any(document_id not in self._by_document for (document_id,) in documents)

    def _explain_figure(self, file: ImportedFile, fault: Fault) -> tuple[str, str]:
        """Return a printed figure of a tournament, or of a listed player, and the right one with its reason."""
        if fault.seed == RESULTS.name:
            placement, _, players = (fault.further or "").partition(" of ")
            right = f"{fault.other}, the percentile score of placement {placement} among {counted(int(players), 'player', 'players')}"
            return f"the printed score {fault.value} of {self._named(file, fault.seed, ' '.join(fault.owner))}", right
        kind, _, rule = (fault.further or "").rpartition(", ")
        right = f"{fault.other}, the value of {kind or 'an ordinary tournament'} with these players and days ({rule})"
        return f"the printed `Coeff 1` {fault.value}", right

    def _ask_about_titles(self) -> None:
        """Ask for the kind of a new tournament whose title has a word of a World Championship, without evidence."""
        words = read_settings(self._collection.reference)
        for file, stated, document in self._tables():
            title = next(filter(sounds_like_championship, (document.name, document.subtitle or "")), "")
            about = {"tournament_id": stated.tournament_id, "run": list(self._by_document)}
            if not title or document.players is None or not (found := self._collection.query(_VALUES, about)):
                continue
            championship, value, ordinary = found[0]
            # A document of several tournaments takes no options.
            column, option = ("", "--kind ") if document.tournament_id is None else ("In the column `kind`: ", "")
            fault = DocumentError(
                document.location_of("name"),
                f"the title `{shortened(title)}` without a kind",
                f"the kind of a {words['tournament']} whose title sounds like a {words['championship']}, because"
                f" {championship} is worth {value:.2f} and {NONE} {ordinary:.2f}",
                f"{column}{option}{championship} for a {words['championship']}, {option}{NONE} for an ordinary"
                f" {words['tournament']}, or one of {', '.join(self._fold.codes())}",
            )
            self._refuse(file, fault)

    def _ask_about_other_names(self) -> None:
        """Ask whether a new tournament is a known one under another name, unless the source's ids distinguish them."""
        new = {
            stated.tournament_id: number for number, (_, stated, _) in enumerate(self._tables()) if not stated.is_known
        }
        if not new:
            return
        found: dict[str, list[tuple[int, str]]] = {}
        for tournament_id, other_id, both in self._collection.query("{{ same_tournament_twice() }}"):
            # A faulty file is left out first.
            other = self._by_owner.get(other_id)
            is_later = (
                tournament_id in new and new[tournament_id] > new.get(other_id, -1) and not (other and other.faults)
            )
            if is_later and not self._fold.tournaments.is_of_another(
                other_id, self._fold.tournaments.source_ids[tournament_id]
            ):
                found.setdefault(tournament_id, []).append((-both, other_id))
        for file, stated, document in self._tables():
            if stated.tournament_id in found:
                both, other_id = min(found[stated.tournament_id])
                self._refuse(file, self._other_name(document, other_id, -both))

    def _other_name(self, document: TournamentDocument, other_id: str, both: int) -> DocumentError:
        days_and_name = "select tournament_name, started_on, ended_on from int_tournaments where tournament_id = ?"
        ((name, started_on, ended_on),) = self._collection.query(days_and_name, [other_id])
        days = " - ".join(dict.fromkeys((str(started_on), str(ended_on))))
        as_known = shlex.join(["--name", name, "--date", days])
        if document.tournament_id is not None:
            as_known = f"give it the id `{other_id}`"
        return DocumentError(
            document.location_of("name"),
            f"the new tournament `{document.name}` ({document.ended_on}) with {both} of the people of `{other_id}` (`{name}`, {days})",
            "other people, or other days",
            f"Another tournament: --another-event. The same one: {as_known}",
        )

    def _tables(self) -> Iterator[tuple[ImportedFile, Stated, TournamentDocument]]:
        """Yield every table of a tournament with its file."""
        for file in self._files:
            for stated in file.stated:
                if isinstance(stated.document, TournamentDocument):
                    yield file, stated, stated.document


def _owner(seed_name: str, key: str) -> str:
    """Return the tournament of a row, or the name and the day of its published ranking, by the row's key without the document."""
    return key.rpartition(" ")[0] if seed_name == PUBLISHED_RANKINGS.name else key.partition(" ")[0]


def _plain(value: str | None) -> str:
    """Return a stated value; of two equal days, one."""
    first, _, last = (value or "").partition(" - ")
    return first if first == last else value or ""
