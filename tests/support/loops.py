"""The marts and functions in plain loops over every player and every day: the only oracle of the tests.

The loops start from results, tournaments and rating history, which the verification recomputes in exact arithmetic. Each
function returns the expected rows of a mart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from typing import Any, TypeVar

import duckdb
from dateutil.relativedelta import relativedelta

DEFAULT = "dptr"
_Key = TypeVar("_Key")
Row = dict[str, Any]
Table = set[tuple[Any, ...]]


def rows_of(connection: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    """Return the rows of a query, by column name."""
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


class Facts:
    """The input of the loops, read through a connection where tables are `marts.<name>`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.results = rows_of(connection, "from marts.tournament_results")
        self.tournaments = {row["tournament_id"]: row for row in rows_of(connection, "from marts.tournaments")}
        (self.settings,) = rows_of(connection, "from marts.settings")
        self.rules = {row["rating_system_id"]: row for row in rows_of(connection, "from marts.rating_systems")}
        self.counted = rows_of(connection, "from marts.included_tournaments where is_counted")
        self.nations = {row["player_id"]: row["nation_code"] for row in rows_of(connection, "from marts.players")}
        self.careers: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in rows_of(connection, "from marts.rating_history order by event_number"):
            self.careers[row["rating_system_id"], row["player_id"]].append(row)
        starts = rows_of(connection, "from marts.rating_breakdown where event_number = 0")
        self.starts = {(row["rating_system_id"], row["player_id"]): row for row in starts}
        self.systems = sorted(self.rules)
        self.played: dict[str, set[date]] = defaultdict(set)
        for row in self.results:
            if row["percentile_score"] is not None and not row["is_withdrawn"]:
                self.played[row["player_id"]].add(self.ended_on(row))
        self.days = sorted({day for days in self.played.values() for day in days})
        self.ranking = cache(self._ranking)

    def past(self, system: str, player: str, day: date = date.max) -> list[Row]:
        """Return the tournaments of a player until the end of a day."""
        return [row for row in self.careers.get((system, player), []) if row["ended_on"] <= day]

    def rating(self, system: str, player: str, day: date = date.max) -> float:
        """Return a player's rating at the end of a day; the initial or opening one before the first tournament."""
        past = self.past(system, player, day)
        if past or not self.has_opened(system, player, day):
            return float(past[-1]["rating_after"] if past else self.rules[system]["initial_rating"])
        return float(self.starts[system, player]["percentile_score"])

    def has_opened(self, system: str, player: str, day: date = date.max) -> bool:
        """Return whether a player has an opening rating at the end of a day."""
        opened_on = self.starts[system, player]["opened_on"]
        return opened_on is not None and opened_on <= day

    def tournaments_counted(self, system: str, player: str, day: date = date.max) -> int:
        """Return the number of a player's counted tournaments until the end of a day."""
        return sum(row["tournament_value"] > 0 for row in self.past(system, player, day))

    def _ranking(self, system: str, day: date = date.max) -> dict[str, float]:
        """Return the ratings of all ranked players at the end of a day."""
        return {
            player: self.rating(system, player, day)
            for of, player in self.starts
            if of == system and (self.tournaments_counted(system, player, day) or self.has_opened(system, player, day))
        }

    def year_ends(self) -> dict[tuple[str, int], dict[str, float]]:
        """Return the ranking of every system at the end of every year, from its opening or the first tournament."""
        found = {}
        for of, rules in self.rules.items():
            opening = [rules["opened_on"]] if rules["opened_on"] else []
            if days := [*opening, *self.days]:
                first = (rules["opened_on"] or days[0]).year
                for year in range(first, max(days).year + 1):
                    found[of, year] = self.ranking(of, date(year, 12, 31))
        return found

    def ended_on(self, result: Row) -> date:
        """Return the last day of a result's tournament."""
        day = self.tournaments[result["tournament_id"]]["ended_on"]
        assert isinstance(day, date)
        return day


def ranks(figures: Mapping[_Key, float]) -> dict[_Key, int]:
    """Return the rank of each player, or of whatever has a figure: 1 plus the number of higher ones."""
    heights = {key: height(figure) for key, figure in figures.items()}
    in_order = sorted(heights.values(), reverse=True)
    return {key: 1 + in_order.index(own) for key, own in heights.items()}


def height(figure: float) -> float:
    """Return a figure to compare with others: those that are equal to nine decimals are equal."""
    return round(figure + 1e-10 / 3, 9)


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _strengths(facts: Facts, system: str, ratings: Mapping[str, float]) -> Table:
    """The nations of a ranking: the mean of the best five; a newcomer's rating fills missing places."""
    teams: dict[str, list[float]] = defaultdict(list)
    first_hundred = Counter(facts.nations[player] for player, rank in ranks(ratings).items() if rank <= 100)
    for player, rating in ratings.items():
        if facts.nations[player]:
            teams[facts.nations[player]].append(rating)
    initial = facts.rules[system]["initial_rating"]
    best = {nation: sorted(team, reverse=True)[:5] for nation, team in teams.items()}
    strengths = {nation: (sum(of) + (5 - len(of)) * initial) / 5 for nation, of in best.items()}
    return {
        (rank, nation, strengths[nation], len(teams[nation]), first_hundred[nation])
        for nation, rank in ranks(strengths).items()
    }


def nation_ranking(facts: Facts) -> Table:
    """The nations of every year's last ranking, with their rank a year before; the last year's is the current one."""
    rows = {key: _strengths(facts, key[0], ratings) for key, ratings in facts.year_ends().items()}
    before = {(system, year + 1, nation): rank for (system, year), of in rows.items() for rank, nation, *_ in of}
    last = {system: max(year for of, year in rows if of == system) for system, _ in rows}
    return {(*key, key[1] == last[key[0]], *row, before.get((*key, row[1]))) for key, of in rows.items() for row in of}


def _reigns(facts: Facts, competition: Callable[[str], str | None]) -> Table:
    """Return the reigns; the leader is determined from scratch after every day with a tournament."""
    found: Table = set()
    for system in facts.systems:
        running: dict[str, tuple[date, float, bool]] = {}
        opened_on = facts.rules[system]["opened_on"]
        for day in sorted({*facts.days, *([opened_on] if opened_on else [])}):
            ratings = facts.ranking(system, day)
            best: dict[str | None, float] = {}
            for player, rating in ratings.items():
                best[competition(player)] = max(height(rating), best.get(competition(player), 0))
            leaders = [p for p, rating in ratings.items() if competition(p) and height(rating) == best[competition(p)]]
            sharing = Counter(map(competition, leaders))
            for player in running.keys() - set(leaders):
                found.add((system, player, running[player][0], day, *running.pop(player)[1:]))
            for player in leaders:
                since, highest, shared = running.get(player, (day, 0.0, False))
                running[player] = (since, max(highest, ratings[player]), shared or sharing[competition(player)] > 1)
        found |= {(system, player, since, None, *further) for player, (since, *further) in running.items()}
    return found


def reigns(facts: Facts) -> Table:
    """The reigns at the top of the whole ranking and of each nation, with their days."""
    found: Table = set()
    for name, competition in (("world", lambda player: "everybody"), ("nation", facts.nations.get)):
        for system, player, since, until, *further in _reigns(facts, competition):
            found.add((system, name, player, since, until, (until - since).days if until else None, *further))
    return found


def ranking_between(facts: Facts, system: str, day: date, earlier: date) -> Table:
    """The ranking of a day among all, active and national players, beside that of an earlier day."""
    now, then = facts.ranking(system, day), facts.ranking(system, earlier)
    since = day - relativedelta(years=facts.settings["active_years"])
    active = {player: now[player] for player in now if any(since <= played <= day for played in facts.played[player])}
    rank, rank_then, active_rank = ranks(now), ranks(then), ranks(active)
    found: Table = set()
    for player, rating in now.items():
        nation = facts.nations[player]
        compatriots = {person: other for person, other in now.items() if facts.nations[person] == nation}
        national = ranks(compatriots)[player] if nation else None
        places = (rank[player], rank_then.get(player), _minus(rank_then.get(player), rank[player]), national)
        figures = (rating, then.get(player), _minus(rating, then.get(player)))
        found.add((player, *places, player in active, active_rank.get(player), *figures))
    return found


def international_ranking(facts: Facts) -> Table:
    """Each player's highest rating after a tournament, and best rank at the end of a year."""
    held: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for (system, year), ratings in facts.year_ends().items():
        for player, rank in ranks(ratings).items():
            held[system, player].append((rank, year))
    found: Table = set()
    for (system, player), start in facts.starts.items():
        days = {row["ended_on"] for row in facts.past(system, player)} | {start["opened_on"]} - {None}
        if days := {day for day in days if player in facts.ranking(system, day)}:
            ratings = {day: facts.rating(system, player, day) for day in days}
            _, day = min((-height(rating), day) for day, rating in ratings.items())
            found.add((system, player, ratings[day], day, *min(held[system, player], default=(None, None))))
    return found


def rating_history(facts: Facts) -> Table:
    """Each player's position in every tournament: by placement, and with enough ranked players as the ratings before it expect."""
    fields: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for of, career in facts.careers.items():
        was_ranked = facts.starts[of]["opened_on"] is not None
        for row in career:
            fields[of[0], row["tournament_id"]].append(row | {"was_ranked": was_ranked})
            was_ranked |= row["tournament_value"] > 0
    found: Table = set()
    for (system, tournament), field in fields.items():
        is_known = 2 * sum(row["was_ranked"] for row in field) >= len(field)
        for row in field:
            others = [other for other in field if other is not row]
            listed = 1 + sum((1 + _sign(row["placement"] - other["placement"])) / 2 for other in others)
            ahead = [height(other["rating_before"]) - height(row["rating_before"]) for other in others]
            expected = 1 + sum((1 + _sign(lead)) / 2 for lead in ahead) if is_known else None
            key = (system, row["player_id"], row["event_number"], tournament, len(field), listed, expected)
            found.add((*key, _minus(expected, listed)))
    return found


def head_to_head(facts: Facts, player: str) -> Table:
    """Every pair of results of every tournament."""
    meetings: dict[str, list[tuple[int, date]]] = defaultdict(list)
    placed = [one for one in facts.results if one["placement"] is not None and not one["is_withdrawn"]]
    for own in (result for result in placed if result["player_id"] == player):
        for other in placed:
            if other["player_id"] != player and other["tournament_id"] == own["tournament_id"]:
                meetings[other["player_id"]].append((_sign(other["placement"] - own["placement"]), facts.ended_on(own)))
    found: Table = set()
    for opponent, met in meetings.items():
        leads = Counter(lead for lead, _ in met)
        found.add((opponent, len(met), leads[1], leads[-1], leads[0], max(day for _, day in met)))
    return found


_STREAKS: dict[str, Callable[[Row], bool]] = {
    "win": lambda row: row["placement"] == 1,
    "podium": lambda row: row["placement"] <= 3,
    "upper half": lambda row: row["percentile_score"] > 50,
}


def streaks(facts: Facts) -> Table:
    """Every career, tournament by tournament."""
    found: Table = set()
    careers = {player: career for (system, player), career in facts.careers.items() if system == DEFAULT}
    for player, career in careers.items():
        for kind, hit in _STREAKS.items():
            runs: list[list[Row]] = [[]]
            for row in career:
                if hit(row):
                    runs[-1].append(row)
                else:
                    runs.append([])
            longest = max(runs, key=len)
            if len(longest) > 1:
                is_running = longest[-1] is career[-1]
                found.add((kind, player, len(longest), longest[0]["ended_on"], longest[-1]["ended_on"], is_running))
    return found


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
