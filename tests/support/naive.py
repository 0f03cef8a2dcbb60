"""Answers recomputed the slow and obvious way: the whole history folded again, in fractions, for every day asked."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from pathlib import Path

from dippouch.rating.rules import RatingRules, counted_from, percentile_score, tournament_value, updated_rating
from dippouch.rating.systems import read_rating_systems
from support.seed_rows import Rows, write_collection

TOLERANCE = Fraction(1, 10**9)


@dataclass(frozen=True)
class Played:
    """One result of a player, with all that the rules ask for."""

    tournament_id: str
    started_on: date
    ended_on: date
    players: int
    rounds: int | None
    is_world_championship: bool
    placement: int


@dataclass(frozen=True)
class Standing:
    """A player's rating at the end of a day, and how many events counted by then."""

    rating: Fraction
    counted: int


class History:
    """The seeds of a collection, from which every answer is computed anew.

    Attributes:
        systems: the rules of each rating system, its moving window resolved.
        events: every event that declares its players, as its winner played it.
        careers: the events of each player, in the order of the rules.
        last_event_on: the last day of any tournament.
    """

    def __init__(self, rows: Rows, folder: Path) -> None:
        tournaments = {row["tournament_id"]: row for row in rows["raw_tournaments"]}
        championships = {r["kind"] for r in rows["ref_tournament_kinds"] if r["is_world_championship"] == "true"}
        self.last_event_on = max(date.fromisoformat(row["ended_on"]) for row in tournaments.values())
        self.systems: dict[str, RatingRules] = {
            system: replace(rules, first_counted_on=counted_from(rules, self.last_event_on))
            for system, rules in read_rating_systems(write_collection(folder, rows)).items()
        }
        # The winner's result of every event that declares its players.
        self.events = {
            tournament_id: Played(
                tournament_id,
                date.fromisoformat(row["started_on"]),
                date.fromisoformat(row["ended_on"]),
                int(row["players"]),
                int(row["rounds"]) if row["rounds"] else None,
                row.get("kind") in championships,
                1,
            )
            for tournament_id, row in tournaments.items()
            if row["players"]
        }
        self.careers: dict[str, list[Played]] = defaultdict(list)
        for row in rows["raw_results"]:
            event = self.events.get(row["tournament_id"])
            if event and row["placement"]:
                self.careers[row["player_id"]].append(replace(event, placement=int(row["placement"])))
        for career in self.careers.values():
            career.sort(key=lambda e: (e.ended_on, e.started_on, e.tournament_id))

    def steps(self, system: str, player_id: str) -> list[tuple[Fraction, Fraction]]:
        """Percentile score and value of every event of a player."""
        return [step_of(self.systems[system], event) for event in self.careers.get(player_id, [])]

    def standing(self, system: str, player_id: str, day: date = date.max, then: Played | None = None) -> Standing:
        """Where a player stood at the end of a day, or would with one more event after it."""
        events = [event for event in self.careers.get(player_id, []) if event.ended_on <= day]
        rating, counted = self.systems[system].initial_rating, 0
        for event in [*events, *([then] if then else [])]:
            percentile, value = step_of(self.systems[system], event)
            rating = updated_rating(rating, percentile, value)
            counted += value > 0
        return Standing(rating, counted)

    def ranking(self, system: str, day: date = date.max) -> dict[str, Fraction]:
        """The rating of everybody who was ranked at the end of a day."""
        standings = {player_id: self.standing(system, player_id, day) for player_id in self.careers}
        return {player_id: standing.rating for player_id, standing in standings.items() if standing.counted}

    def days(self) -> list[date]:
        """Every day on which a rated event ended."""
        return sorted({event.ended_on for career in self.careers.values() for event in career})

    def last_counted_on(self, system: str) -> date | None:
        """The last day of the last event that a system counts, whether anybody has a placement there or not."""
        counted = [event.ended_on for event in self.events.values() if step_of(self.systems[system], event)[1] > 0]
        return max(counted, default=None)


def step_of(rules: RatingRules, event: Played) -> tuple[Fraction, Fraction]:
    """Percentile score and value of one event."""
    value = tournament_value(
        rules,
        is_world_championship=event.is_world_championship,
        ended_on=event.ended_on,
        players=event.players,
        rounds=event.rounds,
    )
    return percentile_score(event.players, event.placement), value


def same(has: object, must: Fraction | None) -> bool:
    """Whether a published figure is the exact one, to a billionth."""
    if must is None or has is None:
        return has is None and must is None
    return isinstance(has, float | int) and abs(Fraction(has) - must) <= TOLERANCE


def is_rank(rank: object, rating: Fraction, ratings: list[Fraction]) -> bool:
    """Whether a rank is that of a rating among all, where those within a billionth may stand in either order."""
    best = 1 + sum(other > rating + TOLERANCE for other in ratings)
    worst = max(best, sum(other >= rating - TOLERANCE for other in ratings))
    return isinstance(rank, int) and best <= rank <= worst
