"""The JSON documents under `api/v1`: their definition and their writer.

A document has single facts and lists of rows, each from one view. Each fact or row is one line, so that line-based tools can compare
two publications. `schemas.py` makes the schemas from the same definition.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dippouch.export.reading import Content

FOLDER = "api/v1"
SCHEMAS = "schemas/v1"

_PERSON = "player_id first_name? last_name? nation_code?"
_STEP = "percentile_score tournament_value rating_before rating_change rating_after"
_OF_SYSTEM = "where rating_system_id = $system"


@dataclass(frozen=True)
class Rows:
    """Rows of a view in a document.

    Attributes:
        view: the view or table, with its schema.
        fields: names of fields, separated by spaces; `name=column` renames a column, `?` marks a field that may be null.
    """

    view: str
    fields: str
    order: str = ""
    where: str = _OF_SYSTEM
    description: str = ""

    def columns(self) -> Iterator[tuple[str, str, bool]]:
        """Yield every field, its column, and whether it may be null."""
        for text in self.fields.split():
            name, _, column = text.removesuffix("?").partition("=")
            yield name, column or name, text.endswith("?")

    def query(self, key: str) -> str:
        """Return the SQL of the rows as JSON, after their key; sorting before the conversion takes less memory."""
        row = ", ".join(f"{name}: {column}" for name, column, _ in self.columns())
        order = ", ".join(filter(None, (key, self.order))) or "all"
        ordered = f"from {self.view} {self.where} order by {order}"
        key = key or "''"
        return f"select {key} as key, to_json({{{row}}}) as text from ({ordered})"


@dataclass(frozen=True)
class Kind:
    """A kind of document.

    Attributes:
        name: the name of its schema.
        path: its path below `api/v1`; a name in braces is a key, `page` the number of a page.
        key: the column that tells its documents apart; empty for a single document.
        keys: the view and the filter that have each key once; optional if there are facts.
        facts: the name of its facts and their source.
        page: the maximum number of rows on a page; 0 for no pages.
    """

    name: str
    path: str
    description: str
    lists: Mapping[str, Rows] = field(default_factory=dict)
    key: str = ""
    keys: str = ""
    facts: tuple[str, Rows] | None = None
    page: int = 0


_SYSTEMS = Rows(
    "presentation.rating_system_card",
    "rating_system_id name author initial_rating world_championship_value one_round_divisor several_rounds_divisor base_value"
    " maximum_value first_counted_on? counted_years? counted_from? last_update? ranked_players",
    "rating_system_id",
    where="",
)
_RANKING = Rows(
    "presentation.ranking_list",
    f"rank {_PERSON} rating tournaments_counted last_played_on",
    "rank, player_id",
    where="",
)
_NATIONAL_RANKING = Rows(
    "presentation.ranking_list",
    "national_rank international_rank=rank player_id first_name? last_name? rating",
    "national_rank, player_id",
    where=f"{_OF_SYSTEM} and nation_code is not null",
)
_ACTIVE = Rows(
    "presentation.ranking_list",
    f"rank=active_rank international_rank=rank {_PERSON} rating tournaments_counted last_played_on",
    "active_rank, player_id",
    where=f"{_OF_SYSTEM} and active_rank is not null",
)
_PLAYER = Rows(
    "presentation.player_card",
    f"{_PERSON} nation_name? location_code? tournaments_played first_played_on? last_played_on? rank? national_rank? rating"
    " tournaments_counted",
    description="Facts, ranks and rating.",
)
_HISTORY = Rows(
    "presentation.result_list",
    f"event_number tournament_id name=tournament_name ended_on placement players? {_STEP}",
    "event_number",
    where=f"{_OF_SYSTEM} and event_number is not null",
    description="Every tournament with its effect, in order.",
)
_BREAKDOWN = Rows(
    "marts.rating_breakdown",
    "event_number tournament_id? weight percentile_score contribution",
    "event_number",
    description="The parts of the current rating; their contributions add up to it.",
)
_TOURNAMENTS = Rows(
    "presentation.tournament_card",
    "tournament_id name kind? started_on? ended_on place? nation_code? players? results_listed",
    "ended_on, tournament_id",
    where="",
)
_TOURNAMENT = Rows(
    "presentation.tournament_card",
    "tournament_id name subtitle? kind? kind_name? is_world_championship started_on? ended_on place? nation_code? players? rounds?"
    " boards? tournament_value? value_rule? is_counted? results_listed results_with_placement results_without_placement results_missing?"
    " uncovered_placements? is_withdrawn is_corrected circuits? source_tournament_id? source_document source_sha256",
    where="",
    description="Facts, and its value under the rating system.",
)
_RESULTS = Rows(
    "presentation.result_list",
    f"placement? {_PERSON} listed_name? percentile_score? rating_before? rating_change? rating_after?",
    "placement nulls last, player_id",
    description="The known results, by placement.",
)
_NATIONS = Rows(
    "presentation.nation_card",
    "rank nation_code nation_name best_five_rating ranked_players players_in_top_100",
    "rank, nation_code",
    where="where rank is not null",
)
PUBLICATION = Rows(
    "marts.publication",
    "seeds_sha256? code_version? tournaments players results last_tournament_id? last_tournament_name? last_tournament_ended_on?",
    where="",
    description="The origin of the documents.",
)

KINDS = (
    Kind("systems", "systems.json", "The rating systems and their rules.", {"systems": _SYSTEMS}),
    Kind(
        "ranking",
        "rankings/{rating_system_id}/page-{page}.json",
        "The ranking of a rating system, from page 1.",
        {"players": _RANKING},
        key="rating_system_id",
        keys="presentation.rating_system_card",
        page=100,
    ),
    Kind(
        "ranking_of_year",
        "rankings/{system}/years/{year}.json",
        "The ranking at the end of a year.",
        {"players": Rows("presentation.year_ranking_list", f"rank {_PERSON} rating", "rank, player_id")},
        key="year",
        keys="presentation.year_card",
        page=1000,
    ),
    Kind(
        "ranking_of_nation",
        "rankings/{system}/nations/{nation_code}.json",
        "The ranking of a nation.",
        {"players": _NATIONAL_RANKING},
        key="nation_code",
        keys="presentation.nation_card where rank is not null",
        page=1000,
    ),
    Kind("active", "active.json", "The ranking of the active players.", {"players": _ACTIVE}, page=1000),
    Kind(
        "players",
        "players/index.json",
        "Every person, ranked or not.",
        {"players": Rows("presentation.player_card", f"{_PERSON} rank? rating", "player_id")},
        page=1000,
    ),
    Kind(
        "player",
        "players/{player_id}.json",
        "A player: facts, history, parts of the rating.",
        {"history": _HISTORY, "breakdown": _BREAKDOWN},
        key="player_id",
        facts=("player", _PLAYER),
    ),
    Kind("tournaments", "tournaments/index.json", "All tournaments.", {"tournaments": _TOURNAMENTS}, page=1000),
    Kind(
        "tournament",
        "tournaments/{tournament_id}.json",
        "A tournament: facts and results.",
        {"results": _RESULTS},
        key="tournament_id",
        facts=("tournament", _TOURNAMENT),
    ),
    Kind("nations", "nations.json", "The nations by their best players.", {"nations": _NATIONS}),
)


def write_documents(content: Content, site: Path) -> None:
    """Write every document below the folder of the site, and an index of the kinds of documents."""
    for kind in KINDS:
        _write_kind(content, site, kind)
    system = content.facts["rating_system_id"]
    (publication,) = content.rows(PUBLICATION.query(""))
    facts = {
        "rating_system_id": system,
        "publication": json.loads(publication["text"]),
        "years": [row["year"] for row in content.rows("select year from presentation.year_card order by year")],
    }
    documents = (
        {"path": kind.path.replace("{system}", system), "schema": f"{kind.name}.json", "description": kind.description}
        for kind in KINDS
    )
    _write(site, "index", "index.json", facts, {"documents": map(json.dumps, documents)})


def _write_kind(content: Content, site: Path, kind: Kind) -> None:
    lists = {name: content.groups(rows.query(kind.key), "key") for name, rows in kind.lists.items()}
    system = content.facts["rating_system_id"]
    for key, facts in _heads(content, kind):
        head = {"rating_system_id": system} | facts
        found = {name: [row["text"] for row in groups.of(key)] for name, groups in lists.items()}
        path = kind.path.replace("{system}", system).replace(f"{{{kind.key}}}", str(key))
        if not kind.page:
            _write(site, kind.name, path, head, found)
            continue
        ((name, rows),) = found.items()
        pages = max(1, -(-len(rows) // kind.page))
        paths = [_path_of_page(path, page) for page in range(1, pages + 1)]
        for page, path_of_page in enumerate(paths):
            following = Path(paths[page + 1]).name if page + 1 < pages else None
            place = {"total": len(rows), "page": page + 1, "pages": pages, "next": following}
            some = rows[page * kind.page : (page + 1) * kind.page]
            _write(site, kind.name, path_of_page, head | place, {name: some})


def _heads(content: Content, kind: Kind) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the key and the top-level facts of every document of a kind, in order."""
    if kind.facts:
        name, rows = kind.facts
        for row in content.stream(rows.query(kind.key)):
            yield row["key"], {name: json.loads(row["text"])}
    elif kind.keys:
        for row in content.stream(f"select {kind.key} as key from {kind.keys} order by key"):
            yield row["key"], {kind.key: row["key"]}
    else:
        yield "", {}


def _path_of_page(path: str, page: int) -> str:
    """Return the path of a page; without a number for the first page of documents that seldom have several."""
    if "{page}" in path or page == 1:
        return path.replace("{page}", str(page))
    return f"{path.removesuffix('.json')}-page-{page}.json"


def _write(site: Path, schema: str, path: str, facts: Mapping[str, Any], lists: Mapping[str, Iterable[str]]) -> None:
    place = f"{FOLDER}/{path}"
    target = site / place
    target.parent.mkdir(parents=True, exist_ok=True)
    head = {"$schema": f"{'../' * place.count('/')}{SCHEMAS}/{schema}.json", **facts}
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.items()]
    for name, texts in lists.items():
        rows = ",\n    ".join(texts)
        lines.append(f"{json.dumps(name)}: " + (f"[\n    {rows}\n  ]" if rows else "[]"))
    text = "{\n  " + ",\n  ".join(lines) + "\n}\n"
    target.write_text(text, encoding="utf-8", newline="\n")
