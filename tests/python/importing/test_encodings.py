"""Text encodings: Unicode, stated by option, or refused with the likeliest one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dippouch.errors import DocumentError
from dippouch.importing.context import Choices, read_context
from dippouch.importing.parsing.text import decode
from dippouch.importing.reader import read_documents
from dippouch.settings import PROJECT
from support import samples

PATH = Path("x.csv")
TEXT = "placement,name\r\n1,Stéphane MALLET\r\n2,Björn VON KNORRING\r\n"
CZECH = "Jiří DVOŘÁK,Tomáš NOVÁK,Václav ČERNÝ,Lukáš ŠIMŮNEK,Petr ŽÁK,Ondřej KREJČÍ,Zdeněk ČTVRTNÍK,Miloš SMRČKA"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_and_line_ends_are_found_out(encoding: str) -> None:
    for end in ("\n", "\r\n", "\r"):
        content = TEXT.replace("\r\n", end).encode(encoding)
        assert decode(content, PATH)[0] == TEXT.replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("text", "encoding", "message"),
    [
        (f"a,b\n1,{CZECH}", "cp1250", "x.csv:2: found bytes that are not UTF-8; .* --encoding cp1250, .* `Jiří`"),
        ("<meta charset='windows-1250'>Jiří", "cp1250", "--encoding cp1250, in which a word here reads `Jiří`"),
        ("1,Zo\nRené", "latin-1", "x.csv:2: .*`René`"),
    ],
)
def test_other_encodings_are_asked_for(text: str, encoding: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        decode(text.encode(encoding), PATH)
    assert decode(text.encode(encoding), PATH, encoding)[:2] == (text, "")


def test_both_files_of_a_pair_are_in_the_stated_encoding(tmp_path: Path) -> None:
    for name, text in samples.PAIR.items():
        (tmp_path / name).write_text(text.replace("Anna,ARCHER,\n", "Zoë,ZIMMER,\n"), encoding="cp1252")
    with pytest.raises(DocumentError, match=r"results.csv:5: found bytes that are not UTF-8"):
        list(read_documents(tmp_path / "tournaments.csv"))
    context = read_context(PROJECT / "seeds", Choices(encoding="cp1252"))
    assert len(list(read_documents(tmp_path / "tournaments.csv", context=context))) == 2


@pytest.mark.parametrize(
    ("content", "stated", "message"),
    [
        (b"x", "klingon", "option --encoding: found `klingon`; expected the name of an encoding"),
        (b"\n\nJi\x81\xff", "cp1252", "x.csv:3: found bytes that are not CP1252"),
        (bytes(range(256)) * 4, None, "a binary file"),
        ("é".encode("utf-16") + b"\xd8", None, "bytes that are not UTF-16"),
    ],
)
def test_bytes_that_are_no_text(content: bytes, stated: str | None, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        decode(content, PATH, stated)
    assert message in str(caught.value)
