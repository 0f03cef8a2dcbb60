"""The live pages: readers query the published database in their browser. These pages have scripts and a file of their own."""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import duckdb

from dippouch.collection.files import read_rows
from dippouch.collection.schema import NOT_PEOPLE
from dippouch.db import DatabaseRow, copy_marts, literal
from dippouch.disk import link_or_copy
from dippouch.export.reading import COLUMNS, Content
from dippouch.export.tables import PACKAGE
from dippouch.names import readable_id_or_empty
from dippouch.query import words_in
from dippouch.reading.values import words
from dippouch.settings import PROJECT, project_variable
from dippouch.site.bundling import bundled_scripts
from dippouch.site.rendering import Site
from dippouch.site.staged import StagedSite

_SCRIPTS = "assets/live"
_QUESTIONS = PROJECT / "docs" / "insight.md"
_QUESTION = re.compile(r"^## (.+)$|^### (.+)$|^```sql\n((?:(?!```).*\n)+)```$", re.MULTILINE)
# A sixteenth of the default size: tables of live pages are small, and every column takes a block of its own.
_OPTIONS = ", block_size 16384"
_PACKING = 6
# Players of the link that starts a comparison.
_LEADERS = "select player_id from main.international_ranking order by rank, player_id limit 3"
# The rating systems as values of the laboratory's fields: 0 years means all years, and no first day becomes the first day of all.
_SYSTEMS = """
    select
        systems.* replace (
            coalesce(systems.counted_years, 0) as counted_years,
            coalesce(systems.first_counted_on, (select min(ended_on) from marts.tournaments), date '0001-01-01') as first_counted_on
        )
    from marts.rating_systems as systems
    -- The laboratory changes rules, not the ranking that the default system continues.
    where (systems.opening_ranking, systems.opened_on) is not distinct from (
        select (opening_ranking, opened_on) from marts.rating_systems where is_default
    )
    order by systems.is_default desc, systems.rating_system_id
"""
_RULES = (
    "initial_rating world_championship_value maximum_value one_round_divisor several_rounds_divisor base_value counted_years"
    " first_counted_on"
).split()

# The columns of standings that a person can hand in.
_STANDINGS = ("placement", "name", "first_name", "last_name", "nation_code", "game_score")


class Question(NamedTuple):
    """A question of `docs/insight.md`: its section, and the SQL that answers it."""

    section: str
    text: str
    sql: str


def write_shared(content: Content, staged: StagedSite, previous: Path) -> dict[str, Any]:
    """Write the scripts and the database file of live pages, and return the content shared by all of them.

    It has their addresses, the words and nations of the collection, and as `bytes` the size of what a page reads before its first
    answer: the database, the worker and the engine. `previous` is the folder of the last site.

    Raises:
        UserError: when the scripts cannot be bundled.
    """
    scripts = bundled_scripts()
    for path in scripts.iterdir():
        link_or_copy(path, staged.place(f"{_SCRIPTS}/{path.name}"))
    manifest = json.loads((scripts / "manifest.json").read_text(encoding="utf-8"))
    addresses = {name.removesuffix(".js"): f"{_SCRIPTS}/{file_name}" for name, file_name in manifest.items()}
    file = _write_database(content, staged, previous)
    live: dict[str, Any] = {name: addresses.pop(name) for name in ("start", "worker", "engine")}
    live |= {"modules": addresses, "file": file, "publication": Path(file).stem.split("-")[1]}
    live |= {"words": words_in(content.facts), "nations": content.facts["nations_of_people"]}
    live["bytes"] = sum((staged.folder / live[name]).stat().st_size for name in ("file", "worker", "engine"))
    staged.write("data/live.json", json.dumps(live))
    return live


def _write_database(content: Content, staged: StagedSite, previous: Path) -> str:
    """Write the file that live pages query, with the default rating system only; return its path below the site.

    The path has a hash of all tables and one of the file's own bytes. If the previous site has a whole file of the same tables, that
    one is kept: DuckDB gives every file a random identity.
    """
    tables = f"live-{_digest((staged.folder / PACKAGE).read_bytes())}"
    for kept in sorted((previous / "data").glob(f"{tables}-*.bin")):
        if kept.stem == f"{tables}-{_digest(kept.read_bytes())}":
            link_or_copy(kept, staged.place(f"data/{kept.name}"))
            return f"data/{kept.name}"
    of_systems = content.rows(f"from ({COLUMNS}) where column_name = 'rating_system_id'")
    default = f"where rating_system_id = {literal(content.facts['rating_system_id'])}"
    plain = content.file.with_name("live.duckdb")
    # One table has every system, for a question that compares them; the view with its plain name has the default one.
    filtered = {row["relation"].removeprefix("marts.") for row in of_systems} - {"international_ranking"}
    copy_marts(content.connection, "published", plain, where=dict.fromkeys(filtered, default), options=_OPTIONS)
    packed = gzip.compress(plain.read_bytes(), _PACKING, mtime=0)
    path = f"data/{tables}-{_digest(packed)}.bin"
    staged.write(path, packed)
    return path


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def write_pages(site: Site, live: dict[str, Any]) -> None:
    """Write the live pages of a site; `live` is their shared content."""
    content = site.content
    asked = groupby(answered_questions(content), key=attrgetter("section"))
    sections = {section: list(questions) for section, questions in asked}
    default, *others = content.rows(_SYSTEMS)
    starts = [("the published rules", "#")]
    starts += [(other["name"].removeprefix(f"{default['name']}, "), _address(other, default)) for other in others]
    compared = f"Ratings of chosen {content.facts['players_word']} in one chart, and their finishes against each other."
    rated = "Change the rules: your browser rates the whole history again, beside the published ranking."
    handed_in = f"The results of a {content.facts['tournament_word']}: who is known, what ratings would become, a file to import."
    shown: tuple[tuple[str, str, str, str, dict[str, object]], ...] = (
        ("ask", "Ask", "Query the rankings in SQL, in your browser.", "ask", {"sections": sections}),
        ("compare", "Compare", compared, "ranking", {"leaders": content.rows(_LEADERS)}),
        ("day", "Ranking on any day", "The ranking at the end of any day, and changes since another.", "ranking", {}),
        ("laboratory", "Laboratory", rated, "laboratory", {"rules": default, "starts": starts}),
        ("hand_in", "Hand in a result", handed_in, "hand_in", {"vocabulary": _vocabulary()}),
    )
    for name, title, description, section, context in shown:
        site.page(f"{name}.html", title, description, section, f"{name}.html", live=live, module=name, **context)


def _address(rules: DatabaseRow, default: DatabaseRow) -> str:
    """Return the address that opens the laboratory with some rules."""
    changed = {name: rules[name] for name in _RULES if rules[name] != default[name]}
    texts = {name: f"{value:.10g}" if isinstance(value, float) else str(value) for name, value in changed.items()}
    return f"#{urlencode(texts)}"


def _vocabulary() -> dict[str, Any]:
    """Return what the importer knows of standings: headings, marks of people without a placement, and limits."""
    return {
        "headings": {word: column for word, column in words("heading").items() if column in _STANDINGS},
        "unplaced": list(words("no placement")),
        "nobodies": [readable_id_or_empty(row["listed_as"]) for row in read_rows(PROJECT / "seeds" / NOT_PEOPLE.path)],
        "reserved": project_variable("ids")["reserved"],
        "days": project_variable("longest_event_days"),
    }


def all_questions() -> Iterator[Question]:
    """Yield the questions of the documentation, in order."""
    section = text = ""
    for top, heading, sql in _QUESTION.findall(_QUESTIONS.read_text(encoding="utf-8")):
        section, text = top or section, heading or text
        if sql:
            yield Question(section, text, sql.strip())


def answered_questions(content: Content) -> Iterator[Question]:
    """Yield the questions that this collection can answer: not those about unknown players."""
    for question in all_questions():
        # A function raises an error for an unknown player.
        with suppress(duckdb.InvalidInputException):
            if content.rows(f"select 1 from ({question.sql}) limit 1"):
                yield question
