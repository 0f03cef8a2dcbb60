"""Find the faults of appended files with the models of a collection, and report each at its place in a file."""

import shlex
from collections.abc import Iterator
from dataclasses import replace

from dippouch.collection.faults import Fault
from dippouch.collection.files import read_settings
from dippouch.collection.memory import Collection
from dippouch.collection.schema import CORRECTIONS, DOCUMENTS, NONE, PUBLISHED_RANKINGS, RESULTS, SEEDS
from dippouch.importing.files import Choices, ImportedFile, Stated, key_of, owner_of
from dippouch.importing.identify import Registry
from dippouch.messages import DocumentError, UserError, shortened
from dippouch.reading.documents import TournamentDocument
from dippouch.reading.values import shown_days
from dippouch.tournaments import hint_on_lacking, sounds_like_championship

# Tournaments that may be World Championships, by the title or a player's page, with their value as such and as ordinary ones; no row if
# a table or its printed value decides the kind.
_VALUES = """
    select
        tournaments.tournament_id,
        championships.kind,
        systems.world_championship_value,
        ordinary.tournament_value
    from int_tournaments as tournaments
    inner join int_tournament_values as ordinary using (tournament_id)
    inner join stg_rating_systems as systems using (rating_system_id)
    cross join (select min(kind) as kind from stg_tournament_kinds where is_world_championship) as championships
    where systems.rating_system_id = {{ default_system() }}
        and championships.kind is not null
        and tournaments.tournament_id in (select unnest($listed))
        and (tournaments.tournament_id in (select unnest($sounding)) or tournaments.tournament_id in (
            select tournament_id
            from int_tournament_statements as stated
            inner join stg_tournament_kinds as kinds on coalesce(stated.kind, stated.proved_kind) = kinds.kind
            where stated.about = 'player' and kinds.is_world_championship
        ))
        and tournaments.players is not null
        and tournaments.kind is null
        and not exists (
            select 1 from int_tournament_statements as stated
            where stated.tournament_id = tournaments.tournament_id and stated.about = 'tournament' and (
                stated.kind is not null
                or (stated.coefficient_1 is not null and coalesce(systems.reproduced_ranking, systems.opening_ranking) is not null)
                -- An earlier import answered the question.
                or (stated.players is not null and stated.document_id not in (select unnest($run)))
            )
        )
"""

# The name of a tournament, and its days as stated.
_NAME_AND_DAYS = """
    select tournament_name, coalesce(stated_period, array_to_string(list_distinct([started_on, ended_on]).list_sort(), ' - '))
    from int_tournaments
    where tournament_id = ?
"""

# The codes of decisions about what no document states.
_OF_UNLISTED = frozenset({"unknown", "unlisted_player", "unlisted_id", "unlisted_there"})


class Asking:
    """The faults of the files of a run, and the questions about them, once all their rows are in the collection."""

    def __init__(self, collection: Collection, files: list[ImportedFile], choices: Choices, registry: Registry) -> None:
        self._collection, self._files, self._choices, self._registry = collection, files, choices, registry
        # Files with open questions about names go first: their results may belong to other people, and cause faults in other files.
        self._unanswered = {file for file in files if file.faults}
        self._asked = self._unanswered or set(files)
        self._by_document = {file.document_id: file for file in files}
        # The last file about a tournament or a published ranking: a later file must agree with earlier ones.
        self._by_owner = {owner: file for file in files for owner, _ in file.owners()}
        # A page of an archive that changed may lack what decisions are about.
        self._replaced = [file for file in files if file.rows_before]
        for file in self._replaced:
            for seed, cells in file.rows_before:
                row = dict(zip(list(seed.columns)[1:], cells, strict=True))
                self._by_owner.setdefault(owner_of(seed, key_of(seed, row)), file)
        self._names = {row["document_id"]: row["source_document"] for row in collection.stated(DOCUMENTS)}

    def find_faults(self) -> None:
        """Gather the faults of the files, or, if there are open questions about names, of the files with these.

        Raises:
            UserError: when no file can have caused a fault.
        """
        faults = self._collection.added_faults()
        # Models need cells of the right types.
        has_models = not any(fault.bars_models for fault in faults)
        if has_models:
            figures = self._collection.find_faults("{{ contradicted_figures() }}")
            faults += [fault for fault in figures if fault.document_id in self._by_document]
        contradictions = [fault for fault in faults if fault.code in ("undecided", "undecided_rating", "rival")]
        for fault in contradictions:
            self._add_contradiction(fault)
        # Contradicting tables also crowd placements: report only the contradiction.
        contested = {self._owner_of(fault) for fault in contradictions}
        for fault in (fault for fault in faults if self._owner_of(fault) not in contested):
            self._add(fault)
        if has_models:
            self._ask_about_titles()
            if not self._choices.another_event:
                self._ask_about_other_names()

    def _add(self, fault: Fault) -> None:
        """Add a fault of a row to the file that states it, or to the last one about its tournament or ranking."""
        file = self._by_document.get(fault.document_id) or self._by_owner.get(self._owner_of(fault))
        found, expected, way_out = fault.explained(self._collection.folder)
        if self._replaced and fault.seed.startswith("ref_") and fault.code in _OF_UNLISTED:
            file = file or self._replaced[-1]
            way_out = f"This page no longer lists it: leave it out, or delete that row of {SEEDS[fault.seed].path}"
        if file is None:
            raise UserError(f"{self._collection.folder}: found {found}; expected {expected}")
        _, location = file.place_of(fault.seed, fault.statement, fault.column)
        if fault.seed in (RESULTS.name, PUBLISHED_RANKINGS.name) and not location.in_file:
            found += f" (`{fault.statement}` of the collection)"
        has_table = any(one.tournament_id == fault.owner[0] for one in file.stated)
        is_known = self._collection.query(
            "select 1 from before_raw_tournaments where tournament_id = ?", [fault.owner[0]]
        )
        correct = self._collection.command("correct", fault.owner[0], "FIELD=VALUE")
        if fault.code in ("too_few_players", "beyond_players"):
            way_out = "One of these is wrong; leave the number of players empty if nobody knows it"
            if self._choices.replace:
                way_out = self._hint_on_lacking(file, fault.owner[0], "placement is not null") or way_out
        if fault.code in ("crowded_placement", "tie_beyond_players"):
            places = ", ".join(filter(None, (fault.value, fault.other)))
            way_out = self._hint_on_lacking(file, fault.owner[0], f"placement in ({places})")
        if fault.code in ("beyond_players", "crowded_placement", "tie_beyond_players") and is_known and not has_table:
            # A player's page has one row of it.
            way_out = f"If another document is wrong: {correct}"
        if fault.code in ("contradicted_value", "contradicted_score") and is_known:
            way_out += f". If it is another document's: {correct}"
        if fault.code == "listed_twice" and any(newcomer.matches for newcomer in file.newcomers):
            # An answer of this run made them one.
            way_out = "One list has both; nothing was recorded"
        self._refuse(file, DocumentError(location, found, expected, way_out))

    def _refuse(self, file: ImportedFile, fault: DocumentError) -> None:
        if file in self._asked:
            file.add_fault(fault)

    def _owner_of(self, fault: Fault) -> str:
        """Return the tournament or the published ranking of a fault; for a correction, the corrected tournament."""
        if fault.seed == CORRECTIONS.name:
            correction = self._collection.get(CORRECTIONS, (fault.row_key,))
            return correction["tournament_id"] if correction else ""
        return owner_of(SEEDS[fault.seed], fault.statement)

    def _add_contradiction(self, fault: Fault) -> None:
        """Add a contradiction of two documents to their files, as far as these are in this run."""
        tournament_id, _, player_id = fault.statement.partition(" ")
        is_rival = fault.code == "rival"
        denied = (fault.document_id, player_id, _plain(fault.value))
        holding = (fault.further or "", player_id, _plain(fault.other))
        if is_rival:
            # Two people at one placement.
            denied = (fault.document_id, player_id, f"{fault.value} of `{player_id}`")
            holding = (fault.further or "", fault.other or "", f"{fault.value} of `{fault.other}`")
        both = ((denied, holding), (holding, denied))
        for (document_id, own_player, own_value), (other_id, other_player, other_value) in both:
            file = self._by_document.get(document_id)
            if file is None or (is_rival and file in self._unanswered):
                continue
            where, way_out = "the collection", "If this document is right: --replace"
            if any(stated.by_name and stated.tournament_id == tournament_id for stated in file.stated):
                way_out += "; if it is about another tournament: --another-event"
            if is_rival and not self._choices.answers.people and (player := file.new_people.get(own_player)):
                way_out += f"; if the two are one person: --same {shlex.quote(f'{player.name}={other_player}')}"
            if other_id in self._by_document:
                where, way_out = "the same import", "Import only the right one"
            column = "started_on" if fault.column == "days" else fault.column
            name, location = file.place_of(fault.seed, f"{tournament_id} {own_player}".rstrip(), column)
            found = f"{fault.column} {own_value}" + ("" if is_rival else f" of {name}")
            expected = f"{other_value}, as `{self._names[other_id]}` of {where} states"
            self._refuse(file, DocumentError(location, found, expected, way_out))

    def _hint_on_lacking(self, file: ImportedFile, tournament_id: str, placed: str) -> str:
        """Return the command that withdraws the people of a tournament with some placements whom the file lacks."""
        sql = f"select listed_player_id from int_results where tournament_id = ? and {placed} and not is_withdrawn"
        listed = {key_of(RESULTS, row) for row in file.rows(RESULTS)}
        found = [one for (one,) in self._collection.query(sql, [tournament_id])]
        lacking = [one for one in found if f"{tournament_id} {one}" not in listed]
        return hint_on_lacking(self._collection, tournament_id, lacking)

    def _ask_about_titles(self) -> None:
        """Ask for the kind of a tournament that a title or a player's page calls a World Championship, if its tables do not say it."""
        tables, titles = {}, {}
        for file, stated, document in self._tables():
            tables[stated.tournament_id] = (file, document)
            if title := next(filter(sounds_like_championship, (document.name, document.subtitle or "")), ""):
                titles[stated.tournament_id] = title
        run = [file.document_id for file in self._files if not file.is_unchanged]
        asked = {"listed": list(tables), "sounding": list(titles), "run": run}
        found = self._collection.query(_VALUES, asked) if tables else []
        words = read_settings(self._collection.reference) if found else {}
        for tournament_id, championship, value, ordinary in found:
            file, document = tables[tournament_id]
            title = titles.get(tournament_id, document.name)
            calls = "whose title sounds like" if tournament_id in titles else f"that a {words['player']}'s page calls"
            # A document of several tournaments takes no options.
            column, option = ("", "--kind ") if document.tournament_id is None else ("In the column `kind`: ", "")
            fault = DocumentError(
                document.location_of("name"),
                f"the title `{shortened(title)}` without a kind",
                f"the kind of a {words['tournament']} {calls} a {words['championship']}, because"
                f" {championship} is worth {value:.2f} and {NONE} {ordinary:.2f}",
                f"{column}{option}{championship} for a {words['championship']}, {option}{NONE} for an ordinary"
                f" {words['tournament']}, or one of {', '.join(self._registry.codes())}",
            )
            self._refuse(file, fault)

    def _ask_about_other_names(self) -> None:
        """Ask whether a tournament without a table so far is a known one under another name."""
        run = [file.document_id for file in self._files if not (file.is_unchanged or file.rows_before)]
        of_tables = "select tournament_id from int_tournament_statements where about = 'tournament' and document_id not in (select unnest(?))"
        known = {one for (one,) in self._collection.query(of_tables, [run])}
        new = {
            stated.tournament_id: (number, file, document)
            for number, (file, stated, document) in enumerate(self._tables())
            if stated.tournament_id not in known
        }
        asked = set[str]()
        pairs = self._collection.query("{{ same_tournament_twice() }}") if new else []
        for tournament_id, other_id, both, is_without_days, *_ in pairs:
            if tournament_id in asked or tournament_id not in new:
                continue
            number, file, document = new[tournament_id]
            is_later = other_id not in new or number > new[other_id][0]
            # A faulty file is left out first.
            other = self._by_owner.get(other_id)
            if is_later and not (other and other.faults):
                asked.add(tournament_id)
                self._refuse(file, self._other_name(document, other_id, both, have_days=not is_without_days))

    def _other_name(self, document: TournamentDocument, other_id: str, both: int, *, have_days: bool) -> DocumentError:
        ((name, days),) = self._collection.query(_NAME_AND_DAYS, [other_id])
        # Other days would contradict; with a year or a month, the document may keep its own, unless it is of another year.
        namesakes = self._registry.tournaments.near_namesakes(replace(document, name=name))
        keeps_days = not have_days and [one.tournament_id for one in namesakes] == [other_id]
        as_known = shlex.join(["--name", name, *([] if keeps_days else ["--date", days])])
        if document.tournament_id is not None:
            as_known = f"give it the id `{other_id}`"
        own_days = shown_days(document.started_on, document.ended_on)
        return DocumentError(
            document.location_of("name"),
            f"the new tournament `{document.name}` ({own_days}) with {both} of the people of `{other_id}` (`{name}`, {days})",
            "other people, or other days",
            f"Another tournament: --another-event. The same one: {as_known}",
        )

    def _tables(self) -> Iterator[tuple[ImportedFile, Stated, TournamentDocument]]:
        """Yield every table of a tournament with its file."""
        for file in self._files:
            for stated in file.stated:
                if isinstance(stated.document, TournamentDocument):
                    yield file, stated, stated.document


def _plain(value: str | None) -> str:
    """Return a stated value; one day for a tournament of a single day."""
    first, _, last = (value or "").partition(" - ")
    return first if first == last else value or ""
