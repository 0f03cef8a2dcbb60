"""Identify the tournaments and the people of documents, file by file, and make the rows that the documents state."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from decimal import Decimal

from dippouch.collection.memory import Collection
from dippouch.collection.schema import NONE, PUBLISHED_RANKINGS, RESULTS, TOURNAMENT_KINDS, TOURNAMENTS, SeedRow
from dippouch.importing.files import Choices, ImportedFile, Stated
from dippouch.messages import DocumentError, Location, shortened
from dippouch.people.fold import Identity, identify_players
from dippouch.people.index import Listing, People
from dippouch.people.questions import Review
from dippouch.reading.documents import ListedPlayer, PlayerDocument, RankingDocument, Result, TournamentDocument
from dippouch.tournaments import Tournaments

_OF_PERSON = ("first_name", "last_name", "nation_code", "location_code")


class Registry:
    """The known people and tournaments, to which each accepted file adds its own."""

    def __init__(self, collection: Collection, files: Sequence[ImportedFile], choices: Choices) -> None:
        self.people = People(collection, [file.source.sha256 for file in files if file.documents])
        self.tournaments = Tournaments(collection)
        self.review = Review(self.people, choices.answers)
        self._choices = choices
        self._kinds = {
            name.casefold(): row["kind"].strip().upper()
            for row in collection.stated(TOURNAMENT_KINDS)
            for name in (row["kind"].strip(), row["name"].strip())
        }
        ranks = "select ranking_name, cast(last_update as varchar), listed_player_id from stg_published_rankings"
        self._ranks = set(collection.query(ranks))

    def state(self, file: ImportedFile) -> None:
        """Make the rows of a file; if it has no fault, add its people and tournaments to the known ones."""
        # Stop after as many faults as a message shows.
        with suppress(DocumentError):
            for document in file.documents:
                with file.faults.gathered():
                    if isinstance(document, TournamentDocument):
                        self._state_tournament(file, document)
                    elif isinstance(document, PlayerDocument):
                        self._state_page(file, document)
                    else:
                        self._state_ranking(file, document)
            with file.faults.gathered():
                # A file has tables of tournaments, or a single page or ranking.
                in_tables = all(stated.tournament_id for stated in file.stated)
                file.newcomers = self.review.find_newcomers(file.new_people, file.faults, in_tables=in_tables)
        for index in (self.people, self.tournaments):
            index.settle(keeps=not file.faults)
        if not file.faults:
            self.review.accept(file.newcomers)

    def _state_tournament(self, file: ImportedFile, document: TournamentDocument) -> None:
        with file.faults.gathered():
            self._refuse_future(document.started_on, document.location_of("started_on"))
        if not document.results:
            raise document.source.fault("a tournament without results", "at least one listed player")
        if document.tournament_id and not self._choices.another_event:
            self._refuse_namesake(document)
        tournament_id = self.tournaments.identify(document, is_another=self._choices.another_event)
        stated = Stated(document, document.name, tournament_id, self.tournaments.is_known(tournament_id))
        stated.by_name = stated.is_known and self.tournaments.identify(document, is_another=True) != tournament_id
        stated.notes += document.remarks
        file.stated.append(stated)
        kind = ""
        with file.faults.gathered():
            kind = self._kind(document.kind, document.location_of("kind"))
        place = Location(document.source.path) if "name" in self._choices.options else document.location_of("name")
        stated.add(TOURNAMENTS, _tournament_row(tournament_id, document, kind), place)
        self._add_tournament(tournament_id, document)
        players, listed_in = [result.player for result in document.results], (tournament_id, str(file.path))
        identities = self._identify(file, stated, players)
        for person, result in zip(identities, document.results, strict=True):
            if not person.is_doubtful:
                stated.add(RESULTS, _result_row(tournament_id, person.player_id, result), result.player.location)
                self._add_person(person.player_id, result.player, tournament_id, listed_in)
        first = tournament_id.rpartition("-")[0]
        if not (stated.is_known or document.tournament_id) and self.tournaments.is_known(first):
            stated.notes.append(
                f"`{tournament_id}` is new beside `{first}`, of the same name and year; if it is the same: `dptr undo`"
            )

    def _refuse_namesake(self, document: TournamentDocument) -> None:
        """Ask about a new id for a known tournament's name and days, unless its own document distinguishes the two."""
        near = sorted(self.tournaments.near_namesakes(document))
        others = [one.tournament_id for one in near if one.is_of_other_files]
        if others and not self.tournaments.is_known(document.tournament_id or ""):
            found = f"the new id `{document.tournament_id}` for the name and the days of `{others[0]}`"
            way_out = f"Another tournament: --another-event. The same one: give it the id `{others[0]}`"
            raise DocumentError(document.location_of("tournament_id"), found, "the known id, or other days", way_out)

    def _state_page(self, file: ImportedFile, document: PlayerDocument) -> None:
        stated = Stated(document, document.player.name)
        stated.notes += document.remarks
        file.stated.append(stated)
        (person,) = self._identify(file, stated, [document.player])
        stated.is_known = self.people.is_known(person.player_id)
        taken: set[str] = set()
        for appearance in document.appearances:
            with file.faults.gathered():
                place = appearance.location_of("name")
                self._refuse_future(appearance.started_on, place)
                tournament_id = self.tournaments.identify(appearance, taken)
                if not taken.isdisjoint((tournament_id, *appearance.source_ids)):
                    raise DocumentError(place, f"`{appearance.name}` twice, or its id", "every tournament once")
                taken.update((tournament_id, *appearance.source_ids))
                kind, (result,) = self._kind(appearance.kind, place), appearance.results
                player_id = self.people.id_there(person.player_id, tournament_id, self.people.listed_in(tournament_id))
                # The value is the one that the page prints.
                stated.add(TOURNAMENTS, _tournament_row(tournament_id, appearance, kind), place)
                stated.add(RESULTS, _result_row(tournament_id, player_id, result), place)
                self._add_tournament(tournament_id, appearance)
                self._add_person(player_id, result.player, tournament_id, (tournament_id, ""))
        if document.ranking:
            self._state_ranks(stated, document.ranking, [person])

    def _state_ranking(self, file: ImportedFile, document: RankingDocument) -> None:
        with file.faults.gathered():
            self._refuse_future(document.last_update, Location(document.source.path))
        stated = Stated(document, f"{document.ranking_name}, {document.last_update}")
        stated.notes += document.remarks
        file.stated.append(stated)
        self._state_ranks(stated, document, self._identify(file, stated, [rank.player for rank in document.ranks]))

    def _state_ranks(self, stated: Stated, ranking: RankingDocument, identities: list[Identity]) -> None:
        for person, rank in zip(identities, ranking.ranks, strict=True):
            stated.add(PUBLISHED_RANKINGS, _ranking_row(ranking, person.player_id, rank), rank.player.location)
            stated.is_known |= (ranking.ranking_name, str(ranking.last_update), person.player_id) in self._ranks
            self._add_person(person.player_id, rank.player, "", (f"{ranking.ranking_name} {ranking.last_update}", ""))

    def _identify(self, file: ImportedFile, stated: Stated, players: list[ListedPlayer]) -> list[Identity]:
        """Return the people of a document, and note decisions on them."""
        answers, sha256, tournament_id = self._choices.answers, file.source.sha256, stated.tournament_id
        found = identify_players(self.people, players, answers, file.faults, sha256=sha256, tournament_id=tournament_id)
        for person, player in zip(found, players, strict=True):
            if person.note:
                stated.notes.append(f"`{player.listed_name}`: {person.note}")
            if person.is_new:
                file.new_people[person.player_id] = player
        return found

    def _add_tournament(self, tournament_id: str, event: TournamentDocument) -> None:
        days = (event.started_on, event.ended_on)
        self.tournaments.add(tournament_id, event.name, days, event.source.sha256, event.source_ids)

    def _add_person(self, player_id: str, player: ListedPlayer, tournament_id: str, listed_in: tuple[str, str]) -> None:
        listing = Listing.of(player_id, (player.name, player.listed_name), player.nation_code)
        self.people.add(listing, tournament_id, listed_in, player.source_ids)

    def _kind(self, stated: str | None, place: Location) -> str:
        """Return the code of a kind that a document states by code or name, ignoring case; `none` for no kind, empty if it states nothing.

        Raises:
            DocumentError: when the collection lacks the kind; the message lists its kinds.
        """
        sought = (stated or "").strip().casefold()
        if sought in ("", NONE):
            return sought
        if kind := self._kinds.get(sought):
            return kind
        found, expected = f"the kind `{shortened(stated or '')}`", f"one of {', '.join(self.codes())}, or {NONE}"
        hint = f"Add another kind to {TOURNAMENT_KINDS.path} of the collection"
        raise DocumentError(place, found, expected, hint)

    def codes(self) -> list[str]:
        """Return the codes of the collection's kinds, in the order of its seed."""
        return list(dict.fromkeys(self._kinds.values()))

    def _refuse_future(self, day: date, location: Location) -> None:
        last_day = self._choices.last_day
        if last_day is not None and day > last_day:
            found, expected = f"the date {day}, which is in the future", f"a day up to {last_day}"
            hint = "Is the year mistyped? If it is right, import the document with --future."
            raise DocumentError(location, found, expected, hint)


def _tournament_row(tournament_id: str, document: TournamentDocument, kind: str) -> SeedRow:
    """Return the row of raw_tournaments for a tournament's document, or for a line of a player's page."""
    return {
        "tournament_id": tournament_id,
        "source_tournament_ids": " ".join(document.source_ids),
        **{name: _cell(getattr(document, name)) for name in TOURNAMENTS.correctable},
        "kind": kind,
        **{f"coefficient_{i}": _cell(value) for i, value in enumerate(document.coefficients, start=1)},
    }


def _result_row(tournament_id: str, player_id: str, result: Result) -> SeedRow:
    """Return the row of raw_results for one line of a table, or of a player's page."""
    return {
        "tournament_id": tournament_id,
        "placement": _cell(result.placement),
        **_player_cells(result.player, player_id),
        "published_score": _cell(result.published_score),
        "game_score": _cell(result.game_score),
    }


def _ranking_row(document: RankingDocument, player_id: str, rank: Result) -> SeedRow:
    """Return the row of raw_published_rankings for one line of a published ranking."""
    return {
        "ranking_name": document.ranking_name,
        "author": document.author,
        "last_update": _cell(document.last_update),
        "published_rank": _cell(rank.placement),
        **_player_cells(rank.player, player_id),
        "published_rating": _cell(rank.published_score),
        "published_national_rank": _cell(document.national_rank),
        "published_tournaments": _cell(document.tournaments),
    }


def _player_cells(player: ListedPlayer, player_id: str) -> SeedRow:
    return {
        "player_id": player_id,
        "source_player_ids": " ".join(player.source_ids),
        "listed_name": player.listed_name,
        **{name: _cell(getattr(player, name)) for name in _OF_PERSON},
    }


def _cell(value: int | str | date | Decimal | None) -> str:
    """Return a value as a cell, a decimal with two places as in documents; empty for None."""
    if value is None:
        return ""
    return f"{value:.2f}" if isinstance(value, Decimal) else str(value)
