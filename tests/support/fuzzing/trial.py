"""Import mutated documents: each is either imported with every invariant true, or rejected with a place."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from random import Random

from dippouch.documents import Appearance, Document, RankingDocument, TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.importing.context import Choices
from dippouch.importing.pipeline import import_documents
from dippouch.importing.reader import read_documents
from dippouch.matching.newcomers import Answers
from dippouch.names import LONGEST_NAME
from dippouch.settings import PROJECT
from support.fuzzing import samples
from support.fuzzing.mutations import mutate_bytes, mutate_text
from support.seed_rows import contents

_LATER = timedelta(weeks=52)
# A document that is valid by itself may still contradict the collection.
IMPORTED, CONTRADICTS, REJECTED = "imported", "contradicts the collection", "rejected"


@dataclass(frozen=True)
class Sample:
    """A real document to mutate: its format, file name and content."""

    format_name: str
    name: str
    content: str | bytes


class BrokenPromise(AssertionError):  # noqa: N818
    """A mutated document led to neither a valid import nor a rejection that names a place."""


def all_samples() -> list[Sample]:
    """Return real or faithfully generated documents of every format."""
    tournaments = samples.stored_tournaments()
    found = [Sample("wdd-text", path.name, path.read_text(encoding="utf-8")) for path in samples.stored_pages()]
    for i, document in enumerate(tournaments):
        found += [
            Sample("wdd-html", f"tournament-{i}.html", samples.tournament_html(document)),
            Sample("wdd-tabs", f"tabs-{i}.txt", samples.tournament_tabs(document)),
            Sample("html", f"club-{i}.html", samples.table_html(document)),
            Sample("csv", f"standings-{i}.csv", samples.tournament_csv(document, ",;\t"[i % 3])),
            Sample("csv", f"list-{i}.txt", samples.tournament_list(_of_another_event(document))),
            Sample("excel", f"standings-{i}.xlsx", samples.tournament_xlsx(document)),
            Sample("wdr-json", f"tournament-{i}.json", samples.tournament_json(document)),
        ]
    for path in samples.stored_pages():
        rankings = (document for document in read_documents(path) if isinstance(document, RankingDocument))
        found += [Sample("wdd-html", "ranking.html", samples.ranking_html(ranking)) for ranking in rankings]
    played = [Appearance(d.name, d.started_on, d.ended_on, 1, Location(d.source.path)) for d in tournaments]
    found.append(Sample("wdd-html", "player.html", samples.player_html("Cyrille SEVIN", 1073, "FRA", played)))
    found.append(Sample("wdr-json", "player.json", samples.player_json()))
    return [*found, *(Sample("two-tables", name, text) for name, text in samples.two_tables(tournaments).items())]


def _of_another_event(document: TournamentDocument) -> TournamentDocument:
    """Turn a tournament into one that the collection lacks: in a known one, nearly every fault in a name contradicts the collection."""
    winners_last = [result.player for result in reversed(document.results)]
    results = [replace(result, player=player) for result, player in zip(document.results, winners_last, strict=True)]
    days = (document.started_on + _LATER, document.ended_on + _LATER)
    return replace(document, name=f"Return of {document.name}", results=results, started_on=days[0], ended_on=days[1])


def run(documents: int, seed: int, folder: Path) -> Counter[tuple[str, str]]:
    """Import mutated documents into copies of the project's collection, and count the outcomes.

    Args:
        documents: number of documents.
        seed: the same seed gives the same documents.
        folder: an empty folder to work in.

    Returns:
        The number of documents by format and outcome.

    Raises:
        BrokenPromise: at the first document with another outcome; it is kept in the folder.
    """
    counts: Counter[tuple[str, str]] = Counter()
    originals, tournaments = all_samples(), samples.stored_tournaments()
    collection = Trial(folder / "seeds")
    for number, (sample, content) in enumerate(_mutated(originals, documents, seed)):
        place = folder / f"document-{number}-of-seed-{seed}"
        place.mkdir()
        path = place / sample.name
        if sample.format_name == "two-tables":
            path = samples.write_two_tables(place, tournaments)
        (place / sample.name).write_bytes(content)
        counts[sample.format_name, collection.outcome_of(path)] += 1
        shutil.rmtree(place)
    return counts


class Trial:
    """A copy of the project's collection to import into; renewed after each document that changed it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._renew()
        self.untouched = contents(folder)

    def outcome_of(self, path: Path) -> str:
        """Import a document; return IMPORTED, CONTRADICTS or REJECTED.

        Raises:
            BrokenPromise: for any other outcome, and when a rejected document changed a byte of the collection.
        """
        read = outcome_of(path)
        with _promises_about(path):
            # Accept all new names: otherwise questions about misspelt names would refuse most documents first.
            outcome = import_documents([path], self.folder, Choices(answers=Answers.given((), ("all",))))
            for rejection in outcome.rejections:
                _check_rejection(rejection, path)
            if not outcome.rejections:
                if read == REJECTED:
                    raise BrokenPromise("imported although it cannot be read")
                for document in read_documents(path):
                    _check_invariants(document)
                if outcome.written:
                    self._renew()
                return IMPORTED
            if contents(self.folder) != self.untouched:
                raise BrokenPromise("rejected, and the collection changed")
        return REJECTED if read == REJECTED else CONTRADICTS

    def _renew(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(PROJECT / "seeds", self.folder)


def outcome_of(path: Path, *, format_name: str | None = None) -> str:
    """Read a document, in a format if one is given; return IMPORTED if it could be read, or REJECTED.

    Raises:
        BrokenPromise: for any other outcome.
    """
    with _promises_about(path):
        try:
            for _ in read_documents(path, format_name=format_name):
                pass
        except DocumentError as error:
            _check_rejection(error, path)
            return REJECTED
    return IMPORTED


@contextmanager
def _promises_about(path: Path) -> Iterator[None]:
    """Turn every error within the block into a broken promise that names the document."""
    try:
        yield
    except BrokenPromise as error:
        raise BrokenPromise(f"{path}: {error}") from error
    except Exception as error:
        raise BrokenPromise(f"{path}: {type(error).__name__}: {error}") from error


def _check_rejection(error: DocumentError, path: Path) -> None:
    """Check that a message names the file, what was found and what was expected."""
    if not error.found or not error.expected or str(path.parent) not in str(error):
        raise BrokenPromise(f"a rejection without a place: {error}") from error


def _check_invariants(document: Document) -> None:
    """Check the importer's promises about every imported document, without its own checks."""
    if isinstance(document, TournamentDocument):
        players = [result.player for result in document.results]
        placements = sorted(r.placement for r in document.results if r.placement is not None)
        most = document.players or len(players) + max(placements, default=0)
        assert document.name.strip()
        assert document.started_on <= document.ended_on
        assert all(number is None or number > 0 for number in (document.players, document.rounds, document.boards))
        assert all(1 <= placement <= most for placement in placements)
        # At most p - 1 people rank above placement p; fewer if rows are missing.
        assert all(placements.index(placement) < placement for placement in placements)
    elif isinstance(document, RankingDocument):
        players = [row.player for row in document.ranks]
        assert all(row.rank >= 1 and 0 <= row.rating <= 100 for row in document.ranks)
    else:
        players = [document.player]
        assert all(a.placement is None or a.placement >= 1 for a in document.appearances)
        assert all(a.started_on <= a.ended_on for a in document.appearances)
    people = [(p.first_name, p.last_name, p.source_ids, p.nation_code) for p in players]
    assert len(set(people)) == len(people) > 0
    for player in players:
        assert player.last_name
        assert f"{player.first_name}{player.last_name}".isprintable()
        assert len(player.listed_name) <= LONGEST_NAME
        assert player.nation_code is None or len(player.nation_code) == 3


def _mutated(originals: list[Sample], documents: int, seed: int) -> Iterator[tuple[Sample, bytes]]:
    for number in range(documents):
        rng = Random(f"{seed}-{number}")  # noqa: S311 (not for security)
        sample = rng.choice(originals)
        if isinstance(sample.content, str):
            yield sample, mutate_text(sample.content, rng)
        else:
            yield sample, mutate_bytes(sample.content, rng)
