"""The bytes of documents: files, their encodings, and the archives that `dptr collect` writes.

Text is Unicode, or in the encoding that the rating keeper states: nothing detects others, because lists of names are too short for it. A
message shows how the same words read in up to three of them.

An archive is a folder with the bytes of every answer of a site, one file each, and `index.csv`, which says what they are. The last line of
an address is its present state; earlier lines tell when it changed. Sites and other programs may write anything into a line: `write_line`
cuts and cleans values, and `read_line` refuses invalid lines.
"""

import codecs
import csv
import io
import re
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from rich.markup import escape

from dippouch.console import err
from dippouch.disk import explained, refuse_links
from dippouch.messages import DocumentError, Location, shortened, visible_line

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


INDEX_HEAD = ",".join(Answer._fields)
# A file of this folder with its hash, or neither.
_STORED = re.compile(r"[A-Za-z0-9_-]+\.(html|json),[0-9a-f]{64}|,")

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}

# Single-byte encodings of lists of players.
_ENCODINGS = "cp1252 cp1250 iso8859_2 cp1254 cp1257 mac_roman cp850 cp852 cp1251 cp1253 koi8_r".split()
_WORD = re.compile(rb"[^\x00-\x20,;|\"<>&=]+")
_MOST_WORDS, _SHOWN = 1_000, 3


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
    if head.rstrip("\r") != INDEX_HEAD:
        return None
    answers = []
    for number, line in enumerate(lines[:-1], 2):
        try:
            answers += [read_line(line)] if line.strip() else []
        except (csv.Error, ValueError):
            found = f"found `{shortened(line, 300)}`; expected {INDEX_HEAD}. `dptr collect` fetches this page again"
            err.print(escape(f"{visible_line(str(path))}:{number}: {found}"))
    return sorted(answers, key=lambda answer: answer.time)


def archived_files(folder: Path) -> list[Path]:
    """Return the files of an archive, sorted by name; pages of players last, because tables are the better source.

    Raises:
        UserError: when the archive has a link, which may lead out of it.
    """
    if pages := archived_pages(folder):
        refuse_links(folder)
    return [folder / name for name in sorted(pages, key=lambda name: ("player" in pages[name][0], name))]


def archived_pages(folder: Path) -> dict[str, tuple[str, frozenset[str]]]:
    """Return the address of every page of an archive and the hashes of its earlier states, by file name; none of another folder."""
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


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file; raise a DocumentError if the system does not open it."""
    try:
        return path.read_bytes()
    except OSError as error:
        found = f"a file that cannot be opened ({error.strerror})"
        raise DocumentError(Location(path), found, "a readable file") from None


def decode(content: bytes, path: Path, stated: str | None) -> tuple[str, str, str]:
    """Return the text of a document, with `\\n` at the end of every line, a remark on its encoding, and the encoding.

    Args:
        content: the bytes.
        path: the document, for messages.
        stated: the encoding that the rating keeper states; valid UTF-8 and marked text need none.

    Raises:
        DocumentError: when the bytes are not text, or in an unknown encoding.
    """
    name = next((name for mark, name in _BYTE_ORDER_MARKS.items() if content.startswith(mark)), None)
    if name is None and b"\0" in content:
        hint = "Copy the table out of a PDF file or a picture into a CSV file; unpack an archive."
        raise DocumentError(Location(path), "a binary file", "a document with text, or a workbook", hint)
    if name is None and _is_valid(content, "utf-8"):
        name = "utf-8"
    if stated and not _is_valid(b"x", stated):
        place = Location(path, place="option --encoding")
        raise DocumentError(place, f"`{shortened(stated)}`", "the name of an encoding, such as `cp1250`")
    if name is None and not stated:
        raise _unknown_encoding(content, path)
    encoding = name or codecs.lookup(stated or "").name
    try:
        text = content.decode(encoding)
    except UnicodeError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content[:start].count(b"\n") + 1
        found = f"bytes that are not {encoding.upper()}"
        raise DocumentError(Location(path, line), found, "text in one encoding", "Save it again as UTF-8.") from None
    encoding = encoding.removesuffix("-sig")
    is_other = name and stated and codecs.lookup(stated).name != encoding and not content.isascii()
    remark = f"read in {encoding.upper()}, because it is valid {encoding.upper()}, not in {stated}" if is_other else ""
    return text.replace("\r\n", "\n").replace("\r", "\n"), remark, encoding


def _is_valid(content: bytes, encoding: str) -> bool:
    """Return whether bytes are text in an encoding; false for an unknown encoding."""
    try:
        return isinstance(content.decode(encoding), str)
    except (ValueError, LookupError):
        return False


def _unknown_encoding(content: bytes, path: Path) -> DocumentError:
    """Return the error for text that is not UTF-8: how the words that tell encodings apart read in each of them."""
    from charset_normalizer import from_bytes

    words = list(dict.fromkeys(match[0] for match in _WORD.finditer(content) if not match[0].isascii()))[:_MOST_WORDS]
    found = from_bytes(b"\n".join(words), cp_isolation=_ENCODINGS, enable_fallback=False)
    # In a few western names cp1252 and cp1250 are equally likely, with Turkish letters cp1254; cp850 has a letter for every byte.
    first, *others = [match.encoding for match in found] or ["cp1250"]
    names = filter(partial(_is_valid, content), ["cp1252", first, "cp1254", *others, "cp1250", "cp850"])
    read_as: dict[tuple[str, ...], str] = {}
    for name in names:
        read_as.setdefault(tuple(word.decode(name) for word in words), name)
    encodings = list(read_as.items())[:_SHOWN]
    # The words that most encodings read differently.
    telling = sorted(zip(*(texts for texts, _ in encodings), strict=True), key=lambda texts: -len(set(texts)))[:_SHOWN]
    shown = [
        f"--encoding {name} ({', '.join(f'`{shortened(texts[i], 30)}`' for texts in telling)})"
        for i, (_, name) in enumerate(encodings)
    ]
    # A line ends with \r\n, \n, or, in files of old Macs, \r alone.
    line = content[: content.index(words[0])].count(b"\n" if b"\n" in content else b"\r") + 1
    hint = f"Choose the encoding in which the words are right: {' or '.join(shown)}; or save the file as UTF-8."
    return DocumentError(Location(path, line), "bytes that are not UTF-8", "text in UTF-8, or a stated encoding", hint)
