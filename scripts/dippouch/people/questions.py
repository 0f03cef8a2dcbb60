"""New people in imported files: known people with similar names, questions about them, and the rating keeper's answers."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace

from dippouch.collection.schema import ALIASES, DISTINCTIONS, Row, Seed
from dippouch.errors import DocumentError, Faults
from dippouch.ids import readable_id_or_empty
from dippouch.names import shortened, tidy_text
from dippouch.people.answers import ALL, Answers
from dippouch.people.decisions import alias_of, check_match, check_non_match, distinction_of, pair_of, taking_back
from dippouch.people.fold import Identity, as_listed, identify_players
from dippouch.people.index import ListedPerson, Listing, People, listed_people
from dippouch.people.likeness import FIRST_NAME, SAME_NAME, KnownPeople, Likely, likely
from dippouch.reading.documents import ListedPlayer

_SHOWN = 3


@dataclass(frozen=True)
class Newcomer:
    """A new person.

    Attributes:
        person: the new person, as the document lists them.
        likely: the people who may be the same person, without a decision, and why; the likeliest first.
        decisions: the decisions on them by an answer: seeds and rows.
    """

    person: ListedPerson
    likely: Likely
    decisions: list[tuple[Seed, Row]] = field(default_factory=list)

    @property
    def matches(self) -> list[Row]:
        """Return the decisions that the new person is a known one."""
        return [row for seed, row in self.decisions if seed is ALIASES]


def identify_with_answers(
    people: People,
    sha256: str,
    tournament_id: str,
    players: list[ListedPlayer],
    answers: Answers,
    new: set[str],
    faults: Faults,
) -> list[Identity]:
    """Identify the people of a document, each under their id in the collection's results of a tournament.

    A new name may be that of somebody whom the table omits, by an answer; then the known name stays. If it resembles such a name
    and there is no answer, it is a fault, and counts as that person's name. So is an answer about a known person,
    unless it repeats what the collection has.

    Args:
        people: the known people.
        sha256: the hash of the document.
        tournament_id: the tournament; empty for a ranking or a player's page.
        players: the people of the document.
        answers: the rating keeper's answers about new people.
        new: the ids of the new people of this run; those of the document are added.
        faults: gathers faults of identities, likely duplicates without an answer, and answers that contradict the collection.
    """
    listed: dict[str, list[Listing]] = {}
    for listing in sorted(people.there.get(tournament_id, ())):
        listed.setdefault(listing.player_id, []).append(listing)
    named = identify_players(people, players, faults, sha256, tournament_id, listed)
    ids = {one.player_id for one in named}
    new.update(one.player_id for one in named if one.is_new)
    omitted = {player_id: listings for player_id, listings in listed.items() if player_id not in ids}
    found = []
    for player, person in zip(players, named, strict=True):
        answer = answers.of(people, person.player_id, player)
        if answer and answer in person.namesakes - (ids - {person.player_id}):
            found.append(Identity(answer, answer=answer))
            continue
        if answer is not None and person.player_id not in new:
            with faults.gathered():
                _check_repeated(people, tournament_id, player, person.player_id, answer)
        if omitted and person.is_new and not player.player_id:
            person = _of_omitted(people, tournament_id, player, person, answers, answer, omitted, faults)  # noqa: PLW2901 (the same person)
        found.append(replace(person, answer=answer or ""))
    return found


def _of_omitted(
    people: People,
    tournament_id: str,
    player: ListedPlayer,
    person: Identity,
    answers: Answers,
    answer: str | None,
    omitted: dict[str, list[Listing]],
    faults: Faults,
) -> Identity:
    """Return the omitted person of a tournament whom a new name means by an answer, or may mean without one; else the new person."""
    player_id = as_listed(people, Identity(answer), tournament_id, omitted).player_id if answer else ""
    if ALL not in answers.people and answer is None:
        known = KnownPeople()
        for one, (listing, *_) in omitted.items():
            nations = frozenset({listing.nation} - {""})
            known.add(ListedPerson(one, listing.first_name, listing.last_name, nations, tournaments=0))
        new = listed_person(person.player_id, player)
        player_id = question_about(people, person.player_id, player, likely(people, new, known.alike(new)), faults)
    if not omitted.pop(player_id, None):
        return person
    # Most answers are about slips in the document.
    command = people.collection.command("correct", tournament_id, f"{player_id}:last_name=NAME")
    note = f"is `{player_id}`, whose name stays; `{command}` changes it"
    return Identity(player_id, note, is_doubtful=answer is None)


def _check_repeated(people: People, tournament_id: str, player: ListedPlayer, known: str, answer: str) -> None:
    """Check that an answer about a known person repeats a decision, as when a document is imported again.

    Raises:
        DocumentError: otherwise, with the earlier decision and the command that takes it back.
    """
    collection = people.collection
    person = people.person_of(known, tournament_id)
    is_apart = any(known in pair for pair in people.distinct) and known in people.listed_in(tournament_id)
    if (answer or is_apart) and person == (people.person_of(answer) if answer else known):
        return
    expected, way_out = f"`{person}`, who has this name", "Import without this answer"
    if answer and not people.are_listed_together(known, answer):
        way_out = f"If they are one: {collection.command('merge', known, answer)}"
    elif tournament_id:
        way_out += f"; then `{collection.command('split', known, tournament_id, answer or 'NEW-ID')}`"
    matches = [collection.get(ALIASES, (known, scope)) for scope in (tournament_id, "")]
    if row := next(filter(None, [*matches, collection.get(DISTINCTIONS, pair_of(known, answer))]), None):
        expected, way_out = f"`{person}`, by a decision ({row['reason']})", taking_back(collection, row)
    found = f"the answer that `{player.listed_name}` is {f'`{answer}`' if answer else 'a new person'}"
    raise DocumentError(player.location, found, expected, way_out)


class Review:
    """Compares the new people of each file with everybody known, including people of accepted files.

    Attributes:
        accepted: the new people of accepted files.
    """

    def __init__(self, people: People, answers: Answers) -> None:
        self._people = people
        self._answers = answers
        self._known: KnownPeople | None = None
        self.accepted: list[Newcomer] = []

    def find_newcomers(
        self, players: Mapping[str, ListedPlayer], in_tables: Container[str], faults: Faults
    ) -> list[Newcomer]:
        """Compare the new people of a file with those known and with each other, and record the answers about them.

        Args:
            players: the new people, by id.
            in_tables: the ids of those whom only tables of tournaments list, no published ranking and no player's page.
            faults: gathers unanswered likely duplicates, unless the document itself distinguishes the two.

        Raises:
            UserError: when an answer is impossible.
        """
        if self._answers.people.keys() == {ALL}:
            return [Newcomer(listed_person(player_id, player), []) for player_id, player in players.items()]
        if players and self._known is None:
            self._known = KnownPeople(listed_people(self._people))
        of_file, found = KnownPeople(), list[Newcomer]()
        for player_id, player in players.items():
            person = listed_person(player_id, player)
            alike = [*(self._known or KnownPeople()).alike(person), *of_file.alike(person)]
            found.append(Newcomer(person, likely(self._people, person, alike)))
            of_file.add(person)
        for newcomer, (player_id, player) in zip(found, players.items(), strict=True):
            self._decide(newcomer, player, faults, is_in_tables=player_id in in_tables)
        return found

    def accept(self, newcomers: Iterable[Newcomer]) -> None:
        """Add people to those that later files are compared with."""
        for newcomer in newcomers:
            self.accepted.append(newcomer)
            # A name matched for its tournament alone belongs to nobody.
            if self._known and not any(row["tournament_id"] for row in newcomer.matches):
                self._known.add(newcomer.person)

    def _decide(self, newcomer: Newcomer, player: ListedPlayer, faults: Faults, *, is_in_tables: bool) -> None:
        """Record the answer about a new person, or ask who that is."""
        people, player_id = self._people, newcomer.person.player_id
        answer = self._answers.of(people, player_id, player)
        reason = f"said at the import of {shortened(player.location.path.name)}"
        if answer:
            check_match(people, player_id, answer)
            is_of_tournaments = is_in_tables and _is_ambiguous(newcomer, player)
            for tournament_id in sorted(people.lists[player_id]) if is_of_tournaments else [""]:
                newcomer.decisions.append((ALIASES, alias_of(player_id, tournament_id, answer, reason)))
                people.assign(player_id, tournament_id, people.person_of(answer))
        elif answer is not None:
            for other, _ in newcomer.likely:
                check_non_match(people, player_id, other.player_id)
                newcomer.decisions.append((DISTINCTIONS, distinction_of(player_id, other.player_id, reason)))
        elif ALL not in self._answers.people and not player.player_id:
            question_about(people, player_id, player, newcomer.likely, faults)


def listed_person(player_id: str, player: ListedPlayer) -> ListedPerson:
    """Return a listed player as a person with the evidence of one document."""
    nations = frozenset(filter(None, [player.nation_code]))
    return ListedPerson(player_id, player.first_name, player.last_name, nations, frozenset(player.source_ids))


def _is_ambiguous(newcomer: Newcomer, player: ListedPlayer) -> bool:
    """Return whether a new name may be several people's, so that an answer about it holds for its tournament only."""
    may_be_others = len(newcomer.likely) > 1 or FIRST_NAME in {how for _, how in newcomer.likely}
    return may_be_others and not player.source_ids and not player.player_id


def question_about(people: People, player_id: str, player: ListedPlayer, known: Likely, faults: Faults) -> str:
    """Add the fault of a new name that resembles known people's, with the answers that mend it; return the likeliest one's id."""
    # Another id of the same source says that they are two. With the same name, only another number among namesakes does, because one
    # person may have several ids. Another nation says nothing, because people move, but the same goes first.
    numbers = [number for number in player.source_ids if number.startswith("namesake:")]
    asked = [
        (other.player_id, f"`{other.player_id}` ({other.evidence}; {how})")
        for other, how in sorted(known, key=lambda found: player.nation_code not in found[0].nations)
        if not people.is_of_another(other.player_id, numbers if how == SAME_NAME else player.source_ids)
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
