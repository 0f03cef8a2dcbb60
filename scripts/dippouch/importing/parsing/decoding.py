"""Decode the bytes of a document: detect the encoding and the line ends.

Text in UTF-8, UTF-16 or UTF-32 is recognisable, and a page may declare another encoding. Otherwise the rating keeper must name it
(`--encoding`): the names in a list are too few and too short for any detector. On lists in twelve languages, charset-normalizer either
could not decide or, in one of twelve, was wrong. So the message shows the likely encodings, and how names read in each.
"""

from __future__ import annotations

import codecs
import re
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from dippouch.errors import DocumentError, Location
from dippouch.names import shortened

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    # UTF-32's mark begins with UTF-16's.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_TYPE_IT = "Type the table into a CSV file."
_KINDS_OF_BINARY = (
    (b"%PDF", "a PDF file", "Copy the table out of it into a CSV file."),
    (b"\x89PNG", "a picture", _TYPE_IT),
    (b"GIF8", "a picture", _TYPE_IT),
    (b"\xff\xd8\xff", "a picture", _TYPE_IT),
    (b"PK\x03\x04", "a zip archive", "Unpack it and import the files in it."),
    (b"\x1f\x8b", "a gzip archive", "Unpack it and import the file in it."),
    (b"PAR1", "a Parquet file", "Put tournaments.parquet and results.parquet into one folder."),
    (b"\xd0\xcf\x11\xe0", "an old Excel file (.xls) or one with a password", "Save it as .xlsx without a password."),
)

# Control characters that no text has; tab, line ends and form feed are allowed. A page saved on DOS may end with 0x1A.
_CONTROLS = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f\x7f]")
_BINARY_SHARE = 0.02

# A page's declaration of its own encoding, in the form that browsers look for.
_DECLARED = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_DECLARATION_WITHIN = 2048

# Single-byte encodings of lists of players, likelier ones first.
_ENCODINGS = "cp1252 cp1250 iso8859_2 cp1254 cp1257 mac_roman mac_latin2 cp850 cp852 cp1251 cp1253 koi8_r".split()
_SHOWN_ENCODINGS = 4
# Number of different words with accents to examine; they suffice to show the encoding.
_LOOKED_AT = 1_000
_WORD = re.compile(rb"[^\x00-\x20,;|\"<>&=]+")


class Decoded(NamedTuple):
    """The text of a document, a remark on its encoding for the rating keeper, and the encoding."""

    text: str
    remark: str
    encoding: str


class UnknownEncodingError(DocumentError):
    """A text with an ambiguous encoding; `encodings` are the likely ones."""

    encodings: tuple[str, ...] = ()


def cannot_be_opened(path: Path, error: OSError) -> DocumentError:
    """Return the error for a file that the system cannot open."""
    return DocumentError(Location(path), f"a file that cannot be opened ({error.strerror})", "a readable file")


def decode(content: bytes, path: Path, stated: str | None = None) -> Decoded:
    r"""Return the text of a document, with `\n` at every line end, and a remark on its encoding.

    Raises:
        DocumentError: when the bytes are not text, several encodings are possible, or the stated one is not.
    """
    codec = _stated_codec(stated, path) if stated else ""
    name, remark = _unicode_of(content, path, codec), ""
    if name is None:
        name, why = (codec, "as --encoding says") if codec else (_declared(content), "as the page declares")
        if not name:
            raise _cannot_tell(content, path)
        read = " and ".join(f"`{shortened(word.decode(name, 'replace'), 30)}`" for word in _words_of(content)[:2])
        remark = f"read in the encoding {name}, {why}: {read}; state another one with --encoding"
    elif codec and not content.isascii() and not codec.startswith(name[:5]):
        # Text in another encoding is hardly ever valid Unicode by chance, so the option is meant for other files of the run.
        remark = f"read in {name.upper()}, because it is valid {name.upper()}, not in {codec} (--encoding)"
    try:
        text = content.decode(name)
    except UnicodeError as error:
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = content[:start].decode(name, "ignore").count("\n") + 1
        found = f"bytes that are not {name.upper()}"
        raise DocumentError(Location(path, line), found, "text in one encoding", "Save it again as UTF-8.") from None
    return Decoded(text.replace("\r\n", "\n").replace("\r", "\n"), remark, name.removesuffix("-sig"))


def _stated_codec(stated: str, path: Path) -> str:
    """Return the codec of an encoding that the rating keeper names."""
    try:
        name = codecs.lookup(stated).name
        # Some codecs are not for text.
        b"x".decode(name, "ignore")
    except (LookupError, ValueError):
        place = Location(path, place="option --encoding")
        expected = "the name of an encoding, such as `cp1250`"
        raise DocumentError(place, f"`{shortened(stated)}`", expected) from None
    return name


def _unicode_of(content: bytes, path: Path, stated: str) -> str | None:
    """Return the codec of a Unicode text; None for other text.

    Raises:
        DocumentError: when the bytes are not text.
    """
    if marked := next((name for mark, name in _BYTE_ORDER_MARKS if content.startswith(mark)), None):
        return marked
    if stated.startswith(("utf-16", "utf-32")):
        return stated
    for magic, kind, hint in _KINDS_OF_BINARY:
        if content.startswith(magic):
            raise DocumentError(Location(path), kind, "a document with text", hint)
    # Western text in UTF-16 has a zero in every other byte.
    zeros = [content[start::2].count(0) / max(len(content) // 2, 1) for start in (0, 1)]
    for one, other, name in ((0, 1, "utf-16-be"), (1, 0, "utf-16-le")):
        if zeros[one] > 0.7 and zeros[other] < 0.1:
            return name
    if any(zeros) or len(_CONTROLS.findall(content)) > _BINARY_SHARE * len(content):
        raise DocumentError(Location(path), "a binary file", "a document with text")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _words_of(content: bytes) -> list[bytes]:
    """Return the different words with accents in a text, up to a maximum."""
    words = (match[0] for match in _WORD.finditer(content) if not match[0].isascii())
    return list(islice(dict.fromkeys(words), _LOOKED_AT))


def _declared(content: bytes) -> str:
    """Return the encoding that a page declares, if its bytes are valid in it; otherwise empty."""
    declared = _DECLARED.search(content[:_DECLARATION_WITHIN])
    if not declared:
        return ""
    try:
        name = codecs.lookup(declared[1].decode("ascii")).name
        # Like browsers: read Latin-1 as the Windows code page that extends it.
        name = "cp1252" if name == "iso8859-1" else name
        content.decode(name)
    except (LookupError, ValueError):
        return ""
    # A declaration that can be read byte by byte is not in UTF-16.
    return "" if name.startswith("utf") else name


def _cannot_tell(content: bytes, path: Path) -> DocumentError:
    """Return the error for a text with an ambiguous encoding: the likely ones, each with two words that differ."""
    from charset_normalizer import from_bytes

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
    # A line ends with \r\n, \n, or, in files of old Macs, \r alone.
    line = content[: content.index(words[0])].count(b"\n" if b"\n" in content else b"\r") + 1
    options = " or ".join(f"--encoding {name}" for name in shown.values())
    error = UnknownEncodingError(
        Location(path, line),
        f"words with accents that are not UTF-8; they read in {read_as}",
        "text in UTF-8, or in an encoding that is stated",
        f"Say which one reads right ({options}), or save the file as UTF-8.",
    )
    error.encodings = tuple(shown.values())
    return error
