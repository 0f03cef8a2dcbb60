"""Text encodings: Unicode, stated by option, or refused with the likeliest one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dippouch.errors import DocumentError
from dippouch.importing.parsing.text import decode

TEXT = "placement,name\r\n1,Stéphane MALLET\r\n2,Björn VON KNORRING\r\n"
CZECH = (
    "Jiří DVOŘÁK,Tomáš NOVÁK,Václav ČERNÝ,Lukáš ŠIMŮNEK,Petr ŽÁK,Ondřej KREJČÍ,Zdeněk ČTVRTNÍK,Miloš SMRČKA,Jan KRČMÁŘ"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_unicode_and_line_ends_are_found_out(encoding: str, end: str) -> None:
    content = TEXT.replace("\r\n", end).encode(encoding)
    assert decode(content, Path("x.csv"))[0] == TEXT.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("text", "encoding", "message"),
    [
        (f"a,b\n1,{CZECH}", "cp1250", "x.csv:2: found bytes that are not UTF-8; .* --encoding cp1250, .* `Jiří`"),
        (
            "1,Stéphane MALLET\n2,Éric NOËL",
            "cp1252",
            r"x.csv:1: .* --encoding \w+, in which a word here reads `Stéphane`",
        ),
        ("<meta charset='windows-1250'>Jiří", "cp1250", "--encoding windows-1250, in which a word here reads `Jiří`"),
        ("1,Zo\nRené", "latin-1", "x.csv:2: .*`René`"),
    ],
)
def test_other_encodings_are_asked_for(text: str, encoding: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        decode(text.encode(encoding), Path("x.csv"))
    assert decode(text.encode(encoding), Path("x.csv"), encoding)[:2] == (text, "")


def test_unicode_is_read_as_such_whatever_is_stated() -> None:
    remark = "read in UTF-8, because it is valid UTF-8, not in cp1250"
    assert decode("x,Jiří".encode(), Path("x.csv"), "cp1250")[:2] == ("x,Jiří", remark)
    assert decode(b"John SMITH", Path("x.csv"), "cp1250")[:2] == ("John SMITH", "")


@pytest.mark.parametrize(
    ("content", "stated", "message"),
    [
        (b"x", "klingon", "option --encoding: found `klingon`; expected the name of an encoding"),
        (b"x", "hex", "option --encoding: found `hex`"),
        (b"x", "a\0b", "option --encoding: found"),
        (b"\n\nJi\x81\xff", "cp1252", "x.csv:3: found bytes that are not CP1252"),
        (bytes(range(256)) * 4, None, "a binary file"),
        ("é".encode("utf-16") + b"\xd8", None, "bytes that are not UTF-16"),
    ],
)
def test_bytes_that_are_no_text(content: bytes, stated: str | None, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        decode(content, Path("x.csv"), stated)
    assert message in str(caught.value)
