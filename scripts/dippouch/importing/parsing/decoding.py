"""From the bytes of a document to its text: the encoding and the line ends are detected.

A text in UTF-8, UTF-16 or UTF-32 shows it, and a page may declare another encoding. Otherwise the rating keeper is asked (`--encoding`):
the names in a list are too few and too short for any detector. Measured on lists of twelve languages, charset-normalizer either could
not decide or, in one list of twelve, was wrong. So it says which encodings may be meant, and how names read in each.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from charset_normalizer import from_bytes

from dippouch.errors import DocumentError, Location
from dippouch.names import shortened

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
    (b"PAR1", "a Parquet file", "Put tournaments.parquet and results.parquet into one folder."),
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls) or one with a password", "Save it as .xlsx without a password."),
)

# The characters that no text has, apart from tab, line ends and form feed; a page saved on DOS may end with 0x1A.
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f]")
_BINARY_SHARE = 0.02

# What a page says about its own encoding, where browsers look for it.
_DECLARED = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_DECLARATION_WITHIN = 2048

# The encodings with one byte a character that a list of players comes in, the likelier first.
_ENCODINGS = "cp1252 cp1250 iso8859_2 cp1254 cp1257 mac_roman mac_latin2 cp850 cp852 cp1251 cp1253 koi8_r".split()
_SHOWN_ENCODINGS = 4
# So many different words with accents are looked at; a document that has more shows its encoding in them.
_LOOKED_AT = 1_000
_WORD = re.compile(rb"[^\x00-\x20,;|\"<>&=]+")


@dataclass(frozen=True)
class Encoding:
    """How a document is encoded.

    Attributes:
        name: as Python calls it.
        mark: how many bytes of byte order mark stand before the text.
        remark: what the rating keeper should know of it; empty for Unicode.
    """

    name: str
    mark: int = 0
    remark: str = ""


def cannot_be_opened(path: Path, error: OSError) -> DocumentError:
    """The error of a file that the system does not open."""
    return DocumentError(Location(path), f"a file that cannot be opened ({error.strerror})", "a readable file")


def find_encoding(content: bytes, path: Path, stated: str | None = None, *, is_sample: bool = False) -> Encoding:
    """The encoding of a text.

    Args:
        content: the document, enough of its beginning, or its words with accents.
        path: the document, for messages.
        stated: the encoding that the rating keeper states; None: it is found out.
        is_sample: whether it is a part of the document, whose last character may be cut and whose lines are not counted.

    Raises:
        DocumentError: when the bytes are not text, when several encodings may be meant, and when the stated one cannot be.
    """
    found = _unicode_with_mark(content)
    codec = _stated_codec(stated, path) if stated else ""
    if found is None and codec.startswith(("utf-16", "utf-32")):
        return Encoding(codec)
    found = found or _unicode_without_mark(content, path, is_sample=is_sample)
    if found is None:
        if codec:
            return Encoding(codec, remark=_remark(content, codec, "as --encoding says"))
        if declared := _declared(content):
            return declared
        raise _cannot_tell(content, path, lines_count=not is_sample)
    # Hardly any text of another encoding is Unicode by chance: of the files of one run, the option is about the others.
    if codec and not content.isascii() and not codec.startswith(found.name[:5]):
        return replace(
            found, remark=f"read in {found.name.upper()}, which it is, and not in {codec}, as --encoding says"
        )
    return found


def decode(content: bytes, path: Path, stated: str | None = None) -> tuple[str, str]:
    r"""The text of a document, with `\n` at every line end, and what the rating keeper should know of its encoding.

    Args:
        content: the document.
        path: the document, for messages.
        stated: the encoding that the rating keeper states; None: it is found out.

    Raises:
        DocumentError: when the bytes are not text, or nobody can tell which.
    """
    encoding = find_encoding(content, path, stated)
    try:
        text = content[encoding.mark :].decode(encoding.name)
    except UnicodeError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content[: encoding.mark + start].decode(encoding.name, "ignore").count("\n") + 1
        raise DocumentError(
            Location(path, line),
            f"bytes that are not {encoding.name.upper()}",
            "text in one encoding",
            "Save it again as UTF-8.",
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding.remark


def accented_words(content: Iterable[bytes]) -> bytes:
    """The different words with accents of a text that comes in lines: what `find_encoding` needs of one larger than the memory."""
    return b"\n".join(dict.fromkeys(word for line in content for word in _WORD.findall(line) if not word.isascii()))


def _stated_codec(stated: str, path: Path) -> str:
    """The codec of an encoding that the rating keeper names."""
    try:
        name = codecs.lookup(stated).name
        # Some codecs are of no text.
        b"x".decode(name, "ignore")
    except (LookupError, ValueError):
        place = Location(path, place="option --encoding")
        expected = "the name of an encoding, such as `cp1250`"
        raise DocumentError(place, f"`{shortened(stated)}`", expected) from None
    return name


def _unicode_with_mark(content: bytes) -> Encoding | None:
    return next((Encoding(name, len(mark)) for mark, name in _BYTE_ORDER_MARKS if content.startswith(mark)), None)


def _unicode_without_mark(content: bytes, path: Path, *, is_sample: bool) -> Encoding | None:
    """The encoding of a text that is in Unicode; None for one that is not.

    Raises:
        DocumentError: when the bytes are not text.
    """
    for magic, kind, hint in _KINDS_OF_BINARY:
        if content.startswith(magic):
            raise DocumentError(Location(path), kind, "a document with text", hint)
    if b"\0" in content:
        return Encoding(_utf_16_without_mark(content, path))
    if len(_CONTROLS.findall(content)) > _BINARY_SHARE * len(content):
        raise DocumentError(Location(path), "a binary file", "a document with text")
    try:
        codecs.getincrementaldecoder("utf-8")().decode(content, final=not is_sample)
    except UnicodeDecodeError:
        return None
    return Encoding("utf-8")


def _words_of(content: bytes) -> list[bytes]:
    """The different words with accents of a text, as many as are looked at."""
    words = (word for word in _WORD.findall(content) if not word.isascii())
    return list(islice(dict.fromkeys(words), _LOOKED_AT))


def _utf_16_without_mark(content: bytes, path: Path) -> str:
    """Western text in UTF-16 has a zero in every other byte."""
    half = len(content) // 2
    zeros_first, zeros_second = content[0::2].count(0), content[1::2].count(0)
    if zeros_second > 0.7 * half and zeros_first < 0.1 * half:
        return "utf-16-le"
    if zeros_first > 0.7 * half and zeros_second < 0.1 * half:
        return "utf-16-be"
    raise DocumentError(Location(path), "a binary file", "a document with text")


def _declared(content: bytes) -> Encoding | None:
    """The encoding that a page declares, if its bytes are of it."""
    declared = _DECLARED.search(content[:_DECLARATION_WITHIN])
    if not declared:
        return None
    try:
        name = codecs.lookup(declared[1].decode("ascii")).name
        # Browsers, too, read what calls itself Latin-1 as the Windows code page that extends it.
        name = "cp1252" if name == "iso8859-1" else name
        content.decode(name)
    except (LookupError, ValueError):
        return None
    # Who reads the declaration byte by byte does not read UTF-16.
    return None if name.startswith("utf") else Encoding(name, remark=_remark(content, name, "as the page declares"))


def _cannot_tell(content: bytes, path: Path, *, lines_count: bool) -> DocumentError:
    """The error of a text in an unknown encoding: the likely ones, each with two words that they read differently."""
    words = _words_of(content)
    found = from_bytes(b"\n".join(words), cp_isolation=_ENCODINGS, enable_fallback=False)
    possible = {name for match in found for name in match.could_be_from_charset}
    names = [name for name in _ENCODINGS if name in possible] or _ENCODINGS[:1]
    words.sort(key=lambda word: -len({word.decode(name, "replace") for name in names}))
    readings: dict[tuple[str, ...], str] = {}
    for name in names:
        readings.setdefault(tuple(shortened(word.decode(name, "replace"), 30) for word in words[:2]), name)
    shown = dict(islice(readings.items(), _SHOWN_ENCODINGS))
    read_as = "; ".join(f"{name} {' and '.join(f'`{word}`' for word in reading)}" for reading, name in shown.items())
    # A line ends with \r\n, with \n, or, in files of old Macs, with \r alone.
    above = content[: content.index(words[0])]
    line = above.count(b"\n" if b"\n" in content else b"\r") + 1 if lines_count else None
    options = " or ".join(f"--encoding {name}" for name in shown.values())
    return DocumentError(
        Location(path, line),
        f"words with accents that are not UTF-8; they read in {read_as}",
        "text in UTF-8, or in an encoding that is stated",
        f"Say which one reads right ({options}), or save the file as UTF-8.",
    )


def _remark(content: bytes, name: str, why: str) -> str:
    """What the rating keeper should know of a text that is not Unicode: how two of its words are read."""
    read = " and ".join(f"`{shortened(word.decode(name, 'replace'), 30)}`" for word in _words_of(content)[:2])
    return f"read in the encoding {name}, {why}: {read}; another one is stated with --encoding"
