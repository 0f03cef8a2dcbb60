"""Decode the bytes of a document: Unicode, or the encoding that the rating keeper states with `--encoding`.

Nothing detects other encodings: lists of names are too short for it. A message shows how the same words read in up to three of them.
"""

import codecs
import re
from functools import partial
from pathlib import Path

from dippouch.errors import DocumentError, Location
from dippouch.names import shortened

_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}

# Single-byte encodings of lists of players.
_ENCODINGS = "cp1252 cp1250 iso8859_2 cp1254 cp1257 mac_roman cp850 cp852 cp1251 cp1253 koi8_r".split()
_WORD = re.compile(rb"[^\x00-\x20,;|\"<>&=]+")
_MOST_WORDS, _SHOWN = 1_000, 3


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file; raise a DocumentError if the system does not open it."""
    try:
        return path.read_bytes()
    except OSError as error:
        found = f"a file that cannot be opened ({error.strerror})"
        raise DocumentError(Location(path), found, "a readable file") from None


def decode(content: bytes, path: Path, stated: str | None = None) -> tuple[str, str, str]:
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
