"""The JSON documents under `api/v1`: what a program asks about rankings, players, tournaments and nations.

Every document is made from ordered queries that are read once, in step, so that memory does not grow with the collection.
Under the rating systems that are not shown first there are rankings alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from dippouch.files.json_documents import Documents, paged
from dippouch.files.published import Publication, rows, texts

FOLDER = "api/v1"
# How many players a page of a ranking has.
RANKING_PAGE = 100

_PERSON = "player_id first_name last_name nation_code"


def _texts(source: str, columns: str, order: str, key: str = "") -> str:
    """The SQL of rows as JSON, behind their key; put in order while they are columns still, which takes less memory.

    Args:
        source: what to select from.
        columns: what each row has, separated by spaces.
        order: the order.
        key: the column that the rows are grouped by; empty: none.
    """
    row = ", ".join(f"{column}: {column}" for column in columns.split())
    first = f"{key}, " if key else ""
    return f"select {first}to_json({{{row}}}) from (from ({source}) order by {order})"


_SYSTEMS = _texts(
    """
    select
        systems.*,
        (
            select count(*)
            from published.marts.international_ranking as ranking
            where ranking.rating_system_id = systems.rating_system_id
        ) as ranked_players,
        'rankings/' || rating_system_id || '/page-1.json' as ranking
    from published.marts.rating_systems as systems
    """,
    "rating_system_id name author initial_rating world_championship_value one_round_divisor several_rounds_divisor base_value"
    " maximum_value first_counted_on counted_years counted_from last_update ranked_players ranking",
    "rating_system_id",
)

_RANKINGS = _texts(
    "from published.marts.international_ranking",
    f"rank {_PERSON} rating tournaments_counted last_played_on",
    "rating_system_id, rank, player_id",
    key="rating_system_id",
)

_YEARS = _texts(
    """
    select years.year, years.rank, years.player_id, players.first_name, players.last_name, players.nation_code, years.rating
    from published.marts.yearly_ranking as years
    inner join published.marts.players as players on players.player_id = years.player_id
    where years.rating_system_id = $system
    """,
    f"rank {_PERSON} rating",
    "year, rank, player_id",
    key="year",
)

_NATIONAL = _texts(
    "from published.marts.national_ranking where rating_system_id = $system",
    "national_rank international_rank player_id first_name last_name rating",
    "nation_code, national_rank, player_id",
    key="nation_code",
)

_ACTIVE = _texts(
    "from published.marts.active_ranking where rating_system_id = $system",
    f"rank international_rank {_PERSON} rating tournaments_counted last_played_on",
    "rank, player_id",
)

# Somebody without a counted event has no rank and no rating.
_EVERYBODY = """
    select
        players.player_id, players.first_name, players.last_name, players.nation_code, players.location_code,
        players.tournaments_played, players.first_played_on, players.last_played_on,
        ranking.rank, national.national_rank, ranking.rating, ranking.tournaments_counted
    from published.marts.players as players
    left join published.marts.international_ranking as ranking
        on ranking.player_id = players.player_id and ranking.rating_system_id = $system
    left join published.marts.national_ranking as national
        on national.player_id = players.player_id and national.rating_system_id = $system
"""

_PLAYERS = _texts(_EVERYBODY, f"{_PERSON} rank rating", "player_id")

_PLAYER_FACTS = _texts(
    _EVERYBODY,
    f"{_PERSON} location_code tournaments_played first_played_on last_played_on rank national_rank rating tournaments_counted",
    "player_id",
    key="player_id",
)

_HISTORY = _texts(
    """
    select history.*, tournaments.name
    from published.marts.rating_history as history
    inner join published.marts.tournaments as tournaments on tournaments.tournament_id = history.tournament_id
    where history.rating_system_id = $system
    """,
    "event_number tournament_id name ended_on placement players percentile_score tournament_value rating_before rating_change rating_after",
    "player_id, event_number",
    key="player_id",
)

_BREAKDOWN = _texts(
    "from published.marts.rating_breakdown where rating_system_id = $system",
    "event_number tournament_id weight percentile_score contribution",
    "player_id, event_number",
    key="player_id",
)

_TOURNAMENTS = _texts(
    "from published.marts.tournaments",
    "tournament_id name kind started_on ended_on place nation_code players results_listed",
    "ended_on, tournament_id",
)

_TOURNAMENT_FACTS = _texts(
    """
    select
        tournaments.*, included.tournament_value, included.value_rule, included.is_counted, completeness.uncovered_placements,
        coalesce(steps.circuits, []) as circuits
    from published.marts.tournaments as tournaments
    left join published.marts.included_tournaments as included
        on included.tournament_id = tournaments.tournament_id and included.rating_system_id = $system
    left join published.marts.tournament_completeness as completeness on completeness.tournament_id = tournaments.tournament_id
    left join (
        select tournament_id, list(circuit_id order by circuit_id) as circuits
        from published.marts.circuit_tournaments
        group by tournament_id
    ) as steps on steps.tournament_id = tournaments.tournament_id
    """,
    "tournament_id name subtitle kind kind_name is_world_championship started_on ended_on place nation_code players rounds boards"
    " tournament_value value_rule is_counted results_listed results_missing uncovered_placements is_withdrawn is_corrected circuits"
    " source_tournament_id source_document source_sha256",
    "tournament_id",
    key="tournament_id",
)

_RESULTS = _texts(
    """
    select results.*, history.rating_before, history.rating_change, history.rating_after
    from published.marts.tournament_results as results
    left join published.marts.rating_history as history
        on
            history.tournament_id = results.tournament_id
            and history.player_id = results.player_id
            and history.rating_system_id = $system
    """,
    f"placement {_PERSON} listed_name percentile_score rating_before rating_change rating_after",
    "tournament_id, placement nulls last, player_id",
    key="tournament_id",
)

_NATIONS = _texts(
    """
    select *, 'rankings/' || rating_system_id || '/nations/' || nation_code || '.json' as ranking
    from published.marts.nation_ranking
    where rating_system_id = $system
    """,
    "rank nation_code nation_name best_five_rating ranked_players players_in_top_100 ranking",
    "rank, nation_code",
)


@dataclass(frozen=True)
class _Pages:
    """A kind of document of which there is one for each key, in one page or more.

    Attributes:
        keys: the query of the keys, in order, with the number of rows of each.
        texts: the query of the rows, by the same keys.
        schema: what the schema is called.
        names: gives the names of the pages of a key.
        key_name: what the key is called in the document.
        list_name: what the list of rows is called.
        size: how many rows a page has.
    """

    keys: str
    texts: str
    schema: str
    names: Callable[[str], Callable[[int], str]]
    key_name: str
    list_name: str = "players"
    size: int = 1000


class Api:
    """The writer of the documents of one publication.

    Args:
        connection: has the published database attached as `published`.
        site: the folder that is made.
        system: the default rating system.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, site: Path, system: str) -> None:
        self._connection = connection
        self._documents = Documents(site, FOLDER)
        self._system = system
        self._of_system = {"rating_system_id": system}

    def write_rankings(self) -> None:
        """Write the rankings: of every system, and of the one shown first by year, nation and activity."""
        system = self._system
        self._write_pages(
            _Pages(
                "select rating_system_id, (select count(*) from published.marts.international_ranking as ranking"
                " where ranking.rating_system_id = systems.rating_system_id)"
                " from published.marts.rating_systems as systems order by rating_system_id",
                _RANKINGS,
                "ranking",
                lambda key: lambda page: f"rankings/{key}/page-{page}.json",
                "rating_system_id",
                size=RANKING_PAGE,
            )
        )
        self._write_pages(
            _Pages(
                "select year, count(*) from published.marts.yearly_ranking where rating_system_id = $system group by year order by year",
                _YEARS,
                "ranking_of_year",
                lambda key: paged(f"rankings/{system}/years/{key}"),
                "year",
            )
        )
        self._write_pages(
            _Pages(
                "select nation_code, count(*) from published.marts.national_ranking where rating_system_id = $system"
                " group by nation_code order by nation_code",
                _NATIONAL,
                "ranking_of_nation",
                lambda key: paged(f"rankings/{system}/nations/{key}"),
                "nation_code",
            )
        )
        active = "select count(*) from published.marts.active_ranking where rating_system_id = $system"
        self._write_list("active", "active", "players", active, _ACTIVE)
        self._documents.write("systems.json", "systems", self._of_system, systems=self._single(_SYSTEMS))
        self._documents.write("nations.json", "nations", self._of_system, nations=self._single(_NATIONS))

    def write_players(self) -> None:
        """Write the list of everybody, and a document for each."""
        self._write_list(
            "players/index", "players", "players", "select count(*) from published.marts.players", _PLAYERS
        )
        history, breakdown = texts(self._rows(_HISTORY)), texts(self._rows(_BREAKDOWN))
        for player_id, facts in self._rows(_PLAYER_FACTS):
            self._documents.write(
                f"players/{player_id}.json",
                "player",
                self._of_system | {"player": json.loads(facts)},
                history=history.of(player_id),
                breakdown=breakdown.of(player_id),
            )

    def write_tournaments(self) -> None:
        """Write the list of all tournaments, and a document for each."""
        total = "select count(*) from published.marts.tournaments"
        self._write_list("tournaments/index", "tournaments", "tournaments", total, _TOURNAMENTS)
        results = texts(self._rows(_RESULTS))
        for tournament_id, facts in self._rows(_TOURNAMENT_FACTS):
            self._documents.write(
                f"tournaments/{tournament_id}.json",
                "tournament",
                self._of_system | {"tournament": json.loads(facts)},
                results=results.of(tournament_id),
            )

    def write_index(self, publication: Publication) -> None:
        """Write what documents there are; a name in braces stands for an id, a code, a year or a number."""
        shown = f"rankings/{self._system}"
        described = [
            ("systems.json", "systems", "The rating systems and their rules."),
            ("rankings/{rating_system_id}/page-{page}.json", "ranking", "The ranking of a rating system, from page 1."),
            (f"{shown}/years/{{year}}.json", "ranking_of_year", "The ranking at the end of a year."),
            (f"{shown}/nations/{{nation_code}}.json", "ranking_of_nation", "The ranking of a nation."),
            ("active.json", "active", "The ranking of those who played lately."),
            ("players/index.json", "players", "Everybody, ranked or not."),
            ("players/{player_id}.json", "player", "A player: facts, history, what the rating is made of."),
            ("tournaments/index.json", "tournaments", "All tournaments."),
            ("tournaments/{tournament_id}.json", "tournament", "A tournament: facts and results."),
            ("nations.json", "nations", "The nations by their best players."),
            ("changes.json", "changes", "What changed since the publication before."),
        ]
        years = [
            year
            for (year,) in self._rows(
                "select distinct year from published.marts.yearly_ranking where rating_system_id = $system order by year"
            )
        ]
        self._documents.write(
            "index.json",
            "index",
            self._of_system | {"publication": publication.as_facts(), "years": years},
            documents=(
                json.dumps({"path": path, "schema": f"{schema}.json", "description": description})
                for path, schema, description in described
            ),
        )

    def _write_pages(self, kind: _Pages) -> None:
        of_keys = texts(self._rows(kind.texts))
        for key, total in self._rows(kind.keys):
            facts = self._of_system | {kind.key_name: key}
            name = kind.names(str(key))
            self._documents.write_pages(name, kind.schema, facts, kind.list_name, total, of_keys.of(key), kind.size)

    def _write_list(self, stem: str, schema: str, list_name: str, total: str, texts: str) -> None:
        ((count,),) = self._rows(total)
        self._documents.write_pages(paged(stem), schema, self._of_system, list_name, count, self._single(texts))

    def _single(self, sql: str) -> Iterator[str]:
        return (text for (text,) in self._rows(sql))

    def _rows(self, sql: str) -> Iterator[tuple[Any, ...]]:
        parameters: Mapping[str, object] = {"system": self._system}
        return rows(self._connection, sql, parameters)
