"""Write an archive: the bytes of every answer of a site, and the index that `reading.inputs` reads.

A line of the index is added once its file is on the disk, so every file that the index names is whole. A killed run leaves at most one file
without a line, and one line cut off.
"""

import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from dippouch.disk import explained, hashes, refuse_links, sync
from dippouch.messages import UserError
from dippouch.reading.inputs import INDEX, INDEX_HEAD, Answer, read_index, write_line


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
        content = "".join([f"{INDEX_HEAD}\n", *map(write_line, answers or ())]).encode()
        if answers is None or content != (self._folder / INDEX).read_bytes():
            self._write(INDEX, content)
        # The last one with a page: a site that fails may claim that it has none.
        latest = {answer.address: answer for answer in sorted(answers or (), key=lambda answer: bool(answer.file))}
        self.answers = {address: one for address, one in latest.items() if files.get(one.file, "") == one.sha256}
