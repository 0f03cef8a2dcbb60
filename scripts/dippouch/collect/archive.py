"""An archive: a folder with the bytes of every answer of a site, one file each, and `index.csv`, which says what they are.

A line of the index is added once its file is on the disk, so every file that the index names is whole. The last line of an address is
its present state; earlier lines tell when it changed. A killed run leaves at most one file without a line, and one line cut off.
"""

from __future__ import annotations

import csv
import hashlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from dippouch.disk import explained, hashes, refuse_links, sync
from dippouch.errors import UserError
from dippouch.printable import visible_line

INDEX = "index.csv"


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


def index_lines(folder: Path) -> list[Answer] | None:
    """Return the answers that the index of a folder names, the latest last; None if the folder is no archive.

    The order of lines is that of their times, unless two archives were joined. A last line that a killed run cut off is left out.

    Raises:
        UserError: when the index cannot be read, or names a file outside of its folder.
    """
    index = folder / INDEX
    if not index.is_file():
        return None
    with explained(f"{index}: could not be read"):
        text = index.read_bytes().decode(errors="replace")
    lines = list(csv.reader(text[: text.rfind("\n") + 1].splitlines()))
    if not lines or ",".join(lines[0]) != _HEAD:
        return None
    answers = []
    for number, cells in enumerate(lines[1:], 2):
        if len(cells) != len(Answer._fields) or not _STORED.fullmatch(f"{cells[1]},{cells[4]}"):
            raise UserError(
                f"{visible_line(str(index))}:{number}: found `{visible_line(','.join(cells))}`; expected {_HEAD}"
            )
        answers.append(Answer(*cells))
    return sorted(answers, key=lambda answer: answer.time)


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
                csv.writer(lines, lineterminator="\n").writerow(answer)
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
        """Read the index, and remove a line that a killed run cut off; begin one in an empty folder."""
        index, files = self._folder / INDEX, hashes(self._folder)
        if files and index_lines(self._folder) is None:
            raise UserError(
                f"{self._folder / min(files)}: found a file, but no index of an archive; expected an empty folder, or an archive"
            )
        content = index.read_bytes() if files else b""
        whole = content[: content.rfind(b"\n") + 1] or f"{_HEAD}\n".encode()
        if whole != content:
            self._write(INDEX, whole)
        latest = {answer.address: answer for answer in index_lines(self._folder) or ()}
        self.answers = {
            address: answer for address, answer in latest.items() if files.get(answer.file, "") == answer.sha256
        }
