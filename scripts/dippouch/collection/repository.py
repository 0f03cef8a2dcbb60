"""Make a new collection in a repository of its own."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from dippouch.collection.files import write_csv
from dippouch.collection.folder import first_seeds, lay_out
from dippouch.collection.schema import SETTINGS
from dippouch.disk import explained
from dippouch.errors import UserError
from dippouch.settings import project_version

_TEMPLATE = Path(__file__).with_name("new_repository")


def make_repository(folder: Path, rating_system: str) -> None:
    """Write a collection without results, its settings, and the files of a repository that GitHub checks and publishes.

    Args:
        folder: a new or empty folder; it may have been cloned from an empty repository.
        rating_system: the rating system of the project that the collection has.

    Raises:
        UserError: when the folder has files, there is no such rating system, or the disk refuses.
    """
    settings = [{"setting": "title", "value": "Ratings"}, {"setting": "rating_system", "value": rating_system}]
    seeds = first_seeds(rating_system) | {SETTINGS.path: partial(write_csv, SETTINGS, settings)}
    with explained(f"{folder}: could not be written"):
        folder.mkdir(parents=True, exist_ok=True)
        if found := sorted(path.name for path in folder.iterdir() if path.name != ".git"):
            raise UserError(f"{folder}: found `{found[0]}`; expected a new or empty folder for the collection")
        with TemporaryDirectory(prefix=".new", dir=folder) as staged:
            for path in (path for path in _TEMPLATE.rglob("*") if path.is_file()):
                target = Path(staged, path.relative_to(_TEMPLATE))
                target.parent.mkdir(parents=True, exist_ok=True)
                text = path.read_text(encoding="utf-8").replace("{version}", project_version())
                target.write_text(text, encoding="utf-8")
            lay_out(folder / "seeds", Path(staged, "seeds"), seeds)
            for path in sorted(Path(staged).iterdir()):
                path.rename(folder / path.name)
