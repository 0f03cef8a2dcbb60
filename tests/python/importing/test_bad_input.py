"""Files that are never imported, whatever their content; faults in texts are in the golden files."""

from __future__ import annotations

from pathlib import Path

import pytest

from dippouch.errors import DocumentError, UserError
from dippouch.importing.reader import FORMATS, group_inputs, read_documents

TABLE = "name: Small Cup\ndate: 2010-05-01\nplayers: 4\nrounds: 2\n\nplacement,name\n1,Anna ARCHER\n2,Ben BAKER\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("picture.png", b"\x89PNG\r\n\0\0", "Copy the table out of a PDF file or a picture into a CSV file"),
        ("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "save it again as .xlsx without a password"),
        ("cut.xlsx", b"PK\x03\x04cut", "found no workbook inside"),
    ],
)
def test_a_file_that_holds_no_text_and_no_workbook(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DocumentError) as caught:
        list(read_documents(path))
    assert str(caught.value).startswith(f"{path}: found ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "shown"), [("cup\u202egpj.csv", "cup\\u202egpj.csv"), ("cup\udce9.csv", "cup\\udce9.csv")]
)
def test_the_name_of_a_file_drives_no_terminal(name: str, shown: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(TABLE)
    with pytest.raises(DocumentError) as caught:
        list(read_documents(tmp_path / name))
    assert str(caught.value).startswith(f"{tmp_path}/{shown}: found ")


def test_a_missing_file_a_folder_and_an_unknown_format_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone.csv", Path("/dev/zero")):
        with pytest.raises(DocumentError, match=r"expected a (readable )?file"):
            list(read_documents(path))
    with pytest.raises(UserError, match=", ".join(FORMATS)):
        list(read_documents(tmp_path, format_name="xml"))
    with pytest.raises(UserError, match="no such file or folder"):
        group_inputs([tmp_path / "gone"])


def test_inputs_are_files_once_each_in_the_order_of_their_names(tmp_path: Path) -> None:
    names = ("b.csv", "a.txt", ".hidden", ".git/config", "bulk/tournaments.csv", "bulk/results.csv", "z/results.csv")
    for path in (tmp_path / name for name in names):
        path.parent.mkdir(exist_ok=True)
        path.touch()
    expected = [tmp_path / name for name in ("a.txt", "b.csv", "bulk/tournaments.csv", "z/results.csv")]
    assert group_inputs([tmp_path]) == expected
    twice = tmp_path / "bulk" / ".." / "b.csv"
    assert group_inputs([twice, tmp_path / "b.csv"]) == [twice]
