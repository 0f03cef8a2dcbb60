"""Files that are never imported, whatever their content; faults in texts are in the golden files."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from dippouch.documents import Document
from dippouch.errors import DocumentError, UserError
from dippouch.importing.reader import FORMATS, group_inputs, read_documents

Reader = Callable[..., Document]

TABLE = "name: Small Cup\ndate: 2010-05-01\nplayers: 4\nrounds: 2\n\nplacement,name\n1,Anna ARCHER\n2,Ben BAKER\n"


def archive(name: str, content: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return made.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("picture.png", lambda: b"\x89PNG\r\n\0\0", "Copy the table out of a PDF file or a picture into a CSV file"),
        ("old.xls", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "save it again as .xlsx without a password"),
        ("not.xlsx", lambda: archive("readme.txt", "hello"), "a damaged workbook"),
        ("cut.xlsx", lambda: archive("xl/workbook.xml", "<x/>")[:60], "found no workbook inside"),
        ("bomb.xlsx", lambda: archive("xl/workbook.xml", "0" * 200_000_001), "200,000,001 bytes when unpacked"),
    ],
)
def test_a_file_that_holds_no_text_and_no_workbook(
    name: str, content: Callable[[], bytes], message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content())
    with pytest.raises(DocumentError) as caught:
        list(read_documents(path))
    assert str(caught.value).startswith(f"{path}: found ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "shown", "found"),
    [
        ("cup\n2010.csv", "cup\\n2010.csv", "a name with the character U+000A (a control character)"),
        ("cup\u202egpj.csv", "cup\\u202egpj.csv", "a name with the character U+202E (right-to-left override)"),
        ("cup\udce9.csv", "cup\\udce9.csv", "a name with the character U+DCE9 (a control character)"),
        ("=cmd.csv", "=cmd.csv", "a name with `=` at its beginning, which a spreadsheet runs as a formula"),
    ],
)
def test_the_name_of_a_file_is_fit_for_a_seed_and_a_message(name: str, shown: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(TABLE)
    with pytest.raises(DocumentError) as caught:
        list(read_documents(path))
    assert str(caught.value).startswith(f"{tmp_path}/{shown}: found {found}; expected a file whose name can be shown")
    assert str(caught.value).endswith(". Rename it.")


def test_a_file_that_is_gone_and_a_folder_are_no_documents(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone.csv", Path("/dev/zero")):
        with pytest.raises(DocumentError, match=r"expected a (readable )?file"):
            list(read_documents(path))


def test_a_form_that_does_not_exist_lists_those_that_do(read: Reader) -> None:
    with pytest.raises(UserError, match=", ".join(FORMATS)):
        read(TABLE, "x.csv", format_name="xml")


def test_inputs_are_files_once_each_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in (
        "b.csv",
        "a.txt",
        ".hidden",
        ".git/config",
        "bulk/tournaments.csv",
        "bulk/results.csv",
        "z/results.csv",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    expected = [tmp_path / name for name in ("a.txt", "b.csv", "bulk/tournaments.csv", "z/results.csv")]
    assert group_inputs([tmp_path]) == expected
    assert group_inputs([tmp_path / "bulk" / ".." / "b.csv", tmp_path / "b.csv"]) == [
        tmp_path / "bulk" / ".." / "b.csv"
    ]
    assert group_inputs([tmp_path / "bulk" / "results.csv"]) == [tmp_path / "bulk" / "tournaments.csv"]
    for gone in ("gone", os.fsdecode(b"\xe8.csv")):
        with pytest.raises(UserError, match="no such file or folder") as missing:
            group_inputs([tmp_path / gone])
        assert str(missing.value).encode()
