"""New people in imported files: known people with similar names, and the rating keeper's answers about them."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from dippouch.documents import ListedPlayer
from dippouch.errors import DocumentError, Faults, UserError
from dippouch.given_names import is_given_name
from dippouch.ids import readable_id_or_empty
from dippouch.matching.candidates import KnownPeople, LikelyDuplicate, Undecided, likeliest_first, likely_duplicate
from dippouch.matching.decisions import match, pair_of, record_non_match
from dippouch.matching.likeness import SWAPPED
from dippouch.matching.listings import are_listed_together, ids_listed_as, is_player_id
from dippouch.matching.people import ListedPerson, listed_people
from dippouch.matching.players import differs
from dippouch.names import shortened
from dippouch.seeds.not_people import LIKELY_TEAM, NotPeople
from dippouch.seeds.persons import person_behind
from dippouch.seeds.schema import ALIASES, DISTINCTIONS, Row, Seed
from dippouch.seeds.store import Collection
from dippouch.suggestions import likely, suggested_command

# Nobody answers for more new people of one file, or reads more nearest names. `dptr duplicates` lists likely duplicates afterwards.
_MOST = 1_000
# The value of `--new` that accepts all new people.
_EVERYBODY = "all"
_SHOWN = 3
# Minimum percentage of common letters with a nation's name: `Englnd` has 92; `INDEX` and Inde have only 89. Before a letter or number,
# as in `Engalnd A`, a slip is likelier.
_LIKE_NATION, _LIKE_NATION_BEFORE_LETTER = 90, 85
_LETTER_OF_TEAM = re.compile(r"[ .(#-]+([A-Za-z]|[IVX]{1,4}|[0-9]+)[.)]*$")
# Shorter names of nations are codes and first names, too: Ken, Guy, Per.
_SHORTEST_NATION, _MOST_WORDS_OF_NATION = 4, 3
_CODES_BESIDE_WORDS = frozenset({"GB", "UK", "USA"})
# Nations whose names people have, too; the package of given names lacks them.
_AS_FIRST_NAMES = frozenset({"chad", "cuba", "holland", "ireland", "israel", "jordan", "kenya", "malta"})
_AS_LAST_NAMES = _AS_FIRST_NAMES.union("england france galles germany norway poland scotland spain wales".split())


@dataclass(frozen=True)
class Newcomer:
    """A new person.

    Attributes:
        person: the new person, as the document lists them.
        nearest: the likeliest known person, or else the one whose name has the most letters in common; None if nobody was known, and
            after the first people of a large run.
        likely: the known people who may be the same person, without a decision, the likeliest first.
        decisions: the recorded decisions on them: seeds, keys and rows.
    """

    person: ListedPerson
    nearest: ListedPerson | None
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
        is_complete: whether the new people of every file were compared; false if there were too many.
    """

    def __init__(
        self,
        collection: Collection,
        answers: Answers,
        nations: Iterable[str],
        codes: Iterable[str],
        not_people: NotPeople,
    ) -> None:
        self._collection = collection
        self._answers = answers
        self._not_people = not_people
        self._nations = [name.title() for name in nations]
        self._codes = {*codes, *(name for name in nations if len(name) < _SHORTEST_NATION)}
        self._plain_nations = {_plain(name) for name in self._nations if len(name) >= _SHORTEST_NATION}
        self._undecided = Undecided(collection)
        self._known: KnownPeople | None = None
        self._numbered: set[str] = set()
        self.accepted: list[Newcomer] = []
        self.is_complete = True

    def newcomers(
        self, players: Mapping[str, ListedPlayer], tournaments: Iterable[str], faults: Faults, *, among_them: bool
    ) -> list[Newcomer]:
        """Compare the new people of a file, and record the answers about them.

        Args:
            players: the new people, by id. Their rows are in the collection.
            tournaments: the new tournaments of the file, which are no evidence about anybody.
            faults: gathers unanswered likely duplicates, unless the document itself distinguishes the two.
            among_them: whether to compare the new people with each other, too.

        Returns:
            The new people; none if they are too many to compare.

        Raises:
            UserError: when an answer is impossible.
        """
        if len(players) > _MOST:
            self._known, self.is_complete = None, False
            return []
        if players and self._known is None:
            self._known = KnownPeople(
                person
                for person in listed_people(self._collection, without=tournaments)
                if person.player_id not in players
            )
        of_file = KnownPeople()
        parts = [_LETTER_OF_TEAM.split(player.listed_name)[:2] for player in players.values()]
        stems = Counter(part[0] for part in parts if len(part) > 1)
        self._numbered = {stem for stem, times in stems.items() if times > 1 and not self._is_first_name(stem)}
        found = []
        for player_id, player in players.items():
            found.append(self._newcomer((self._known or KnownPeople(), of_file), player_id, player, faults))
            if among_them:
                of_file.add(found[-1].person)
        return found

    def accept(self, newcomers: list[Newcomer]) -> None:
        """Add people to those that later files are compared with."""
        self.accepted += newcomers
        if self._known:
            for newcomer in newcomers:
                self._known.add(newcomer.person)

    def _newcomer(
        self, known: tuple[KnownPeople, KnownPeople], player_id: str, player: ListedPlayer, faults: Faults
    ) -> Newcomer:
        before, of_file = known
        person = listed_person(player_id, player)
        # A name that a decision assigned to a person suggests that person.
        behind = self._undecided.behind
        people: dict[str, tuple[ListedPerson, str]] = {}
        for other, how in sorted(
            (*before.alike(person), *of_file.alike(person)),
            key=lambda pair: (pair[0].player_id in behind, pair[0].player_id),
        ):
            if self._undecided(player_id, other.player_id):
                theirs = behind.get(other.player_id, other.player_id)
                people.setdefault(theirs, (before.of_id(theirs) or replace(other, player_id=theirs), how))
        alike = dict(people.values())
        duplicates = likeliest_first(likely_duplicate(person, other, how) for other, how in alike.items())
        others = [pair.one if pair.other is person else pair.other for pair in duplicates]
        # Each search reads the names of all known people.
        is_one_of_many = len(self.accepted) >= _MOST
        nearest = next(iter(others), None) or (None if is_one_of_many else before.nearest(person.name))
        newcomer = Newcomer(person, nearest, duplicates)
        same, is_new = self._answers.of(player_id, player)
        reason = f"said at the import of {shortened(player.location.path.name)}"
        if same:
            self._record_match(newcomer, player, same, reason, faults)
        elif is_new:
            for other in others:
                record_non_match(self._collection, player_id, other.player_id, reason)
                newcomer.record(self._collection, DISTINCTIONS, pair_of(player_id, other.player_id))
        elif not self._answers.asks:
            pass  # No decision: `dptr duplicates` lists them.
        elif asked := [other for other in others if not self._is_told_apart(player, other)]:
            found = " or ".join(f"`{other.player_id}` ({other.evidence}; {alike[other]})" for other in asked[:_SHOWN])
            faults.add(question(player, found, asked[0].player_id, is_swapped=alike[asked[0]] == SWAPPED))
        elif code := self._code_behind(player):
            faults.add(
                DocumentError(
                    player.location,
                    f"the new name `{player.listed_name}`, which ends with the nation `{code}`",
                    "a person's first and last name",
                    f"Write the nation in a column of its own (in a list: `({code})`); part of the name:"
                    f" --new {shlex.quote(player.listed_name)}",
                )
            )
        elif meant := self._team_like(player):
            faults.add(
                DocumentError(
                    player.location,
                    f"the new name `{player.listed_name}`, which is like that of {meant}",
                    "a person's first and last name",
                    f"Delete the row of a team; a person: --new {shlex.quote(player.listed_name)}",
                )
            )
        return newcomer

    def _code_behind(self, player: ListedPlayer) -> str:
        """Return the code of a nation behind a first and a last name; empty if there is none.

        Codes of two letters (`LI`, `MA`) are last names, too, unless a comma separates them.
        """
        *others, last = player.listed_name.split() or [""]
        is_code = not player.player_id and last in self._codes and len(others) > 1
        return last if is_code and (len(last) > 2 or others[-1].endswith(",")) else ""

    def _team_like(self, player: ListedPlayer) -> str:
        """Return the team that a new name may be; empty for a likely person.

        Such a name is a nation with a slip or beside another word, ends with a word for a team (`Knights`), or differs from another name
        of the file only by a letter or number at its end (`Paris I`, `Paris II`).
        """
        if player.player_id:
            return ""
        name = player.listed_name
        stem = _LETTER_OF_TEAM.sub("", name)
        found: list[str] = []
        if not player.first_name or stem != name:
            alike = _LIKE_NATION if stem == name else _LIKE_NATION_BEFORE_LETTER
            found = likely(stem, self._nations, alike=alike)
        if _plain(stem) in {*self._plain_nations, *map(_plain, found)}:
            # The name of a nation itself breaks a rule of rows.
            return ""
        if nations := found or self._nation_beside(name):
            return "the nation " + " or ".join(f"`{nation}`" for nation in nations)
        first, _, others = name.partition(" ")
        is_named_so = self._not_people.meaning_of(others.rpartition(" ")[2]) == LIKELY_TEAM and "," not in name
        return "a team" if stem in self._numbered or (is_named_so and not self._is_first_name(first)) else ""

    def _nation_beside(self, name: str) -> list[str]:
        """Return the nation with which a name of several words begins or ends, unless its first word is a known first name."""
        words = name.split()
        if len(words) < 2 or self._is_first_name(words[0]) or "," in name:
            return []
        if words[0] in _CODES_BESIDE_WORDS and not name.isupper():
            return words[:1]
        parts = [
            part
            for count in range(min(_MOST_WORDS_OF_NATION, len(words) - 1), 0, -1)
            for part in (" ".join(words[:count]), " ".join(words[-count:]))
            if _plain(part) in self._plain_nations
        ]
        return [part for part in parts if name.startswith(part) or _plain(part) not in _AS_LAST_NAMES][:1]

    def _is_first_name(self, word: str) -> bool:
        made = readable_id_or_empty(word)
        known = self._known is not None and made in self._known.first_names
        return known or made in _AS_FIRST_NAMES or is_given_name(made)

    def _record_match(self, newcomer: Newcomer, player: ListedPlayer, same: str, reason: str, faults: Faults) -> None:
        player_id = newcomer.person.player_id
        behind = person_behind(self._collection, same, "")
        theirs = self._collection.query(
            f"select $id union select listed_player_id from {ALIASES.name} where player_id = $id and tournament_id = ''",
            {"id": behind},
        )
        if any(are_listed_together(self._collection, player_id, listed_id) for (listed_id,) in theirs):
            found = f"`{player.listed_name}` beside `{same}`, who is said to be the same person"
            faults.add(DocumentError(player.location, found, "every person once", "Delete one row. Two people: --new."))
            return
        match(self._collection, player_id, same, reason)
        newcomer.record(self._collection, ALIASES, (player_id, ""))

    def _is_told_apart(self, player: ListedPlayer, other: ListedPerson) -> bool:
        """Return whether the document itself says that somebody is another person: by its own id, a source's id or a nation."""
        return bool(player.player_id) or differs(self._collection, player, other.player_id, other.nations)


def refuse_unused(collection: Collection, answers: Answers, new_people: set[str] | None, *, whole: bool) -> None:
    """Refuse answers about people who are unknown after an import, known as others, or known before and said to be new.

    Args:
        collection: the collection with the changes of the import.
        answers: the answers of the rating keeper.
        new_people: the ids of the new people; None if no document changed, as in a second import of the same file.
        whole: whether no file was rejected; otherwise an answer may be about a rejected one.

    Raises:
        UserError: when there is such an answer.
    """
    for name in sorted({*answers.same, *answers.new} - {_EVERYBODY}):
        same = answers.same.get(name)
        option = f"option --{'same' if same else 'new'}: found `{name}`"
        found = [name] if is_player_id(collection, name) else ids_listed_as(collection, name)
        if not found:
            if not whole:
                continue
            raise UserError(f"{option}, which no imported document lists; expected a name as a document lists it")
        behind = {one: person_behind(collection, one, "") for one in (*found, *ids_listed_as(collection, name))}
        if not same and all(one != person for one, person in behind.items()):
            one, person = next(iter(behind.items()))
            command = suggested_command(
                "distinct", one, person, "--take-back", "--reason", "...", seeds=collection.folder
            )
            raise UserError(
                f"{option}, who is `{person}` by a decision; expected a new person. {command} takes it back"
            )
        is_known = new_people is not None and new_people.isdisjoint(found) and not _are_distinguished(collection, found)
        if whole and is_known and not same:
            raise UserError(
                f"{option}, who was known before; expected a new person. Omit the option; if the row is of another person,"
                f" import it, then use `dptr split`"
            )
        if same and person_behind(collection, same, "") not in {behind[one] for one in found}:
            command = suggested_command("merge", found[0], same, "--reason", "...", seeds=collection.folder)
            raise UserError(f"{option}, who was known before; expected a new person. {command} matches the two")


def _are_distinguished(collection: Collection, people: list[str]) -> bool:
    """Return whether a decision, such as an earlier answer, says that one of these people is another than somebody else."""
    sql = f"select 1 from {DISTINCTIONS.name}, json_each(?) where value in (player_id, other_player_id)"
    return any(collection.query(sql, [json.dumps(people)]))


def question(player: ListedPlayer, known: str, likeliest: str, *, is_swapped: bool = False) -> DocumentError:
    """Return the fault of a new name that resembles known people's, with the answers that mend it."""
    same_as = shlex.quote(f"{player.listed_name}={likeliest}")
    # Other names of such a sheet, which nobody knows, would be swapped in silence.
    order = "; whole names with the last name first in all rows: the heading `Last, First`" if is_swapped else ""
    return DocumentError(
        player.location,
        f"the new name `{player.listed_name}`, which is like that of {known}",
        "the name of a known person, or a decision",
        f"The same person: --same {same_as}; another person: --new {shlex.quote(player.listed_name)}{order}",
    )


def _plain(name: str) -> str:
    return readable_id_or_empty(name).replace("-", "")


def listed_person(player_id: str, player: ListedPlayer) -> ListedPerson:
    """Return a listed player as a person with the evidence of one document."""
    first, last = readable_id_or_empty(player.first_name), readable_id_or_empty(player.last_name)
    nations = frozenset(filter(None, [player.nation_code]))
    return ListedPerson(player_id, player.name, first, last, nations, frozenset(player.source_ids), 1, "")
