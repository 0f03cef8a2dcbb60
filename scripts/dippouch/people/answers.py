"""The rating keeper's answers about new people in imported files: `--same NAME=ID` and `--new NAME`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dippouch.errors import UserError
from dippouch.ids import readable_id_or_empty
from dippouch.names import shortened
from dippouch.people.find import find_person
from dippouch.people.index import People
from dippouch.reading.documents import ListedPlayer

# Accepts every other new person.
ALL = "all"


@dataclass(frozen=True)
class Answers:
    """The rating keeper's answers about new people.

    Attributes:
        people: the known person's id or name, or an empty text for a new person, by the id that the new name makes. The name `all`
            means all other new people.
        names: the names as given, by these ids.
        used: the names of answers that documents list.
    """

    people: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    used: set[str] = field(default_factory=set, compare=False)

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

    def of(self, people: People, player_id: str, player: ListedPlayer) -> str | None:
        """Return the id of the known person that somebody is said to be, an empty text for a new person, or None without an answer.

        Raises:
            UserError: when the answer is nobody's id or name, or several people's name.
        """
        if not self.people:
            return None
        names = {player_id, readable_id_or_empty(player.name), readable_id_or_empty(player.listed_name)}
        names &= self.people.keys()
        self.used.update(names)
        answer = next((self.people[name] for name in sorted(names)), None)
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
        if unused := self.people.keys() - self.used - {ALL}:
            raise UserError(f"options --same and --new: found `{self.names[min(unused)]}`; expected a listed name")
