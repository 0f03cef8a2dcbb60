"""A tournament gives the same facts in every format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dippouch.messages import Location
from dippouch.reading.documents import RankingDocument, TournamentDocument
from dippouch.reading.reader import read_documents
from support import samples

NOWHERE = Location(Path())
EVENTS = samples.stored_tournaments()


def read(content: str | bytes, path: Path) -> TournamentDocument:
    """Write content into a file, and read its only tournament."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    (document,) = read_documents(path, samples.CONTEXT)
    assert isinstance(document, TournamentDocument)
    return document


def facts(document: TournamentDocument) -> dict[str, object]:
    """Return all facts of a document, without their places and how they were read."""
    people = [replace(result, player=replace(result.player, location=NOWHERE)) for result in document.results]
    stated = {name: getattr(document, name) for name in TournamentDocument.__dataclass_fields__}
    return stated | {"results": people, "source": None, "locations": None, "remarks": None, "headings": None}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("page.html", samples.tournament_html),
        ("club.html", samples.table_html),
        ("copied.txt", samples.tournament_tabs),
        ("bars.csv", lambda event: samples.tournament_csv(event, "|")),
        ("excel.csv", lambda event: samples.tournament_csv(event, ";").replace("\n", "\r\n").encode("utf-8-sig")),
        ("unicode.csv", lambda event: samples.tournament_csv(event, "\t").encode("utf-16")),
        ("standings.xlsx", samples.tournament_xlsx),
    ],
)
def test_every_form_states_the_facts_of_the_text(
    event: TournamentDocument, name: str, write: Callable[[TournamentDocument], str | bytes], tmp_path: Path
) -> None:
    assert facts(read(write(event), tmp_path / name)) == facts(event)


def test_json_and_two_tables_state_the_same_people_and_placements(tmp_path: Path) -> None:
    for name, text in samples.two_tables(EVENTS).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    pairs = list(read_documents(tmp_path / "tournaments.csv", samples.CONTEXT))
    for event, pair in zip(EVENTS, pairs, strict=True):
        document = read(samples.tournament_json(event), tmp_path / "tournament.json")
        assert (document.source_ids, document.results[0].player.source_ids) == (("wdr:7",), ("wdr:1",))
        for other in (pair, document):
            assert isinstance(other, TournamentDocument)
            assert (other.name, other.started_on, other.ended_on) == (event.name, event.started_on, event.ended_on)
            assert [(r.placement, r.player.first_name, r.player.last_name) for r in other.results] == [
                (r.placement, r.player.first_name, r.player.last_name) for r in event.results
            ]


def test_the_ranking_page_states_what_its_text_states(tmp_path: Path) -> None:
    text = samples.stored_ranking()
    (tmp_path / "ranking.html").write_text(samples.ranking_html(text), encoding="utf-8")
    (page,) = read_documents(tmp_path / "ranking.html", samples.CONTEXT)
    assert isinstance(page, RankingDocument)
    assert (page.ranking_name, page.author, page.last_update) == (text.ranking_name, text.author, text.last_update)
    ranks = [(r.placement, r.player.name, r.published_score) for r in page.ranks]
    assert ranks == [(r.placement, r.player.name, r.published_score) for r in text.ranks]
    assert len(ranks) == 47
