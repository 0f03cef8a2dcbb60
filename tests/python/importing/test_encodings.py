"""Detection of text encodings: Unicode, declared by a page, given by option, or refused as ambiguous.

Further cases with complete messages are in tests/fixtures/importing.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dippouch.errors import DocumentError
from dippouch.importing.parsing.decoding import decode
from dippouch.importing.reader import read_documents
from support.programs import run_here

HEAD = "name: Open 2010\ndate: 2010-05-01\nplayers: 70\nrounds: 2\nplacement,name\n"

NAMES = {
    "Czech": "Jiří DVOŘÁK,Tomáš NOVÁK,Václav ČERNÝ,Lukáš ŠIMŮNEK,Petr ŽÁK,Ondřej KREJČÍ,Zdeněk ČTVRTNÍK,Miloš SMRČKA,Jan KRČMÁŘ",
    "Polish": "Łukasz WÓJCIK,Paweł KOWALSKI,Michał ŚWIĄTEK,Grzegorz BRZĘCZYSZCZYKIEWICZ,Rafał ŻAK,Łucja KAMIŃSKA",
    "French": "Stéphane MALLET,François LEFÈVRE,Gaëlle MAÎTRE,Jérôme BÉRARD,Hélène GODARD,Frédéric LÉVÊQUE,Benoît CHÂTEL,Éric NOËL",
    "Icelandic": "Guðrún ÞÓRSDÓTTIR,Sigurður JÓNSSON,Björk GUÐMUNDSDÓTTIR,Ægir MÁSSON",
    "Turkish": "Mehmet YILDIZ,Ayşe ŞAHİN,Doğan ÇELİK,Gökhan IŞIK",
    "English": "John SMITH,Jim O’KELLEY,Ann LEE",
}
ENCODINGS = {
    **dict.fromkeys(("Czech", "Polish"), ("cp1250", "iso8859-2", "cp852")),
    "French": ("cp1252", "mac-roman", "cp850"),
    "Icelandic": ("cp1252", "cp850"),
    "Turkish": ("cp1254",),
    "English": ("cp1252", "cp1250", "mac-roman"),
}


def table(names: str) -> str:
    return HEAD + "".join(f"{i},{name}\n" for i, name in enumerate(names.split(","), start=1))


@pytest.mark.parametrize(("language", "encoding"), [(name, e) for name, known in ENCODINGS.items() for e in known])
def test_who_knows_the_encoding_is_asked_and_shown_how_names_read(language: str, encoding: str) -> None:
    names = table(NAMES[language])
    with pytest.raises(DocumentError) as caught:
        decode(names.encode(encoding), Path("x.csv"))
    assert caught.value.location.line
    assert caught.value.hint.count("--encoding") <= 4
    assert decode(names.encode(encoding), Path("x.csv"), encoding)[0] == names


def test_a_czech_list_is_not_read_as_western_in_a_new_collection_either(tmp_path: Path) -> None:
    path = tmp_path / "brno.csv"
    path.write_bytes(table("Jiří DVOŘÁK,Petr NOVÁK").encode("cp1250"))
    done = run_here("import", "--seeds", tmp_path / "seeds", path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"rejected: {path}:6: found words with accents that are not UTF-8")
    assert "cp1252 `Jiøí` and `DVOØÁK`; cp1250 `Jiří` and `DVOŘÁK`" in done.stderr
    assert "--encoding cp1250" in done.stderr
    assert not (tmp_path / "seeds").exists()


def test_an_unknown_encoding_of_a_pair_hides_no_fault_of_rows_or_headings(tmp_path: Path) -> None:
    (tmp_path / "tournaments.csv").write_text("tournament_id,name,startd_on\ncup,Cup,2010-05-01\n", encoding="utf-8")
    rows = "tournament_id,placement,name,nation_code\ncup,x,Jiří DVOŘÁK,\ncup,2,Ann LEE,Žxq\n"
    (tmp_path / "results.csv").write_bytes(rows.encode("cp1250"))
    with pytest.raises(DocumentError) as caught:
        list(read_documents(tmp_path / "tournaments.csv"))
    faults = (caught.value, *caught.value.further)
    assert [(fault.location.line, fault.found.split(";")[0]) for fault in faults] == [
        (1, "the heading `startd_on`"),
        (2, "words with accents that are not UTF-8"),
        (2, "the placement `x`"),
        (3, "the nation `?xq`"),
    ]


@pytest.mark.parametrize(
    ("content", "stated", "message"),
    [
        (b"x", "klingon", "option --encoding: found `klingon`; expected the name of an encoding"),
        (b"x", "hex", "option --encoding: found `hex`"),
        (b"x", "a\0b", "option --encoding: found"),
        (b"\n\nJi\x81\xff", "cp1252", "x.csv:3: found bytes that are not CP1252"),
        ("Jiří".encode("cp1250"), "utf-8", "x.csv:1: found bytes that are not UTF-8"),
    ],
)
def test_a_stated_encoding_that_cannot_be(content: bytes, stated: str, message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        decode(content, Path("x.csv"), stated)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("encoding", "stated", "remark"),
    [
        ("utf-8", "utf-8", ""),
        ("utf-8-sig", "utf-8", ""),
        ("utf-16", "UTF-16", ""),
        ("utf-8", "cp1250", "read in UTF-8, because it is valid UTF-8, not in cp1250 (--encoding)"),
        ("utf-16", "cp1250", "read in UTF-16, because it is valid UTF-16, not in cp1250 (--encoding)"),
        ("utf-32", "cp1250", "read in UTF-32, because it is valid UTF-32, not in cp1250 (--encoding)"),
    ],
)
def test_unicode_is_read_as_such_whatever_is_stated(encoding: str, stated: str, remark: str) -> None:
    assert decode("x,Jiří".encode(encoding), Path("x.csv"), stated)[:2] == ("x,Jiří", remark)


def test_plain_text_is_of_any_encoding() -> None:
    assert decode(b"John SMITH", Path("x.csv"), "cp1250")[:2] == ("John SMITH", "")


def test_what_a_page_declares_is_stated() -> None:
    page = "<html><head><meta charset='windows-1250'></head>Jiří DVOŘÁK</html>"
    read, remark, _ = decode(page.encode("cp1250"), Path("x.html"))
    assert read == page
    assert remark.startswith("read in the encoding cp1250, as the page declares: `Jiří`")


@pytest.mark.parametrize("declared", ["klingon", "utf-8", "utf-16", "hex"])
def test_what_a_page_declares_wrongly_does_not_count(declared: str) -> None:
    page = f"<html><head><meta charset='{declared}'></head>Stéphane MALLET</html>"
    with pytest.raises(DocumentError, match="--encoding cp1252"):
        decode(page.encode("cp1252"), Path("x.html"))


def test_an_accent_in_the_last_byte_is_no_cut_character() -> None:
    content = "1,Zo\nRené".encode("latin-1")
    with pytest.raises(DocumentError, match=r"x.csv:2: found words with accents .* cp1252 `René`"):
        decode(content, Path("x.csv"))
    assert decode(content, Path("x.csv"), "latin-1")[0] == "1,Zo\nRené"


def test_a_text_of_two_encodings_is_refused() -> None:
    with pytest.raises(DocumentError, match="words with accents that are not UTF-8"):
        decode("Jérôme\n".encode() + "Éric\n".encode("cp1252"), Path("x.csv"))


TEXT = "placement,name\r\n1,Stéphane MALLET\r\n2,Björn VON KNORRING\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_are_found_out(encoding: str, end: str) -> None:
    content = TEXT.replace("\r\n", end).encode(encoding)
    assert decode(content, Path("x.csv"))[0] == TEXT.replace("\r\n", "\n")


def test_windows_quotes_are_no_latin_1_controls() -> None:
    assert (
        decode(b"<meta charset=latin1>Jim O\x92KELLEY", Path("x.csv"))[0].removeprefix("<meta charset=latin1>")
        == "Jim O’KELLEY"
    )


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"%PDF-1.7", "a PDF file"),
        (b"\x89PNG\r\n", "a picture"),
        (b"\x1f\x8b\x08", "a gzip archive"),
        (b"\xd0\xcf\x11\xe0", "an old Excel file"),
        (bytes(range(256)) * 4, "a binary file"),
        (b"\x01\x02\x03\x04abc", "a binary file"),
        ("é".encode("utf-16") + b"\xd8", "bytes that are not UTF-16"),
    ],
)
def test_bytes_that_are_no_text(content: bytes, found: str) -> None:
    with pytest.raises(DocumentError, match=found):
        decode(content, Path("x"))
