"""What live pages load: their scripts, bundled from `dashboard/live/` and cached by the hash of their sources, and the file that they query."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from dippouch.db import copy_marts, literal
from dippouch.disk import fingerprint, hashes, link_or_copy
from dippouch.errors import UserError
from dippouch.export.reading import COLUMNS, Content
from dippouch.export.tables import PACKAGE, TABLES
from dippouch.settings import PROJECT

_SOURCES = PROJECT / "dashboard" / "live"
_KEPT = PROJECT / ".live"
_LOCKED = ("package.json", "package-lock.json")
# The oldest version that esbuild and its build script support.
_OLDEST_NODE = 20
# The packages need no install scripts. One retry, so that a machine without a network fails soon.
_QUIETLY = (
    "--omit=dev",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--fetch-retries=1",
    "--prefer-offline",
)
# Lines of an error of npm or esbuild to show.
_LINES = 4
# The machine's Node, else the one in the environment that `make site` creates.
_PATHS = (os.environ.get("PATH", os.defpath), str(PROJECT / ".venv-node" / "bin"))

# A sixteenth of the default size: tables of live pages are small, and every column takes a block of its own.
_OPTIONS = ", block_size 16384"
_PACKING = 6


def bundled_scripts() -> Path:
    """Return the folder of the bundled scripts with their `manifest.json`; bundle them first if these sources are new.

    Raises:
        UserError: when they cannot be bundled: Node is missing, or its packages cannot be installed.
    """
    sources = {**hashes(_SOURCES / "src"), **{path.name: path.read_text() for path in _SOURCES.glob("*.*")}}
    bundled = _KEPT / fingerprint(sources)[:16]
    if bundled.is_dir():
        return bundled
    path = _path_of_node()
    _KEPT.mkdir(exist_ok=True)
    with FileLock(_KEPT / ".lock"):
        if not bundled.is_dir():
            modules = _KEPT / f"packages-{fingerprint({name: sources[name] for name in _LOCKED})[:16]}"
            if not modules.is_dir():
                new = _empty(_KEPT / "new-packages")
                for name in _LOCKED:
                    shutil.copy2(_SOURCES / name, new)
                _run(path, "npm", "ci", *_QUIETLY, f"--prefix={new}")
                new.rename(modules)
            new = _empty(_KEPT / "new")
            _run(path, "node", str(_SOURCES / "build.mjs"), str(modules / "node_modules"), str(new))
            new.rename(bundled)
            for old in _KEPT.iterdir():
                if old.is_dir() and old not in (bundled, modules):
                    shutil.rmtree(old, ignore_errors=True)
    return bundled


def write_live_file(content: Content, site: Path, previous: Path | None) -> str:
    """Write the file that live pages query, with the default rating system only; return its path below the site.

    The path has a hash of all tables. If the previous site has the same file, that one is kept: DuckDB gives every file a random identity.
    """
    path = f"data/live-{hashlib.sha256((site / 'data' / PACKAGE).read_bytes()).hexdigest()[:16]}.bin"
    if previous and (previous / path).is_file():
        link_or_copy(str(previous / path), str(site / path))
        return path
    of_systems = content.rows(f"from ({COLUMNS}) where column_name = 'rating_system_id'")
    filtered = {row["relation"] for row in of_systems} - {"marts.system_comparison"}
    default = f"where rating_system_id = {literal(content.facts['rating_system_id'])}"
    plain = content.file.with_name("live.duckdb")
    rows = {
        row["table_name"]: default if f"marts.{row['table_name']}" in filtered else "" for row in content.rows(TABLES)
    }
    copy_marts(content.connection, "published", plain, rows, _OPTIONS)
    (site / path).write_bytes(gzip.compress(plain.read_bytes(), _PACKING, mtime=0))
    plain.unlink()
    return path


def _path_of_node() -> str:
    """Return the search path with a Node and an npm."""
    for path in _PATHS:
        if shutil.which("npm", path=path) and (node := shutil.which("node", path=path)):
            with suppress(OSError, ValueError):
                found = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
                if int(found.stdout.removeprefix("v").partition(".")[0]) >= _OLDEST_NODE:
                    return path
    raise UserError(
        f"found no Node {_OLDEST_NODE} or later with npm; `make .venv-node/node.lock` brings one from the package index"
    )


def _run(path: str, program: str, *arguments: str) -> None:
    found = shutil.which(program, path=path)
    assert found is not None
    environment = os.environ | {"PATH": os.pathsep.join((str(Path(found).parent), *_PATHS))}
    done = subprocess.run([found, *arguments], capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        said = "; ".join(line.removeprefix("npm error ").strip() for line in done.stderr.splitlines()[:_LINES])
        raise UserError(f"their scripts could not be bundled: {program} {Path(arguments[0]).name} failed ({said})")


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder
