"""Write a site into a new folder, which replaces the old one in one step once it is complete."""

import filecmp
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from dippouch.disk import exchange, link_or_copy, refusal, remove_folder, sync
from dippouch.messages import UserError, durable_changes

_MARK = ".site"
_MARKED = "Made by `dptr site`, which replaces these files; others in the folder stay."


@dataclass
class StagedSite:
    """A site under construction in a folder of its own, with the outcome.

    It counts all its files, the new or changed ones, and the files of others, which stay. A site without live pages says why.
    """

    folder: Path
    on_step: Callable[[str], None]
    pages: int = 0
    files: int = 0
    written: int = 0
    others: int = 0
    without_live_pages: str = ""

    def place(self, path: str) -> Path:
        """Return where a file goes whose path is relative to the site; `on_step` is called with each path.

        Raises:
            UserError: when an id in the path leads out of the site.
        """
        if ".." in Path(path).parts:
            raise UserError(
                f"{path}: found an id that leads out of the site; `dptr refresh` publishes only ids of one word"
            )
        self.on_step(path)
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        return target

    def write(self, path: str, content: str | bytes) -> None:
        """Write a file at a path relative to the site; text as UTF-8."""
        self.place(path).write_bytes(content.encode() if isinstance(content, str) else content)

    def finish(self, old: Path) -> None:
        """Take over unchanged files of the old site with their times, and the files of others.

        Raises:
            UserError: when a file of others has the path of a file of the new site.
        """
        own, before = {_MARK, *_files(self.folder)}, own_files(old)
        others = {*_files(old)} - before - {_MARK} if before else set()
        if own & others:
            raise UserError(
                f"{old / min(own & others)}: found a file that `dptr site` did not write, at the path of a page; expected none."
                " Move it away, then run `dptr site`"
            )
        self.write(_MARK, "\n".join([_MARKED, *sorted(own)]) + "\n")
        for relative in others:
            link_or_copy(old / relative, self.place(relative))
        self.files, self.others = len(own), len(others)
        for relative in own:
            new, kept = self.folder / relative, old / relative
            if kept.is_file() and filecmp.cmp(kept, new, shallow=False):
                new.unlink()
                link_or_copy(kept, new)
            else:
                self.written += 1


@contextmanager
def staged_site(folder: Path, on_step: Callable[[str], None]) -> Iterator[StagedSite]:
    """Yield a site under construction; at the end it replaces the old one, and after an error nothing of it remains.

    The folder may be missing or empty, or hold a site; other files in a site's folder stay.

    Raises:
        UserError: when the folder holds something else, another program is making the site, or the disk refuses.
    """
    try:
        folder = folder.resolve()
    except (OSError, RuntimeError):
        raise UserError(f"{folder}: found a circular link; expected the folder of a site, or none") from None
    if not folder.name:
        raise UserError(f"{folder}: found the root of all folders; expected the folder of a site, or none")
    staged, lock = (folder.with_name(f".{folder.name}.{what}") for what in ("staged", "lock"))
    try:
        if folder.exists() and not folder.is_dir():
            raise UserError(f"{folder}: found a file; expected the folder of a site, or none")
        if folder.is_dir() and any(folder.iterdir()) and not (folder / _MARK).exists():
            raise UserError(
                f"{folder}: found files that `dptr site` did not write; expected a new or empty folder, or an earlier site."
                " Set DPTR_SITE to another folder"
            )
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(lock, timeout=0):
            try:
                if staged.exists():
                    remove_folder(staged)
                staged.mkdir()
                site = StagedSite(staged, on_step)
                yield site
                site.finish(folder)
                folder.mkdir(exist_ok=True)
                exchange(staged, folder, what="a site")
                durable_changes.append(f"{folder} was published")
                sync(folder.parent)
            finally:
                with suppress(OSError):
                    remove_folder(staged)
    except Timeout:
        raise UserError(f"{folder}: another program is making this site; try again when it is done") from None
    except OSError as error:
        raise UserError(f"{folder}: could not be written ({refusal(error)}); the old site is untouched") from error


def own_files(folder: Path) -> set[str]:
    """Return the files listed in a site's own mark, relative to its folder; none without a site."""
    try:
        return set((folder / _MARK).read_text(encoding="utf-8").splitlines()[1:])
    except (OSError, UnicodeDecodeError):
        return set()


def _files(folder: Path) -> Iterator[str]:
    """Yield the files and links below a folder, relative to it, without following links."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            yield from (f"{path.name}/{inside}" for inside in _files(path))
        else:
            yield path.name
