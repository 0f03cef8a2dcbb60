"""From the bytes of a document to its text: the encoding and the line ends are detected."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from dippouch.errors import DocumentError, Location

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # UTF-32's mark begins with UTF-16's.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_KINDS_OF_BINARY = (
    (b"%PDF", "a PDF file", "Copy the table out of it into a CSV file."),
    (b"\x89PNG", "a picture", "Type the table into a CSV file."),
    (b"GIF8", "a picture", "Type the table into a CSV file."),
    (b"\xff\xd8\xff", "a picture", "Type the table into a CSV file."),
    (b"PK\x03\x04", "a zip archive", "Unpack it and import the files in it."),
    (b"\x1f\x8b", "a gzip archive", "Unpack it and import the file in it."),
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls) or one with a password", "Save it as .xlsx without a password."),
)

# The characters that no text has, apart from tab, line ends and form feed; a page saved on DOS may end with 0x1A.
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f]")
_BINARY_SHARE = 0.02

# What a page says about its own encoding, where browsers look for it.
_DECLARED = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_DECLARATION_WITHIN = 2048


def cannot_be_opened(path: Path, error: OSError) -> DocumentError:
    """The error of a file that the system does not open."""
    return DocumentError(Location(path), f"a file that cannot be opened ({error.strerror})", "a readable file")


def find_encoding(content: bytes, path: Path) -> tuple[str, int]:
    """The name of a text's encoding, and how many bytes of byte order mark stand before the text.

    Args:
        content: the document, or enough of its beginning.
        path: the document, for messages.

    Raises:
        DocumentError: when the bytes are not text.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return encoding, len(mark)
    for magic, kind, hint in _KINDS_OF_BINARY:
        if content.startswith(magic):
            raise DocumentError(Location(path), kind, "a document with text", hint)
    if b"\0" in content:
        return _utf_16_without_mark(content, path), 0
    if len(_CONTROLS.findall(content)) > _BINARY_SHARE * len(content):
        raise DocumentError(Location(path), "a binary file", "a document with text")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        # A sample may end in the middle of a character.
        if error.end < len(content) or error.reason != "unexpected end of data":
            return _eight_bits(content), 0
    return "utf-8", 0


def decode(content: bytes, path: Path) -> str:
    r"""The text of a document, with `\n` at every line end.

    Raises:
        DocumentError: when the bytes are not text.
    """
    encoding, mark = find_encoding(content, path)
    try:
        text = content[mark:].decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: mark + error.start].decode(encoding, "ignore").count("\n") + 1
        raise DocumentError(
            Location(path, line),
            f"bytes that are not {encoding.upper()}",
            "text in one encoding",
            "Save it again as UTF-8.",
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _utf_16_without_mark(content: bytes, path: Path) -> str:
    """Western text in UTF-16 has a zero in every other byte."""
    half = len(content) // 2
    zeros_first, zeros_second = content[0::2].count(0), content[1::2].count(0)
    if zeros_second > 0.7 * half and zeros_first < 0.1 * half:
        return "utf-16-le"
    if zeros_first > 0.7 * half and zeros_second < 0.1 * half:
        return "utf-16-be"
    raise DocumentError(Location(path), "a binary file", "a document with text")


def _eight_bits(content: bytes) -> str:
    """Which encoding with one byte a character: the one a page declares, otherwise the Western one of Windows.

    Guessing further by statistics was tried and dropped: names are too short, and a wrong guess is silent.
    """
    declared = _DECLARED.search(content[:_DECLARATION_WITHIN])
    if declared:
        try:
            name = codecs.lookup(declared[1].decode("ascii")).name
            content.decode(name)
        except (LookupError, UnicodeError):
            pass
        else:
            # Browsers, too, read what calls itself Latin-1 as the Windows code page that extends it.
            return _at_least_windows(content) if name == "iso8859-1" else name
    return _at_least_windows(content)


def _at_least_windows(content: bytes) -> str:
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"
