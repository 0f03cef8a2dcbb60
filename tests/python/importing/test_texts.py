"""Names, dates, placements and encodings, as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slugify import slugify

from dippouch.errors import DocumentError
from dippouch.ids import readable_id
from dippouch.importing.parsing.dates import parse_date_span
from dippouch.importing.parsing.decoding import decode
from dippouch.importing.parsing.nations import read_nations
from dippouch.importing.parsing.numbers import parse_count, parse_placement
from dippouch.names import fault_of_name, fault_of_text, repair_text, split_full_name, split_listed_name, tidy_text
from dippouch.settings import PROJECT

NATIONS = read_nations(PROJECT / "seeds")

NO_PLACEMENT = ("", "-", "–", "DNF", "dns", "DSQ", "n.c.", "TD", " ")
NO_PLACE_AT_ALL = ("0", "-1", "2.5", "NaN", "inf", "1e3", "1,5", "first", "=3=", "T", "12345678", "١", "3rd 4th", "½")


@pytest.mark.parametrize(
    ("text", "placement"),
    [
        ("3", 3),
        (" 3 ", 3),
        ("1st", 1),
        ("22nd", 22),
        ("3.", 3),
        ("3.0", 3),
        ("=3", 3),
        ("3=", 3),
        ("T3", 3),
        ("t-3", 3),
    ],
)
def test_placements(text: str, placement: int) -> None:
    assert parse_placement(text) == placement


@pytest.mark.parametrize("text", NO_PLACEMENT)
def test_listed_without_a_placement(text: str) -> None:
    assert parse_placement(text) is None


@pytest.mark.parametrize("text", NO_PLACE_AT_ALL)
def test_what_is_no_placement(text: str) -> None:
    with pytest.raises(ValueError, match="a whole number from 1"):
        parse_placement(text)


@pytest.mark.parametrize("text", ["", "0", "-3", "2.5", "ten", "12345678"])
def test_what_is_no_count(text: str) -> None:
    with pytest.raises(ValueError, match="a whole number above 0"):
        parse_count(text)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("August 23-25, 2013", "2013-08-23", "2013-08-25"),
        ("June 1, 1996", "1996-06-01", "1996-06-01"),
        ("17-18 June 2006", "2006-06-17", "2006-06-18"),
        ("Dec 30, 2005 - Jan 1, 2006", "2005-12-30", "2006-01-01"),
        ("July 31 - August 2, 2010", "2010-07-31", "2010-08-02"),
        ("23rd of August 2013", "2013-08-23", "2013-08-23"),
        ("2013-08-23", "2013-08-23", "2013-08-23"),
        ("2013-08-23 - 2013-08-25", "2013-08-23", "2013-08-25"),
        ("2013-08-23 to 2013-08-25", "2013-08-23", "2013-08-25"),
        ("2013/08/23", "2013-08-23", "2013-08-23"),
        ("23/08/2013", "2013-08-23", "2013-08-23"),
        ("08/23/2013", "2013-08-23", "2013-08-23"),
        ("03.04.2013", "2013-04-03", "2013-04-03"),
        ("05/05/2013", "2013-05-05", "2013-05-05"),
        ("2013-08-23 00:00:00", "2013-08-23", "2013-08-23"),
    ],
)
def test_dates(text: str, first: str, last: str) -> None:
    assert tuple(map(str, parse_date_span(text))) == (first, last)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("03/04/2013", "either way round: write 2013-04-03 or 2013-03-04"),
        ("February 30, 2013", "out of range"),
        ("2013-13-01", "month must be"),
        ("31 August", "a year of four figures"),
        ("August 2013", "not one day"),
        ("23 Augst 2013", "`Augst` is no month"),
        ("25-23 August 2013", "not before the start"),
        ("1-2-3 June 2005", "one span"),
        ("", "not one day"),
    ],
)
def test_dates_that_are_none(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_date_span(text)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Vincent DIAS DE ALMEIDA", "Vincent", "DIAS DE ALMEIDA"),
        ("René van ROOIJEN", "René", "van ROOIJEN"),
        ("Jean P. DUPONT", "Jean P.", "DUPONT"),
        ("JP DUPONT", "JP", "DUPONT"),
        ("Jim O'KELLEY", "Jim", "O'KELLEY"),
        ("Le´ S──RLAINEN", "Leï", "SÄÄRLAINEN"),
        ("BjÃ¶rn VON KNORRING", "Björn", "VON KNORRING"),
        ("Ry4an BRASE", "Ry4an", "BRASE"),
    ],
)
def test_listed_names(text: str, first: str, last: str) -> None:
    assert split_listed_name(text) == (first, last)
    assert split_full_name(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("SMITH John", "John", "SMITH"),
        ("VON KNORRING Björn", "Björn", "VON KNORRING"),
        ("SMITH J.", "J.", "SMITH"),
        ("Smith, John", "John", "SMITH"),
        ("van Rooijen, René", "René", "VAN ROOIJEN"),
        ("John Smith", "John", "SMITH"),
        ("Ludwig van Beethoven", "Ludwig", "VAN BEETHOVEN"),
        ("Cher", "", "CHER"),
    ],
)
def test_full_names(text: str, first: str, last: str) -> None:
    assert split_full_name(text) == (first, last)


@pytest.mark.parametrize(("text", "why"), [("", "empty"), ("a, b, c", "more than one comma"), (", John", "one side")])
def test_full_names_that_are_none(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        split_full_name(text)


def test_a_text_is_repaired_only_when_one_repair_makes_a_name() -> None:
    # Read as code page 850 it is Stéphane, read as Mac Roman it would be Stâphane.
    assert repair_text("St‚phane") == "St‚phane"
    assert fault_of_name("St‚phane MALLET") is not None


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("BjÃ¶rn", "Björn"),
        ("GROÃŸ", "GROß"),
        ("DvoÅ™Ã¡k", "Dvořák"),
        ("Jim Oâ€™KELLEY", "Jim O’KELLEY"),
        ("Le´ S──RLAINEN", "Leï SÄÄRLAINEN"),
    ],
)
def test_a_name_with_a_known_mistake_is_repaired(text: str, repaired: str) -> None:
    assert repair_text(text) == repaired


@pytest.mark.parametrize(
    "name",
    "MÄŠO KRÍŽ BENEŠ ANDRÉ’S JOÃO SÃO ÂNGELA Łukasz ŽÁČEK “Pepe” Edi_«Ed»_BIRSAN Zoë_–_X ŠÍŽ ÅŠ. Mª_José 3°_X".split(),
)
def test_a_name_that_can_be_one_is_left_alone(name: str) -> None:
    assert repair_text(name.replace("_", " ")) == name.replace("_", " ")


def test_a_name_of_which_a_part_is_lost_is_not_half_repaired() -> None:
    # The second byte of the last letter but one is gone.
    assert repair_text("JiÅ™Ã\xad DVOÅ˜ÃK") == "JiÅ™Ã\xad DVOÅ˜ÃK"


def test_what_is_no_name_of_a_person_is_tidied_and_never_repaired() -> None:
    assert tidy_text(" 3°  Torneo\t£5 ® × ±\u00a0e\u0301 ") == "3° Torneo £5 ® × ± é"
    assert tidy_text("BjÃ¶rn") == "BjÃ¶rn"
    # What nobody sees stays, to be rejected.
    assert tidy_text("a\u2028b\x85c") == "a\u2028b\x85c"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Edi\x07 BIRSAN", "U+0007"),
        ("Edi\u202e BIRSAN", "right-to-left override"),
        ("Edi\u200f BIRSAN", "right-to-left mark"),
        ("Edi\u200b BIRSAN", "zero width space"),
        ("Edi \ufffdBIRSAN", "replacement character"),
        ("=HYPERLINK()", "formula"),
        ("@Edi", "formula"),
        ("-2+3+cmd|", "formula"),
        ("＋Edi", "formula"),
        ("\u3164", "U+3164 (hangul filler)"),
        ("Edi \u115f BIRSAN", "U+115F (hangul choseong filler)"),
        ("\u2800", "U+2800 (braille pattern blank)"),
        ("Edi\u034f BIRSAN", "U+034F (combining grapheme joiner)"),
        ("Edi\U000e0101 BIRSAN", "U+E0101"),
        ("Edi\U000e0041 BIRSAN", "U+E0041 (tag latin capital letter a)"),
        ("x" * 10_000, "10000 characters"),
    ],
)
def test_texts_that_nobody_can_be_called(name: str, why: str) -> None:
    assert why in " ".join(fault_of_text(name) or ())
    assert why in " ".join(fault_of_name(name) or ())


@given(st.text(alphabet=st.characters(exclude_characters="&,"), max_size=30))
def test_an_id_made_word_by_word_is_that_of_the_whole(text: str) -> None:
    whole = slugify(" ".join(text.split()))
    if whole:
        assert readable_id(text) == whole


@pytest.mark.parametrize(
    ("text", "code"), [("FRA", "FRA"), ("fr", "FRA"), ("France", "FRA"), (" ", None), ("CHE", "CHE"), ("CH", "CHE")]
)
def test_nations_as_a_rating_keeper_writes_them(text: str, code: str | None) -> None:
    assert NATIONS.of_text(text) == code


@pytest.mark.parametrize(
    ("flag", "code"), [("FRA", "FRA"), ("ALL", "DEU"), ("ANG", "GBR"), ("YOU", "YUG"), ("YYY", None), ("ZZZ", None)]
)
def test_nations_of_flags(flag: str, code: str | None) -> None:
    assert NATIONS.of_flag(flag) == code


def test_a_code_of_the_database_is_explained() -> None:
    with pytest.raises(ValueError, match="`ALL` is `DEU`"):
        NATIONS.of_text("ALL")


TEXT = "placement,name\r\n1,Stéphane MALLET\r\n2,Björn VON KNORRING\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_are_found_out(encoding: str, end: str) -> None:
    content = TEXT.replace("\r\n", end).encode(encoding)
    assert decode(content, Path("x.csv"))[0] == TEXT.replace("\r\n", "\n")


def test_a_page_says_its_encoding() -> None:
    page = "<html><head><meta charset='iso-8859-2'></head>Łukasz WÓJCIK</html>"
    assert "Łukasz WÓJCIK" in decode(page.encode("iso-8859-2"), Path("x.html"))[0]


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
