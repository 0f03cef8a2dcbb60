"""An archive: a folder with the bytes of every answer of a site, one file each, and `index.csv`, which says what they are.

A line of the index is added once its file is on the disk, so every file that the index names is whole. The last line of an address is
its present state; earlier lines tell when it changed. A killed run leaves at most one file without a line, and one line cut off.
Sites and other programs may write anything into a line: `write_line` cuts and cleans values, and `read_line` refuses invalid lines.
"""

import csv
import hashlib
import io
import os
import re
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout
from rich.markup import escape

from dippouch.console import err
from dippouch.disk import explained, hashes, refuse_links, sync
from dippouch.messages import UserError, shortened, visible_line

INDEX = "index.csv"
# In characters, of an address or a header; if a tag is cut, the site only sends its page again.
LONGEST_VALUE = 2_000


class Answer(NamedTuple):
    """A line of the index.

    `file` and its hash are empty without a page, such as for an unknown id. Status 304 confirms the file of the line before.
    """

    address: str
    file: str
    time: str
    status: str
    sha256: str
    last_modified: str
    etag: str
    content_type: str


_HEAD = ",".join(Answer._fields)
# A file of this folder with its hash, or neither.
_STORED = re.compile(r"[A-Za-z0-9_-]+\.(html|json),[0-9a-f]{64}|,")


def write_line(answer: Answer) -> str:
    """Return the line of an answer, with its end. Values are cut, without control characters and line separators."""
    text = io.StringIO()
    cells = ("".join(filter(str.isprintable, value))[:LONGEST_VALUE] for value in answer)
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def read_line(line: str) -> Answer:
    """Return the answer in a line.

    Raises:
        ValueError: when it is invalid, or names a file outside of its folder.
    """
    cells = next(csv.reader([line]), [])
    if len(cells) != len(Answer._fields) or not _STORED.fullmatch(f"{cells[1]},{cells[4].lower()}"):
        raise ValueError
    answer = Answer(*cells)
    return answer._replace(sha256=answer.sha256.lower())


def read_index(folder: Path) -> list[Answer] | None:
    """Return the answers that the index of a folder names, the latest last; None if the folder is no archive. Report unreadable lines.

    The order of lines is that of their times, unless two archives were joined. A last line that a killed run cut off is left out.

    Raises:
        UserError: when the index cannot be read.
    """
    path = folder / INDEX
    if not path.is_file():
        return None
    with explained(f"{path}: could not be read"):
        head, *lines = path.read_bytes().decode(errors="replace").split("\n")
    if head.rstrip("\r") != _HEAD:
        return None
    answers = []
    for number, line in enumerate(lines[:-1], 2):
        try:
            answers += [read_line(line)] if line.strip() else []
        except (csv.Error, ValueError):
            found = f"found `{shortened(line, 300)}`; expected {_HEAD}. `dptr collect` fetches this page again"
            err.print(escape(f"{visible_line(str(path))}:{number}: {found}"))
    return sorted(answers, key=lambda answer: answer.time)


def archived_files(folder: Path) -> list[Path]:
    """Return the files of an archive, sorted by name; pages of players last, because tables are the better source.

    Raises:
        UserError: when the archive has a link, which may lead out of it.
    """
    pages = _pages_of(folder)
    if pages:
        refuse_links(folder)
    return [folder / name for name in sorted(pages, key=lambda name: ("player" in pages[name][0], name))]


def archived_page(path: Path) -> tuple[str, frozenset[str]] | tuple[()]:
    """Return the address of a file and the hashes of its earlier states, as of the index beside it; nothing outside of an archive."""
    return _pages_of(path.parent).get(path.name, ())


def _pages_of(folder: Path) -> dict[str, tuple[str, frozenset[str]]]:
    """Return the archived pages of a folder by file name."""
    index = folder / INDEX
    return _read(folder, index.stat().st_mtime_ns) if index.is_file() else {}


@lru_cache
def _read(folder: Path, _changed_at: int) -> dict[str, tuple[str, frozenset[str]]]:
    """Read an index once for all its files, until it changes."""
    states: dict[str, list[Answer]] = {}
    for answer in read_index(folder) or ():
        if answer.status == "200":
            # The latest one last: pages of an older archive may share a file.
            states[answer.address] = [*states.pop(answer.address, ()), answer]
    return {
        last.file: (last.address, frozenset(one.sha256 for one in earlier) - {last.sha256})
        for *earlier, last in states.values()
    }


class Archive:
    """The archive in a folder: the last answer of every address whose file is whole. A lock keeps other runs out.

    Raises:
        UserError: when another run uses the folder, when it holds a link or something else, or when the disk refuses.
    """

    def __init__(self, folder: Path) -> None:
        self.answers: dict[str, Answer] = {}
        self._folder = folder
        self._lock = FileLock(folder / ".collect.lock")
        with explained(f"{folder}: could not be used as an archive"):
            folder.mkdir(parents=True, exist_ok=True)
            refuse_links(folder)
            try:
                self._lock.acquire(timeout=0)
            except Timeout:
                raise UserError(f"{folder}: another `dptr collect` is using this archive; wait for its end") from None
            self._load()

    def body(self, address: str) -> bytes:
        """Return the bytes of the last answer of an address; none if it has no page.

        Raises:
            OSError: when the disk refuses.
        """
        file = self.answers[address].file
        return (self._folder / file).read_bytes() if file else b""

    def add(self, answer: Answer, content: bytes) -> None:
        """Store the bytes of a page, if the answer has one, and then its line, with the present time and the hash.

        Raises:
            UserError: when the disk refuses; then the index does not name the answer.
        """
        if answer.status == "304":
            answer = self.answers[answer.address]._replace(status="304")
        answer = answer._replace(time=datetime.now(UTC).isoformat(timespec="seconds"))
        with explained(f"{self._folder}: an answer could not be stored"):
            if answer.status == "200":
                answer = answer._replace(sha256=hashlib.sha256(content).hexdigest())
                self._write(answer.file, content)
            with (self._folder / INDEX).open("a", encoding="utf-8", newline="") as lines:
                lines.write(write_line(answer))
                lines.flush()
                os.fsync(lines.fileno())
        self.answers[answer.address] = answer

    def _write(self, name: str, content: bytes) -> None:
        part = self._folder / f".{name}.part"
        part.write_bytes(content)
        sync(part)
        part.replace(self._folder / name)
        sync(self._folder)

    def _load(self) -> None:
        """Read the index, and remove invalid lines, such as one that a killed run cut off; begin an index in an empty folder."""
        answers, files = read_index(self._folder), hashes(self._folder)
        if files and answers is None:
            raise UserError(
                f"{self._folder / min(files)}: found a file, but no index of an archive; expected an empty folder, or an archive"
            )
        content = "".join([f"{_HEAD}\n", *map(write_line, answers or ())]).encode()
        if answers is None or content != (self._folder / INDEX).read_bytes():
            self._write(INDEX, content)
        # The last one with a page: a site that fails may claim that it has none.
        latest = {answer.address: answer for answer in sorted(answers or (), key=lambda answer: bool(answer.file))}
        self.answers = {
            address: answer for address, answer in latest.items() if files.get(answer.file, "") == answer.sha256
        }
