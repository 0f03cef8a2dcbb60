"""New people in imported files: known people with similar names, and the rating keeper's answers about them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dippouch.documents import ListedPlayer
from dippouch.errors import DocumentError, Faults, UserError
from dippouch.ids import readable_id_or_empty
from dippouch.matching.decisions import pair_of, record_match, record_non_match
from dippouch.matching.identities import Identity, as_listed
from dippouch.matching.likeness import KnownPeople, Likely, Undecided, likely
from dippouch.matching.people import PLAYER, ListedPerson, is_of_another, listed_people
from dippouch.names import shortened
from dippouch.seeds.schema import ALIASES, DISTINCTIONS, Row, Seed
from dippouch.seeds.store import Collection

_SHOWN = 3


@dataclass(frozen=True)
class Newcomer:
    """A new person.

    Attributes:
        person: the new person, as the document lists them.
        likely: the people who may be the same person, without a decision, and why; the likeliest first.
        decisions: the recorded decisions on them: seeds, keys and rows.
    """

    person: ListedPerson
    likely: Likely
    decisions: list[tuple[Seed, tuple[str, ...], Row]] = field(default_factory=list)

    def record(self, collection: Collection, seed: Seed, key: tuple[str, ...]) -> None:
        """Add a decision that the collection now has."""
        if row := collection.get(seed, key):
            self.decisions.append((seed, key, row))


@dataclass(frozen=True)
class Answers:
    """The rating keeper's answers about new people.

    Attributes:
        people: the known person's id, or an empty text for a new person, by the id that the new name makes. The name `all` means
            all other new people.
        used: the names that new people of documents had.
    """

    people: Mapping[str, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set, compare=False)

    @classmethod
    def given(cls, same: Iterable[str], new: Iterable[str]) -> Answers:
        """Parse the options `--same NAME=ID` and `--new NAME`.

        Raises:
            UserError: when an answer is empty, or two contradict each other.
        """
        people: dict[str, str] = {}
        known = [(name, person) for name, _, person in (answer.partition("=") for answer in same)]
        for name, person in [*known, *((name, None) for name in new)]:
            name_id, player_id = readable_id_or_empty(name), readable_id_or_empty(person or "")
            if not name_id or (person is not None and not player_id):
                raise UserError(
                    f"options --same and --new: found `{shortened(name)}`; expected NAME=ID of a known person, NAME of a new one"
                )
            if people.setdefault(name_id, player_id) != player_id:
                raise UserError(f"options --same and --new: found two answers about `{name_id}`; expected one")
        return cls(people)

    @property
    def asks(self) -> bool:
        """Return whether to ask about new people without an answer."""
        return "all" not in self.people

    @property
    def needs_no_search(self) -> bool:
        """Return whether everybody is new, whoever is like them."""
        return self.people.keys() == {"all"}

    def of(self, player_id: str, player: ListedPlayer) -> str | None:
        """Return the id of the known person that somebody is said to be, an empty text for a new person, or None without an answer."""
        names = {player_id, readable_id_or_empty(player.name), readable_id_or_empty(player.listed_name)}
        self.used.update(names)
        return next((self.people[name] for name in sorted(names & self.people.keys())), None)


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

    def newcomers(self, players: Mapping[str, ListedPlayer], faults: Faults) -> list[Newcomer]:
        """Compare the new people of a file with those known and with each other, and record the answers about them.

        Args:
            players: the new people, by id. Their rows are in the collection.
            faults: gathers unanswered likely duplicates, unless the document itself distinguishes the two.

        Raises:
            UserError: when an answer is impossible.
        """
        if self._answers.needs_no_search:
            return [Newcomer(listed_person(player_id, player), []) for player_id, player in players.items()]
        if players and self._known is None:
            self._known = KnownPeople(one for one in listed_people(self._collection) if one.player_id not in players)
        of_file, found = KnownPeople(), []
        for player_id, player in players.items():
            person = listed_person(player_id, player)
            alike = [*(self._known or KnownPeople()).alike(person), *of_file.alike(person)]
            found.append(Newcomer(person, likely(person, alike, self._undecided)))
            self._decide(found[-1], player, faults)
            of_file.add(person)
        return found

    def accept(self, newcomers: list[Newcomer]) -> None:
        """Add people to those that later files are compared with."""
        self.accepted += newcomers
        if self._known:
            for newcomer in newcomers:
                self._known.add(newcomer.person)

    def _decide(self, newcomer: Newcomer, player: ListedPlayer, faults: Faults) -> None:
        """Record the answer about a new person, or ask who that is."""
        collection, player_id = self._collection, newcomer.person.player_id
        answer = self._answers.of(player_id, player)
        reason = f"said at the import of {shortened(player.location.path.name)}"
        if answer:
            record_match(collection, player_id, answer, reason)
            newcomer.record(collection, ALIASES, (player_id, ""))
        elif answer is not None:
            for other, _ in newcomer.likely:
                record_non_match(collection, player_id, other.player_id, reason)
                newcomer.record(collection, DISTINCTIONS, pair_of(player_id, other.player_id))
        elif self._answers.asks and not player.player_id:
            _ask(collection, player, newcomer.likely, faults)


def with_answers(
    collection: Collection,
    listed: Mapping[str, Row],
    people: list[tuple[ListedPlayer, Identity]],
    answers: Answers,
    faults: Faults,
) -> list[Identity]:
    """Return the people of a table of a known tournament, each under their id in its results.

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
    found = []
    for player, named in people:
        person = named
        if omitted and named.is_new and not player.player_id:
            answer = answers.of(named.player_id, player)
            player_id = as_listed(collection, Identity(answer), omitted).player_id if answer else ""
            if answers.asks and answer is None:
                known = KnownPeople(
                    ListedPerson(known_id, row["first_name"], row["last_name"], tournaments=0)
                    for known_id, row in omitted.items()
                )
                new = listed_person(named.player_id, player)
                player_id = _ask(collection, player, likely(new, known.alike(new), Undecided(collection)), faults)
            if omitted.pop(player_id, None):
                # Most answers are about slips in the document.
                person = Identity(player_id, f"is `{player_id}`, whose name stays; `dptr correct` changes it")
        found.append(person)
    return found


def refuse_unused(answers: Answers, *, is_whole: bool) -> None:
    """Refuse answers that named no new person, if every document was imported and one of them changed something.

    Raises:
        UserError: when there is such an answer.
    """
    unused = answers.people.keys() - answers.used - {"all"}
    for name in sorted(unused) if is_whole else ():
        raise UserError(
            f"options --same and --new: found `{name}`; expected a new name, as a document lists it. `dptr merge` and"
            " `dptr split` decide about known people"
        )


def listed_person(player_id: str, player: ListedPlayer) -> ListedPerson:
    """Return a listed player as a person with the evidence of one document."""
    nations = frozenset(filter(None, [player.nation_code]))
    return ListedPerson(player_id, player.first_name, player.last_name, nations, frozenset(player.source_ids))


def _ask(collection: Collection, player: ListedPlayer, known: Likely, faults: Faults) -> str:
    """Add the fault of a new name that resembles known people's, with the answers that mend it; return the likeliest one's id."""
    # Another id of the same source says that they are two; another nation does not, because people move.
    asked = [
        (other.player_id, f"`{other.player_id}` ({other.evidence}; {how})")
        for other, how in known
        if not is_of_another(collection, PLAYER, other.player_id, player.source_ids)
    ]
    if not asked:
        return ""
    likeliest = asked[0][0]
    same_as = shlex.quote(f"{player.listed_name}={likeliest}")
    found = (
        f"the new name `{player.listed_name}`, which is like that of {' or '.join(text for _, text in asked[:_SHOWN])}"
    )
    way_out = f"The same person: --same {same_as}; another person: --new {shlex.quote(player.listed_name)}"
    faults.add(DocumentError(player.location, found, "the name of a known person, or a decision", way_out))
    return likeliest
