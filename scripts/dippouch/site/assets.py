"""The scripts and styles of the site: its own, two libraries from installed packages, and the bundled scripts of live pages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

import vl_convert
from filelock import FileLock

from dippouch.disk import fingerprint, hashes
from dippouch.errors import UserError
from dippouch.settings import PROJECT

_STATIC = Path(__file__).with_name("static")
# Browsers refuse to load an ES module from a disk, so the export of the table library becomes a global name. Only comments, the
# licences, follow it.
_EXPORT = re.compile(r"export\s*\{([^{}]*)\};?\s*(?=(?:/\*.*\*/\s*)?$)", re.DOTALL)
_NAMES = re.compile(r"(\w+)\s+as\s+(\w+)")
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


def all_assets() -> dict[str, str | bytes]:
    """Return the files by their name below `assets/`, without the scripts of live pages.

    Raises:
        UserError: when the format of a library has changed.
    """
    own = {path.name: path.read_bytes() for path in _STATIC.iterdir()}
    return own | {"table-library.js": _table_library(), "chart-library.js": _chart_library()}


@cache
def _chart_library() -> str:
    """Return Vega-Lite with its dependencies, from the package vl-convert, as a script that sets `window.vegaEmbed`."""
    return vl_convert.javascript_bundle("window.vegaEmbed=vegaEmbed;")


def _table_library() -> str:
    """Return DataTables, from the package itables, as a script that sets `window.tableLibrary`."""
    source = files("itables").joinpath("html", "dt_bundle.js").read_text(encoding="utf-8")
    found = _EXPORT.search(source)
    names = {public: private for private, public in _NAMES.findall(found[1])} if found else {}
    if found is None or "default" not in names:
        raise UserError("the package itables has an unknown format; `make environment` installs the pinned version")
    code, licences = source[: found.start()], source[found.end() :]
    return f"(()=>{{{code}\nwindow.tableLibrary={{DataTable:{names['default']}}};}})();\n{licences}"


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
