"""The decisions on people in force, recorded by the tests beside the collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dippouch.seeds.schema import ALIASES, SOURCE_IDS

Rows = Mapping[str, Sequence[Mapping[str, str]]]


@dataclass
class Decisions:
    """Decisions that ids are one person or two; of several decisions on a pair the last applies.

    Attributes:
        pairs: whether two ids are one person, by pair.
        splits: the person of an id in one tournament, by both.
        owners: the owner of every id of a source, by (source, kind, id).
    """

    pairs: dict[frozenset[str], bool] = field(default_factory=dict)
    splits: dict[tuple[str, str], str] = field(default_factory=dict)
    owners: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def decide(self, command: str, arguments: Sequence[str]) -> None:
        """Record the decision on people that a command makes, if any."""
        if command in ("merge", "distinct"):
            self.pairs[frozenset(arguments[:2])] = command == "merge"
        elif command == "forget":
            self.pairs.pop(frozenset(arguments[:2]), None)
        elif command == "split":
            listed, tournament, person = arguments[:3]
            self.splits.pop((listed, tournament), None)
            if listed != person:
                self.splits[listed, tournament] = person

    def faults(self, rows: Rows) -> list[str]:
        """Return the differences between a collection and the decisions."""
        aliases = {(row["listed_player_id"], row["tournament_id"]): row["player_id"] for row in rows[ALIASES.name]}

        def behind(listed: str) -> str:
            """Follow the aliases of an id to the end of their chain."""
            return behind(aliases[listed, ""]) if (listed, "") in aliases else listed

        found = []
        for pair, are_one in self.pairs.items():
            people = {behind(listed) for listed in pair}
            if (len(people) == 1) != are_one:
                found.append(f"{sorted(pair)} were decided to be {'one' if are_one else 'two'}, and are not")
        for (listed, tournament), person in self.splits.items():
            # If the person was merged afterwards, the split follows.
            if (there := aliases.get((listed, tournament), "")) not in (person, behind(person)):
                found.append(f"{listed} in {tournament} was decided to be {person}, and is {there or listed}")
        return found

    def learn_owners(self, rows: Rows) -> list[str]:
        """Record the owners of sources' ids; return ids that were forgotten or changed owner."""
        stated = {(row["source"], row["kind"], row["source_id"]): row["our_id"] for row in rows[SOURCE_IDS.name]}
        found = [
            f"{'/'.join(key)} was {owner}, and is {stated.get(key, 'nobody')}"
            for key, owner in self.owners.items()
            if stated.get(key) != owner
        ]
        self.owners |= stated
        return found
