"""Making what a rating keeper begins with: a collection in a repository of its own, and an empty table of results."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from dippouch.collection.files import write_csv
from dippouch.collection.folder import first_seeds, lay_out
from dippouch.collection.schema import SETTINGS
from dippouch.command_line import Command
from dippouch.console import print_line
from dippouch.disk import explained
from dippouch.messages import UserError, durable_changes
from dippouch.settings import project_version

# The files of a repository that GitHub checks and publishes.
_REPOSITORY = Path(__file__).with_name("new_repository")
# An empty table of standings to fill in: a workbook, and the same rows as Excel writes them as CSV.
_TEMPLATE = Path(__file__).with_name("template")


@click.command("new", cls=Command)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--rating-system", default="dptr", show_default=True, help="The rating system: one of this project.")
def new(folder: Path, rating_system: str) -> None:
    """Make a collection without results in a folder of its own, which you can keep in git and publish from GitHub.

    \b
    dptr new my_ratings
    cd my_ratings && dptr import ../results.csv && dptr refresh

    `--rating-system dptr-continued` also copies this project's tournaments, results, people, published ranking and decisions.
    """
    settings = [{"setting": "title", "value": "Ratings"}, {"setting": "rating_system", "value": rating_system}]
    seeds = first_seeds(rating_system) | {SETTINGS.path: partial(write_csv, SETTINGS, settings)}
    with explained(f"{folder}: could not be written"):
        folder.mkdir(parents=True, exist_ok=True)
        # It may have been cloned from an empty repository.
        if found := sorted(path.name for path in folder.iterdir() if path.name != ".git"):
            raise UserError(f"{folder}: found `{found[0]}`; expected a new or empty folder for the collection")
        with TemporaryDirectory(prefix=".new", dir=folder) as staged:
            for path in (path for path in _REPOSITORY.rglob("*") if path.is_file()):
                target = Path(staged, path.relative_to(_REPOSITORY))
                target.parent.mkdir(parents=True, exist_ok=True)
                text = path.read_text(encoding="utf-8").replace("{version}", project_version())
                target.write_text(text, encoding="utf-8")
            lay_out(folder / "seeds", Path(staged, "seeds"), seeds)
            for path in sorted(Path(staged).iterdir()):
                path.rename(folder / path.name)
    print_line(f"Made {folder.absolute()}. Its README.md has the next steps.")


@click.command("template", cls=Command)
@click.argument("file", type=click.Path(path_type=Path))
def template(file: Path) -> None:
    """Write an empty table for the results of a tournament: .xlsx or .csv.

    \b
    dptr template results.xlsx
    """
    empty = _TEMPLATE.with_suffix(file.suffix.lower())
    if empty.suffix not in (".xlsx", ".csv"):
        raise UserError(f"{file}: found the ending `{file.suffix}`; expected .xlsx or .csv")
    with explained(f"{file}: cannot be written as a new file"):
        with file.open("xb") as made:
            made.write(empty.read_bytes())
        durable_changes.append(f"{file} was written")
    print_line(f"{file}: fill it in, and import it.")
