"""Would other rules predict better? Rules are searched on the earlier tournaments, and judged on the later ones.

Every figure comes from the published functions `skill_under` and `paired_difference`, which are made of the SQL that rates and examines the
published rules; nothing here knows a rule of the rating.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random
from typing import NamedTuple

import duckdb

from dippouch.db import reading
from dippouch.rating.rules import FIGURES
from dippouch.seeds.schema import SEEDS

# The confidence intervals are normal approximations, which fewer tournaments do not allow.
ENOUGH = 30

# What is done where nobody says otherwise: percent of the tournaments that the search sees, rules drawn at random, twice, and which.
EARLIER, TRIES, SEED = 60, 60, 1

# How far random rules are from the published ones, and later from the best, as a factor up or down.
_WIDEST = 8.0
_NEAR = 2.0
# From the best of them, one rule at a time is moved by these factors until nothing is gained any more.
_STEPS = (0.5, 0.7, 0.85, 0.93, 1.07, 1.2, 1.4, 2.0)
_ROUNDS = 3
# How far the rules that are as good reach: from the best, one rule at a time is moved on by this factor while they are as good.
_STRIDE = 1.5
_STRIDES = 8

# The rules of a candidate, in the order of FIGURES.
Rules = tuple[float, ...]


class Advantage(NamedTuple):
    """By how much one set of rules predicts better than another at the same tournaments, as a share of the pairs; None: too few."""

    tournaments: int
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Part:
    """The earlier or the later tournaments of a history.

    Attributes:
        tournaments: how many are predicted.
        first_day: on which the first of them ended; None: there is none.
        last_day: on which the last of them ended.
    """

    tournaments: int
    first_day: date | None
    last_day: date | None


@dataclass(frozen=True)
class Fitted:
    """The rules that predict the earlier tournaments best, and what they are worth on the later ones.

    Attributes:
        rules: the figures by name.
        ranges: for each, the least and the largest of those tried that the earlier tournaments cannot tell from the best.
        tried: how many sets of rules were tried.
        earlier: how much better than the published rules on what they were chosen by, which flatters them.
        later: the same on what they never saw.
        later_published: share of the pairs of the later tournaments that the published rules predict rightly.
        later_fitted: the share of the fitted rules.
    """

    rules: dict[str, float]
    ranges: dict[str, tuple[float, float]]
    tried: int
    earlier: Advantage
    later: Advantage
    later_published: float
    later_fitted: float


@dataclass(frozen=True)
class Answer:
    """What can be said on other rules.

    Attributes:
        verdict: `better`, `worse` or `not told apart`, of the fitted rules; `nothing can be said` of too few tournaments.
        published: the rules of the default rating system.
        earlier: what the search sees.
        later: what judges it.
        fitted: None when nothing can be said.
    """

    verdict: str
    published: dict[str, float]
    earlier: Part
    later: Part
    fitted: Fitted | None


def fit_rules(
    database: Path, *, share: float, tries: int, seed: int, on_try: Callable[[int, int], None] = lambda done, most: None
) -> Answer:
    """Search the rules that predict the earlier part of a history best, and judge them by the later part.

    Args:
        database: a published database.
        share: which share of the tournaments is the earlier part, between 0 and 1.
        tries: how many sets of rules are drawn at random, far from the published ones, and then near the best.
        seed: another number draws others.
        on_try: is told how many were tried, and how many may be at most.

    Raises:
        UserError: when the database cannot be read, or is of an older version.
    """
    with _skill(database) as skill:
        published = skill.published_rules()
        days = skill.days()
        cut = round(len(days) * share)
        parts = _part(days[:cut]), _part(days[cut:])
        named = dict(zip(FIGURES, published, strict=True))
        if min(part.tournaments for part in parts) < ENOUGH:
            return Answer("nothing can be said", named, *parts, None)
        search = _Search(skill, published, slice(None, cut), Random(seed), on_try)  # noqa: S311 (no secret)
        fitted = _judged(skill, search.run(tries), search, published, slice(cut, None))
    return Answer(_verdict(fitted.later), named, *parts, fitted)


def _part(days: list[date]) -> Part:
    return Part(len(days), min(days, default=None), max(days, default=None))


def _verdict(later: Advantage) -> str:
    if later.low is not None and later.low > 0:
        return "better"
    if later.high is not None and later.high < 0:
        return "worse"
    return "not told apart"


class _Skill:
    """How well rules predict the order of each tournament, asked of a database."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._known: dict[Rules, list[float]] = {}

    def published_rules(self) -> Rules:
        """The figures of the default rating system."""
        row = self._connection.execute(f"select {', '.join(FIGURES)} from marts.rating_systems where is_default")
        return tuple(row.fetchone() or ())

    def days(self) -> list[date]:
        """The last day of every tournament that is predicted, in order."""
        rows = self._connection.execute("select ended_on from marts.skill_under() order by ended_on, tournament_id")
        return [day for (day,) in rows.fetchall()]

    def concordances(self, rules: Rules) -> list[float]:
        """The share of rightly predicted pairs of every tournament, in the order of the days."""
        if rules not in self._known:
            named = ", ".join(f"{name} => ?" for name in FIGURES)
            rows = self._connection.execute(
                f"select concordance from marts.skill_under({named}) order by ended_on, tournament_id", list(rules)
            )
            self._known[rules] = [concordance for (concordance,) in rows.fetchall()]
        return self._known[rules]

    def advantage(self, rules: Rules, reference: Rules, part: slice) -> Advantage:
        """By how much some rules predict a part of the tournaments better than others."""
        row = self._connection.execute(
            "select compared, advantage, advantage_low, advantage_high from marts.paired_difference(?, ?)",
            [self.concordances(rules)[part], self.concordances(reference)[part]],
        ).fetchone()
        return Advantage(*(row or (0, None, None, None)))

    def mean(self, rules: Rules, part: slice) -> float:
        """The share of rightly predicted pairs, every tournament counting once."""
        concordances = self.concordances(rules)[part]
        return math.fsum(concordances) / len(concordances)


@contextmanager
def _skill(database: Path) -> Iterator[_Skill]:
    with reading(database) as connection:
        connection.execute("use published")
        yield _Skill(connection)


class _Search:
    """Tries rules on the earlier part of a history: at random first, then one rule after the other from the best."""

    def __init__(
        self, skill: _Skill, start: Rules, part: slice, random: Random, on_try: Callable[[int, int], None]
    ) -> None:
        self.part = part
        self.tried: dict[Rules, float] = {}
        self._skill = skill
        self._start = start
        self._random = random
        self._on_try = on_try
        self._most = 0
        self._bounds = _bounds()

    def run(self, tries: int) -> Rules:
        """The best rules found, of equally good ones those that were tried first."""
        self._most = 1 + 2 * tries + len(FIGURES) * (_ROUNDS * len(_STEPS) + 2 * _STRIDES)
        self._try(self._start)
        for _ in range(tries):
            self._try(self._at_random(self._start, _WIDEST))
        for _ in range(_ROUNDS):
            before = self.best
            self._move_each()
            if self.best == before:
                break
        # What is as good: several rules moved together, and one of them as far as it goes.
        best = self.best
        for _ in range(tries):
            self._try(self._at_random(best, _NEAR))
        self._walk(self.best)
        return self.best

    def as_good(self) -> list[Rules]:
        """Those tried that the tournaments cannot tell from the best."""
        return [rules for rules in self.tried if self._is_as_good(rules)]

    @property
    def best(self) -> Rules:
        """The rules that predict best so far."""
        return max(self.tried, key=lambda rules: self.tried[rules])

    def _at_random(self, rules: Rules, widest: float) -> Rules:
        factors = (widest ** self._random.uniform(-1, 1) for _ in FIGURES)
        return tuple(self._moved(place, factor, rules) for place, factor in enumerate(factors))

    def _move_each(self) -> None:
        for place in self._random.sample(range(len(FIGURES)), len(FIGURES)):
            best = self.best
            for step in _STEPS:
                self._try((*best[:place], self._moved(place, step, best), *best[place + 1 :]))

    def _walk(self, best: Rules) -> None:
        """Find out how far one rule can be moved from the best without a difference that shows."""
        for place in range(len(FIGURES)):
            for factor in (1 / _STRIDE, _STRIDE):
                rules = best
                for _ in range(_STRIDES):
                    rules = (*best[:place], self._moved(place, factor, rules), *best[place + 1 :])
                    self._try(rules)
                    if not self._is_as_good(rules):
                        break

    def _is_as_good(self, rules: Rules) -> bool:
        low = self._skill.advantage(self.best, rules, self.part).low
        return low is None or low <= 0

    def _moved(self, place: int, factor: float, rules: Rules) -> float:
        """A figure of some rules times a factor, as three digits say it; what is 0 moves from 1."""
        low, high = self._bounds[place]
        return min(max(float(f"{(rules[place] or 1) * factor:.3g}"), low), high)

    def _try(self, rules: Rules) -> None:
        if rules not in self.tried:
            self.tried[rules] = self._skill.mean(rules, self.part)
            self._on_try(len(self.tried), self._most)


def _bounds() -> list[tuple[float, float]]:
    """The least and the largest value of each figure that a rating system may have."""
    columns = SEEDS["ref_rating_systems"].columns
    return [(float(columns[name]["from"]), float(columns[name]["to"])) for name in FIGURES]


def _judged(skill: _Skill, best: Rules, search: _Search, published: Rules, later: slice) -> Fitted:
    return Fitted(
        rules=dict(zip(FIGURES, best, strict=True)),
        ranges=_ranges(search.as_good()),
        tried=len(search.tried),
        earlier=skill.advantage(best, published, search.part),
        later=skill.advantage(best, published, later),
        later_published=skill.mean(published, later),
        later_fitted=skill.mean(best, later),
    )


def _ranges(candidates: Iterable[Rules]) -> dict[str, tuple[float, float]]:
    columns = zip(*candidates, strict=True)
    return {name: (min(column), max(column)) for name, column in zip(FIGURES, columns, strict=True)}
