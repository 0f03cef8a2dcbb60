"""Settings: the folders of a collection, its databases and its site."""

import os
import re
import shlex
import tomllib
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

from dippouch.messages import UserError

# The package, and the project that it reads: the checkout around it, or the copy that an installed wheel has beside it.
PACKAGE = Path(__file__).resolve().parent
_INSTALLED = PACKAGE.with_name("dippouch_project")
IS_INSTALLED = _INSTALLED.is_dir()
PROJECT = _INSTALLED if IS_INSTALLED else PACKAGE.parents[1]


def project_variable(name: str) -> Any:  # noqa: ANN401 (text, numbers or a mapping of them)
    """Return a variable of dbt_project.yml, which SQL reads by `var(name)`."""
    return read_yaml(PROJECT / "dbt_project.yml")["vars"][name]


@cache
def read_yaml(path: Path) -> Any:  # noqa: ANN401 (text, numbers, lists and mappings of them)
    """Read one of the project's YAML files, with the parser in C: every program reads some at its start."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def project_version() -> str:
    """Read the version of the project: the metadata of a checkout's package has the version of its installation."""
    return str(tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def seeds_folder() -> Path:
    """Return the collection: DPTR_SEEDS, relative to the current folder as in `--seeds`; else `seeds` in this folder or around it.

    Raises:
        UserError: when there is none.
    """
    if stated := os.environ.get("DPTR_SEEDS"):
        return Path(stated).absolute()
    # A change replaces the folder: a shell in it is in the copy for `dptr undo` from then on.
    here = Path(re.sub(r"/\.([^/]+)\.(previous/[0-9]+|staged)(?=/|$)", r"/\1", str(current_folder())))
    for folder in (here / "seeds", here, *here.parents):
        if folder.name == "seeds" and (folder.is_dir() or here == PROJECT):
            return folder
    checkout = "" if IS_INSTALLED else f" (the checkout has one: {shlex.join(['cd', str(PROJECT)])})"
    raise UserError(f"{here}: found no folder `seeds`; expected a collection{checkout}. Make one: dptr new FOLDER")


def current_folder() -> Path:
    """Return the current folder.

    Raises:
        UserError: when it was deleted, or is another checkout: a copied environment would change the seeds of the one that it was
            copied from.
    """
    try:
        here = Path.cwd()
    except FileNotFoundError:
        gone = str(Path("/proc/self/cwd").resolve()).removesuffix(" (deleted)")
        raise UserError(f"{gone}: this folder was deleted; expected one to work in. Enter another: cd FOLDER") from None
    if (here / "scripts" / "dippouch").is_dir() and not here.samefile(PROJECT):
        raise UserError(
            f"{here}: found the command `dptr` of {PROJECT}; expected the one of this checkout. Run"
            f" `make environment` here, and then {here}/.venv/bin/dptr"
        )
    return here


def _beside(variable: str, name: str, seeds: Path | None = None) -> Path:
    """Return the folder in a variable, relative to the current folder; else the one with a name beside the seeds.

    Raises:
        UserError: when there are no seeds, or when the folder may be that of another collection, or is in the seeds.
    """
    if stated := os.environ.get(variable):
        folder = Path(stated).absolute()
        with suppress(UserError):
            seeds = seeds or seeds_folder()
        if seeds and folder.resolve().is_relative_to(seeds.resolve()):
            raise UserError(f"{folder}: found a folder in the seeds; expected one outside of {seeds}. Set {variable}")
        return folder
    seeds = Path(os.path.normpath((seeds or seeds_folder()).absolute()))
    beside = {path.parents[1] for path in seeds.parent.glob("[!.]*/reference/ref_*.csv")}
    if seeds.name != "seeds" and seeds in beside and len(beside) > 1:
        other = min(beside - {seeds})
        raise UserError(f"{seeds}: found another collection, {other}; expected a `{name}` for each. Set {variable}")
    return seeds.parent / name


# The folders of the databases build.duckdb and rankings.duckdb, and of the published site.
warehouse_folder = partial(_beside, "DPTR_WAREHOUSE", "warehouse")
site_folder = partial(_beside, "DPTR_SITE", "site")


def published_database(seeds: Path | None = None) -> Path:
    """Return the path of the database that readers open."""
    return warehouse_folder(seeds) / "rankings.duckdb"


def suggested_command(*words: str, seeds: Path) -> str:
    """Return a command of `dptr` for a message; it names the collection unless that is the default one."""
    return shlex.join(["dptr", *words, *([] if is_default(seeds) else ["--seeds", str(seeds)])])


def is_default(seeds: Path) -> bool:
    """Return whether a collection is the one on which `dptr` works without an option."""
    with suppress(UserError):
        return seeds.resolve() == seeds_folder().resolve()
    return False
