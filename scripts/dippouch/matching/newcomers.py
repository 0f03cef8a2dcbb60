"""New people in imported files: known people with similar names, and the rating keeper's answers about them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from dippouch.documents import ListedPlayer
from dippouch.errors import DocumentError, Faults, UserError
from dippouch.ids import readable_id_or_empty
from dippouch.matching.decisions import pair_of, record_match, record_non_match, taking_back
from dippouch.matching.identities import Identity, as_listed, identify_players
from dippouch.matching.likeness import FIRST_NAME, SAME_NAME, KnownPeople, Likely, Undecided, likely
from dippouch.matching.people import PLAYER, ListedPerson, are_listed_together, is_of_another, listed_people
from dippouch.matching.search import find_person
from dippouch.names import shortened, tidy_text
from dippouch.seeds.decisions import people_behind
from dippouch.seeds.schema import ALIASES, DISTINCTIONS, PUBLISHED_RANKINGS, RESULTS, Row, Seed
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

    @property
    def matches(self) -> list[Row]:
        """Return the decisions that the new person is a known one."""
        return [row for seed, _, row in self.decisions if seed is ALIASES]


@dataclass(frozen=True)
class Answers:
    """The rating keeper's answers about new people.

    Attributes:
        people: the known person's id or name, or an empty text for a new person, by the id that the new name makes. The name `all`
            means all other new people.
        names: the names as given, by these ids.
        used: the names of answers that documents list.
        accepted: the ids of new people in this run.
    """

    people: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    used: set[str] = field(default_factory=set, compare=False)
    accepted: set[str] = field(default_factory=set, compare=False)

    @classmethod
    def given(cls, same: Iterable[str], new: Iterable[str]) -> Answers:
        """Parse the options `--same NAME=ID` and `--new NAME`.

        Raises:
            UserError: when an answer is empty, or two contradict each other.
        """
        people, names = dict[str, str](), dict[str, str]()
        of_known = [(name, person) for name, _, person in (answer.partition("=") for answer in same)]
        for name, person in [*of_known, *((name, None) for name in new)]:
            name_id, known = readable_id_or_empty(name), (person or "").strip()
            if not name_id or (person is not None and not readable_id_or_empty(known)):
                raise UserError(
                    f"options --same and --new: found `{shortened(name)}`; expected NAME=ID of a known person, NAME of a new one"
                )
            if people.setdefault(name_id, known) != known:
                raise UserError(f"options --same and --new: found two answers about `{shortened(name)}`; expected one")
            names[name_id] = shortened(name)
        return cls(people, names)

    def of(self, collection: Collection, player_id: str, player: ListedPlayer) -> str | None:
        """Return the id of the known person that somebody is said to be, an empty text for a new person, or None without an answer.

        Raises:
            UserError: when the answer is nobody's id or name, or several people's name.
        """
        names = {player_id, readable_id_or_empty(player.name), readable_id_or_empty(player.listed_name)}
        names &= self.people.keys()
        self.used.update(names)
        answer = next((self.people[name] for name in sorted(names)), None)
        try:
            return find_person(collection, answer) if answer else answer
        except UserError as error:
            # A list of people needs no other advice.
            further = "" if "\n" in str(error) else ". Of two new names, answer about the later one"
            raise UserError(f"{error}{further}") from None


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
        if self._answers.people.keys() == {"all"}:
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
                # A name matched for its tournament alone belongs to nobody.
                if not any(row["tournament_id"] for row in newcomer.matches):
                    self._known.add(newcomer.person)

    def _decide(self, newcomer: Newcomer, player: ListedPlayer, faults: Faults) -> None:
        """Record the answer about a new person, or ask who that is."""
        collection, player_id = self._collection, newcomer.person.player_id
        answer = self._answers.of(collection, player_id, player)
        reason = f"said at the import of {shortened(player.location.path.name)}"
        keys: list[tuple[Seed, tuple[str, ...]]] = []
        if answer:
            tournaments = _ambiguous_in(collection, newcomer, player) or [""]
            record_match(collection, player_id, answer, reason, tournaments)
            keys = [(ALIASES, (player_id, tournament_id)) for tournament_id in tournaments]
        elif answer is not None:
            for other, _ in newcomer.likely:
                record_non_match(collection, player_id, other.player_id, reason)
                keys.append((DISTINCTIONS, pair_of(player_id, other.player_id)))
        elif "all" not in self._answers.people and not player.player_id:
            _ask(collection, player_id, player, newcomer.likely, faults)
        newcomer.decisions.extend((seed, key, row) for seed, key in keys if (row := collection.get(seed, key)))


def identify_with_answers(
    collection: Collection, tournament_id: str, players: list[ListedPlayer], answers: Answers, faults: Faults
) -> list[Identity]:
    """Identify the people of a document, each under their id in the collection's results of a tournament.

    A new name may be that of somebody whom the table omits, by an answer; then the known name stays. If it resembles such a name
    and there is no answer, it is a fault, and counts as that person's name. So is an answer about a known person,
    unless it repeats what the collection has.

    Args:
        collection: the known people.
        tournament_id: the tournament; empty for a ranking or a player's page.
        players: the people of the document.
        answers: the rating keeper's answers about new people.
        faults: gathers faults of identities, likely duplicates without an answer, and answers that contradict the collection.
    """
    listed = collection.results_of(tournament_id)
    people = identify_players(collection, players, faults, listed)
    ids = {one.player_id for one in people}
    answers.accepted.update(one.player_id for one in people if one.is_new)
    omitted = {player_id: listed[player_id] for player_id in listed.keys() - ids}
    found = []
    for player, named in zip(players, people, strict=True):
        person = named
        answer = answers.of(collection, named.player_id, player) if answers.people else None
        if answer and answer in named.namesakes - (ids - {named.player_id}):
            person = Identity(answer)
        elif answer is not None and not named.is_new and named.player_id not in answers.accepted:
            with faults.gathered():
                _check_repeated(collection, tournament_id, player, named.player_id, answer)
        if omitted and named.is_new and not player.player_id:
            player_id = as_listed(collection, Identity(answer), omitted).player_id if answer else ""
            if "all" not in answers.people and answer is None:
                known = KnownPeople()
                for one, row in omitted.items():
                    nations = frozenset({row["nation_code"]} - {""})
                    known.add(ListedPerson(one, row["first_name"], row["last_name"], nations, tournaments=0))
                new = listed_person(named.player_id, player)
                alike = likely(new, known.alike(new), Undecided(collection))
                player_id = _ask(collection, named.player_id, player, alike, faults)
            if omitted.pop(player_id, None):
                # Most answers are about slips in the document.
                command = collection.command("correct", tournament_id, f"{player_id}:last_name=NAME")
                note = f"is `{player_id}`, whose name stays; `{command}` changes it"
                person = Identity(player_id, note, is_asked=answer is None, is_answered=True)
        found.append(replace(person, answer=answer or ""))
    return found


def _check_repeated(collection: Collection, tournament_id: str, player: ListedPlayer, known: str, answer: str) -> None:
    """Check that an answer about a known person repeats a decision, as when a document is imported again.

    Raises:
        DocumentError: otherwise, with the earlier decision and the command that takes it back.
    """
    person = people_behind(collection, tournament_id).get(known, known)
    apart = next(collection.rows(DISTINCTIONS, "where ? in (player_id, other_player_id)", (known,)), None)
    is_decided = answer or (apart and collection.get(RESULTS, (tournament_id, known)))
    if is_decided and person == (people_behind(collection).get(answer, answer) if answer else known):
        return
    expected, way_out = f"`{person}`, who has this name", "Import without this answer"
    if answer and not are_listed_together(collection, known, answer):
        way_out = f"If they are one: {collection.command('merge', known, answer)}"
    elif tournament_id:
        way_out += f"; then `{collection.command('split', known, tournament_id, answer or 'NEW-ID')}`"
    matches = [collection.get(ALIASES, (known, scope)) for scope in (tournament_id, "")]
    if row := next(filter(None, [*matches, collection.get(DISTINCTIONS, pair_of(known, answer))]), None):
        expected, way_out = f"`{person}`, by a decision ({row['reason']})", taking_back(collection, row)
    found = f"the answer that `{player.listed_name}` is {f'`{answer}`' if answer else 'a new person'}"
    raise DocumentError(player.location, found, expected, way_out)


def listed_person(player_id: str, player: ListedPlayer) -> ListedPerson:
    """Return a listed player as a person with the evidence of one document."""
    nations = frozenset(filter(None, [player.nation_code]))
    return ListedPerson(player_id, player.first_name, player.last_name, nations, frozenset(player.source_ids))


def _ambiguous_in(collection: Collection, newcomer: Newcomer, player: ListedPlayer) -> list[str]:
    """Return the tournaments that list a new name that may be several people's; none for a name or an id of one person."""
    is_ambiguous = len(newcomer.likely) > 1 or FIRST_NAME in {how for _, how in newcomer.likely}
    if not is_ambiguous or player.source_ids or player.player_id:
        return []
    # A published ranking and a player's page are not about one tournament.
    sql = f"""
        select tournament_id from own_{RESULTS.name} where player_id = $id and listed_by = 'tournament'
            and not exists (select 1 from {PUBLISHED_RANKINGS.name} where player_id = $id)
    """
    return [tournament_id for (tournament_id,) in collection.query(sql, {"id": newcomer.person.player_id})]


def _ask(collection: Collection, player_id: str, player: ListedPlayer, known: Likely, faults: Faults) -> str:
    """Add the fault of a new name that resembles known people's, with the answers that mend it; return the likeliest one's id."""
    # Another id of the same source says that they are two. With the same name, only another number among namesakes does, because one
    # person may have several ids. Another nation says nothing, because people move, but the same goes first.
    numbers = [number for number in player.source_ids if number.startswith("namesake:")]
    asked = [
        (other.player_id, f"`{other.player_id}` ({other.evidence}; {how})")
        for other, how in sorted(known, key=lambda found: player.nation_code not in found[0].nations)
        if not is_of_another(collection, PLAYER, other.player_id, numbers if how == SAME_NAME else player.source_ids)
    ]
    if not asked:
        return ""
    likeliest, name = asked[0][0], tidy_text(player.listed_name)
    # The id of a further namesake, because the name is that of the first one, too.
    answered = name if player_id == readable_id_or_empty(player.name) else player_id
    same_as = shlex.quote(f"{answered}={likeliest}")
    found = f"the new name `{name}`, which is like that of {' or '.join(text for _, text in asked[:_SHOWN])}"
    way_out = f"The same person: --same {same_as}; another person: --new {shlex.quote(answered)}"
    faults.add(DocumentError(player.location, found, "the name of a known person, or a decision", way_out))
    return likeliest
