"""The decisions on people that must hold, whatever comes after them: a model beside the collection, kept by the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dippouch.seeds.schema import ALIASES, SOURCE_IDS

Rows = Mapping[str, Sequence[Mapping[str, str]]]


@dataclass
class Decisions:
    """Who was decided to be one person, or two; of several decisions on one pair the last holds.

    Attributes:
        pairs: whether two ids are one person, by the pair.
        splits: who an id is in one tournament, by both.
        owners: whose every id of a source is, by (source, kind, id).
    """

    pairs: dict[frozenset[str], bool] = field(default_factory=dict)
    splits: dict[tuple[str, str], str] = field(default_factory=dict)
    owners: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def decide(self, arguments: Sequence[str]) -> None:
        """Take over what a command line of review_players decides."""
        for option, are_one in (("--same", True), ("--different", False)):
            if option in arguments:
                self.pairs[_pair(arguments, option)] = are_one
        if "--forget" in arguments:
            self.pairs.pop(_pair(arguments, "--forget"), None)
        if "--split" in arguments:
            at = arguments.index("--split") + 1
            listed, tournament, person = arguments[at : at + 3]
            if listed == person:
                self.splits.pop((listed, tournament), None)
            else:
                self.splits[listed, tournament] = person

    def faults(self, rows: Rows) -> list[str]:
        """What stands otherwise in a collection than it was decided."""
        aliases = {(row["listed_player_id"], row["tournament_id"]): row["player_id"] for row in rows[ALIASES.name]}
        found = []
        for pair, are_one in self.pairs.items():
            people = {aliases.get((listed, ""), listed) for listed in pair}
            if (len(people) == 1) != are_one:
                found.append(
                    f"{' and '.join(sorted(pair))} were decided to be {'one' if are_one else 'two'}, and are not"
                )
        for (listed, tournament), person in self.splits.items():
            # Whoever was merged into somebody else afterwards takes the split along.
            if (there := aliases.get((listed, tournament), "")) not in (person, aliases.get((person, ""), person)):
                found.append(f"{listed} in {tournament} was decided to be {person}, and is {there or listed}")
        return found

    def learn_owners(self, rows: Rows) -> list[str]:
        """Take over whose the ids of sources are; gives those that were forgotten or changed their owner."""
        stated = {(row["source"], row["kind"], row["source_id"]): row["our_id"] for row in rows[SOURCE_IDS.name]}
        found = [
            f"the {kind} {source}:{number} was {owner}, and is {stated.get((source, kind, number), 'nobody')}"
            for (source, kind, number), owner in self.owners.items()
            if stated.get((source, kind, number)) != owner
        ]
        self.owners |= stated
        return found


def _pair(arguments: Sequence[str], option: str) -> frozenset[str]:
    at = arguments.index(option) + 1
    return frozenset(arguments[at : at + 2])
