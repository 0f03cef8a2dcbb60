"""Files that cannot be written: the message gives the reason and a remedy."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dippouch.errors import UserError
from support.changed_publications import Write, files_of


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Limit the size of files, as a full disk would."""
    had = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, had[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, had)


@pytest.mark.parametrize("size", [0, 100, 3_000, 100_000])
def test_a_full_disk_is_a_message(publication: Path, tmp_path: Path, size: int) -> None:
    with (
        files_of_at_most(size),
        pytest.raises(UserError, match=r"could not be written .* Expected a disk with enough space"),
    ):
        files_of(publication, tmp_path / "site")


def test_a_database_of_an_older_version_is_a_message(write: Write) -> None:
    with pytest.raises(UserError, match=r"another version of this project published .* `make rankings` publishes it"):
        write("older", "alter table marts.included_tournaments drop column value_rule")


PLAYER = "insert into marts.players by name select * replace ({} as player_id) from marts.players limit 1"


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        (PLAYER.format("'Edi-Birsan'"), "`Edi-Birsan`"),
        (PLAYER.format("'index'"), "`index`"),
        (PLAYER.format("'../x'"), "`../x`"),
        (PLAYER.format("repeat('a', 250)"), "`aaa"),
        ("update marts.tournaments set tournament_id = 'WAC' where tournament_id = 'wac-6-2009'", "`WAC`"),
        ("update marts.rating_systems set rating_system_id = 'Flat' where rating_system_id = 'dptr-flat'", "`Flat`"),
        ("update marts.national_ranking set nation_code = 'usa' where nation_code = 'USA'", "`usa`"),
    ],
)
def test_ids_that_cannot_be_names_of_files_are_refused(
    write: Write, tmp_path: Path, statement: str, named: str
) -> None:
    with pytest.raises(UserError, match="each becomes a file name") as refused:
        write("odd", statement)
    assert f"found {named}" in str(refused.value)
    assert not (tmp_path / "odd" / "api").exists()
