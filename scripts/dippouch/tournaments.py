"""The tournaments of a collection: which one a document describes, and the rating keeper's decisions on it.

In: a document's name, days and ids; decisions with their reasons. Out: the id of the tournament, by the rules in docs/identity.md; rows of
ref_corrections, which leave the statements as they are.

    Tournaments(collection).identify(document)    # wac-6-2009
"""

import shlex
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from datetime import date
from fnmatch import filter as matching
from typing import NamedTuple

from dippouch.collection.files import canonical_cells
from dippouch.collection.memory import Collection
from dippouch.collection.schema import CORRECTIONS, SeedRow
from dippouch.messages import DocumentError, UserError, shortened
from dippouch.names import free_id, name_and_year_id, readable_id_or_empty
from dippouch.people.decisions import search_name
from dippouch.people.index import Index, Sets
from dippouch.reading.documents import TournamentDocument
from dippouch.reading.values import listed_words, shown_days

# Sources may differ on a tournament's days, but not by more.
NEAR_DAYS = 7
WITHDRAWN = "withdrawn"

# What may be meant: an id, the words of its name, and its last day, which distinguishes namesakes.
_NAMED = "select tournament_id, tournament_name, cast(ended_on as varchar) from int_tournaments"

# Each tournament as stated by every document and as corrected, in the order of imports: an id of a source belongs to the first one.
_STATED = """
    select
        tournament_id, tournament_name, started_on, ended_on, source_sha256, source_tournament_ids, import_number, document_id
    from int_tournament_statements
    union all
    select tournament_id, tournament_name, started_on, ended_on, null, null, null, '' from int_tournaments
    order by import_number nulls last, document_id, tournament_id
"""


class Near(NamedTuple):
    """A known tournament that may be another one: the days between the two, whether their days differ, whether only other files state it, and its id."""

    days: int
    is_of_other_days: bool
    is_of_other_files: bool
    tournament_id: str


class Tournaments(Index):
    """The known tournaments.

    Attributes:
        names: the tournaments of a name and year, by the id that these make.
        days: the first and the last day of a tournament, as stated and as corrected.
        hashes: the hashes of the documents about a tournament.
    """

    def __init__(self, collection: Collection) -> None:
        super().__init__()
        self._collection = collection
        self.names: Sets[str] = defaultdict(set)
        self.days: Sets[tuple[date, date]] = defaultdict(set)
        self.hashes: Sets[str] = defaultdict(set)
        for tournament_id, name, started_on, ended_on, sha256, ids, *_ in collection.query(_STATED):
            self.add(tournament_id, name, (started_on, ended_on), sha256, (ids or "").split())
        self.settle()

    def add(
        self, tournament_id: str, name: str, days: tuple[date, date], sha256: str | None, source_ids: Iterable[str]
    ) -> None:
        """Add what a document, or a correction (no hash), states about a tournament."""
        for year in {day.year for day in days}:
            self._add(self.names[name_and_year_id(name, str(year))], tournament_id)
        self._add(self.days[tournament_id], days)
        if sha256:
            self._add(self.hashes[tournament_id], sha256)
        self._add_source_ids(tournament_id, source_ids)

    def is_known(self, tournament_id: str) -> bool:
        """Return whether a document states the tournament."""
        return bool(self.days.get(tournament_id))

    def identify(
        self, event: TournamentDocument, taken: Container[str] | None = None, *, is_another: bool = False
    ) -> str:
        """Return the id of the tournament that a document, or a line of a player's page, describes; a new one if it is unknown.

        Args:
            event: the described tournament.
            taken: for a line of a page, the ids of other tournaments on it, which are excluded.
            is_another: whether the rating keeper says that it is none of the known tournaments of its name.

        Raises:
            DocumentError: when its name has no letter or digit, or several known tournaments of other days are equally near to a document.
        """
        if not readable_id_or_empty(event.name):
            found = f"the name `{shortened(event.name)}` of a tournament with no letter or digit"
            raise DocumentError(event.location_of("name"), found, "a name with letters")
        if known := next(filter(None, map(self.owner_of, event.source_ids)), event.tournament_id):
            return known
        near = [one for one in self.near_namesakes(event) if one.tournament_id not in (taken or ())]
        if near := sorted(one for one in near if not (is_another and one.is_of_other_files)):
            first, *others = near
            several = [first, *(one for one in others if one[:-1] == first[:-1])]
            if taken is None and first.is_of_other_days and len(several) > 1:
                raise self._several(event, several)
            return first.tournament_id
        name_id = name_and_year_id(event.name, str(event.ended_on.year))
        return free_id(name_id, lambda made: made in (taken or ()) or self.is_known(made))

    def _several(self, event: TournamentDocument, near: Sequence[Near]) -> DocumentError:
        """Return the question which of several known tournaments a document means, with the days that choose each."""
        # As stated most precisely.
        spans = [min(self.days[one.tournament_id], key=lambda span: (span[1] - span[0], span)) for one in near]
        days = [shown_days(*span) for span in spans]
        known = ", ".join(f"`{one.tournament_id}` ({text})" for one, text in zip(near, days, strict=True))
        # Equal days do not choose one of two, so the keeper first corrects those of one.
        own = (f"started_on={event.started_on}", f"ended_on={event.ended_on}")
        chosen = ", ".join(
            shlex.join(["--date", text])
            if days.count(text) == 1
            else self._collection.command("correct", one.tournament_id, *own)
            for one, text in zip(near, days, strict=True)
        )
        return DocumentError(
            event.location_of("name"),
            f"the name `{shortened(event.name)}` and the days {shown_days(event.started_on, event.ended_on)}, which may be those of {known}",
            "the days of one of them",
            f"One of these: {chosen}. Another tournament: --another-event",
        )

    def near_namesakes(self, event: TournamentDocument) -> list[Near]:
        """Return the known tournaments of an event's name that may be the event."""
        near, own = [], (event.started_on, event.ended_on)
        names = {name_and_year_id(event.name, str(day.year)) for day in own}
        for known in {one for name in names for one in self.names.get(name, ())}:
            # As stated or as corrected; the smaller distance counts.
            days, is_other = min((_days_between(days, event), days != own) for days in self.days[known])
            if days <= NEAR_DAYS and not self.is_of_another(known, event.source_ids):
                near.append(Near(days, is_other, event.source.sha256 not in self.hashes[known], known))
        return near


def find_tournament(collection: Collection, text: str) -> str:
    """Return the id of the tournament that an id or a name means; raise a UserError as `likeliest` does."""
    is_id = collection.query("select 1 from int_tournaments where tournament_id = ?", [text])
    return text if is_id else search_name(collection, _NAMED, text, "tournament")


def sounds_like_championship(title: str) -> bool:
    """Return whether a title has the words of a World Championship in some language, whatever the accents and capitals."""
    words = readable_id_or_empty(title).split("-")
    return any(all(matching(words, part) for part in phrase.split()) for phrase, _ in listed_words("title"))


def _days_between(days: tuple[date, date], event: TournamentDocument) -> int:
    """Return the distance between stated days: none if they have a day in common, such as a day of a stated year."""
    started_on, ended_on = days
    if max(started_on, event.started_on) <= min(ended_on, event.ended_on):
        return 0
    return min(abs((started_on - event.started_on).days), abs((ended_on - event.ended_on).days))


def hint_on_lacking(collection: Collection, tournament_id: str, players: Iterable[str]) -> str:
    """Return a hint with the command that withdraws the results that a document lacks; empty without such results."""
    named = [word for player_id in sorted(players) for word in ("--player", player_id)]
    command = collection.command("withdraw", tournament_id, *named)
    return f"Results that the document lacks stay. If somebody did not play: {command}" if named else ""


def decide(
    collection: Collection, tournament_id: str, values: Sequence[tuple[str, str, str]], reason: str, day: date
) -> list[SeedRow]:
    """Record decisions on one tournament; the resulting collection must pass all rules that it passed before.

    Args:
        collection: the collection; it is changed.
        tournament_id: the tournament.
        values: for each decision the listed player whose result it is about (empty: the tournament itself), the field (WITHDRAWN or a
            correctable column) and the value from now on; an empty value restores the document's statement.
        reason: the reason of all decisions.
        day: the day of all decisions.

    Returns:
        The recorded rows.

    Raises:
        UserError: when a field is stated twice, or a decision breaks a rule of macros/checks.
    """
    fields = [" ".join(filter(None, (player_id, field))) for player_id, field, _ in values]
    if twice := [field for field in fields if fields.count(field) > 1]:
        raise UserError(f"{tournament_id}: found `{twice[0]}` twice; expected every field once")
    ((last,),) = collection.query("select coalesce(max(correction_number), 0) from stg_corrections")
    rows = []
    for number, value in enumerate(values, start=last + 1):
        cells = (str(number), tournament_id, *value, reason, day.isoformat())
        rows.append(CORRECTIONS.row(*canonical_cells(CORRECTIONS, cells)))
    collection.append(CORRECTIONS, rows)
    collection.refuse_faulty()
    return rows
