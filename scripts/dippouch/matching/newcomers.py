"""New people in imported files: known people with similar names, and the rating keeper's answers about them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from dippouch.documents import ListedPlayer
from dippouch.errors import DocumentError, Faults, UserError
from dippouch.ids import readable_id_or_empty
from dippouch.matching.decisions import match, pair_of, record_non_match
from dippouch.matching.identities import Identity, as_listed
from dippouch.matching.likeness import (
    LIKELIEST,
    KnownPeople,
    LikelyDuplicate,
    Undecided,
    likeliest_first,
    likely_duplicate,
)
from dippouch.matching.people import (
    PLAYER,
    ListedPerson,
    are_listed_together,
    ids_listed_as,
    is_of_another,
    is_player_id,
    listed_people,
)
from dippouch.names import shortened
from dippouch.seeds.persons import ids_of_person, people_behind, person_behind
from dippouch.seeds.schema import ALIASES, DISTINCTIONS, Row, Seed
from dippouch.seeds.store import Collection
from dippouch.suggestions import suggested_command

# The value of `--new` that accepts all new people.
_EVERYBODY = "all"
_SHOWN = 3


@dataclass(frozen=True)
class Newcomer:
    """A new person.

    Attributes:
        person: the new person, as the document lists them.
        likely: the known people who may be the same person, without a decision, the likeliest first.
        decisions: the recorded decisions on them: seeds, keys and rows.
    """

    person: ListedPerson
    likely: list[LikelyDuplicate]
    decisions: list[tuple[Seed, tuple[str, ...], Row]] = field(default_factory=list)

    def record(self, collection: Collection, seed: Seed, key: tuple[str, ...]) -> None:
        """Add a decision that the collection now has."""
        if row := collection.get(seed, key):
            self.decisions.append((seed, key, row))


@dataclass(frozen=True)
class Answers:
    """The rating keeper's answers about new people, by the ids that their names make.

    Attributes:
        same: the known people that they are.
        new: the people who are really new; `all` accepts all others, too.
    """

    same: Mapping[str, str] = field(default_factory=dict)
    new: frozenset[str] = frozenset()

    @classmethod
    def given(cls, same: Iterable[str], new: Iterable[str]) -> Answers:
        """Parse the options `--same NAME=ID` and `--new NAME`.

        Raises:
            UserError: when an answer is empty, or two contradict each other.
        """
        answers: dict[str, str] = {}
        for answer in same:
            name, _, player_id = (readable_id_or_empty(part) for part in answer.partition("="))
            if not name or not player_id:
                raise UserError(
                    f"option --same: found `{shortened(answer)}`; expected NAME=ID, such as 'Jon Smith=john-smith'"
                )
            if answers.setdefault(name, player_id) != player_id:
                raise UserError(
                    f"option --same: found `{name}` as `{answers[name]}` and as `{player_id}`; expected one person"
                )
        names = frozenset(map(readable_id_or_empty, new))
        if both := sorted(names & answers.keys()):
            raise UserError(f"options --same and --new: found `{both[0]}` in both; expected one answer")
        return cls(answers, names)

    @property
    def asks(self) -> bool:
        """Return whether to ask about new people without an answer."""
        return _EVERYBODY not in self.new

    def of(self, player_id: str, player: ListedPlayer) -> tuple[str, bool]:
        """Return the known person that somebody is said to be, and whether they are said to be new."""
        names = {player_id, readable_id_or_empty(player.name), readable_id_or_empty(player.listed_name)}
        same = next((self.same[name] for name in sorted(names & self.same.keys())), "")
        return same, not same and not self.new.isdisjoint(names)


NO_ANSWERS = Answers()


class Review:
    """Compares the new people of each file with everybody known, including people of accepted files.

    Attributes:
        accepted: the new people of accepted files.
    """

    def __init__(self, collection: Collection, answers: Answers) -> None:
        self._collection = collection
        self._answers = answers
        self._undecided = Undecided(collection)
        self._known: KnownPeople | None = None
        self.accepted: list[Newcomer] = []

    def newcomers(
        self, players: Mapping[str, ListedPlayer], tournaments: Iterable[str], faults: Faults, *, among_them: bool
    ) -> list[Newcomer]:
        """Compare the new people of a file, and record the answers about them.

        Args:
            players: the new people, by id. Their rows are in the collection.
            tournaments: the new tournaments of the file, which are no evidence about anybody.
            faults: gathers unanswered likely duplicates, unless the document itself distinguishes the two.
            among_them: whether to compare the new people with each other, too.

        Raises:
            UserError: when an answer is impossible.
        """
        if players and self._known is None:
            everybody = listed_people(self._collection, without=tournaments)
            self._known = KnownPeople(person for person in everybody if person.player_id not in players)
        of_file = KnownPeople()
        found = []
        for player_id, player in players.items():
            person = listed_person(player_id, player)
            found.append(Newcomer(person, self._likely(person, of_file)))
            self._decide(found[-1], player, faults)
            if among_them:
                of_file.add(person)
        return found

    def accept(self, newcomers: list[Newcomer]) -> None:
        """Add people to those that later files are compared with."""
        self.accepted += newcomers
        if self._known:
            for newcomer in newcomers:
                self._known.add(newcomer.person)

    def _likely(self, person: ListedPerson, of_file: KnownPeople) -> list[LikelyDuplicate]:
        """Return the people who may be a new person, without a decision, the likeliest first."""
        before, behind = self._known or KnownPeople(), self._undecided.behind
        alike = [*before.alike(person), *of_file.alike(person)]
        people: dict[str, tuple[ListedPerson, str]] = {}
        # A name that a decision assigned to a person suggests that person.
        for other, how in sorted(alike, key=lambda pair: (pair[0].player_id in behind, pair[0].player_id)):
            if self._undecided(person.player_id, other.player_id):
                theirs = behind.get(other.player_id, other.player_id)
                people.setdefault(theirs, (before.of_id(theirs) or replace(other, player_id=theirs), how))
        return likeliest_first(likely_duplicate(person, other, how) for other, how in people.values())

    def _decide(self, newcomer: Newcomer, player: ListedPlayer, faults: Faults) -> None:
        """Record the answer about a new person, or ask who that is."""
        player_id = newcomer.person.player_id
        same, is_new = self._answers.of(player_id, player)
        reason = f"said at the import of {shortened(player.location.path.name)}"
        others = [(pair.one if pair.other is newcomer.person else pair.other, pair) for pair in newcomer.likely]
        if same:
            theirs = ids_of_person(self._collection, person_behind(self._collection, same, ""), "")
            if any(are_listed_together(self._collection, player_id, listed_id) for listed_id in theirs):
                found = f"`{player.listed_name}` beside `{same}`, who is said to be the same person"
                faults.add(
                    DocumentError(player.location, found, "every person once", "Delete one row. Two people: --new.")
                )
                return
            match(self._collection, player_id, same, reason)
            newcomer.record(self._collection, ALIASES, (player_id, ""))
        elif is_new:
            for other, _ in others:
                record_non_match(self._collection, player_id, other.player_id, reason)
                newcomer.record(self._collection, DISTINCTIONS, pair_of(player_id, other.player_id))
        elif self._answers.asks and not player.player_id:
            # A source's other id says that they are two; a nation does not, because people move.
            asked = [
                (other, pair)
                for other, pair in others
                if not is_of_another(self._collection, PLAYER, other.player_id, player.source_ids)
            ]
            if asked:
                found = " or ".join(
                    f"`{other.player_id}` ({other.evidence}; {pair.likeness})" for other, pair in asked[:_SHOWN]
                )
                faults.add(_question(player, found, asked[0][0].player_id))


def with_answers(
    collection: Collection,
    listed: Mapping[str, Row],
    people: list[tuple[ListedPlayer, Identity]],
    answers: Answers,
    faults: Faults,
) -> list[Identity]:
    """Return the people of a table of a known tournament, each under their id in its results, whatever the name.

    A new name may be that of somebody whom the table omits, by an answer; then the known name stays. If it resembles such a name
    and there is no answer, it is a fault, and counts as that person's name in further checks.

    Args:
        collection: the known people.
        listed: the collection's results of the tournament, by id.
        people: the people of the table.
        answers: the rating keeper's answers about new people.
        faults: gathers likely duplicates without an answer.
    """
    omitted = {player_id: listed[player_id] for player_id in listed.keys() - {one.player_id for _, one in people}}
    aliases = people_behind(collection)
    found = []
    for player, named in people:
        person, name_id = named, readable_id_or_empty(player.name)
        row = listed.get(named.player_id)
        if row and name_id != readable_id_or_empty(f"{row['first_name']} {row['last_name']}"):
            # An earlier answer, for this tournament or by an alias.
            if name_id in aliases or name_id == readable_id_or_empty(row["listed_name"]):
                person = _with_known_name(named.player_id)
        elif omitted and named.player_id not in listed and not player.player_id:
            same, is_new = answers.of(named.player_id, player)
            player_id = same and as_listed(collection, Identity(same), omitted).player_id
            if named.is_new and answers.asks and not (same or is_new):
                player_id = _likeliest(collection, omitted, named.player_id, player)
                if player_id:
                    known = f"`{player_id}` ({omitted[player_id]['listed_name']}), whom this tournament lists"
                    faults.add(_question(player, known, player_id))
            if omitted.pop(player_id, None):
                person = _with_known_name(player_id)
        found.append(person)
    return found


def _likeliest(collection: Collection, omitted: Mapping[str, Row], player_id: str, player: ListedPlayer) -> str:
    """Return the id of the omitted result with the most similar name, if it may be a listed player's; else empty."""
    known = KnownPeople(
        listed_person(known_id, ListedPlayer(row["listed_name"], row["first_name"], row["last_name"], player.location))
        for known_id, row in omitted.items()
        if not is_of_another(collection, PLAYER, known_id, player.source_ids)
    )
    alike = [(LIKELIEST.index(how), one.player_id) for one, how in known.alike(listed_person(player_id, player))]
    undecided = Undecided(collection)
    return next((known_id for _, known_id in sorted(alike) if undecided(player_id, known_id)), "")


def refuse_unused(collection: Collection, answers: Answers, new_people: set[str] | None, *, whole: bool) -> None:
    """Refuse answers about people who are unknown after an import, or who were known before as somebody else.

    Args:
        collection: the collection with the changes of the import.
        answers: the answers of the rating keeper.
        new_people: the ids of the new people; None if no document changed, as in a second import of the same file.
        whole: whether no file was rejected; otherwise an answer may be about a rejected one.

    Raises:
        UserError: when there is such an answer.
    """
    for name in sorted({*answers.same, *answers.new} - {_EVERYBODY}) if whole else ():
        same = answers.same.get(name)
        option = f"option --{'same' if same else 'new'}: found `{name}`"
        found = {*ids_listed_as(collection, name), *([name] if is_player_id(collection, name) else [])}
        if not found:
            raise UserError(f"{option}, which no imported document lists; expected a name as a document lists it")
        if same:
            if person_behind(collection, same, "") not in {person_behind(collection, one, "") for one in found}:
                command = suggested_command("merge", min(found), same, "--reason", "...", seeds=collection.folder)
                raise UserError(f"{option}, who was known before; expected a new person. {command} matches the two")
        elif new_people is not None and new_people.isdisjoint(found) and not _are_distinguished(collection, found):
            raise UserError(
                f"{option}, who was known before; expected a new person. Omit the option; if the row is of another person,"
                f" import it, then use `dptr split`"
            )


def listed_person(player_id: str, player: ListedPlayer) -> ListedPerson:
    """Return a listed player as a person with the evidence of one document."""
    first, last = readable_id_or_empty(player.first_name), readable_id_or_empty(player.last_name)
    nations = frozenset(filter(None, [player.nation_code]))
    return ListedPerson(player_id, player.name, first, last, nations, frozenset(player.source_ids), 1, "")


def _are_distinguished(collection: Collection, people: Iterable[str]) -> bool:
    """Return whether a decision, such as an earlier answer, says that one of these people is another than somebody else."""
    sql = f"select 1 from {DISTINCTIONS.name}, json_each(?) where value in (player_id, other_player_id)"
    return any(collection.query(sql, [json.dumps(list(people))]))


def _question(player: ListedPlayer, known: str, likeliest: str) -> DocumentError:
    """Return the fault of a new name that resembles known people's, with the answers that mend it."""
    same_as = shlex.quote(f"{player.listed_name}={likeliest}")
    return DocumentError(
        player.location,
        f"the new name `{player.listed_name}`, which is like that of {known}",
        "the name of a known person, or a decision",
        f"The same person: --same {same_as}; another person: --new {shlex.quote(player.listed_name)}",
    )


def _with_known_name(player_id: str) -> Identity:
    """Return a person known by an answer, whose known name stays: most answers are about slips in the document."""
    return Identity(player_id, f"is `{player_id}`, whose name stays; `dptr correct` changes it")
