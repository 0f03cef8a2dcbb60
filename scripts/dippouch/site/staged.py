"""Writing a site: a new folder beside the old one, which trade names in one step when the new one is whole."""

from __future__ import annotations

import filecmp
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from dippouch.changed import say_changed
from dippouch.disk import link_or_copy, refusal, sync
from dippouch.errors import UserError
from dippouch.folders import exchange

_MARK = ".site"
_MARKED = "Made by `make site`, which replaces this folder whole.\n"


class StagedSite:
    """The folder of a site that is being made."""

    def __init__(self, folder: Path, old: Path) -> None:
        self.folder = folder
        self.written = 0
        self.kept = 0
        self._old = old
        self._made: set[Path] = set()
        self._paths: dict[str, str] = {}

    def write(self, path: str, content: str | bytes) -> None:
        """Write a file; one that the old site has with the same content becomes a link to it, so that its time stays.

        Args:
            path: where, relative to the site.
            content: text, written as UTF-8, or bytes.

        Raises:
            UserError: when another file has this path on a disk that takes capitals and small letters for the same.
        """
        if (other := self._paths.setdefault(path.casefold(), path)) != path or (self.folder / path).exists():
            raise UserError(
                f"found two pages for one address (`{other}` and `{path}`), which some disks and servers take for the same; expected ids that"
                " differ in more than capitals"
            )
        data = content.encode() if isinstance(content, str) else content
        target, old = self.folder / path, self._old / path
        self._make_parent(target)
        if _holds(old, data):
            link_or_copy(str(old), str(target))
            self.kept += 1
        else:
            target.write_bytes(data)
            self.written += 1

    def adopt(self) -> None:
        """Take over what others wrote into the folder: a file that the old site has with the same content becomes a link to it."""
        for path in sorted(self.folder.rglob("*")):
            relative = path.relative_to(self.folder).as_posix()
            if not path.is_file() or relative.casefold() in self._paths:
                continue
            self._paths[relative.casefold()] = relative
            old = self._old / relative
            if old.is_file() and filecmp.cmp(old, path, shallow=False):
                path.unlink()
                link_or_copy(str(old), str(path))
                self.kept += 1
            else:
                self.written += 1

    def _make_parent(self, target: Path) -> None:
        if target.parent not in self._made:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(target.parent)


@contextmanager
def staged_site(folder: Path) -> Iterator[StagedSite]:
    """A site that is being made; it takes the place of the old one at the end, and of an error nothing is left.

    Args:
        folder: the folder of the site; a missing or empty one, or one that held a site before.

    Raises:
        UserError: when the folder holds something else, another program is making the site, or the disk refuses.
    """
    folder = folder.resolve()
    staged = folder.with_name(f".{folder.name}.staged")
    try:
        _check_is_site(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(f".{folder.name}.lock"), timeout=0):
            try:
                shutil.rmtree(staged, ignore_errors=True)
                staged.mkdir()
                site = StagedSite(staged, folder)
                site.write(_MARK, _MARKED)
                yield site
                folder.mkdir(exist_ok=True)
                exchange(staged, folder, what="a site")
                say_changed(f"{folder} was published")
                sync(folder.parent)
            finally:
                with suppress(OSError):
                    shutil.rmtree(staged)
    except Timeout:
        raise UserError(f"{folder}: another program is making this site; try again when it is done") from None
    except OSError as error:
        raise UserError(
            f"{folder}: could not be written ({refusal(error)}); the site that was there is untouched"
        ) from error


def _check_is_site(folder: Path) -> None:
    """Refuse to replace a folder that holds something else.

    Raises:
        UserError: when it does.
    """
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder}: is no folder; expected the folder of a site, or none")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARK).exists():
        raise UserError(
            f"{folder}: found files that `make site` did not write; expected a new or empty folder, or a site made before."
            " DPTR_SITE names another"
        )


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False
