"""Writing a site: a new folder beside the old one, which trade names in one step when the new one is whole."""

from __future__ import annotations

import filecmp
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from dippouch.disk import link_or_copy, refusal, sync
from dippouch.errors import UserError
from dippouch.folders import exchange
from dippouch.run_changes import say_changed

_MARK = ".site"
_MARKED = "Made by `make site`, which replaces these files; others in the folder stay."


class StagedSite:
    """The folder of a site that is being made."""

    def __init__(self, folder: Path, old: Path) -> None:
        self.folder = folder
        self.written = 0
        self.kept = 0
        self.others = 0
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

    def finish(self) -> None:
        """Keep what others put into the folder of the old site, and write down which files are the site's own.

        Raises:
            UserError: when the site has a file of the same path.
        """
        own = {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if not path.is_dir()}
        before = _own_files(self._old)
        for path in _files(self._old) if before else ():
            relative = path.relative_to(self._old).as_posix()
            if relative in before:
                continue
            if relative in own:
                raise UserError(
                    f"{path}: found a file that `make site` did not write, and the site has one of that name now; expected it elsewhere."
                    " Move it away, then `make site`"
                )
            target = self.folder / relative
            self._make_parent(target)
            if path.is_symlink():
                target.symlink_to(path.readlink())
            else:
                link_or_copy(str(path), str(target))
            self.others += 1
        self.write(_MARK, "\n".join([_MARKED, *sorted({*own, _MARK})]) + "\n")

    def _make_parent(self, target: Path) -> None:
        if target.parent not in self._made:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(target.parent)


@contextmanager
def staged_site(folder: Path) -> Iterator[StagedSite]:
    """A site that is being made; it takes the place of the old one at the end, and of an error nothing is left.

    Args:
        folder: the folder of the site; a missing or empty one, or one that held a site before. Other files in it stay.

    Raises:
        UserError: when the folder holds something else, another program is making the site, or the disk refuses.
    """
    folder = _resolved(folder)
    staged, lock = (folder.with_name(f".{folder.name}.{what}") for what in ("staged", "lock"))
    try:
        _check_is_site(folder)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(lock, timeout=0):
            try:
                shutil.rmtree(staged, ignore_errors=True)
                staged.mkdir()
                site = StagedSite(staged, folder)
                yield site
                site.finish()
                folder.mkdir(exist_ok=True)
                exchange(staged, folder, what="a site")
                say_changed(f"{folder} was published")
                sync(folder.parent)
            finally:
                with suppress(OSError):
                    shutil.rmtree(staged)
    except Timeout:
        if not lock.exists():
            raise UserError(f"{folder}: could not be written; expected a folder in which files can be made") from None
        raise UserError(f"{folder}: another program is making this site; try again when it is done") from None
    except OSError as error:
        raise UserError(
            f"{folder}: could not be written ({refusal(error)}); the site that was there is untouched"
        ) from error


def _resolved(folder: Path) -> Path:
    """The folder without links on the way to it.

    Raises:
        UserError: when it cannot be the folder of a site.
    """
    try:
        resolved = folder.resolve()
    except (OSError, RuntimeError):
        raise UserError(f"{folder}: leads in a circle; expected the folder of a site, or none") from None
    if not resolved.name:
        raise UserError(f"{folder}: holds everything; expected the folder of a site, or none")
    return resolved


def _own_files(folder: Path) -> set[str]:
    """The files that a site's own mark names, relative to its folder; none where no site is."""
    try:
        return set((folder / _MARK).read_text(encoding="utf-8").splitlines()[1:])
    except (OSError, UnicodeDecodeError):
        return set()


def _files(folder: Path) -> Iterator[Path]:
    """The files and links in a folder, those below it, too; what a link leads to is not in it."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            yield from _files(path)
        else:
            yield path


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
