"""Test whether other rules would predict better: search on the earlier tournaments, judge on the later ones.

Every figure comes from the published functions `skill_under` and `paired_difference`, which use the SQL that rates and examines the
published rules; this module knows no rule of the rating.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import duckdb
from rich.markup import escape

from dippouch.console import out, plain_table
from dippouch.db import reading
from dippouch.printable import counted
from dippouch.rating.rules import FIGURES
from dippouch.seeds.files import write_csv
from dippouch.seeds.folder import check_is_collection, locked, write_files
from dippouch.seeds.schema import FITTED_RULES, SEEDS

# The number of tournaments that `marts.paired_difference` needs for a verdict.
ENOUGH = 30

# Defaults: percentage of earlier tournaments, number of random rules in each of the two draws, and the seed of the draws.
EARLIER, TRIES, SEED = 60, 60, 1

# Maximum distance of random rules from the published ones, and later from the best, as a factor up or down.
_WIDEST = 8.0
_NEAR = 2.0
# Factors for the parameters, moved one at a time from the best rules until a round finds no improvement.
_STEPS = (0.5, 0.7, 0.85, 0.93, 1.07, 1.2, 1.4, 2.0)
_ROUNDS = 3
# Factor by which a single parameter moves away from the best rules while the result stays as good, to find the range of good rules.
_STRIDE = 1.5
_STRIDES = 8

_VERDICTS = {
    "better": "These rules predict the later {tournaments} better than the published ones.",
    "worse": "The rules found predict the later {tournaments} worse: keep the published rules.",
    "not told apart": "The later {tournaments} cannot tell them from the published rules: the search found no better rules.",
}

# A candidate's rules, in the order of FIGURES.
Rules = tuple[float, ...]


@dataclass(frozen=True)
class Advantage:
    """Difference between two sets of rules in the share of rightly predicted pairs, at the same tournaments; None if they are too few."""

    tournaments: int
    mean: float | None
    low: float | None
    high: float | None
    verdict: str


@dataclass(frozen=True)
class Part:
    """The earlier or later tournaments of a history, with the end dates of the first and the last."""

    tournaments: int
    first_day: date | None
    last_day: date | None


@dataclass(frozen=True)
class Fitted:
    """The rules that predict the earlier tournaments best, and their result on the later ones.

    Attributes:
        rules: the parameters by name.
        ranges: for each parameter, the minimum and maximum among tried rules that predict the earlier tournaments as well as the best.
        tried: the number of sets of rules that were tried.
        earlier: the advantage over the published rules on the earlier tournaments; it is biased in favour of the fitted rules.
        later: the advantage on the later tournaments, which the search did not see.
        later_published: share of the pairs of the later tournaments that the published rules predict rightly.
        later_fitted: the same for the fitted rules.
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
    """The answer on other rules.

    Attributes:
        verdict: of the fitted rules: `better`, `worse` or `not told apart`; `nothing can be said` for too few tournaments.
        published: the rules of the default rating system.
        earlier: the tournaments of the search.
        later: the tournaments that judge its result.
        fitted: None for too few tournaments.
    """

    verdict: str
    published: dict[str, float]
    earlier: Part
    later: Part
    fitted: Fitted | None


def fit_rules(
    database: Path, *, share: float, tries: int, seed: int, on_try: Callable[[int, int], None] = lambda done, most: None
) -> Answer:
    """Find the rules that predict the earlier part of a history best, and judge them by the later part.

    Args:
        database: a published database.
        share: the share of the earlier part, between 0 and 1.
        tries: the number of random sets of rules to draw around the published ones, and again near the best.
        seed: the seed of the draws.
        on_try: called with the number of sets tried so far, and its maximum.

    Raises:
        UserError: when the database cannot be read, or an older version published it.
    """
    with reading(database) as connection:
        connection.execute("use published")
        of_default = f"select {', '.join(FIGURES)} from marts.rating_systems where is_default"
        published: Rules = connection.execute(of_default).fetchone() or ()
        rows = connection.execute("select ended_on from marts.skill_under() order by ended_on, tournament_id")
        days = [day for (day,) in rows.fetchall()]
        # Tournaments of one day are all in the same part.
        cut = bisect_right(days, days[max(0, round(len(days) * share) - 1)]) if days else 0
        parts = _part(days[:cut]), _part(days[cut:])
        named = dict(zip(FIGURES, published, strict=True))
        if min(part.tournaments for part in parts) < ENOUGH:
            return Answer("nothing can be said", named, *parts, None)
        search = _Search(connection, published, slice(cut), on_try)
        search.run(tries, Random(seed))  # noqa: S311 (not for security)
        later = slice(cut, None)
        best = search.best
        as_good = zip(*filter(search.is_as_good, search.tried), strict=True)
        fitted = Fitted(
            rules=dict(zip(FIGURES, best, strict=True)),
            ranges={name: (min(figures), max(figures)) for name, figures in zip(FIGURES, as_good, strict=True)},
            tried=len(search.tried),
            earlier=search.advantage(best, published, search.earlier),
            later=search.advantage(best, published, later),
            later_published=search.mean(published, later),
            later_fitted=search.mean(best, later),
        )
    return Answer(fitted.later.verdict, named, *parts, fitted)


def _part(days: list[date]) -> Part:
    return Part(len(days), min(days, default=None), max(days, default=None))


class _Search:
    """Tries rules on the earlier part of a history: random ones first, then changes of single parameters of the best.

    Attributes:
        tried: for each set of rules, the share of rightly predicted pairs of every tournament, by date.
        best: the rules that predict the earlier part best so far; on a tie, those tried first.
        earlier: the slice of the earlier tournaments.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, start: Rules, earlier: slice, on_try: Callable[[int, int], None]
    ) -> None:
        self.tried: dict[Rules, list[float]] = {}
        self.best = start
        self.earlier = earlier
        self._connection = connection
        self._on_try = on_try
        self._most = 0
        columns = SEEDS["ref_rating_systems"].columns
        self._bounds = [(float(columns[name]["from"]), float(columns[name]["to"])) for name in FIGURES]

    def run(self, tries: int, random: Random) -> None:
        """Try rules until there is no better set nearby."""
        self._most = 1 + 2 * tries + len(FIGURES) * (_ROUNDS * len(_STEPS) + 2 * _STRIDES)
        start = self.best
        self._try(start)
        for _ in range(tries):
            self._try(self._drawn(start, _WIDEST, random))
        for _ in range(_ROUNDS):
            before = self.best
            for place in random.sample(range(len(FIGURES)), len(FIGURES)):
                best = self.best
                for step in _STEPS:
                    self._try(self._moved(best, {place: step}))
            if self.best == before:
                break
        # Find the range of rules that are as good: first move several parameters together, then each alone as far as possible.
        best = self.best
        for _ in range(tries):
            self._try(self._drawn(best, _NEAR, random))
        best = self.best
        for place, factor in product(range(len(FIGURES)), (1 / _STRIDE, _STRIDE)):
            rules = best
            for _ in range(_STRIDES):
                rules = self._moved(rules, {place: factor})
                self._try(rules)
                if not self.is_as_good(rules):
                    break

    def is_as_good(self, rules: Rules) -> bool:
        """Return whether the earlier part cannot tell the rules from the best."""
        low = self.advantage(self.best, rules, self.earlier).low
        return low is None or low <= 0

    def mean(self, rules: Rules, part: slice) -> float:
        """Return the share of rightly predicted pairs; every tournament has the same weight."""
        concordances = self.tried[rules][part]
        return math.fsum(concordances) / len(concordances)

    def advantage(self, rules: Rules, reference: Rules, part: slice) -> Advantage:
        """Return the advantage of some rules over others on a part of the tournaments."""
        row = self._connection.execute(
            "select compared, advantage, advantage_low, advantage_high, verdict from marts.paired_difference(?, ?)",
            [self.tried[rules][part], self.tried[reference][part]],
        ).fetchone()
        return Advantage(*(row or (0, None, None, None, "too few")))

    def _drawn(self, rules: Rules, widest: float, random: Random) -> Rules:
        return self._moved(rules, {place: widest ** random.uniform(-1, 1) for place in range(len(FIGURES))})

    def _moved(self, rules: Rules, factors: dict[int, float]) -> Rules:
        """Multiply some parameters by factors, rounded to three digits and limited to their bounds; 0 counts as 1."""
        moved = list(rules)
        for place, factor in factors.items():
            low, high = self._bounds[place]
            moved[place] = min(max(float(f"{(moved[place] or 1) * factor:.3g}"), low), high)
        return tuple(moved)

    def _try(self, rules: Rules) -> None:
        if rules in self.tried:
            return
        named = ", ".join(f"{name} => ?" for name in FIGURES)
        rows = self._connection.execute(
            f"select concordance from marts.skill_under({named}) order by ended_on, tournament_id", list(rules)
        )
        self.tried[rules] = [concordance for (concordance,) in rows.fetchall()]
        if self.mean(rules, self.earlier) > self.mean(self.best, self.earlier):
            self.best = rules
        self._on_try(len(self.tried), self._most)


def keep_rules(answer: Answer, collection: Path) -> bool:
    """Keep the fitted rules in a collection, in place of those of an earlier search; return False if there are none.

    Raises:
        UserError: when the folder holds no collection, or cannot be changed.
    """
    if answer.fitted is None:
        return False
    figures = {name: f"{value:.10g}" for name, value in answer.fitted.rules.items()}
    row = {"searched_until": str(answer.earlier.last_day), "tried": str(answer.fitted.tried)} | figures
    check_is_collection(collection)
    with locked(collection):
        write_files(collection, {FITTED_RULES.path: partial(write_csv, FITTED_RULES, [row])})
    return True


def print_fit(answer: Answer, words: dict[str, str]) -> None:
    """Print the rules found, and whether they beat the published ones."""
    if answer.fitted is not None:
        table = plain_table("rule", ">published", ">fitted", ">as good")
        for name, value in answer.fitted.rules.items():
            low, high = answer.fitted.ranges[name]
            table.add_row(name, f"{answer.published[name]:g}", f"{value:g}", f"{low:g} to {high:g}")
        out.print(table)
        out.print()
    out.print(escape("\n\n".join(in_words(answer, words))))


def in_words(answer: Answer, words: dict[str, str]) -> list[str]:
    """Describe the answer in paragraphs, in the words of the collection; the last one is the verdict."""
    tournaments = words["tournaments"]
    fitted = answer.fitted
    if fitted is None:
        count = answer.earlier.tournaments + answer.later.tournaments
        return [
            (
                f"Nothing can be said: {counted(count, words['tournament'], tournaments)} can be predicted,"
                f" {answer.earlier.tournaments} earlier and {answer.later.tournaments} later. The search uses the earlier part,"
                f" its test the later one, and each needs at least {ENOUGH}."
            )
        ]
    return [
        (
            f"The fitted rules are the best of {fitted.tried} sets of rules on the {_part_in_words(answer.earlier, f'earlier {tournaments}')}:"
            f" {_points(fitted.earlier)} of 100 pairs there, a figure biased in their favour. `as good` is the range of the tried rules that"
            f" these {tournaments} cannot distinguish from them."
        ),
        (
            f"Of every 100 pairs in the {_part_in_words(answer.later, f'later {tournaments}')}, which the search did not use, the published rules"
            f" predict {100 * fitted.later_published:.2f} correctly and the fitted ones {100 * fitted.later_fitted:.2f}:"
            f" {_points(fitted.later)}."
        ),
        _VERDICTS[answer.verdict].format(tournaments=tournaments),
    ]


def _part_in_words(part: Part, which: str) -> str:
    return f"{part.tournaments} {which} ({part.first_day} to {part.last_day})"


def _points(advantage: Advantage) -> str:
    if advantage.mean is None or advantage.low is None or advantage.high is None:
        return "a difference that cannot be estimated"
    return f"{100 * advantage.mean:+.2f} (95 % interval {100 * advantage.low:+.2f} to {100 * advantage.high:+.2f})"
