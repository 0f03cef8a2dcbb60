"""Inputs that are no documents; faults in documents are in the golden files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dippouch.messages import DocumentError, UserError
from dippouch.reading.reader import group_inputs, read_documents
from support.programs import done, run_here
from support.samples import CONTEXT


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone.csv", Path("/dev/zero")):
        with pytest.raises(DocumentError, match=r"expected a (readable )?file"):
            list(read_documents(path, CONTEXT))
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


def test_a_name_of_several_lines_stays_on_the_line_of_its_message(tmp_path: Path) -> None:
    """In the log of a workflow, a line that begins with `::` would be a command."""
    start = 'placement,player_name\n1,"{}"\n2,Edi BIRSAN\n'
    facts = ("--date", "2026-05-02", "--players", "9", "--rounds", "1", "--seeds", tmp_path / "seeds")
    for name, text in (("One", "Al Add Mask Yes BETASON"), ("Other", "Al\n::add-mask::yes BETASONN")):
        (tmp_path / f"{name}.csv").write_text(start.format(text), encoding="utf-8")
        refused = run_here("import", tmp_path / f"{name}.csv", "--name", name, *facts)
    assert "found the new name" in refused.stderr
    assert all(line.startswith("rejected: ") for line in refused.stderr.splitlines()), refused.stderr


@pytest.mark.parametrize("name", [b"caf\xe9.csv", b"two\nlines.csv", "cup\u202egpj.csv".encode()])
def test_a_file_with_a_name_that_no_seed_can_hold_is_rejected_alone(tmp_path: Path, name: bytes) -> None:
    text = "name: {}\ndate: 2026-05-02\nplayers: 9\nrounds: 1\n\nplacement,player_name\n1,{} BIRSAN\n"
    faulty = tmp_path / "files" / os.fsdecode(name)
    faulty.parent.mkdir()
    faulty.write_text(text.format("One", "Edi"), encoding="utf-8")
    (faulty.parent / "other.csv").write_text(text.format("Other", "Uli"), encoding="utf-8")
    refused = run_here("import", faulty.parent, "--seeds", tmp_path / "seeds")
    assert refused.stderr.count("rejected: ") == 1
    assert refused.stderr.endswith("expected visible characters. Rename the file\n")
    assert "1 new, 0 unchanged, 0 changed, 1 rejected" in refused.stdout
    faulty.rename(faulty.with_name("renamed.csv"))
    done(run_here("import", faulty.parent, "--new", "all", "--seeds", tmp_path / "seeds"))
