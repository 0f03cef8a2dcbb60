"""Import documents with random faults: each is imported into a valid collection, or rejected with a place."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from dippouch.collection.memory import check_seeds
from dippouch.importing.files import Choices
from dippouch.importing.run import import_documents
from dippouch.messages import DocumentError
from dippouch.people.questions import Answers
from dippouch.reading.context import ReadingChoices, read_context
from dippouch.reading.documents import TournamentDocument
from dippouch.reading.reader import read_documents
from dippouch.settings import PROJECT
from support import samples
from support.promises import BrokenPromise, demand
from support.seed_rows import contents

IMPORTED, REJECTED = "imported", "rejected"
# Text that copying, saving and typing may insert.
_INTRUDERS = (
    *("", " ", "-", "0", "-1", "1.5", "DNF", "=3", "99999999", "10000", "١٢", "=1+1", "'", '"', ",", ";", "\t"),
    *("|", "\n", "\r", "\0", "\x1a", "\u200b", "\u202e", "\ufeff", "\ufffd", "é", "Ã©", "ß", "漢", "e\u0301"),
    *("<td>", "</tr>", "<tr class='row_even'>", "</table>", "<!--", "&#0;", "<table><tr><td>", "{", "]", "null"),
    *(":", "\\", "../", "2013-02-30", "03/04/2013", "A" * 300, "Rank", "placement", "Date", "Place", "Coeff 1"),
)
_ENCODINGS = (*["utf-8"] * 7, "utf-8-sig", "utf-16", "cp1252")


@dataclass(frozen=True)
class Sample:
    """A real or faithfully generated document: its format, file name and content."""

    format_name: str
    name: str
    content: bytes


def all_samples() -> list[Sample]:
    """Return documents of every format."""
    # Without printed figures, which contradict nearly every fault in a fact; with them in the World Championships.
    first, second, *others = samples.stored_tournaments()
    tournaments = [_without_figures(first), _without_figures(second), *others]
    written = [("wdd-text", path.name, path.read_text(encoding="utf-8")) for path in samples.STORED_PAGES.glob("*.txt")]
    for i, document in enumerate(tournaments):
        written += [
            ("wdd-html", f"tournament-{i}.html", samples.tournament_html(document)),
            ("wdd-tabs", f"tabs-{i}.txt", samples.tournament_tabs(document)),
            ("html", f"club-{i}.html", samples.table_html(document)),
            ("csv", f"standings-{i}.csv", samples.tournament_csv(document, ",;\t"[i % 3])),
            ("wdr-json", f"tournament-{i}.json", samples.tournament_json(document)),
        ]
    written += [
        ("wdd-html", "ranking.html", samples.ranking_html(samples.stored_ranking())),
        ("wdd-html", "player.html", samples.PLAYER_HTML.read_text(encoding="utf-8")),
        ("wdr-json", "player.json", samples.PLAYER_JSON.read_text(encoding="utf-8")),
        *(("two-tables", name, text) for name, text in samples.two_tables(tournaments).items()),
    ]
    books = [Sample("excel", f"standings-{i}.xlsx", samples.tournament_xlsx(d)) for i, d in enumerate(tournaments)]
    return sorted([*books, *(Sample(kind, name, text.encode()) for kind, name, text in written)], key=lambda s: s.name)


def _without_figures(document: TournamentDocument) -> TournamentDocument:
    results = [replace(result, published_score=None) for result in document.results]
    return replace(document, results=results, coefficients=(None, None, None))


def mutate_text(text: str, rng: Random) -> bytes:
    """Put one to four faults into a text, and encode it; its line ends may change, too."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        lines = text.split("\n")
        start = rng.randrange(len(text) + 1)
        end = start + rng.randrange(40)
        match rng.randrange(9):
            case 0:
                text = text[:start] + rng.choice(_INTRUDERS) + text[start:]
            case 1:
                text = text[:start] + rng.choice(_INTRUDERS) + text[start + rng.randrange(8) :]
            case 2:
                text = text[:start] + text[end:]
            case 3:
                text = text[:end] + text[start:end] * rng.randrange(1, 4) + text[end:]
            case 4 if rng.random() < 0.5:
                text = text[:start]
            case 5:
                below = lines[rng.randrange(len(lines)) :]
                text = "\n".join([*lines[: len(lines) - len(below)], *rng.sample(below, len(below))])
            case _:
                digits = [i for i, c in enumerate(text) if c.isdigit()] or [0]
                at = rng.choice(digits)
                text = text[:at] + rng.choice("0123456789") + text[at + 1 :]
    if rng.random() < 0.1:
        text = text.replace("\n", rng.choice(("\r\n", "\r")))
    content = text.encode(rng.choice(_ENCODINGS), "replace")
    return mutate_bytes(content, rng) if rng.random() < 0.1 else content


def mutate_bytes(content: bytes, rng: Random) -> bytes:
    """Change, remove or insert one to four bytes."""
    made = bytearray(content)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(made) + 1)
        match rng.randrange(4):
            case 0:
                made[at : at + 1] = bytes([rng.randrange(256)])
            case 1:
                del made[at : at + rng.randrange(20)]
            case 2:
                made[at:at] = rng.randbytes(rng.randrange(6))
            case _ if rng.random() < 0.2:
                del made[at:]
    return bytes(made)


def run(documents: int, seed: int, folder: Path) -> Counter[tuple[str, str]]:
    """Import documents with faults into collections; the same seed gives the same documents.

    Returns:
        The number of documents by format and outcome.

    Raises:
        BrokenPromise: at the first document with another outcome; it is kept in the folder.
    """
    counts: Counter[tuple[str, str]] = Counter()
    originals, pair = all_samples(), samples.two_tables(samples.stored_tournaments())
    for number in range(documents):
        rng = Random(f"{seed}-{number}")  # noqa: S311 (not for security)
        sample = rng.choice(originals)
        is_text = sample.format_name != "excel"
        content = mutate_text(sample.content.decode(), rng) if is_text else mutate_bytes(sample.content, rng)
        place = folder / f"document-{number}-of-seed-{seed}"
        place.mkdir()
        path = place / sample.name
        if sample.format_name == "two-tables":
            path = place / "tournaments.csv"
            for name, text in pair.items():
                (place / name).write_text(text, encoding="utf-8")
        (place / sample.name).write_bytes(content)
        counts[sample.format_name, import_one(path, folder / "seeds", is_known=rng.random() < 0.3)] += 1
        shutil.rmtree(place)
    return counts


def import_one(path: Path, seeds: Path, *, is_known: bool) -> str:
    """Import a document into a new collection, or a copy of the project's; return IMPORTED or REJECTED.

    In the project's collection, which has these tournaments, nearly every fault contradicts a stated fact.

    Raises:
        BrokenPromise: for any other outcome, and when a rejected document changed a byte of the collection.
    """
    shutil.rmtree(seeds, ignore_errors=True)
    if is_known:
        shutil.copytree(PROJECT / "seeds", seeds)
    before = contents(seeds)
    # Accept all new names: otherwise questions about misspelt names would refuse most documents first.
    choices = Choices(answers=Answers((), ("all",)), replace=is_known)
    try:
        rejections = import_documents([path], seeds, choices, on_file=print, on_changed=print).rejections
        if not rejections:
            # A refresh accepts what an import accepted.
            check_seeds(seeds)
    except Exception as error:
        raise BrokenPromise(f"{path}: {type(error).__name__}: {error}") from error
    for rejection in rejections:
        _check_rejection(rejection, path)
    demand(not rejections or contents(seeds) == before, f"{path}: rejected, and changed the seeds")
    return REJECTED if rejections else IMPORTED


def read_one(path: Path, format_name: str) -> str:
    """Read a document in a format; return IMPORTED if it could be read, or REJECTED.

    Raises:
        BrokenPromise: for any other outcome.
    """
    try:
        context = read_context(PROJECT / "seeds", ReadingChoices(format_name=format_name))
        for _ in read_documents(path, context):
            pass
    except DocumentError as error:
        _check_rejection(error, path)
        return REJECTED
    except Exception as error:
        raise BrokenPromise(f"{path}: {type(error).__name__}: {error}") from error
    return IMPORTED


def _check_rejection(error: DocumentError, path: Path) -> None:
    """Check that a message has the file, the finding and the expectation."""
    complete = error.found and error.expected and str(path.parent) in str(error)
    demand(complete, f"{path}: a rejection without a place: {error}")
