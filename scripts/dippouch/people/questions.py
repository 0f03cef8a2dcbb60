"""Compare new people in imported files with known ones, ask who they are, and apply the rating keeper's answers."""

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field

from dippouch.collection.schema import ALIASES, DISTINCTIONS, Seed, SeedRow
from dippouch.messages import DocumentError, Faults, UserError, shortened
from dippouch.names import readable_id_or_empty, tidy_text
from dippouch.people.decisions import check_match, check_pair, find_person, taking_back
from dippouch.people.index import ListedPerson, People, listed_people
from dippouch.people.likeness import FIRST_NAME, SAME_NAME, KnownPeople, Likely, likely
from dippouch.reading.documents import ListedPlayer

_SHOWN = 3
# Accepts every other new person.
ALL = "all"


class Answers:
    """The rating keeper's answers about new people, by the options `--same NAME=ID` and `--new NAME`.

    Attributes:
        people: the known person's id or name, or an empty text for a new person, by the id that the new name makes. The name `all`
            means all other new people.

    Raises:
        UserError: when an answer is empty, or two contradict each other.
    """

    def __init__(self, same: Iterable[str] = (), new: Iterable[str] = ()) -> None:
        self.people: dict[str, str] = {}
        # The names as given that no document has listed so far, by the same ids.
        self._unused: dict[str, str] = {}
        of_known = [(name, person) for name, _, person in (answer.partition("=") for answer in same)]
        for name, person in [*of_known, *((name, None) for name in new)]:
            name_id, known = readable_id_or_empty(name), (person or "").strip()
            if not name_id or (person is not None and not readable_id_or_empty(known)):
                raise UserError(
                    f"options --same and --new: found `{shortened(name)}`; expected NAME=ID of a known person, NAME of a new one"
                )
            if self.people.setdefault(name_id, known) != known:
                raise UserError(f"options --same and --new: found two answers about `{shortened(name)}`; expected one")
            self._unused[name_id] = shortened(name)
        self._unused.pop(ALL, None)

    def of(self, people: People, player_id: str, player: ListedPlayer) -> str | None:
        """Return the answer about a listed person: the id of a known person, an empty text for a new one, None without an answer.

        Raises:
            UserError: when the answer is nobody's id or name, or several people's name.
        """
        if not self.people:
            return None
        names = {player_id, readable_id_or_empty(player.name), readable_id_or_empty(player.listed_name)}
        answers = {name: self.people[name] for name in sorted(names & self.people.keys())}
        for name in answers:
            self._unused.pop(name, None)
        answer = next(iter(answers.values()), None)
        try:
            return find_person(people, answer) if answer else answer
        except UserError as error:
            # A list of people needs no other advice.
            further = "" if "\n" in str(error) else ". Of two new names, answer about the later one"
            raise UserError(f"{error}{further}") from None

    def check_used(self) -> None:
        """Check that a document lists the name in every answer.

        Raises:
            UserError: otherwise.
        """
        if self._unused:
            name = self._unused[min(self._unused)]
            raise UserError(f"options --same and --new: found `{name}`; expected a listed name")


@dataclass
class Newcomer:
    """A new person.

    Attributes:
        person: the new person, as the document lists them.
        likely: the people who may be the same person, without a decision, and why; the likeliest first.
        decisions: the decisions on them by an answer: seeds and rows.
    """

    person: ListedPerson
    likely: Likely = field(default_factory=list)
    decisions: list[tuple[Seed, SeedRow]] = field(default_factory=list)

    @property
    def matches(self) -> list[SeedRow]:
        """Return the decisions that the new person is a known one."""
        return [row for seed, row in self.decisions if seed is ALIASES]


def check_repeated(people: People, tournament_id: str, player: ListedPlayer, known: str, answer: str) -> None:
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
    if row := next(filter(None, [*matches, collection.get(DISTINCTIONS, sorted((known, answer)))]), None):
        expected, way_out = f"`{person}`, by a decision ({row['reason']})", taking_back(collection, row)
    found = f"the answer that `{player.listed_name}` is {f'`{answer}`' if answer else 'a new person'}"
    raise DocumentError(player.location, found, expected, way_out)


class Review:
    """Compares the new people of each file with everybody known, including people of accepted files."""

    def __init__(self, people: People, answers: Answers) -> None:
        self._people = people
        self._answers = answers
        self._known: KnownPeople | None = None

    def find_newcomers(self, players: dict[str, ListedPlayer], faults: Faults, *, in_tables: bool) -> list[Newcomer]:
        """Compare the new people of a file with those known and with each other, and record the answers about them.

        Args:
            players: the new people, by id.
            faults: gathers unanswered likely duplicates, unless the document itself distinguishes the two.
            in_tables: whether tables of tournaments list them, no published ranking and no player's page.

        Raises:
            UserError: when an answer is impossible.
        """
        found = list[Newcomer]()
        for player_id, player in players.items():
            nations, ids = frozenset(filter(None, [player.nation_code])), frozenset(player.source_ids)
            found.append(Newcomer(ListedPerson(player_id, player.first_name, player.last_name, nations, ids)))
        if not found or self._answers.people.keys() == {ALL}:
            return found
        self._known = self._known or KnownPeople(listed_people(self._people))
        of_file = KnownPeople()
        for newcomer in found:
            alike = [*self._known.alike(newcomer.person), *of_file.alike(newcomer.person)]
            newcomer.likely.extend(likely(self._people, newcomer.person, alike))
            of_file.add(newcomer.person)
        for newcomer, player in zip(found, players.values(), strict=True):
            self._decide(newcomer, player, faults, is_in_table=in_tables)
        return found

    def accept(self, newcomers: Iterable[Newcomer]) -> None:
        """Add people to those that later files are compared with."""
        for newcomer in newcomers:
            # A name matched for its tournament alone belongs to nobody.
            if self._known and not any(row["tournament_id"] for row in newcomer.matches):
                self._known.add(newcomer.person)

    def _decide(self, newcomer: Newcomer, player: ListedPlayer, faults: Faults, *, is_in_table: bool) -> None:
        """Record the answer about a new person, or ask who it is."""
        people, player_id = self._people, newcomer.person.player_id
        answer = self._answers.of(people, player_id, player)
        reason = f"said at the import of {shortened(player.location.path.name)}"
        if answer:
            check_match(people, player_id, answer)
            # An answer about a name that may be several people's holds for its tournament only.
            is_ambiguous = len(newcomer.likely) > 1 or FIRST_NAME in {how for _, how in newcomer.likely}
            is_of_tournaments = is_in_table and is_ambiguous and not (player.source_ids or player.player_id)
            for tournament_id in sorted({where for where, _ in people.lists[player_id]}) if is_of_tournaments else [""]:
                newcomer.decisions.append((ALIASES, ALIASES.row(player_id, tournament_id, answer, reason)))
                people.assign(player_id, tournament_id, people.person_of(answer))
        elif answer is not None:
            for other, _ in newcomer.likely:
                check_pair(people, player_id, other.player_id)
                pair = sorted((player_id, other.player_id))
                newcomer.decisions.append((DISTINCTIONS, DISTINCTIONS.row(*pair, reason)))
        elif ALL not in self._answers.people and not player.player_id:
            _ask(people, player_id, player, newcomer.likely, faults)


def _ask(people: People, player_id: str, player: ListedPlayer, known: Likely, faults: Faults) -> None:
    """Add the fault of a new name that resembles known people's, with the answers that mend it."""
    # Another id of the same source says that they are two. With the same name, only another number among namesakes does, because one
    # person may have several ids. Another nation says nothing, because people move, but the same goes first.
    numbers = [number for number in player.source_ids if number.startswith("namesake:")]
    asked = [
        (other.player_id, f"`{other.player_id}` ({other.evidence}; {how})")
        for other, how in sorted(known, key=lambda found: player.nation_code not in found[0].nations)
        if not people.is_of_another(other.player_id, numbers if how == SAME_NAME else player.source_ids)
    ]
    if not asked:
        return
    name = tidy_text(player.listed_name)
    # The id of a further namesake, because the name is that of the first one, too.
    answered = name if player_id == readable_id_or_empty(player.name) else player_id
    same_as = shlex.quote(f"{answered}={asked[0][0]}")
    found = f"the new name `{name}`, which is like that of {' or '.join(text for _, text in asked[:_SHOWN])}"
    way_out = f"The same person: --same {same_as}; another person: --new {shlex.quote(answered)}"
    faults.add(DocumentError(player.location, found, "the name of a known person, or a decision", way_out))
